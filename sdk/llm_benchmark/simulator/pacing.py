"""Calls at exact times: the loops' own timers are a millisecond coarse, Linux's timerfd is not."""

import asyncio
import ctypes
import heapq
import itertools
import os
import sys
from collections import deque
from collections.abc import Callable
from time import monotonic

_CLOCK_MONOTONIC = 1
_ABSOLUTE = 1
_NONBLOCK_CLOEXEC = 0o4000 | 0o2000000
_REMEMBERED = 100_000


class Pacer:
    """One timer for all paced answers of a loop. Times are `time.monotonic()` seconds."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._timer = _Timer(loop, self._ring) if sys.platform == "linux" else None
        self._armed = float("inf")
        self._late: deque[float] = deque(maxlen=_REMEMBERED)

    def late_ms(self) -> dict[str, float | None]:
        """How much later than asked the last 100,000 calls were made: p50, p99 and max; None before any."""
        ordered = sorted(self._late)
        ranks = {"p50": 0.5, "p99": 0.99, "max": 1.0}
        last = len(ordered) - 1
        return {name: ordered[int(q * last)] * 1000 if ordered else None for name, q in ranks.items()}

    def at(self, moment: float, call: Callable[[], None]) -> None:
        """Call once, at that time or as soon after it as the loop can."""
        heapq.heappush(self._due, (moment, next(self._order), call))
        self._arm()

    def _arm(self) -> None:
        if self._due and self._due[0][0] < self._armed:
            self._armed = self._due[0][0]
            if self._timer:
                self._timer.set(self._armed)
            else:
                self._loop.call_later(max(0.0, self._armed - monotonic()), self._ring)

    def _ring(self) -> None:
        self._armed = float("inf")
        while self._due and self._due[0][0] <= (now := monotonic()):
            moment, _, call = heapq.heappop(self._due)
            self._late.append(now - moment)
            call()
        self._arm()


class _Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


class _Alarm(ctypes.Structure):
    _fields_ = [("interval", _Timespec), ("value", _Timespec)]


class _Timer:
    """timerfd_create(2); Python offers it only from 3.13 on."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ring: Callable[[], None]) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._file = self._libc.timerfd_create(_CLOCK_MONOTONIC, _NONBLOCK_CLOEXEC)
        if self._file < 0:
            raise OSError(ctypes.get_errno(), "timerfd_create")
        self._ring = ring
        loop.add_reader(self._file, self._expired)

    def set(self, moment: float) -> None:
        nanoseconds = max(1, int(moment * 1e9))
        alarm = _Alarm(value=_Timespec(*divmod(nanoseconds, 10**9)))
        self._libc.timerfd_settime(self._file, _ABSOLUTE, ctypes.byref(alarm), None)

    def _expired(self) -> None:
        try:
            os.read(self._file, 8)
        except BlockingIOError:
            return  # set anew in between
        self._ring()
