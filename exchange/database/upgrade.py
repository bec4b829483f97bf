"""How the tables are changed while the site goes on: by one at a time, who waits for no lock for long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg import errors

# Whoever comes after a waiting change waits with it. Shorter than PostgreSQL's deadlock_timeout (1 s), so
# that where the site and a migration wait for each other it is the migration that gives way.
LOCK_MILLISECONDS = 800
# Between tries, about three minutes in all: what holds a lock that long has to end first.
PAUSES_SECONDS = (1, 2, 4, 8, *(15,) * 11)
# Of the advisory lock: any number, the same for all who upgrade.
TURN = 0x6578_6368
LOOK_SECONDS = 1.0
BUSY = (errors.LockNotAvailable, errors.DeadlockDetected)

Say = Callable[[str], None]


class StillBusy(Exception):
    """A lock was not to be had at any try."""


@contextmanager
def turn(connection: BaseDatabaseWrapper, *, say: Say) -> Iterator[None]:
    """Wait until nobody else upgrades this database. Whoever is killed loses the turn with the connection.

    It is asked for again and again, since a statement that waits would hold up CREATE INDEX CONCURRENTLY.
    """
    if not _ask(connection, "pg_try_advisory_lock"):
        say("Another upgrade is running; this one waits for it.")
        while not _ask(connection, "pg_try_advisory_lock"):
            time.sleep(LOOK_SECONDS)
    try:
        yield
    finally:
        _ask(connection, "pg_advisory_unlock")


@contextmanager
def short_waits(connection: BaseDatabaseWrapper) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {LOCK_MILLISECONDS}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")


def patiently(attempt: Callable[[], None], *, say: Say) -> None:
    """Call `attempt` until it finds its locks free. Raises StillBusy after the last try.

    Each migration is a transaction, so that an attempt goes on with the one that the last was stopped at.
    """
    for pause in (*PAUSES_SECONDS, None):
        try:
            attempt()
        except OperationalError as error:
            if not isinstance(error.__cause__, BUSY):
                raise
            if pause is None:
                raise StillBusy from error
            say(f"  the tables are in use; trying again in {pause:g} s")
            time.sleep(pause)
        else:
            return


def pending_migrations(connection: BaseDatabaseWrapper) -> list[str]:
    """`app.name` of each app's last migration that the database lacks."""
    applied = MigrationRecorder(connection).applied_migrations()
    return [".".join(key) for key in _last_migrations() if key not in applied]


@cache
def _last_migrations() -> list[tuple[str, str]]:
    """The files do not change while the process runs."""
    return sorted(MigrationLoader(None).graph.leaf_nodes())


def unknown_migrations(connection: BaseDatabaseWrapper) -> list[str]:
    """Those that the database has had and this code does not know."""
    loader = MigrationLoader(connection)
    return sorted(".".join(key) for key in set(loader.applied_migrations) - set(loader.disk_migrations))


def _ask(connection: BaseDatabaseWrapper, function: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [TURN])
        return bool(cursor.fetchone()[0])
