import pytest

from submissions.runs import leases, settling
from submissions.runs.ledger import RunLedger
from tests.runs.worker import Workers


@pytest.fixture(autouse=True)
def any_machine(monkeypatch, settings):
    """As on a machine with cores enough, unless a test says otherwise."""
    settings.MEASURE_ALONE = False


@pytest.fixture(scope="session")
def workers(django_db_setup):
    with Workers() as running:
        yield running


@pytest.fixture
def claim(db):
    """`claim("quality")`: (run, lease, ledger) of the next run."""

    def call(kind="quality"):
        claimed = leases.claim_next_run(kinds=[kind])
        assert claimed is not None
        run, lease = claimed
        return run, lease, RunLedger(lease, is_performance=kind == "performance")

    return call


@pytest.fixture
def fail():
    return settling.fail
