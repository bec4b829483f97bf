"""Indexes made beside a site that writes."""

import psycopg
import pytest
from django.db import OperationalError, connections, models
from django.db.migrations.state import ModelState, ProjectState

from exchange.database import roles, upgrade
from exchange.database.indexes import AddIndexConcurrently
from tests.database.conftest import connected, run

VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_text'::regclass"


@pytest.fixture
def alias(place, django_db_blocker):
    """A connection of Django's to the place's database, as its owner."""
    roles.prepare_as(place.administrator_url, place.layout)
    connections.settings["made"] = connections.settings["default"] | {
        "NAME": place.name, "USER": place.role("owner").name, "PASSWORD": place.role("owner").password,
    }  # fmt: skip
    with django_db_blocker.unblock():
        try:
            yield "made"
        finally:
            connections["made"].close()
            del connections["made"], connections.settings["made"]


class TestAddIndexConcurrently:
    def test_is_tried_again_after_it_was_interrupted(self, place, alias):
        run(place.url("owner"), "CREATE TABLE kept_row (id bigint, text text)")
        fields = [("id", models.BigAutoField(primary_key=True)), ("text", models.TextField())]
        before = ProjectState()
        before.add_model(ModelState("kept", "Row", fields))
        operation = AddIndexConcurrently("row", models.Index(fields=["text"], name="by_text"))
        after = before.clone()
        operation.state_forwards("kept", after)

        def attempt():
            with connections[alias].schema_editor(atomic=False) as editor:
                operation.database_forwards("kept", editor, before, after)

        with upgrade.short_waits(connections[alias]):
            with connected(place.url("app")) as other, other.transaction():
                other.execute("INSERT INTO kept_row VALUES (1, 'a')")
                with pytest.raises(OperationalError) as refusal:
                    attempt()
            assert isinstance(refusal.value.__cause__, psycopg.errors.LockNotAvailable)
            assert self._is_valid(place) is False
            attempt()
            attempt()  # as when the end of the first was not recorded any more
        assert self._is_valid(place) is True

    def _is_valid(self, place):
        with connected(place.url("owner")) as connection:
            return connection.execute(VALID).fetchone()[0]
