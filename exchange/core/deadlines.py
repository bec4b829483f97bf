"""How long a request may take: while its caller waits, and at each statement no longer than a setting."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

from django.conf import settings
from django.db import OperationalError
from psycopg.errors import QueryCanceled

from .errors import DeadlineExceeded

_ends: ContextVar[float | None] = ContextVar("ends", default=None)


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Serve a request whose caller waits for so long; None for one who has not said."""
    token = _ends.set(inf if seconds is None else monotonic() + seconds)
    try:
        yield
    finally:
        _ends.reset(token)


def check() -> None:
    """Raises DeadlineExceeded when nobody waits any more."""
    ends = _ends.get()
    if ends is not None and ends <= monotonic():
        raise DeadlineExceeded


def statement_milliseconds() -> int | None:
    """How long PostgreSQL may work at a statement; None where no request is served."""
    check()
    ends = _ends.get()
    if ends is None:
        return None
    seconds = min(ends - monotonic(), settings.STATEMENT_SECONDS)
    return max(1, int(seconds * 1000))  # 0 would be no bound


@contextmanager
def refusing_what_is_stopped() -> Iterator[None]:
    """In a request, a statement that PostgreSQL stopped is refused like one that comes too late."""
    try:
        yield
    except OperationalError as error:
        if _ends.get() is not None and isinstance(error.__cause__, QueryCanceled):
            raise DeadlineExceeded from error
        raise
