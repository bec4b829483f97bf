from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from exchange.supervisor.stack import Stack
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.e2e.people import ANSWERS, KEY, Lab
from tests.embedded.conftest import reachable_folder

OUTSIDE = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "REDIS_URL",
    "DJANGO_SETTINGS_MODULE",
    "EXCHANGE_EVIDENCE_URL",
)


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
        with Stack(folder, env={"EXCHANGE_EGRESS_ALLOW": simulator.host_and_port, **env}) as running:
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


@pytest.fixture(scope="module")
def two_worlds(django_db_setup, django_db_blocker):
    """Made once for a module; what a test does to them is `undone`."""
    from tests.e2e.worlds import HUSH, World

    with django_db_blocker.unblock():
        with transaction.atomic():
            yield World("mine"), World(HUSH)
            transaction.set_rollback(True)
        connection.close()


@pytest.fixture
def undone(two_worlds):
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def mine(two_worlds, undone):
    return two_worlds[0]


@pytest.fixture
def foreign(two_worlds, undone):
    return two_worlds[1]


@pytest.fixture
def client(api, mine):
    """The API as the owner of `mine`."""
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {mine.secret}")
    return api
