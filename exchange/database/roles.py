"""The database's two roles: one owns and migrates, the other runs and cannot go round row-level security.

Nothing of Django here: the embedded servers make their roles before there are settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

Connection = psycopg.Connection[Any]
# Opens a connection, in autocommit, of an administrator to the database of this name.
Connect = Callable[[str], Connection]

RIGHTS = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE"
SHARED_BYPASS_SINCE = 160_000
CONNECT_SECONDS = 10
# What the owner makes, the application may use.
GRANTS = {"TABLES": "SELECT, INSERT, UPDATE, DELETE", "SEQUENCES": "USAGE, SELECT"}


@dataclass(frozen=True)
class Role:
    """Without a password it is left as it is."""

    name: str
    password: str = field(default="", repr=False)


@dataclass(frozen=True)
class Layout:
    """`owner` and `application` may be one role; it then needs no grants."""

    database: str
    owner: Role
    application: Role


def prepare(
    connect: Connect, layout: Layout, *, first: str = "postgres", beside: tuple[str, ...] = ()
) -> None:
    """Make what is missing and set the passwords; safe to repeat after a crash half way.

    `first` is a database to connect to before ours is there. `beside` names more databases for the default
    privileges: those in template1 reach each database that is made later.
    """
    with connect(first) as connection:
        bypass = _may_bypass(connection)
        for statement, role in _roles(layout, bypass=bypass):
            if not _exists(connection, "pg_roles", "rolname", role.name):
                connection.execute(statement)
            _set_password(connection, role)
        if not _exists(connection, "pg_database", "datname", layout.database):
            _join(connection, layout.owner)
            connection.execute(_database(layout))
    for name in (*beside, layout.database):
        with connect(name) as connection:
            _join(connection, layout.owner)
            for statement in _defaults(layout):
                connection.execute(statement)


def prepare_as(administrator_url: str, layout: Layout) -> None:
    """`prepare` by an administrator's URL, whose database is the one to begin with."""
    first = str(conninfo_to_dict(administrator_url).get("dbname") or "postgres")
    prepare(partial(_connect, administrator_url), layout, first=first)


def as_text(layout: Layout) -> str:
    """The same for an administrator to run in psql, who chooses the passwords there."""
    roles = [text for made, role in _roles(layout, bypass=True) for text in (made, _asked(role))]
    inside = sql.SQL("\\connect {}").format(sql.Identifier(layout.database))
    lines = [*roles, _database(layout), inside, *_defaults(layout)]
    texts = [line.as_string() for line in lines]
    return "\n".join(text if text.startswith("\\") else f"{text};" for text in texts)


def grants(layout: Layout) -> list[str]:
    """What gives the application its rights on what is there already, for the owner to run."""
    return [f"{line.as_string()};" for line in (*_present(layout), *_defaults(layout))]


def _roles(layout: Layout, *, bypass: bool) -> Iterator[tuple[sql.Composed, Role]]:
    """A backup reads all rows, so the owner goes round row-level security where that can be given."""
    owner = "BYPASSRLS" if bypass and layout.owner.name != layout.application.name else "NOBYPASSRLS"
    for role, more in {layout.owner: owner, layout.application: "NOBYPASSRLS"}.items():
        yield sql.SQL(f"CREATE ROLE {{}} {RIGHTS} {more}").format(sql.Identifier(role.name)), role


def _asked(role: Role) -> sql.Composed:
    return sql.SQL("\\password {}").format(sql.Identifier(role.name))


def _database(layout: Layout) -> sql.Composed:
    names = (sql.Identifier(name) for name in (layout.database, layout.owner.name))
    return sql.SQL("CREATE DATABASE {} OWNER {}").format(*names)


def _defaults(layout: Layout) -> Iterator[sql.Composed]:
    yield from _granted(
        layout, "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} GRANT {rights} ON {kind} TO {application}"
    )


def _present(layout: Layout) -> Iterator[sql.Composed]:
    yield from _granted(layout, "GRANT {rights} ON ALL {kind} IN SCHEMA public TO {application}")


def _granted(layout: Layout, statement: str) -> Iterator[sql.Composed]:
    if layout.owner.name == layout.application.name:
        return
    owner, application = (sql.Identifier(role.name) for role in (layout.owner, layout.application))
    for kind, rights in GRANTS.items():
        filled = statement.replace("{rights}", rights).replace("{kind}", kind)
        yield sql.SQL(filled).format(owner=owner, application=application)


def _may_bypass(connection: Connection) -> bool:
    """May this administrator make roles that go round row-level security? Since 16, whoever may do it too."""
    query = "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
    is_super, bypasses = connection.execute(query).fetchone() or (False, False)
    return is_super or (bypasses and connection.info.server_version >= SHARED_BYPASS_SINCE)


def _join(connection: Connection, owner: Role) -> None:
    """Who is no superuser acts for the owner as a member of it."""
    if connection.info.parameter_status("is_superuser") != "on":
        connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(owner.name)))


def _connect(url: str, database: str) -> Connection:
    return psycopg.connect(url, dbname=database, autocommit=True, connect_timeout=CONNECT_SECONDS)


def _exists(connection: Connection, catalogue: str, column: str, name: str) -> bool:
    query = sql.SQL("SELECT FROM {} WHERE {} = %s").format(sql.Identifier(catalogue), sql.Identifier(column))
    return connection.execute(query, [name]).fetchone() is not None


def _set_password(connection: Connection, role: Role) -> None:
    """Hashed here, so that the password itself is in no log of the server."""
    if role.password:
        hashed = connection.pgconn.encrypt_password(
            role.password.encode(), role.name.encode(), b"scram-sha-256"
        )
        statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
        connection.execute(statement.format(sql.Identifier(role.name), sql.Literal(hashed.decode())))
