"""What the question runner costs: `python -m tests.bench.quality [--sink MODULE:FACTORY]`.

Both sides run in turn against the same instant simulated provider: the runner as a cold process with the
given sink, and a raw client that only sends and reads. A factory takes no arguments and is a context manager
that gives a `Sink`; it configures Django itself where it needs it. What has to exist before the cold
process (a run row, say) is made by an attribute `prepare()` of the factory, which returns variables for its
environment.
"""

import argparse
import contextlib
import importlib
import importlib.util
import json
import os
import statistics
import sys
import tempfile
import threading
from pathlib import Path

from tests.bench.processes import cost

ROUNDS = 5
CONCURRENCY = 32
QUESTIONS = 1000
WALL_TARGET, CPU_TARGET = 1.5, 0.45
HOME, NULL = "tests.bench.quality:home_sink", "tests.bench.quality:null_sink"
LEDGER = "tests.bench.ledger:ledger_sink"
KEY_HEADERS = [("authorization", "Bearer sk-bench")]
ROOT = Path(__file__).resolve().parents[2]


class NullSink:
    """Stores nothing, so that only the runner is left. Batches arrive as for any sink."""

    def __init__(self):
        self.reserved = 0

    def reserve(self, batch):
        first, self.reserved = self.reserved, self.reserved + len(batch)
        return range(first, self.reserved)

    def sent(self, attempt_ids):
        pass

    def settled(self, batch):
        pass

    def heartbeat(self):
        return True


class Heard:
    """A sink that remembers the answers it passes on."""

    def __init__(self, sink):
        self.answers = []
        self.reserve, self.sent, self.heartbeat = sink.reserve, sink.sent, sink.heartbeat
        self._settled = sink.settled

    def settled(self, batch):
        self.answers += [item.answer for item in batch if item.answer]
        self._settled(batch)


@contextlib.contextmanager
def null_sink():
    yield NullSink()


@contextlib.contextmanager
def home_sink():
    from llm_benchmark.measure.home import HomeSink

    with tempfile.TemporaryDirectory() as folder, HomeSink(folder) as sink:
        yield sink


def sums(count):
    """(question, its only right answer)."""
    return [(f"What is {n} plus {n}?", str(n + n)) for n in range(count)]


def worker(base_url, count, factory):
    """The cold process: import, ask, store, score."""
    from llm_benchmark.measure.metrics import score_answers
    from llm_benchmark.measure.plans import EgressRules, QualityPlan, Question, Target
    from llm_benchmark.measure.quality import run_quality

    allowed = base_url.removeprefix("http://").removesuffix("/v1")
    target = Target(base_url, "sim", "sk-bench", egress=EgressRules(allow=frozenset({allowed})))
    questions = [Question(f"q{n}", *sum_, "exact_match_v1") for n, sum_ in enumerate(sums(count))]
    with load(factory)() as sink:
        heard = Heard(sink)
        outcome = run_quality(
            QualityPlan(questions, concurrency=CONCURRENCY), target, heard, threading.Event()
        )
    right = sum(case.score for case in score_answers(questions, heard.answers))
    if outcome.failure or right != count:
        sys.exit(f"no measurement: {outcome.failure}, {right} of {count} are right")


def floor(base_url, count):
    """The raw client: the same connections and requests, nothing kept."""
    import asyncio

    import uvloop

    from llm_benchmark.measure.egress import Pinned
    from llm_benchmark.measure.wire import Connections, render_request

    host, port = base_url.removeprefix("http://").removesuffix("/v1").split(":")
    body = json.dumps({"model": "sim", "messages": [{"role": "user", "content": "What is 1?"}]}).encode()
    request = render_request("POST", "/v1/chat/completions", host=host, headers=KEY_HEADERS, body=body)

    async def slot(connections, share):
        for _ in range(share):
            await connections.send(request, seconds=60)

    async def ask():
        connections = Connections(Pinned("http", host, int(port), host, None))
        await asyncio.gather(*(slot(connections, count // CONCURRENCY) for _ in range(CONCURRENCY)))
        await connections.close()

    uvloop.run(ask())


def load(name):
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def measured(mode, base_url, count, factory):
    """(wall seconds, CPU seconds) of one cold process with all its children."""
    prepare = getattr(load(factory), "prepare", None)
    extra = prepare() if prepare else {}
    command = [sys.executable, "-m", "tests.bench.quality", mode, base_url, str(count), factory]
    env = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'sdk'}", **extra}
    return cost(command, cwd=ROOT, env=env)


def marginal_ms(mode, base_url, factory):
    (_, one), (_, two) = (measured(mode, base_url, QUESTIONS * times, factory) for times in (1, 2))
    return (two - one) / QUESTIONS * 1000


def bench(factory):
    from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig

    walls, floors, cpus, floor_cpus = [], [], [], []
    config = SimulatorConfig(models={"sim": Behaviour(answers=dict(sums(2 * QUESTIONS)))}, api_key="sk-bench")
    with Simulator(config) as simulator:
        for _ in range(ROUNDS):
            walls.append(measured("worker", simulator.base_url, QUESTIONS, factory)[0])
            floors.append(measured("floor", simulator.base_url, QUESTIONS, NULL)[0])
            cpus.append(marginal_ms("worker", simulator.base_url, NULL))
            floor_cpus.append(marginal_ms("floor", simulator.base_url, NULL))
    print(f"sink of the wall figure: {factory}; medians of {ROUNDS}")
    print(
        f"raw client: {statistics.median(floors):.3f} s, {statistics.median(floor_cpus):.3f} ms per question"
    )
    print(f"FIGURE quality_1000_wall_s {statistics.median(walls):.3f} s  target ≤ {WALL_TARGET}")
    print(f"FIGURE quality_cpu_ms_per_question {statistics.median(cpus):.3f} ms  target ≤ {CPU_TARGET}")


def default_factory():
    """PostgreSQL where there is a ledger for it, else the ledger at home."""
    if importlib.util.find_spec(LEDGER.partition(":")[0]):
        return LEDGER
    print("no PostgreSQL ledger: JSON lines with fsync instead")
    return HOME


def main(arguments):
    if arguments[:1] == ["worker"]:
        worker(arguments[1], int(arguments[2]), arguments[3])
    elif arguments[:1] == ["floor"]:
        floor(arguments[1], int(arguments[2]))
    else:
        parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
        parser.add_argument("--sink", metavar="MODULE:FACTORY")
        bench(parser.parse_args(arguments).sink or default_factory())


if __name__ == "__main__":
    main(sys.argv[1:])
