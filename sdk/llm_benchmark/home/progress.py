"""How far a measurement is, told while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from llm_benchmark.measure.home import HomeSink
from llm_benchmark.measure.sink import Purpose, SettledAs, Settlement


class Phase(StrEnum):
    PROBING = "probing"
    STARTING = "starting"
    MEASURING = "measuring"
    KEEPING = "keeping"


@dataclass(frozen=True, slots=True)
class Progress:
    """Questions, or requests with the warm-up, that are done of those planned."""

    done: int
    planned: int
    phase: Phase


Watch = Callable[[Progress], None]


def unwatched(_progress: Progress) -> None:
    """For callers that do not look."""


class WatchedSink(HomeSink):
    """A `HomeSink` that tells how far its run is, from the thread that runs it.

    Args:
        planned: questions, or requests with the warm-up.
    """

    def __init__(self, directory: Path, watch: Watch, *, planned: int) -> None:
        self._watch, self.planned, self.done = watch, planned, 0
        super().__init__(directory)

    def start(self, done: int = 0) -> None:
        """Begin to count, at what was done before."""
        self.done = done
        self._watch(Progress(done, self.planned, Phase.STARTING))

    def settled(self, batch: Sequence[Settlement]) -> None:
        super().settled(batch)
        self.done += sum(map(self._counts, batch))
        self._tell()

    def heartbeat(self) -> bool:
        self._tell()
        return super().heartbeat()

    def _tell(self) -> None:
        if self.done:
            self._watch(Progress(min(self.done, self.planned), self.planned, Phase.MEASURING))

    def _counts(self, settlement: Settlement) -> bool:
        if self.attempts[settlement.attempt_id].purpose is Purpose.QUESTION:
            return settlement.answer is not None
        is_load = self.attempts[settlement.attempt_id].purpose in {Purpose.WARMUP, Purpose.REQUEST}
        return is_load and settlement.state is not SettledAs.RELEASED
