"""`/live`: the process answers. `/ready`: it can do its work."""

import redis
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
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
    """`app.name` of each migration that the database lacks; None when it does not answer."""
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return None
    return [f"{migration.app_label}.{migration.name}" for migration, _backwards in plan]


def _redis() -> bool:
    try:
        with redis.Redis.from_url(_broker_url(), socket_timeout=1, socket_connect_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _broker_url() -> str:
    return str(getattr(settings, "CELERY_BROKER_URL"))  # noqa: B009  mypy does not see what broker() sets
