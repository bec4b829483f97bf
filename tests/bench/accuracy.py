"""How far off measured times are: `make bench-accuracy`.

A simulated endpoint of known TTFT and ITL is measured at three concurrencies, by turns by our session
(AIPerf, paced, behind the gateway) and by plain `aiperf profile` as its users run it, with the same number
and length of requests. The truth is what the simulated endpoint promises; it says itself how late it sends,
and nothing is subtracted for that. Errors are those of the p50, in percent of the truth; medians over rounds.
"""

import argparse
import itertools
import json
import os
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from llm_benchmark.measure.gateway.journal import read_journal
from llm_benchmark.measure.performance import aiperf
from llm_benchmark.measure.performance.runner import run_performance
from llm_benchmark.measure.plans import Dialect, EgressRules, PerformancePlan, Target
from llm_benchmark.measure.tokenizer import seed_cache
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.bench.quality import NullSink

MODEL, KEY = "bench", "bench-key"
TRUTH = {"ttft": 50.0, "itl": 5.0}  # ms
INPUT_TOKENS, OUTPUT_TOKENS, WARMUP = 128, 64, 2
REQUESTS = {1: 40, 8: 160, 32: 480}
TARGETS = {"ttft_error_percent_c1": 5, "itl_error_percent_c1": 2}
ROUNDS = 3
DIALECT = Dialect(extra_body={"ignore_eos": True})


@dataclass(frozen=True, slots=True)
class Session:
    """One measurement of a fresh endpoint."""

    simulator: Simulator
    concurrency: int
    folder: Path
    tokenizer: Path

    def ours(self):
        """The p50 that we publish, and what the gateway's journal says by itself, in ms."""
        target = Target(
            self.simulator.base_url, MODEL, KEY, dialect=DIALECT,
            egress=EgressRules(allow=frozenset({self.simulator.host_and_port})),
        )  # fmt: skip
        plan = PerformancePlan(
            INPUT_TOKENS, OUTPUT_TOKENS, REQUESTS[self.concurrency], 1, WARMUP, self.concurrency
        )
        outcome = run_performance(
            plan, target, NullSink(), threading.Event(), workdir=self.folder, tokenizer_cache=self.tokenizer
        )
        if outcome.failure:
            raise SystemExit(f"no measurement: {outcome.failure}")
        published = {name: outcome.metrics[f"{name}_p50"] for name in TRUTH}
        return published | _of_journal(outcome.files["gateway/journal.jsonl"])

    def plain(self):
        command = [
            aiperf.find_aiperf(), "profile", "--url", self.simulator.base_url.removesuffix("/v1"),
            "--model", MODEL, "--api-key", KEY, "--endpoint-type", "chat", "--streaming",
            "--tokenizer", "builtin", "--concurrency", str(self.concurrency),
            "--request-count", str(REQUESTS[self.concurrency]), "--warmup-request-count", str(WARMUP),
            "--isl", str(INPUT_TOKENS), "--osl", str(OUTPUT_TOKENS),
            "--extra-inputs", json.dumps(DIALECT.extra_body),
            "--artifact-dir", self.folder / "artifacts", "--ui", "none",
        ]  # fmt: skip
        offline = {"TIKTOKEN_CACHE_DIR": str(self.tokenizer), "HF_HUB_OFFLINE": "1"}
        with (self.folder / "said.log").open("wb") as said:
            subprocess.run(command, check=True, stdout=said, stderr=said, env={**os.environ, **offline})
        exported = json.loads((self.folder / "artifacts" / "profile_export_aiperf.json").read_text())
        names = {"ttft": "time_to_first_token", "itl": "inter_token_latency"}
        return {f"plain_{name}": exported[theirs]["p50"] for name, theirs in names.items()}


def _of_journal(path):
    entries = (entry for entry in read_journal(path) if entry.purpose == "request")
    load = sorted(entries, key=lambda entry: entry.start_ns)[WARMUP:]
    spans = [(e.last_content_after_ns - e.first_content_after_ns) / (e.usage.output_tokens - 1) for e in load]
    ttft = median(e.first_content_after_ns for e in load)
    return {"journal_ttft": ttft / 1e6, "journal_itl": median(spans) / 1e6}


def measure(concurrency, side, tokenizer):
    """What `side` measures of a fresh endpoint, and how late that was, in ms."""
    config = SimulatorConfig(
        models={MODEL: Behaviour(ttft_ms=TRUTH["ttft"], itl_ms=TRUTH["itl"])}, api_key=KEY
    )
    with tempfile.TemporaryDirectory(prefix="bench-accuracy-") as folder, Simulator(config) as simulator:
        session = Session(simulator, concurrency, Path(folder), tokenizer)
        return getattr(session, side)(), simulator.late_ms()


def bench(rounds, tokenizer):
    errors = {}
    for number in range(1, rounds + 1):
        for concurrency, side in itertools.product(REQUESTS, ("ours", "plain")):
            found, late = measure(concurrency, side, tokenizer)
            print(f"round {number}, c{concurrency}: {_shown(found)}; sent late: {_shown(late)}", flush=True)
            for name, value in found.items():
                errors.setdefault(f"{name}_error_percent_c{concurrency}", []).append(_error(name, value))
    for name, of_rounds in errors.items():
        target = f"  target ≤ {TARGETS[name]}" if name in TARGETS else ""
        print(f"FIGURE {name} {median(of_rounds):.2f} percent{target}")


def _error(name, value):
    truth = TRUTH[name.rpartition("_")[2]]
    return abs(value / truth - 1) * 100


def _shown(times):
    return ", ".join(f"{name} {value:.3f} ms" for name, value in times.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="bench-tokenizer-") as folder:
        bench(rounds, seed_cache(Path(folder)))


if __name__ == "__main__":
    main()
