"""`/live`: the process answers. `/ready`: it can do its work."""

from functools import cache

import redis
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse


def live(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def ready(_request: HttpRequest) -> JsonResponse:
    """503 when a part is away, or a migration. Without Redis, writes are still accepted and done later."""
    pending = _pending_migrations()
    checks = {"database": pending is not None, "migrations": pending == [], "redis": _redis()}
    healthy = all(checks.values())
    body = {
        "status": "ok" if healthy else "degraded",
        "checks": checks,
        "accepting": checks["migrations"],
        "pending_migrations": pending or [],
    }
    return JsonResponse(body, status=200 if healthy else 503)


def _pending_migrations() -> list[str] | None:
    """`app.name` of each last migration that the database lacks; None when it does not answer."""
    try:
        applied = set(MigrationRecorder(connection).applied_migrations())
    except Error:
        return None
    return [f"{app}.{name}" for app, name in _leaves() if (app, name) not in applied]


@cache
def _leaves() -> list[tuple[str, str]]:
    """The last migration of each app: the files do not change while the process runs."""
    return sorted(MigrationLoader(None).graph.leaf_nodes())


def _redis() -> bool:
    try:
        with redis.Redis.from_url(_broker_url(), socket_timeout=1, socket_connect_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _broker_url() -> str:
    return str(getattr(settings, "CELERY_BROKER_URL"))  # noqa: B009  mypy does not see what broker() sets
