"""Checks and discoveries as runs: where they go on, and how they end."""

import threading

import pytest

from exchange.core import clock, stopping
from submissions.endpoints import discovering
from submissions.endpoints.discovering import Listing
from submissions.runs import selectors, services
from submissions.runs.ledger import RunLedger
from submissions.runs.models import Attempt, Run
from tests.factories.endpoints import EndpointFactory
from tests.factories.runs import CheckFactory

pytestmark = pytest.mark.django_db
FIRST = {"step": "smoke", "number": 1, "status": 503, "error": "overloaded", "latency_ms": 2.0}


def settled(run, step, number=1, *, error="", status=200):
    Attempt.objects.create(
        run=run, fence=1, purpose="probe", key=step, number=number, status="settled", error=error,
        http_status=status, sent_at=clock.now(), settled_at=clock.now(),
    )  # fmt: skip


def steps(run):
    stand = selectors.stand_of(run)
    return stand and [(probe["step"], probe["number"], probe["error"]) for probe in stand["probes"]]


class TestStandOf:
    def test_is_nothing_at_the_beginning(self):
        assert selectors.stand_of(CheckFactory()) is None

    def test_is_that_of_the_last_pause(self):
        run = CheckFactory(findings={"probe": {"probes": [FIRST]}})
        settled(run, "smoke", error="overloaded", status=503)

        assert selectors.stand_of(run) == {"probes": [FIRST]}

    def test_has_what_a_lost_worker_settled_since(self):
        run = CheckFactory(findings={"probe": {"probes": [FIRST]}})
        settled(run, "smoke", error="overloaded", status=503)
        settled(run, "smoke", 2)
        settled(run, "stability-1", error="provider_error", status=500)

        assert steps(run) == [
            ("smoke", 1, "overloaded"),
            ("smoke", 2, None),
            ("stability-1", 1, "provider_error"),
        ]

    def test_leaves_out_a_last_refusal_which_is_judged_by_its_words(self):
        run = CheckFactory()
        settled(run, "smoke", error="request_refused", status=400)
        assert steps(run) is None

        settled(run, "smoke-query")
        assert steps(run) == [("smoke", 1, "request_refused"), ("smoke-query", 1, None)]

    def test_leaves_out_what_is_not_known_to_have_come(self):
        run = CheckFactory()
        settled(run, "smoke")
        Attempt.objects.update(status="lost")

        assert steps(run) is None


class TestDiscovery:
    @pytest.fixture
    def run(self):
        endpoint = EndpointFactory()
        facts = {"endpoint": endpoint, "organization": endpoint.organization, "deployment": None}
        return CheckFactory(kind="discovery", **facts)

    @pytest.fixture
    def answering(self, monkeypatch):
        """The endpoint answers when this is set."""
        answers = threading.Event()

        def ask(target, *, is_probed):
            assert answers.wait(60)
            return Listing(target.base_url, [], None)

        monkeypatch.setattr(discovering, "ask", ask)
        yield answers
        answers.set()

    def after(self, monkeypatch, beats, what):
        beat, count = RunLedger.heartbeat, iter(range(beats + 1))

        def counted(ledger):
            if next(count, beats) == beats:
                what()
            return beat(ledger)

        monkeypatch.setattr(RunLedger, "heartbeat", counted)

    def test_keeps_its_lease_while_it_waits(self, run, answering, monkeypatch):
        self.after(monkeypatch, 2, answering.set)
        services.work_once("discovery")

        run.refresh_from_db()
        assert (run.status, run.findings) == ("succeeded", {"model_count": 0})

    def test_ends_when_it_is_cancelled(self, run, answering, monkeypatch):
        at = run.created_at
        cancel = Run.objects.filter(pk=run.pk).update
        self.after(monkeypatch, 1, lambda: cancel(cancel_requested_at=at))
        services.work_once("discovery")

        run.refresh_from_db()
        assert run.status == "cancelled"

    def test_is_handed_over_when_its_process_has_to_stop(self, run, answering, monkeypatch):
        monkeypatch.setattr(stopping, "asked", threading.Event())
        self.after(monkeypatch, 1, stopping.asked.set)
        services.work_once("discovery")

        run.refresh_from_db()
        assert (run.status, run.failed_attempts) == ("queued", 0)

    def test_fails_by_a_bug_of_ours_as_every_run(self, run, monkeypatch):
        monkeypatch.setattr(discovering, "ask", lambda target, *, is_probed: 1 / 0)
        services.work_once("discovery")

        run.refresh_from_db()
        assert (run.status, run.failed_attempts) == ("queued", 1)
