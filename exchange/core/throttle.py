"""Limits on tries, counted in one atomic statement of the database."""

import hashlib
from datetime import timedelta

from django.db import connection, transaction
from django.db.models.functions import Now

from .errors import LimitExceeded
from .models import AttemptWindow

KEPT = timedelta(days=2)

_COUNT = """
INSERT INTO core_attemptwindow AS w (key_digest, started_at, count)
VALUES (%(key)s, clock_timestamp(), 1)
ON CONFLICT (key_digest) DO UPDATE SET
  count = CASE WHEN w.started_at < excluded.started_at - make_interval(secs => %(window)s)
          THEN 1 ELSE w.count + 1 END,
  started_at = CASE WHEN w.started_at < excluded.started_at - make_interval(secs => %(window)s)
               THEN excluded.started_at ELSE w.started_at END
RETURNING count, ceil(extract(epoch FROM started_at - clock_timestamp()) + %(window)s)
"""

_GIVE_BACK = "UPDATE core_attemptwindow SET count = greatest(count - 1, 0) WHERE key_digest = %(key)s"


def count_try(*, key: str, limit: int, window_seconds: int) -> None:
    """Count one try of `key`, or raise LimitExceeded above `limit` tries in the window.

    Commits by itself: a refused request still counts.
    """
    tries, left = count(key=key, window_seconds=window_seconds)
    if tries > limit:
        raise LimitExceeded(retry_after_seconds=max(1, left))


def count(*, key: str, window_seconds: int) -> tuple[int, int]:
    """Count once more: how often in the window that began with the first, and its seconds to come."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_COUNT, {"key": _digest(key), "window": window_seconds})
        counted, left = cursor.fetchone()
    return counted, int(left)


def give_back(*, key: str) -> None:
    """The last try of `key` was no guess: it does not count."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_GIVE_BACK, {"key": _digest(key)})


def forget_old_windows() -> int:
    """Forget windows that began before `KEPT`, which is longer than any; how many there were."""
    forgotten, _of_each = AttemptWindow.objects.filter(started_at__lt=Now() - KEPT).delete()
    return forgotten


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
