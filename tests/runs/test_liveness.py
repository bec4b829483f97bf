"""A worker's row moves with what its run's ledger could write, and with nothing else."""

import pytest

from exchange.core import liveness
from exchange.core.models import WorkerProcess
from llm_benchmark.measure.sink import Purpose, Reservation, Stop
from submissions.runs.models import Run
from tests.factories.runs import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def worker(monkeypatch):
    monkeypatch.setattr(liveness, "_process", liveness._Process())
    monkeypatch.setattr("atexit.register", lambda _call: None)
    monkeypatch.setattr(liveness, "_BETWEEN_WRITES_SECONDS", 0)
    liveness.begin("worker")


def activity():
    return WorkerProcess.objects.values_list("activity", flat=True).first()


class TestProgress:
    def test_is_a_claim(self, worker, claim):
        RunFactory()
        claim()
        assert activity() == "claim"

    def test_is_a_lease_that_was_prolonged(self, worker, claim):
        RunFactory()
        _run, _lease, ledger = claim()
        ledger.heartbeat()
        assert activity() == "heartbeat"

    def test_is_what_was_written_of_attempts(self, worker, claim):
        RunFactory()
        _run, _lease, ledger = claim()
        ledger.reserve([Reservation(Purpose.QUESTION, "case-0", 0)])
        assert activity() == "progress"

    def test_is_nothing_that_came_too_late(self, worker, claim):
        RunFactory()
        run, _lease, ledger = claim()
        Run.objects.filter(pk=run.pk).update(fence=run.fence + 1)
        with pytest.raises(Stop):
            ledger.heartbeat()
        assert activity() == "claim"
