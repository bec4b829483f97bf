"""An upgrade while the version before goes on writing."""

import threading
import uuid
from contextlib import contextmanager
from select import select

import psycopg
import pytest
from django.core.management import CommandError, call_command
from psycopg import sql

from exchange.database import upgrade
from tests.database.conftest import connected, ended, run, working_on
from tests.upgrade.conftest import first_version

pytestmark = pytest.mark.sockets
# Table: the columns in which no two rows are alike.
COPIED = {"accounts_user": ("username", "email"), "benchmarks_benchmark": ("slug",)}
IN_PLACE = """
INSERT INTO core_idempotencyrecord (actor_id, key_digest, request_digest)
VALUES (gen_random_uuid(), %(new)s, %(new)s)
"""
WRITTEN = (*COPIED, "core_idempotencyrecord")
COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND column_name <> 'id'"


@pytest.fixture
def old(administrator_url):
    with first_version(administrator_url) as place:
        yield place


class Writer:
    """Writes rows as the version before knows them, one after another, and counts what was committed."""

    def __init__(self, place):
        self.place, self.written, self.failed = place, dict.fromkeys(WRITTEN, 0), []
        with connected(place.url("app")) as connection:
            self.statements = {table: copying(connection, table) for table in COPIED}
            self.statements["core_idempotencyrecord"] = sql.SQL(IN_PLACE)
            self.before = self._count(connection)

    @contextmanager
    def at_work(self):
        self._stop = threading.Event()
        thread = threading.Thread(target=self._write)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()

    def _write(self):
        with connected(self.place.url("app")) as connection:
            while not self._stop.is_set() and not self.failed:
                for table, statement in self.statements.items():
                    try:
                        connection.execute(statement, {"new": uuid.uuid4().hex})
                    except psycopg.Error as error:
                        self.failed.append(f"{table}: {error}")
                    else:
                        self.written[table] += 1

    def found(self):
        """How many rows there are more than before."""
        with connected(self.place.url("app")) as connection:
            return {table: count - self.before[table] for table, count in self._count(connection).items()}

    def _count(self, connection):
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in WRITTEN}


def copying(connection, table):
    """A row like the first one, with the columns that there are now."""
    columns = [name for (name,) in connection.execute(COLUMNS, [table])]
    new = [sql.SQL("%(new)s") if name in COPIED[table] else sql.Identifier(name) for name in columns]
    statement = "INSERT INTO {} (id, {}) SELECT gen_random_uuid(), {} FROM {} ORDER BY created_at LIMIT 1"
    names, values = (sql.SQL(", ").join(parts) for parts in (map(sql.Identifier, columns), new))
    return sql.SQL(statement).format(sql.Identifier(table), names, values, sql.Identifier(table))


@contextmanager
def held(place, table):
    """A transaction that reads the table and does not end, as a backup does."""
    with connected(place.url("owner")) as connection, connection.transaction():
        connection.execute(f"SELECT FROM {table} LIMIT 1")
        yield


class TestUpgrade:
    def test_loses_no_write_and_holds_none_up(self, old):
        """While the upgrade waits for a long transaction, what comes after it is written all the same."""
        writer = Writer(old)
        with writer.at_work():
            with held(old, "accounts_user"):
                process = old.migrate()
                try:
                    said = [until(process, "the tables are in use")]
                    before = writer.written["accounts_user"]
                    said.append(until(process, "the tables are in use"))
                    between = writer.written["accounts_user"] - before
                except BaseException:
                    process.kill()
                    raise
            code, rest = ended(process)
        assert (code, writer.failed) == (0, []), [*said, rest]
        assert between > 0
        assert writer.found() == writer.written
        assert all(writer.written.values())

    def test_gives_up_and_succeeds_later(self, old, django_db_blocker, monkeypatch):
        monkeypatch.setattr(upgrade, "PAUSES_SECONDS", (0.1,))
        with working_on(old, "owner", django_db_blocker):
            with (
                held(old, "accounts_user"),
                pytest.raises(CommandError, match=r"accounts\.0002_profiles waits"),
            ):
                call_command("migrate", database="default", verbosity=0)
            applied = run(old.url("owner"), "SELECT FROM django_migrations WHERE app = 'accounts'")
            call_command("migrate", database="default", verbosity=0)
        assert applied == [1]
        assert run(old.url("owner"), "SELECT FROM django_migrations WHERE app = 'accounts'")[0] > 1


def until(process, words):
    """What it says until it says these words."""
    said = ""
    while words not in said:
        assert select([process.stdout], [], [], 180)[0], said
        line = process.stdout.readline()
        assert line, said
        said += line
    return said
