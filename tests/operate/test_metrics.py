"""`/metrics`: who may read it, and what it says."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.conf import settings as site
from django.db import connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from exchange.core import clock, events
from exchange.core.actors import SYSTEM
from exchange.core.models import AuditEntry, OutboxMessage, WorkerProcess
from exchange.health import checks
from exchange.operate.metrics import collecting, figures, questions
from submissions.runs.models import Attempt
from tests.factories.accounts import UserFactory
from tests.factories.governance import voting_proposal
from tests.factories.runs import RunFactory, load_version

pytestmark = pytest.mark.django_db
PERFORMANCE, QUALITY = {"kind": "performance"}, {"kind": "quality"}


@pytest.fixture(autouse=True)
def open_to_all(settings):
    settings.METRICS_OPEN = True


def values(client):
    """(name without its prefix, labels) → value of every sample."""
    text = client.get("/metrics").content.decode()
    return {
        (sample.name.removeprefix(figures.PREFIX), frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def value(client):
    """`value("runs_pending", kind="quality")`, asked once."""
    found = {}

    def read(name, **labels):
        found.update(found or values(client))
        return found[name, frozenset(labels.items())]

    return read


def about(seconds):
    """Within a test the transaction's time stands still."""
    return pytest.approx(seconds, abs=200)


def ago(seconds):
    return clock.now() - timedelta(seconds=seconds)


class TestDoor:
    @pytest.mark.parametrize("path", ["/metrics", "/metrics/"])
    def test_shows_prometheus_text(self, client, path):
        answer = client.get(path)
        assert (answer.status_code, answer["Content-Type"]) == (
            200,
            "text/plain; version=0.0.4; charset=utf-8",
        )

    def test_is_not_there_without_a_token_in_production(self, client, settings):
        settings.METRICS_OPEN = False
        answer = client.get("/metrics")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")

    @pytest.mark.parametrize("header", ["", "Bearer", "Bearer other", "Basic sesame", "sesame", "Bearer ü"])
    @pytest.mark.parametrize("is_open", [True, False])
    def test_wants_the_token_where_there_is_one(self, client, settings, header, is_open):
        settings.METRICS_TOKEN, settings.METRICS_OPEN = "sesame", is_open
        answer = client.get("/metrics", headers={"Authorization": header} if header else {})
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert answer["WWW-Authenticate"] == "Bearer"

    def test_takes_the_token(self, client, settings):
        settings.METRICS_TOKEN, settings.METRICS_OPEN = "sesame", False
        assert client.get("/metrics", headers={"Authorization": "Bearer sesame"}).status_code == 200

    def test_takes_no_query(self, client):
        answer = client.get("/metrics?name[]=exchange_runs_pending")
        assert (answer.status_code, answer.json()["code"]) == (422, "query_not_taken")

    def test_is_only_read(self, client):
        assert client.post("/metrics").status_code == 405

    def test_answers_one_scrape_at_a_time(self, client, monkeypatch):
        second = []

        def scrape():
            second.append(Client().get("/metrics"))
            return b""

        monkeypatch.setattr(collecting, "text", scrape)
        first = client.get("/metrics")
        [refused] = second
        assert (first.status_code, refused.status_code) == (200, 429)
        assert (refused.json()["code"], refused["Retry-After"]) == ("metrics_scrape_in_progress", "1")
        assert client.get("/metrics").status_code == 200

    @pytest.mark.django_db(transaction=True)
    def test_gives_up_what_takes_too_long(self, client, monkeypatch, settings):
        settings.STATEMENT_SECONDS = 3600
        monkeypatch.setattr(collecting, "STATEMENT_MILLISECONDS", 50)
        monkeypatch.setattr(questions.statements, "SNAPSHOT", "SELECT pg_sleep(60), 0")
        answer = client.get("/metrics")
        assert (answer.status_code, answer.json()["code"]) == (504, "deadline_exceeded")
        monkeypatch.undo()
        with connection.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            assert cursor.fetchone() == ("0",)


class TestFigures:
    def test_are_all_given_and_no_others(self, client):
        text = client.get("/metrics").content.decode()
        given = {family.name for family in text_string_to_metric_families(text)}
        assert given == {figures.PREFIX + one.name for one in figures.FIGURES}

    def test_have_a_value_on_an_empty_database(self, value):
        for one in figures.FIGURES:
            if not one.labels:
                assert value(one.name) >= 0

    def test_are_what_the_document_shows(self):
        document = Path(site.BASE_DIR, "docs", "operating.md").read_text(encoding="utf-8")
        assert figures.table() in document, (
            "put there what `python -m exchange.operate.metrics.figures` prints"
        )


class TestRuns:
    def test_that_are_queued(self, value):
        RunFactory(not_before=ago(300))
        RunFactory(not_before=ago(900), failed_attempts=1)
        RunFactory(not_before=ago(-500), failed_attempts=2)
        assert value("runs_pending", **QUALITY) == 3
        assert value("runs_due_pending", **QUALITY) == 2
        assert value("runs_due_pending_oldest_age_seconds", **QUALITY) == about(900)
        assert value("runs_retry_scheduled", **QUALITY) == 2
        assert value("runs_pending", **PERFORMANCE) == 0

    def test_that_are_running(self, value):
        RunFactory(version=load_version(), status="running", cancel_requested_at=ago(1))
        RunFactory(version=load_version(), status="running", lease_until=ago(900))
        RunFactory(version=load_version(), status="running", lease_until=ago(70))
        assert value("runs_running", **PERFORMANCE) == 3
        assert value("runs_cancellation_requested", **PERFORMANCE) == 1
        assert value("runs_expired_running", **PERFORMANCE) == 2
        assert value("run_expired_lease_oldest_age_seconds") == about(900)

    def test_that_are_given_up(self, value):
        RunFactory(status="dead", finished_at=ago(86400 * 30))
        RunFactory(status="failed", finished_at=ago(10))
        assert value("runs_dead_lettered", **QUALITY) == 1

    def test_that_succeeded_lately_have_latencies(self, value):
        for execution in (10, 20, 30):
            RunFactory(
                status="succeeded",
                created_at=ago(1000),
                started_at=ago(500),
                finished_at=ago(500 - execution),
            )
        RunFactory(status="succeeded", created_at=ago(9000), started_at=ago(8000), finished_at=ago(4000))
        assert value("run_latency_samples") == 3
        assert value("run_latency_truncated") == 0
        assert round(value("run_latency_quantile_seconds", phase="queue", quantile="0.5")) == 500
        assert round(value("run_latency_quantile_seconds", phase="execution", quantile="0.5")) == 20
        assert round(value("run_latency_quantile_seconds", phase="end_to_end", quantile="0.99")) == 530

    def test_are_counted_for_latencies_up_to_a_bound(self, value, monkeypatch):
        monkeypatch.setattr(questions, "MOST_ROWS", 2)
        for _ in range(3):
            RunFactory(status="succeeded", started_at=ago(9), finished_at=ago(5))
        assert (value("run_latency_samples"), value("run_latency_truncated")) == (2, 1)

    def test_have_requests_on_their_way(self, value):
        for run in (RunFactory(status="running"), RunFactory()):
            for number, state in enumerate(["reserved", "sent", "sent", "settled"]):
                Attempt.objects.create(
                    run=run, fence=1, purpose="question", key="k", number=number, status=state
                )
        assert value("provider_attempts_active", state="reserved") == 1
        assert value("provider_attempts_active", state="sent") == 2


class TestWaiting:
    def test_in_the_outbox(self, value):
        for number, delivered in enumerate([None, None, clock.now()]):
            OutboxMessage.objects.create(
                event_id=f"{number:032x}",
                kind="run.queued",
                facts={},
                delivered_at=delivered,
                created_at=ago(900 - 400 * number),
            )
        assert value("outbox_waiting") == 2
        assert value("outbox_oldest_age_seconds") == about(900)

    def test_for_the_post(self, value):
        from exchange.accounts.mailing import TRIES
        from exchange.accounts.models import Letter

        person = UserFactory()
        for attempts, sent in [(0, None), (TRIES - 1, None), (TRIES, None), (1, clock.now())]:
            Letter.objects.create(
                kind="confirm_email", user=person, attempts=attempts, sent_at=sent, not_before=ago(900)
            )
        assert value("letters_waiting") == 2
        assert value("letters_given_up") == 1
        assert value("letters_oldest_age_seconds") == about(900)

    def test_for_beat(self, value):
        proposal = voting_proposal()
        type(proposal).objects.filter(pk=proposal.pk).update(
            voting_opens_at=ago(1900), voting_closes_at=ago(900)
        )
        voting_proposal()
        assert value("proposals_overdue") == 1
        assert value("proposals_overdue_oldest_age_seconds") == about(900)


class TestFacts:
    def test_of_the_window_are_counted_by_kind(self, value):
        before = AuditEntry.objects.count()
        for _ in range(3):
            events.publish("bench.measured", actor=SYSTEM)
        AuditEntry.objects.bulk_create(
            AuditEntry(
                sequence=number,
                event_id=f"{number:032x}",
                kind="bench.forgotten",
                facts={},
                occurred_at=ago(3600),
                previous_digest="",
                digest=str(number),
            )
            for number in range(10_000, 10_003)
        )
        assert AuditEntry.objects.count() == before + 6
        assert value("audit_events_window", event_type="bench.measured") == 3
        with pytest.raises(KeyError):
            value("audit_events_window", event_type="bench.forgotten")

    def test_beyond_the_bound_are_left_out(self, value, monkeypatch):
        monkeypatch.setattr(questions, "MOST_EVENTS", 2)
        for _ in range(3):
            events.publish("bench.measured", actor=SYSTEM)
        assert value("audit_events_window", event_type="bench.measured") == 2
        assert value("audit_events_window_truncated") == 1


class TestProcesses:
    def test_that_fell_silent_are_told_from_those_that_work(self, value):
        for pid, (kind, silence, activity) in enumerate(
            [
                ("worker", 5, "scan"),
                ("worker", 500, "scan"),
                ("measure", 10, "heartbeat"),
            ]
        ):
            WorkerProcess.objects.create(
                kind=kind,
                host="h",
                pid=pid,
                started_at=ago(900),
                last_progress_at=ago(silence),
                activity=activity,
            )
        found = {
            (kind, state): value("worker_processes", kind=kind, state=state)
            for kind in ("worker", "measure", "beat")
            for state in ("active", "stalled")
        }
        assert {place for place, count in found.items() if count} == {
            ("worker", "active"),
            ("worker", "stalled"),
            ("measure", "active"),
        }
        assert value("worker_activity_oldest_age_seconds", activity="scan") == about(500)

    @pytest.mark.parametrize("is_there", [True, False])
    def test_hear_the_bell_or_do_not(self, value, monkeypatch, is_there):
        monkeypatch.setattr(questions, "queue_answers", lambda: is_there)
        assert value("queue_available") == is_there

    def test_hear_the_real_bell(self):
        for part in checks.PARTS:
            part.forget()
        assert checks.queue_answers()


class TestAlerts:
    FOLDER = Path(figures.__file__).parent

    def rules(self):
        [group] = yaml.safe_load((self.FOLDER / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
        return group["rules"]

    def test_ask_for_figures_that_there_are(self):
        known = {figures.PREFIX + one.name for one in figures.FIGURES}
        for rule in self.rules():
            asked = set(re.findall(r"\bexchange_\w+", rule["expr"]))
            assert asked, rule
            assert asked <= known, rule

    def test_are_explained(self):
        document = Path(site.BASE_DIR, "docs", "operating.md").read_text(encoding="utf-8")
        names = [rule["alert"] for rule in self.rules()]
        assert len(names) == 8
        assert re.findall(r"^\| `(Exchange\w+)` \|", document, re.MULTILINE) == names
