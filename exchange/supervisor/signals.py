"""SIGTERM and SIGINT as a request to stop; the end of a child as a reason to look at once."""

from __future__ import annotations

import select
import signal
import socket
from types import FrameType


class StopSignals:
    """Takes the signals over for the rest of the process, from the main thread."""

    def __init__(self) -> None:
        self.received = False
        self._wake, self._wakeup = socket.socketpair()
        self._wakeup.settimeout(0)
        signal.set_wakeup_fd(self._wakeup.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)

    def wait(self, seconds: float) -> None:
        """Return after `seconds`, or as soon as a signal has come."""
        if not self.received and select.select([self._wake], [], [], seconds)[0]:
            self._wake.recv(4096)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.received = True
