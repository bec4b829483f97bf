"""File locks that the kernel drops when the last process holding them ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import EmbeddedError

PAUSE_SECONDS = 0.05


class Lock:
    """An exclusive lock on a file.

    A child that inherits `fd` holds the lock too, for as long as it or its own children live.
    For that reason `close` only closes: an explicit unlock would take it from the child as well.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd

    @classmethod
    def take(cls, path: Path, *, timeout: float = 0.0) -> Lock | None:
        """Take the lock within `timeout` seconds, or return None."""
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = time.monotonic() + timeout
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    os.close(fd)
                    return None
                time.sleep(PAUSE_SECONDS)
            else:
                return cls(fd)

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def is_taken(path: Path) -> bool:
    lock = Lock.take(path)
    if lock:
        lock.close()
    return lock is None


@contextmanager
def locked(path: Path, *, timeout: float) -> Iterator[None]:
    """Hold the lock for the block; `EmbeddedError` when another process keeps it too long."""
    lock = Lock.take(path, timeout=timeout)
    if lock is None:
        raise EmbeddedError(f"{path} is still held by another process after {timeout:.0f} s.")
    try:
        yield
    finally:
        lock.close()
