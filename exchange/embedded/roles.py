"""The roles of the embedded database, and how they connect."""

from __future__ import annotations

from functools import partial
from typing import Any

import psycopg

from exchange.database import roles
from exchange.database.roles import Layout, Role

from .ports import LOOPBACK
from .record import Record

DATABASE, OWNER, APP = "exchange", "exchange_owner", "exchange_app"


def url(record: Record, user: str) -> str:
    password, port = record.passwords[user], record.ports["postgres"]
    return f"postgresql://{user}:{password}@{LOOPBACK}:{port}/{DATABASE}"


def answers(record: Record, *, user: str = OWNER) -> bool:
    """True when our PostgreSQL takes connections: only it knows the password."""
    if "postgres" not in record.ports:
        return False
    try:
        with _connect(record, "postgres", user=user):
            return True
    except psycopg.OperationalError:
        return False


def prepare(record: Record) -> None:
    """Make what is missing. Tests make databases, as the owner; the application may use those too."""
    connect = partial(_connect, record, user="postgres")
    owner, application = (Role(name, record.passwords[name]) for name in (OWNER, APP))
    roles.prepare(connect, Layout(DATABASE, owner, application), beside=("template1",))
    with connect("postgres") as connection:
        connection.execute(f"ALTER ROLE {OWNER} CREATEDB")


def _connect(record: Record, dbname: str, *, user: str) -> psycopg.Connection[Any]:
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
