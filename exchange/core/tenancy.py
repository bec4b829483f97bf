"""Whose rows a transaction may touch. PostgreSQL's row-level security reads what is set here."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.db.migrations import RunSQL

from . import deadlines
from .actors import Actor

_READ = "SELECT current_setting('exchange.organizations', true), current_setting('exchange.mode', true)"
_SET = "SELECT set_config('exchange.organizations', %s, true), set_config('exchange.mode', %s, true)"
_SET_WITH_BOUND = f"{_SET}, set_config('statement_timeout', %s, true)"


@contextmanager
def acting_for(actor: Actor) -> Iterator[None]:
    """Open a transaction in which only the actor's organizations' protected rows exist.

    Every door's transaction and every worker's write opens with this. A request that comes to its deadline
    in it is refused, and nothing of the transaction stays.
    """
    is_inner = connection.in_atomic_block
    with deadlines.refusing_what_is_stopped(), transaction.atomic(), connection.cursor() as cursor:
        before = _present(cursor) if is_inner else None
        _set(cursor, actor)
        yield
        deadlines.check()
        if before is not None:  # what an outer one sets ends with its transaction
            cursor.execute(_SET, before)


def _present(cursor: Any) -> list[str]:
    cursor.execute(_READ)
    return [value or "" for value in cursor.fetchone()]


def _set(cursor: Any, actor: Actor) -> None:
    """In one round trip, whose rows there are and how long each statement may take."""
    bound = deadlines.statement_milliseconds()
    if bound is None:
        cursor.execute(_SET, _settings(actor))
    else:
        cursor.execute(_SET_WITH_BOUND, [*_settings(actor), str(bound)])


def _settings(actor: Actor) -> list[str]:
    organizations = ",".join(sorted(str(id_) for id_ in actor.organization_ids))
    return [organizations, "system" if actor.is_system else "actor"]


def protect(table: str) -> RunSQL:
    """A migration step: only the acting organizations and the system see rows of `table`.

    The table has a column `organization_id`. Without `acting_for` there are no rows at all.
    """
    owner = (
        "organization_id = ANY(string_to_array("
        "NULLIF(current_setting('exchange.organizations', true), ''), ',')::uuid[])"
    )
    rule = f"{owner} OR current_setting('exchange.mode', true) = 'system'"
    return RunSQL(
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;"
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY;"
        f"CREATE POLICY tenant ON {table} USING ({rule}) WITH CHECK ({rule});",
        f"DROP POLICY tenant ON {table}; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;",
    )
