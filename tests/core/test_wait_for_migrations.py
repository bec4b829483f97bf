"""`manage.py wait_for_migrations`: what every pod begins with."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from exchange.management.commands import wait_for_migrations


def waits(monkeypatch, *meanwhile):
    """What it says; each pause is one of the functions instead, and there are no more pauses than these."""
    steps = iter(meanwhile)
    monkeypatch.setattr(wait_for_migrations.time, "sleep", lambda _seconds: next(steps)())
    said = StringIO()
    call_command("wait_for_migrations", stdout=said)
    return said.getvalue().splitlines()


@pytest.fixture
def recorder(db, monkeypatch):
    monkeypatch.setattr(connection, "close", lambda: None)  # the test's transaction is on it
    return MigrationRecorder(connection)


class TestWaitForMigrations:
    def test_returns_at_once_when_all_are_applied(self, recorder, monkeypatch):
        assert waits(monkeypatch) == ["Every migration is applied."]

    def test_waits_until_the_missing_one_is_applied_and_names_it_once(self, recorder, monkeypatch):
        [(app, name)] = MigrationLoader(None).graph.leaf_nodes("governance")
        row = recorder.Migration.objects.get(app=app, name=name)
        recorder.Migration.objects.filter(pk=row.pk).delete()
        said = waits(monkeypatch, lambda: None, lambda: row.save(force_insert=True))
        assert len(said) == 2
        assert said[0] == f"Waiting: {app}.{name} not applied."
        assert said[1] == "Every migration is applied."

    def test_waits_for_a_database_that_does_not_answer(self, recorder, monkeypatch):
        def refuse(*_):
            raise OperationalError

        with monkeypatch.context() as away:
            away.setattr(wait_for_migrations.upgrade, "pending_migrations", refuse)
            said = waits(monkeypatch, away.undo)
        assert said[0] == "Waiting: the database does not answer (OperationalError)."
