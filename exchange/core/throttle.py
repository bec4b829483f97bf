"""Limits on tries, counted in one atomic statement of the database."""

import hashlib

from django.db import connection, transaction

from .errors import LimitExceeded

_COUNT = """
INSERT INTO core_attemptwindow AS w (key_digest, started_at, count)
VALUES (%(key)s, clock_timestamp(), 1)
ON CONFLICT (key_digest) DO UPDATE SET
  count = CASE WHEN w.started_at < clock_timestamp() - make_interval(secs => %(window)s)
          THEN 1 ELSE w.count + 1 END,
  started_at = CASE WHEN w.started_at < clock_timestamp() - make_interval(secs => %(window)s)
               THEN clock_timestamp() ELSE w.started_at END
RETURNING count, ceil(extract(epoch FROM started_at - clock_timestamp()) + %(window)s)
"""


def count_try(*, key: str, limit: int, window_seconds: int) -> None:
    """Count one try of `key`, or raise LimitExceeded above `limit` tries in the window.

    Commits by itself: a refused request still counts.
    """
    digest = hashlib.sha256(key.encode()).hexdigest()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_COUNT, {"key": digest, "window": window_seconds})
        count, left = cursor.fetchone()
    if count > limit:
        raise LimitExceeded(retry_after_seconds=max(1, int(left)))
