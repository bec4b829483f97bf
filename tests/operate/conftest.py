import pytest
from django.db import connection, transaction

from tests.operate.world import World, provider


@pytest.fixture(scope="module")
def simulator():
    with provider() as running:
        yield running


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker, simulator, tmp_path_factory):
    """Made once for a module in a transaction; what a test does to it is `undone`."""
    from django.conf import settings

    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "EVIDENCE_URL", tmp_path_factory.mktemp("evidence").as_uri())
        patch.setattr(settings, "EGRESS_ALLOW", frozenset({simulator.host_and_port}))
        patch.setattr(settings, "MEASURE_ALONE", False)
        with transaction.atomic():
            yield World(simulator)
            transaction.set_rollback(True)
        connection.close()


@pytest.fixture
def undone(world):
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
