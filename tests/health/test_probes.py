import threading

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from exchange.health import checks
from exchange.storage import EvidenceUnavailable

pytestmark = pytest.mark.django_db(transaction=True)
READY = ["/ready", "/ready/", "/health", "/health/"]


@pytest.fixture
def database_at(monkeypatch):
    """`database_at(port)`: whoever connects from now on does it there."""

    def move(port):
        connection.close()
        monkeypatch.setitem(connection.settings_dict, "PORT", port)
        monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")

    yield move
    connection.close()


@pytest.fixture
def missing_migration():
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("leaderboards", "0002_initial")
    yield "leaderboards.0002_initial"
    recorder.record_applied("leaderboards", "0002_initial")


class Store:
    """An evidence store whose only answer is `exists`."""

    def __init__(self, exists):
        self.exists = exists


def asked(client, path="/ready"):
    answer = client.get(path)
    shown = answer.json()
    return answer.status_code, shown["status"], shown["accepting"], shown["checks"]


@pytest.mark.parametrize("path", ["/live", "/live/"])
def test_a_process_that_answers_is_alive(client, path):
    assert client.get(path).json() == {"status": "ok"}


def test_being_alive_asks_nobody(client, database_at, settings, closed_port, django_assert_num_queries):
    database_at(closed_port)
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    assert client.get("/live").status_code == 200


@pytest.mark.parametrize("path", ["/live", "/accepting", *READY])
class TestProbes:
    def test_are_only_read(self, client, path):
        answer = client.post(path)
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")

    def test_are_asked_by_head_too(self, client, path):
        answer = client.head(path)
        assert (answer.status_code, answer.content) == (200, b"")

    def test_are_asked_under_any_name(self, client, settings, path):
        settings.ALLOWED_HOSTS = ["exchange.example.org"]
        assert client.get(path, HTTP_HOST="10.1.2.3:8000").status_code == 200
        assert client.get("/login", HTTP_HOST="10.1.2.3:8000").status_code == 400


class TestReady:
    @pytest.mark.parametrize("path", READY)
    def test_when_every_part_is_there(self, client, path):
        parts = {"database": True, "migrations": True, "redis": True, "evidence": True}
        assert asked(client, path) == (200, "ok", True, parts)

    def test_is_degraded_but_accepting_without_redis(self, client, settings, closed_port):
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{closed_port}/0"

        status, word, accepting, parts = asked(client)
        assert (status, word, accepting) == (503, "degraded", True)
        assert parts == {"database": True, "migrations": True, "redis": False, "evidence": True}

    def test_is_degraded_but_accepting_without_the_evidence_store(self, client, monkeypatch):
        def refuse(_digest):
            raise EvidenceUnavailable

        monkeypatch.setattr(checks, "get_store", lambda: Store(refuse))
        status, word, accepting, parts = asked(client)
        assert (status, word, accepting, parts["evidence"]) == (503, "degraded", True, False)

    def test_names_the_migrations_that_are_pending(self, client, missing_migration):
        answer = client.get("/ready")

        assert (answer.status_code, answer.json()["accepting"]) == (503, False)
        assert answer.json()["pending_migrations"] == [missing_migration]

    def test_does_not_accept_without_a_database(self, client, database_at, closed_port):
        database_at(closed_port)

        status, _word, accepting, parts = asked(client)
        assert (status, accepting, parts["database"]) == (503, False, False)

    def test_says_unavailable_over_the_api_without_a_database(self, client, database_at, closed_port):
        database_at(closed_port)

        answer = client.get("/api/v1/benchmarks")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


class TestPartsThatHang:
    @pytest.fixture(autouse=True)
    def soon(self, monkeypatch):
        monkeypatch.setattr("exchange.health.bounded.LONGEST_SECONDS", 0.5)

    def test_are_found_to_be_away(self, client, database_at, settings, silent_port):
        database_at(silent_port)
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{silent_port}/0"
        status, _word, accepting, parts = asked(client)
        assert (status, accepting) == (503, False)
        assert parts == {"database": False, "migrations": False, "redis": False, "evidence": True}

    def test_are_asked_once_however_often_the_probe_comes(self, client, monkeypatch):
        release, calls = threading.Event(), []

        def hang(_digest):
            calls.append(1)
            release.wait(60)

        monkeypatch.setattr(checks, "get_store", lambda: Store(hang))
        try:
            found = [asked(client)[3]["evidence"] for _ in range(3)]
        finally:
            release.set()
        assert (found, len(calls)) == ([False] * 3, 1)


class TestAccepting:
    def test_goes_on_while_only_redis_is_away(self, client, settings, closed_port):
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{closed_port}/0"
        assert asked(client, "/accepting")[:3] == (200, "degraded", True)

    def test_ends_with_the_database(self, client, database_at, closed_port):
        database_at(closed_port)
        assert asked(client, "/accepting")[:3] == (503, "degraded", False)

    def test_waits_for_a_migration(self, client, missing_migration):
        assert asked(client, "/accepting/")[0] == 503
