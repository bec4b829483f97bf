"""Keeps one program running: starts it, notices its end, starts it again after a pause."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Mapping
from pathlib import Path

from exchange.embedded.lifeline import Child
from exchange.processes import CHECKOUT, Program

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 30.0
SETTLED_SECONDS = 60.0
LARGEST_LOG_BYTES = 10 * 1024 * 1024


class Keeper:
    def __init__(self, program: Program, *, log: Path, env: Mapping[str, str]) -> None:
        self.program = program
        self.log = log
        self.env = env
        self.child: Child | None = None
        self.restarts = 0
        self._pause = FIRST_PAUSE_SECONDS
        self._changed_at = 0.0

    @property
    def pid(self) -> int | None:
        return self.child.pid if self.child else None

    def start(self) -> None:
        _rotate(self.log)
        self.child = Child(
            self.program.argv,
            log=self.log,
            env=self.env,
            death_signal=self.program.death_signal,
            cwd=CHECKOUT,
        )
        self._changed_at = time.monotonic()

    def look(self) -> None:
        """Note that it has ended, or start it when its pause is over."""
        if self.child is None:
            if time.monotonic() - self._changed_at >= self._pause:
                self.restarts += 1
                self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)
                self.start()
        elif (code := self.child.exit_code()) is not None:
            self._note_end(self.child, code)

    def _note_end(self, child: Child, code: int) -> None:
        if time.monotonic() - self._changed_at >= SETTLED_SECONDS:
            self._pause = FIRST_PAUSE_SECONDS
        logger.error(
            "%s ended (%s); starting it again in %.0f s. Last lines of %s:\n%s",
            self.program.name, describe(code), self._pause, self.log, child.tail(),
        )  # fmt: skip
        child.end()
        self.child = None
        self._changed_at = time.monotonic()

    def ask_to_stop(self) -> None:
        if self.child:
            self.child.send(signal.SIGTERM)

    def finish(self, seconds: float) -> None:
        """Wait for its end, then kill what is left of its group."""
        if self.child is None:
            return
        if not self.child.wait(max(0.0, seconds)):
            logger.warning("%s does not stop: killing it.", self.program.name)
        self.child.end()
        self.child = None


def describe(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"


def _rotate(log: Path) -> None:
    if log.exists() and log.stat().st_size > LARGEST_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
