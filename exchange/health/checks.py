"""The parts that the exchange stands on, each asked whether it answers."""

from dataclasses import dataclass
from time import monotonic
from typing import Any

import redis
from django.conf import settings
from django.db import connection

from exchange.database import upgrade
from exchange.storage import get_store

from . import bounded
from .bounded import Bounded

NO_OBJECT = "0" * 64
_REDIS_SECONDS = 1


@dataclass(frozen=True, slots=True)
class Report:
    """`pending_migrations` is None when the database does not answer."""

    pending_migrations: list[str] | None
    redis: bool
    evidence: bool

    @property
    def checks(self) -> dict[str, bool]:
        return {
            "database": self.pending_migrations is not None,
            "migrations": self.accepting,
            "redis": self.redis,
            "evidence": self.evidence,
        }

    @property
    def accepting(self) -> bool:
        """Claims are taken. Without Redis they are measured later; without the store, files are refused."""
        return self.pending_migrations == []

    @property
    def healthy(self) -> bool:
        return all(self.checks.values())


def look() -> Report:
    """All parts at once; none keeps the answer back for more than two seconds."""
    until = monotonic() + bounded.LONGEST_SECONDS
    for part in PARTS:
        part.begin()
    return Report(
        pending_migrations=_database.answer(until=until),
        redis=bool(_redis.answer(until=until)),
        evidence=_evidence.answer(until=until) is not None,
    )


def queue_answers() -> bool:
    _redis.begin()
    return bool(_redis.answer(until=monotonic() + bounded.LONGEST_SECONDS))


def _pending_migrations() -> list[str]:
    try:
        return upgrade.pending_migrations(connection)
    finally:
        connection.close()


def _ping() -> bool:
    bounds: dict[str, Any] = {"socket_timeout": _REDIS_SECONDS, "socket_connect_timeout": _REDIS_SECONDS}
    # mypy does not see what broker() sets
    url = str(getattr(settings, "CELERY_BROKER_URL"))  # noqa: B009
    with redis.Redis.from_url(url, **bounds) as client:
        return bool(client.ping())


_database = Bounded(_pending_migrations)
_redis = Bounded(_ping)
_evidence = Bounded(lambda: get_store().exists(NO_OBJECT))
PARTS: tuple[Bounded[Any], ...] = (_database, _redis, _evidence)
