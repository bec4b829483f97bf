"""The database as its owner sees it: one snapshot to read, an empty place to write."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from psycopg import errors, sql

from exchange.database import rights, roles

from .errors import DatabaseInUse
from .programs import RESTORING

UNFINISHED = "restore_unfinished"
LOCK_SECONDS = 10
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
_ROUTINES = """
SELECT oid::regprocedure FROM pg_proc
WHERE pronamespace = 'public'::regnamespace AND proowner = current_user::regrole
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
"""
_BYPASSES = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
_END_OTHERS = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND application_name = %s AND usename = current_user
"""


def owner() -> BaseDatabaseWrapper:
    """The connection that migrates: as the owner, where there is one beside the application."""
    return connections["owner" if "owner" in connections.settings else DEFAULT_DB_ALIAS]


@contextmanager
def snapshot(connection: BaseDatabaseWrapper) -> Iterator[str]:
    """A transaction that sees one moment; its id, by which others see the same one."""
    with transaction.atomic(using=connection.alias):
        _run(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        _run(connection, "SELECT set_config('exchange.mode', 'system', true)")
        yield _run(connection, "SELECT pg_export_snapshot()")[0][0]


def may_bypass(connection: BaseDatabaseWrapper) -> bool:
    return bool(_run(connection, _BYPASSES)[0][0])


def tables(connection: BaseDatabaseWrapper) -> list[str]:
    return [name for (name,) in _run(connection, _TABLES)]


def rows(connection: BaseDatabaseWrapper) -> dict[str, int]:
    """Table → number of rows, inside a transaction as the system."""
    count = sql.SQL("SELECT count(*) FROM {}")
    found = {name: _run(connection, count.format(sql.Identifier(name))) for name in tables(connection)}
    return {name: int(counted[0][0]) for name, counted in found.items()}


def rows_now(connection: BaseDatabaseWrapper) -> dict[str, int]:
    with snapshot(connection):
        return rows(connection)


def migrations(connection: BaseDatabaseWrapper) -> list[str]:
    """`app.name` of each that was applied."""
    return sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations())


def make_room(connection: BaseDatabaseWrapper) -> None:
    """An empty database, marked until the restore is done. What a killed restore left goes first.

    Raises:
        DatabaseInUse: it has data, is not ours, or somebody works in it.
    """
    _run(connection, _END_OTHERS, [RESTORING])
    found = tables(connection)
    if found and not _is_disposable(connection, found):
        raise DatabaseInUse
    try:
        with transaction.atomic(using=connection.alias):
            _run(connection, f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
            _empty(connection, found)
            _run(connection, f"CREATE TABLE {UNFINISHED} ()")
    except OperationalError as error:
        if isinstance(error.__cause__, errors.LockNotAvailable):
            raise DatabaseInUse("Processes work in this database. Stop them first.") from error
        raise


def _is_disposable(connection: BaseDatabaseWrapper, found: list[str]) -> bool:
    """Left by a restore, or only migrated: nobody has an account, and nothing has happened."""
    if UNFINISHED in found:
        return True
    if not {"accounts_user", "core_auditentry"} <= set(found):
        return False
    used = "SELECT EXISTS (SELECT FROM accounts_user) OR EXISTS (SELECT FROM core_auditentry)"
    return not _run(connection, used)[0][0]


def _empty(connection: BaseDatabaseWrapper, found: list[str]) -> None:
    for name in found:
        _run(connection, sql.SQL("DROP TABLE {} CASCADE").format(sql.Identifier(name)))
    for (routine,) in _run(connection, _ROUTINES):
        _run(connection, f"DROP ROUTINE {routine}")


def finish(connection: BaseDatabaseWrapper) -> None:
    """The processes that were at work are those of the place that was saved."""
    with transaction.atomic(using=connection.alias):
        _run(connection, "DELETE FROM core_workerprocess")
        _run(connection, f"DROP TABLE {UNFINISHED}")


def grant(connection: BaseDatabaseWrapper) -> None:
    """A dump carries no rights, so that roles may have other names in the new place."""
    for statement in roles.grants(rights.layout()):
        _run(connection, statement)


def _run(connection: BaseDatabaseWrapper, statement: Any, values: Any = None) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []
