"""The database and its two roles: one owns and migrates, the other runs and cannot go round
row-level security."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from .ports import LOOPBACK
from .record import Record

DATABASE, OWNER, APP = "exchange", "exchange_owner", "exchange_app"
RIGHTS = {
    OWNER: "LOGIN NOSUPERUSER CREATEDB NOCREATEROLE BYPASSRLS",
    APP: "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
}
# Default privileges belong to one database. In template1 they reach each database that is made
# later, such as those of the tests.
DEFAULT_PRIVILEGES = (
    "GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES",
    "GRANT USAGE, SELECT ON SEQUENCES",
)


def url(record: Record, user: str) -> str:
    password, port = record.passwords[user], record.ports["postgres"]
    return f"postgresql://{user}:{password}@{LOOPBACK}:{port}/{DATABASE}"


def answers(record: Record, *, user: str = OWNER) -> bool:
    """True when our PostgreSQL takes connections: only it knows the password."""
    if "postgres" not in record.ports:
        return False
    try:
        with _connect(record, user=user, dbname="postgres"):
            return True
    except psycopg.OperationalError:
        return False


def prepare(record: Record) -> None:
    """Make what is missing; safe to repeat after a crash half way."""
    with _connect(record, user="postgres", dbname="postgres") as connection:
        for role in (OWNER, APP):
            _make_role(connection, role, record.passwords[role])
        query = "SELECT FROM pg_database WHERE datname = %s"
        if connection.execute(query, [DATABASE]).fetchone() is None:
            _execute(connection, "CREATE DATABASE {} OWNER {}", DATABASE, OWNER)
    for dbname in ("template1", DATABASE):
        with _connect(record, user="postgres", dbname=dbname) as connection:
            for grant in DEFAULT_PRIVILEGES:
                statement = "ALTER DEFAULT PRIVILEGES FOR ROLE {} " + grant + " TO {}"
                _execute(connection, statement, OWNER, APP)


def _make_role(connection: psycopg.Connection[Any], role: str, password: str) -> None:
    found = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [role]).fetchone()
    if found is None:
        _execute(connection, "CREATE ROLE {} " + RIGHTS[role], role)
    statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
    connection.execute(statement.format(sql.Identifier(role), sql.Literal(password)))


def _execute(connection: psycopg.Connection[Any], statement: str, *names: str) -> None:
    identifiers = [sql.Identifier(name) for name in names]
    connection.execute(sql.SQL(statement).format(*identifiers))


def _connect(record: Record, *, user: str, dbname: str) -> psycopg.Connection[Any]:
    return psycopg.connect(
        host=LOOPBACK,
        port=record.ports["postgres"],
        user=user,
        password=record.passwords[user],
        dbname=dbname,
        autocommit=True,
        connect_timeout=5,
        sslmode="disable",
    )
