import socket

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: it refuses
        yield taken.getsockname()[1]


@pytest.mark.parametrize("path", ["/live", "/live/"])
def test_a_process_that_answers_is_alive(client, path):
    assert client.get(path).json() == {"status": "ok"}


class TestReady:
    @pytest.mark.parametrize("path", ["/ready", "/ready/", "/health", "/health/"])
    def test_when_every_part_is_there(self, client, path):
        answer = client.get(path)

        assert (answer.status_code, answer.json()["status"], answer.json()["accepting"]) == (200, "ok", True)

    def test_is_degraded_but_accepting_without_redis(self, client, settings, closed_port):
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{closed_port}/0"

        answer = client.get("/ready")

        assert (answer.status_code, answer.json()["status"], answer.json()["accepting"]) == (
            503,
            "degraded",
            True,
        )
        assert answer.json()["checks"] == {"database": True, "migrations": True, "redis": False}

    def test_names_the_migrations_that_are_pending(self, client):
        MigrationRecorder(connection).record_unapplied("leaderboards", "0002_initial")

        answer = client.get("/ready")

        assert (answer.status_code, answer.json()["accepting"]) == (503, False)
        assert answer.json()["pending_migrations"] == ["leaderboards.0002_initial"]

    @pytest.mark.django_db(transaction=True)
    def test_does_not_accept_without_a_database(self, client, closed_port, monkeypatch):
        connection.close()
        monkeypatch.setitem(connection.settings_dict, "PORT", closed_port)
        monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")

        answer = client.get("/ready")
        connection.close()

        assert (answer.status_code, answer.json()["accepting"]) == (503, False)
        assert answer.json()["checks"]["database"] is False

    @pytest.mark.django_db(transaction=True)
    def test_says_unavailable_over_the_api_without_a_database(self, client, closed_port, monkeypatch):
        connection.close()
        monkeypatch.setitem(connection.settings_dict, "PORT", closed_port)
        monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")

        answer = client.get("/api/v1/benchmarks")
        connection.close()

        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
