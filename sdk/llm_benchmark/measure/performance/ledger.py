"""Turns a gateway's journal into the attempts of a sink: reserved before, sent and settled as they happen."""

from collections.abc import Sequence
from dataclasses import replace

from llm_benchmark.measure.gateway import JournalEntry, SentLine
from llm_benchmark.measure.sink import Purpose, Reservation, SettledAs, Settlement, Sink


class Ledger:
    """The planned attempts of one session of load. Uses the sink only from the thread that calls it.

    Args:
        level: stands before the attempts' keys; empty where the run has one session.
    """

    def __init__(self, sink: Sink, level: str = "") -> None:
        self._sink = sink
        self._prefix = f"{level}-" if level else ""
        self._free: dict[Purpose, list[int]] = {Purpose.CANARY: [], Purpose.REQUEST: []}
        self._ids: dict[int, int] = {}
        self._open: set[int] = set()
        self.entries: list[JournalEntry] = []

    def reserve(self, *, warmup: int, requests: int) -> None:
        """Store every request that may be sent, in one call, before any is."""
        batch = [self._reservation(Purpose.CANARY, "canary")]
        batch += [self._reservation(Purpose.WARMUP, f"warmup-{n}") for n in range(1, warmup + 1)]
        batch += [self._reservation(Purpose.REQUEST, f"request-{n}") for n in range(1, requests + 1)]
        canary, *load = self._sink.reserve(batch)
        # AIPerf's warm-up comes first and the gateway cannot tell it from the rest.
        self._free = {Purpose.CANARY: [canary], Purpose.REQUEST: load}

    @property
    def sent_count(self) -> int:
        """How many left us, or may have."""
        return len(self._ids)

    def record(self, lines: Sequence[SentLine | JournalEntry]) -> None:
        """Store what the journal says has happened."""
        sent = [self._begin(line) for line in lines if isinstance(line, SentLine)]
        ended = [line for line in lines if isinstance(line, JournalEntry)]
        self.entries += [replace(entry, arrivals=()) for entry in ended]  # they stand in the journal
        if sent:
            self._sink.sent(sent)
        settlements = [self._end(entry) for entry in ended if entry.number in self._ids]
        if settlements:
            self._sink.settled(settlements)

    def close(self) -> None:
        """Nobody will say more: what was sent is lost, what was not is released."""
        lost = [Settlement(attempt, SettledAs.LOST, error="unknown") for attempt in sorted(self._open)]
        unsent = [attempt for free in self._free.values() for attempt in free]
        released = [Settlement(attempt, SettledAs.RELEASED) for attempt in unsent]
        self._open.clear()
        self._free = {}
        if lost or released:
            self._sink.settled(lost + released)

    def _reservation(self, purpose: Purpose, key: str) -> Reservation:
        return Reservation(purpose, f"{self._prefix}{key}", 1)

    def _begin(self, line: SentLine) -> int:
        attempt = self._free[Purpose(line.purpose)].pop(0)
        self._ids[line.number] = attempt
        self._open.add(attempt)
        return attempt

    def _end(self, entry: JournalEntry) -> Settlement:
        attempt = self._ids[entry.number or 0]
        self._open.discard(attempt)
        # Without a status nobody knows whether the provider had it.
        state = SettledAs.LOST if entry.status is None else SettledAs.SETTLED
        error = None if entry.outcome == "ok" else entry.outcome
        return Settlement(attempt, state, http_status=entry.status, error=error, usage=entry.usage)
