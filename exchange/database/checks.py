"""What `check --database` and `migrate` refuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

from . import rights

HINT = 'Run as an administrator: ALTER ROLE "{role}" NOSUPERUSER NOBYPASSRLS'


@register(Tags.database)
def application_is_bound(*, databases: Sequence[str] | None = None, **_options: Any) -> list[CheckMessage]:
    """Row-level security guards the keys of endpoints from mistakes of ours; it must hold the application."""
    if not databases or not rights.is_unbound(connections[databases[0]]):
        return []
    role = settings.DATABASE_APP_ROLE
    words = f"The role {role} goes round row-level security."
    return [Error(words, hint=HINT.format(role=role), id="exchange.E001")]
