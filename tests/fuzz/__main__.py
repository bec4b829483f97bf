"""Requests that nobody would send: `python -m tests.fuzz [--examples 5] [--seed 1] [--only rest|grpc]`.

A stack in a folder of its own, then generated requests to every REST operation (as an owner, as somebody else
and as nobody) and to every RPC. No answer may be our fault, and all must be as the contract says. Ends with 1
when a figure misses its target.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from exchange.supervisor.stack import Stack
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig

OUTSIDE = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "EXCHANGE_EVIDENCE_URL")
SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.fuzz.settings", "EXCHANGE_LOG_LEVEL": "ERROR"}
KEY = "sk-e2e-0123456789"
TARGETS = {"fuzz_5xx": "5xx", "fuzz_schema_violations": "violations"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=5, help="of each operation, phase and person")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["rest", "grpc"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        return tell(fuzz(folder, given))


def fuzz(folder, given):
    for name in OUTSIDE:
        os.environ.pop(name, None)
    with Simulator(SimulatorConfig(models(), api_key=KEY)) as simulator:
        env = {**SETTINGS, "EXCHANGE_EGRESS_ALLOW": simulator.host_and_port}
        with Stack(folder / "state", env=env) as stack:
            set_up_django(stack)
            from tests.fuzz import rest, rpc, world

            doors = {"rest": rest, "grpc": rpc}
            found = Counter()
            with world.build(stack, simulator) as built:
                for door in [given.only] if given.only else doors:
                    found += doors[door].run(built, folder, examples=given.examples, seed=given.seed)
    return found


def models():
    return {"able": Behaviour(), "chatty": Behaviour(ttft_ms=20, itl_ms=2)}


def set_up_django(stack):
    os.environ.update(stack.env)
    import django

    django.setup()


def tell(found):
    for figure, kind in TARGETS.items():
        print(f"FIGURE {figure} {found[kind]} count  target = 0")
    print(f"FIGURE fuzz_requests {found['requests']} count")
    return int(any(found[kind] for kind in TARGETS.values()))


if __name__ == "__main__":
    sys.exit(main())
