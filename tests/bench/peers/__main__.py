"""Rounds of all four by turns, and what they cost."""

import argparse
import contextlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.bench import quality
from tests.bench.ledger import server_pid
from tests.bench.processes import cost, cpu_seconds

from .runners import KEY, MODEL, PEER_CLASSES, LmEval

ROUNDS = 5
QUESTIONS, MORE_QUESTIONS = 1000, 5000
SPEEDUPS = {"lm_eval": 8, "inspect": 15, "promptfoo": 7}
CPU_RATIO = 5
CANARY = 1


def run_peer(simulator, peer):
    """(wall seconds, CPU seconds) of a whole run; exits unless it brought `count` right answers."""
    shutil.rmtree(peer.results, ignore_errors=True)
    with answered(simulator, peer.name, peer.count), peer.log.open("wb") as said:
        try:
            spent = cost(peer.command(), cwd=peer.folder, env=peer.environment(), stdout=said, stderr=said)
        except subprocess.CalledProcessError:
            sys.exit(f"{peer.name} failed: {peer.log.read_text()[-2000:]}")
    if peer.right() != peer.count:
        sys.exit(f"{peer.name}: {peer.right()} of {peer.count} answers are right")
    return spent


def run_ours(simulator, count):
    """(wall seconds, CPU seconds of the process, CPU seconds of the database for it)."""
    server = server_pid()
    before = cpu_seconds(server)
    with answered(simulator, "ours", count + CANARY):
        wall, cpu = quality.measured("worker", simulator.base_url, count, quality.LEDGER)
    return wall, cpu, cpu_seconds(server) - before


@contextlib.contextmanager
def answered(simulator, name, count):
    """The provider has to have answered exactly so many requests meanwhile."""
    before = simulator.counts()[MODEL]["answered"]
    yield
    found = simulator.counts()[MODEL]["answered"] - before
    if found != count:
        sys.exit(f"{name}: {found} requests instead of {count}")


def one_round(simulator, peers, longer_lm_eval):
    """{column: seconds}; the wall of each runner, and the CPU of ours and lm-eval's at both sizes."""
    row = {}
    for peer in peers:
        row[peer.name], cpu = run_peer(simulator, peer)
        if peer.name == LmEval.name:
            row["lm_eval_cpu"] = cpu
    row["ours"], row["ours_cpu"], row["database_cpu"] = run_ours(simulator, QUESTIONS)
    row["home"], _cpu = quality.measured("worker", simulator.base_url, QUESTIONS, quality.HOME)
    _wall, row["lm_eval_cpu_more"] = run_peer(simulator, longer_lm_eval)
    _wall, row["ours_cpu_more"], row["database_cpu_more"] = run_ours(simulator, MORE_QUESTIONS)
    return row


def bench(rounds, folder):
    answers = dict(quality.sums(MORE_QUESTIONS))
    config = SimulatorConfig(models={MODEL: Behaviour(answers=answers)}, api_key=KEY)
    with Simulator(config) as simulator:
        peers = [peer(folder / peer.name, simulator.base_url, QUESTIONS) for peer in PEER_CLASSES]
        longer = LmEval(folder / "lm_eval_longer", simulator.base_url, MORE_QUESTIONS)
        one_round(simulator, peers, longer)  # bytecode, prepared data, tables
        rows = []
        for number in range(1, rounds + 1):
            rows.append(one_round(simulator, peers, longer))
            walls = ", ".join(f"{name} {rows[-1][name]:.2f}" for name in (*SPEEDUPS, "ours", "home"))
            print(f"round {number}: seconds of a whole run: {walls}", flush=True)
    report(rows)


def report(rows):
    for name, target in SPEEDUPS.items():
        speedup = median(row[name] / row["ours"] for row in rows)
        print(f"FIGURE speedup_vs_{name} {speedup:.1f} ratio  target ≥ {target}")
    lm_eval, ours, database = (marginal_ms(rows, f"{name}_cpu") for name in ("lm_eval", "ours", "database"))
    print(f"CPU ms a question: lm-eval {lm_eval:.2f}, ours {ours:.2f} and {database:.2f} in PostgreSQL")
    print(f"FIGURE cpu_vs_lm_eval {lm_eval / (ours + database):.1f} ratio  target ≥ {CPU_RATIO}")


def marginal_ms(rows, column):
    """What one more question costs: the difference of the two sizes."""
    differences = [row[f"{column}_more"] - row[column] for row in rows]
    return median(differences) / (MORE_QUESTIONS - QUESTIONS) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="after one that does not count")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as folder:
        bench(rounds, Path(folder))


if __name__ == "__main__":
    main()
