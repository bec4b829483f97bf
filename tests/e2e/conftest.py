from contextlib import contextmanager

import pytest

from exchange.supervisor.stack import Stack
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.e2e.people import ANSWERS, KEY, Lab
from tests.embedded.conftest import reachable_folder

OUTSIDE = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "EVIDENCE_DIR")


@contextmanager
def provider():
    """A simulated one. `able` and `boasting` answer alike; `chatty` and `slow` are for loads."""
    models = {
        "able": Behaviour(answers=ANSWERS),
        "boasting": Behaviour(answers=ANSWERS),
        "chatty": Behaviour(ttft_ms=20, itl_ms=2),
        "slow": Behaviour(ttft_ms=500, itl_ms=2),
    }
    with Simulator(SimulatorConfig(models, api_key=KEY)) as running:
        yield running


@contextmanager
def running_stack(simulator, **env):
    """The whole system in a folder of its own, on its own embedded servers and not on the tests'."""
    with reachable_folder() as folder, pytest.MonkeyPatch.context() as patch:
        for name in OUTSIDE:
            patch.delenv(name, raising=False)
        with Stack(folder, env={"EGRESS_ALLOW": simulator.host_and_port, **env}) as running:
            yield running


@pytest.fixture(scope="package")
def simulator():
    with provider() as running:
        yield running


@pytest.fixture(scope="package")
def stack(simulator):
    with running_stack(simulator) as running:
        yield running


@pytest.fixture(scope="package")
def lab(stack, simulator):
    """An organization with a discovered endpoint and two active benchmarks."""
    with Lab(stack, simulator) as ready:
        yield ready
