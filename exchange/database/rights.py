"""What the application's role may do, asked of PostgreSQL."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from .roles import Layout, Role

UNBOUND = "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = %(role)s"
OUT_OF_REACH = """
SELECT relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND (
  relkind IN ('r', 'p') AND NOT (
    has_table_privilege(%(role)s, oid, 'SELECT') AND has_table_privilege(%(role)s, oid, 'INSERT')
    AND has_table_privilege(%(role)s, oid, 'UPDATE') AND has_table_privilege(%(role)s, oid, 'DELETE')
  ) OR relkind = 'S' AND NOT has_sequence_privilege(%(role)s, oid, 'USAGE')
) ORDER BY relname
"""


def layout() -> Layout:
    """The database and its roles as the settings name them. Without an owner the application owns it."""
    databases = connections.settings
    application, owner = databases["default"], databases.get("owner", databases["default"])
    return Layout(owner["NAME"], *(Role(one["USER"], one["PASSWORD"]) for one in (owner, application)))


def is_missing(connection: BaseDatabaseWrapper) -> bool:
    return not _rows(connection, UNBOUND)


def is_unbound(connection: BaseDatabaseWrapper) -> bool:
    """True when row-level security does not hold the application's role."""
    return any(map(any, _rows(connection, UNBOUND)))


def out_of_reach(connection: BaseDatabaseWrapper) -> list[str]:
    """Tables and sequences that the application's role may not use as it must."""
    return [name for (name,) in _rows(connection, OUT_OF_REACH)]


def _rows(connection: BaseDatabaseWrapper, query: str) -> list[tuple[Any, ...]]:
    """`query` asked of the application's role; a URL without one means whoever connects."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        role = settings.DATABASE_APP_ROLE or cursor.fetchone()[0]
        cursor.execute(query, {"role": role})
        return cursor.fetchall()
