"""What a worker has done last, in a row that only real progress moves: never a timer beside the work.

A process that hangs in a call, waits for a lock or lost its loop therefore falls silent, and is seen.
"""

import atexit
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic

from django.db import DatabaseError, connection

from .models import WorkerProcess

log = logging.getLogger(__name__)
FORGET_AFTER_SECONDS = 3600
_BETWEEN_WRITES_SECONDS = 1.0
_PROGRESS = """
INSERT INTO core_workerprocess (kind, host, pid, started_at, last_progress_at, activity)
VALUES (%(kind)s, %(host)s, %(pid)s, clock_timestamp(), clock_timestamp(), %(activity)s)
ON CONFLICT (kind, host, pid) DO UPDATE
SET last_progress_at = excluded.last_progress_at, activity = excluded.activity"""
_FORGET = """
DELETE FROM core_workerprocess
WHERE last_progress_at < clock_timestamp() - make_interval(secs => %s)"""


class Activity(StrEnum):
    """Kinds of progress."""

    SCAN = "scan"  # asked the database for work, and there was none
    CLAIM = "claim"  # took a run
    HEARTBEAT = "heartbeat"  # prolonged the lease of its run
    PROGRESS = "progress"  # reserved, sent or settled attempts
    RING = "ring"  # beat: the broker took a ring


@dataclass(slots=True)
class _Process:
    """This one. Without a kind it is no worker."""

    kind: str = ""
    written_at: float = float("-inf")


_process = _Process()


def begin(kind: str) -> None:
    """This process is a `worker`, `measure` or `beat` until it ends in order; others leave no rows."""
    _process.kind = kind
    atexit.register(end)


def progressed(activity: Activity) -> None:
    """Write it down, at most once a second. A failure stops no work: that needs the database itself."""
    if not _process.kind or monotonic() - _process.written_at < _BETWEEN_WRITES_SECONDS:
        return
    with _surviving():
        if _process.written_at < 0:
            _forget_predecessors()
        _write(activity)
        _process.written_at = monotonic()


def end() -> None:
    """Its row goes."""
    with _surviving():
        WorkerProcess.objects.filter(kind=_process.kind, host=host(), pid=os.getpid()).delete()
    _process.kind = ""


def forget_silent_processes() -> int:
    """Rows of processes that were killed, or that somebody else will have missed by now; how many."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, [FORGET_AFTER_SECONDS])
        return int(cursor.rowcount)


def host() -> str:
    return socket.gethostname()[:100]


def _write(activity: Activity) -> None:
    values: dict[str, str | int] = {
        "kind": _process.kind,
        "host": host(),
        "pid": os.getpid(),
        "activity": activity.value,
    }
    with connection.cursor() as cursor:
        cursor.execute(_PROGRESS, values)


def _forget_predecessors() -> None:
    """Those that were killed on this host, and one that had the number that is ours now."""
    rows = WorkerProcess.objects.filter(kind=_process.kind, host=host())
    gone = [row.pk for row in rows if row.pid == os.getpid() or not _runs(row.pid)]
    WorkerProcess.objects.filter(pk__in=gone).delete()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        pass
    return True


@contextmanager
def _surviving() -> Iterator[None]:
    """After a failure the next try takes a fresh connection."""
    try:
        yield
    except DatabaseError:
        log.warning("what this process does could not be written down", exc_info=True)
        if not connection.in_atomic_block:
            connection.close()
