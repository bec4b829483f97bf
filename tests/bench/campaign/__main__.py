"""Sweeps by turns, and what they took and found."""

import argparse
import tempfile
from pathlib import Path
from statistics import median

from exchange.embedded.ports import free_port
from exchange.supervisor.stack import Stack
from llm_benchmark.simulator import Simulator, SimulatorConfig
from tests.e2e.rest import Rest

from .deployments import DEPLOYMENTS, MEASURED
from .manager import Manager
from .ours import Ours

KEY = "bench-key"
ROUNDS = 3
RATIO = 0.7


def provider(port):
    """A new one for each sweep, because some of its models count what they were asked."""
    models = {name: behaviour for name, (behaviour, _state) in DEPLOYMENTS.items()}
    return Simulator(SimulatorConfig(models=models, api_key=KEY, port=port))


def by_the_manager(port, number, folder):
    """(seconds, {model: state}, {model: requests})"""
    own = folder / f"manager-{number}"
    own.mkdir()
    with provider(port) as simulator:
        manager = Manager(simulator, KEY, own)
        seconds = manager.sweep()
        return seconds, manager.states(), _requests(simulator)


def by_us(port, ours):
    """The same."""
    with provider(port) as simulator:
        seconds, items = ours.sweep(simulator)
        _check_measured(items)
        states = {item["served_name"]: item["final_status"] for item in items}
        return seconds, states, _requests(simulator)


def _check_measured(items):
    """A sweep that leaves measurements out is no faster; one that failed took its time all the same."""
    rows = {item["served_name"]: item for item in items}
    for name in MEASURED:
        status, code = rows[name]["measurement_status"], rows[name]["measurement_code"]
        if status not in {"succeeded", "failed"}:
            raise SystemExit(f"{name} was not measured: {status}")
        if code:
            print(f"measurement of {name}: {code}")


def _requests(simulator):
    return {name: counts["requests"] for name, counts in simulator.counts().items()}


def right(states):
    return sum(states.get(name) == state for name, (_behaviour, state) in DEPLOYMENTS.items())


def bench(rounds, port, ours, folder):
    rows = []
    for number in range(rounds):
        theirs, our_own = by_the_manager(port, number, folder), by_us(port, ours)
        rows.append((theirs, our_own))
        for name, (seconds, states, requests) in (("manager", theirs), ("ours", our_own)):
            told = f"{right(states)} states as the table has them, {sum(requests.values())} requests"
            print(f"round {number + 1}, {name}: {seconds:.1f} s, {told}", flush=True)
    wrong = {
        name: states[name]
        for _theirs, (_seconds, states, _requests) in rows
        for name, (_behaviour, state) in DEPLOYMENTS.items()
        if states.get(name) != state
    }
    print(f"ours that differ from the table: {wrong or 'none'}")
    ratio = median(our_own[0] / theirs[0] for theirs, our_own in rows)
    print(f"FIGURE campaign_vs_manager_ratio {ratio:.2f} ratio  target ≤ {RATIO}")
    worst = min(right(our_own[1]) for _theirs, our_own in rows)
    print(f"FIGURE campaign_states_right {worst} count  target = {len(DEPLOYMENTS)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="bench-campaign-") as temporary:
        folder = Path(temporary)
        env = {"EXCHANGE_EGRESS_ALLOW": f"127.0.0.1:{port}"}
        with Stack(folder / "state", env=env) as stack, Rest(stack.base_url) as platform:
            bench(rounds, port, Ours(stack, platform, KEY), folder)


if __name__ == "__main__":
    main()
