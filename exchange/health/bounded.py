"""A question that is asked often, of something that may hang."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

Answer = TypeVar("Answer")
KEPT_SECONDS = 2.0
LONGEST_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class _Known(Generic[Answer]):
    answer: Answer | None
    at: float


class Bounded(Generic[Answer]):
    """Asks in a thread of its own, one at a time, and keeps the answer for KEPT_SECONDS."""

    def __init__(self, ask: Callable[[], Answer]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        self._known: _Known[Answer] | None = None
        self._asking: threading.Event | None = None

    def begin(self) -> None:
        """Ask, unless that is under way or known."""
        with self._lock:
            if self._asking or (self._known and monotonic() - self._known.at < KEPT_SECONDS):
                return
            self._asking = threading.Event()
            threading.Thread(target=self._find_out, args=[self._asking], daemon=True).start()

    def answer(self, *, until: float) -> Answer | None:
        """None when the asking failed, or brought nothing `until` then, in monotonic seconds."""
        asking = self._asking
        if asking and not asking.wait(max(0.0, until - monotonic())):
            return None
        return self._known.answer if self._known else None

    def _find_out(self, done: threading.Event) -> None:
        try:
            answer = self._ask()
        except Exception:  # noqa: BLE001  whatever it is, the part does not answer
            answer = None
        with self._lock:
            if self._asking is done:
                self._known, self._asking = _Known(answer, monotonic()), None
        done.set()
