"""`/live`: the process answers. `/ready`: it can do its work."""

import redis
from django.conf import settings
from django.db import connection
from django.db.utils import OperationalError
from django.http import HttpRequest, JsonResponse


def live(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def ready(_request: HttpRequest) -> JsonResponse:
    """503 when a part is away. Without Redis, writes are still accepted and done later."""
    checks = {"database": _database(), "redis": _redis()}
    healthy = all(checks.values())
    body = {"status": "ok" if healthy else "degraded", "checks": checks, "accepting": checks["database"]}
    return JsonResponse(body, status=200 if healthy else 503)


def _database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except OperationalError:
        return False
    return True


def _redis() -> bool:
    try:
        with redis.Redis.from_url(
            settings.CELERY_BROKER_URL, socket_timeout=1, socket_connect_timeout=1
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
