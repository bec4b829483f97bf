"""The gateway's journal: JSON lines on disk, written by a thread while requests go on, read by the parent.

A request writes a `sent` line when it goes out and an `end` line when it is over; one that was refused has
only the `end`. Raw answers stand in a second file of gzip members, capped.
"""

import gzip
import hashlib
import queue
import threading
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, Self

import orjson

from llm_benchmark.measure.plans import Usage
from llm_benchmark.measure.protocols import Protocol

from .answer import events_of
from .content import content_of

LATER_SECONDS = 0.02
"""An answer is counted so long after its end: at once, it would keep the next request waiting that AIPerf
has already begun to time."""

_CONTENT_SEARCH = 4096  # events from either end: reasoning that is told in summary comes first


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """How one request went. Times in ns; `*_after_ns` count from `start_ns` on a steady clock.

    Args:
        number: counts the admitted requests from 1; None when it was refused.
        outcome: `ok`, or a code such as `incomplete_stream`, `redirect_refused`, `request_bound_reached`.
        status: what the provider answered; None when it did not.
        event_count: SSE data lines, `[DONE]` included; 1 for a whole JSON document.
        arrivals: (after_ns, bytes so far) for each read from the provider.
        pause_ns: how long a slow client kept us from reading; it falsifies the arrivals.
    """

    number: int | None
    request_id: str
    purpose: str
    outcome: str
    start_ns: int
    status: int | None = None
    end_after_ns: int = 0
    sent_after_ns: int | None = None
    head_after_ns: int | None = None
    first_content_after_ns: int | None = None
    last_content_after_ns: int | None = None
    arrivals: Sequence[tuple[int, int]] = ()
    event_count: int = 0
    byte_count: int = 0
    sha256: str | None = None
    is_recorded: bool = False
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    returned_model: str | None = None
    is_connection_reused: bool = False
    pause_ns: int = 0

    @property
    def spent_tokens(self) -> int:
        return spent_tokens(self.usage, self.event_count)

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Self:
        return cls(**{**fields, "usage": Usage(**fields["usage"])})


def spent_tokens(usage: Usage, event_count: int) -> int:
    """Tokens to charge: the provider's count, and at least one an event, whatever it says."""
    return max((usage.input_tokens or 0) + (usage.output_tokens or 0), event_count)


@dataclass(frozen=True, slots=True)
class SentLine:
    """A request is on its way to the provider."""

    number: int
    request_id: str
    purpose: str
    start_ns: int


class _Ended(NamedTuple):
    """A request that is over, to be counted and written when it is `due` (monotonic seconds)."""

    due: float
    entry: JournalEntry
    body: bytes
    is_stream: bool


class JournalWriter:
    """Writes lines in a thread, each flushed: a kill loses what is in flight and the ends of a moment."""

    def __init__(self, *, protocol: Protocol, journal: Path, bodies: Path, recorded_bytes: int) -> None:
        self._protocol = protocol
        self._lines = journal.open("ab", buffering=0)
        self._bodies = bodies.open("ab", buffering=0)
        self._room = self._backlog_room = recorded_bytes
        self._queue: queue.SimpleQueue[SentLine | _Ended | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def sent(self, line: SentLine) -> None:
        self._queue.put(line)

    def ended(self, entry: JournalEntry, body: bytes, *, is_stream: bool) -> None:
        """The entry gets what has to be counted in the body: events, content times, digest."""
        if len(body) > self._backlog_room:  # the disk is too slow: lose an answer rather than the memory
            body = b""
        self._backlog_room -= len(body)
        self._queue.put(_Ended(monotonic() + LATER_SECONDS, entry, body, is_stream))

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join(timeout=5)

    def _work(self) -> None:
        waiting: deque[_Ended] = deque()
        while True:
            try:
                item = self._queue.get(timeout=max(0.0, waiting[0].due - monotonic()) if waiting else None)
            except queue.Empty:
                self._write_end(waiting.popleft())
                continue
            if item is None:
                break
            if isinstance(item, SentLine):
                self._write("sent", item, {})
            else:
                waiting.append(item)
        for ended in waiting:
            self._write_end(ended)
        self._lines.close()
        self._bodies.close()

    def _write_end(self, ended: _Ended) -> None:
        self._write("end", ended.entry, self._counted(ended) if ended.body else {})
        self._backlog_room += len(ended.body)

    def _write(self, kind: str, record: SentLine | JournalEntry, counted: dict[str, Any]) -> None:
        fields = {"event": kind, **orjson.loads(orjson.dumps(record)), **counted}
        self._lines.write(orjson.dumps(fields) + b"\n")

    def _counted(self, ended: _Ended) -> dict[str, Any]:
        found = {
            "sha256": hashlib.sha256(ended.body).hexdigest(),
            "is_recorded": self._record(ended.entry, ended.body),
        }
        if not ended.is_stream:
            return {**found, "event_count": 1}
        return {**found, **measure_stream(self._protocol, ended.body, ended.entry.arrivals)}

    def _record(self, entry: JournalEntry, body: bytes) -> bool:
        if len(body) > self._room:
            return False
        self._room -= len(body)
        head = orjson.dumps({"number": entry.number, "request_id": entry.request_id, "bytes": len(body)})
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        member = packer.compress(head + b"\n" + body + b"\n") + packer.flush()
        self._bodies.write(member)
        return True


def measure_stream(protocol: Protocol, body: bytes, arrivals: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Count the events of a stream and find when its first and last content came."""
    events = list(events_of(body))
    first = _first_content(protocol, events[:_CONTENT_SEARCH])
    last = _first_content(protocol, list(reversed(events[-_CONTENT_SEARCH:])))
    return {
        "event_count": len(events),
        "first_content_after_ns": _arrival_of(first, arrivals),
        "last_content_after_ns": _arrival_of(last, arrivals),
    }


class JournalReader:
    """Follows a journal that is still being written; a half-written last line waits for its rest."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def read(self) -> Sequence[SentLine | JournalEntry]:
        """The lines that came since the last call."""
        if not self._path.exists():
            return []
        with self._path.open("rb") as file:
            file.seek(self._offset)
            whole = file.read().rpartition(b"\n")[0]
        if not whole:
            return []
        self._offset += len(whole) + 1
        return [_line_of(orjson.loads(line)) for line in whole.split(b"\n")]


def read_journal(path: Path) -> Sequence[JournalEntry]:
    """All requests that are over, in the order in which they ended."""
    return [line for line in JournalReader(path).read() if isinstance(line, JournalEntry)]


def read_bodies(path: Path) -> Iterator[tuple[int | None, str, bytes]]:
    """The recorded raw answers: number, request id, body."""
    with gzip.open(path, "rb") as file:
        while head := file.readline():
            fields = orjson.loads(head)
            body = file.read(fields["bytes"])
            file.read(1)
            yield fields["number"], fields["request_id"], body


def _line_of(fields: dict[str, Any]) -> SentLine | JournalEntry:
    kind = fields.pop("event")
    return SentLine(**fields) if kind == "sent" else JournalEntry.from_json(fields)


def _first_content(protocol: Protocol, events: Sequence[tuple[int, bytes]]) -> int | None:
    return next((end for end, payload in events if content_of(protocol, payload).is_timed), None)


def _arrival_of(end: int | None, arrivals: Sequence[tuple[int, int]]) -> int | None:
    if end is None:
        return None
    # The line break that ends an event may come a read later; its last byte is what counts.
    return next((after for after, size in arrivals if size >= end - 1), None)
