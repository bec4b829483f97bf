"""A streamed answer, read as it arrives: what is kept is the answer, never the events it came in."""

from collections.abc import Iterator
from io import StringIO
from typing import Protocol as Shape

from llm_benchmark.measure.plans import Usage

from .answers import Completion, Event, judged, merged

MIB = 1024 * 1024
WIRE_LIMIT = 64 * MIB
EVENT_LIMIT = 1 * MIB
CONTENT_LIMIT = 4 * MIB
"""In characters."""

MOST_BLOCKS = 500_000
"""Events and comments: each costs time, also where it says nothing."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class _Reader(Shape):
    def read_payload(self, name: str, payload: bytes) -> Event: ...


class Stream:
    """Fed with the bytes of a body in any pieces; WHATWG HTML §9.2 says how they become events.

    Attributes:
        has_ended: nothing of the answer follows, because its last event was there or something is wrong.
    """

    def __init__(self, protocol: _Reader) -> None:
        self._protocol = protocol
        self._rest = b""
        self._is_first = True
        self._text, self._reasoning = StringIO(), StringIO()
        self._size = self._blocks_read = 0
        self._finish_reason: str | None = None
        self._model: str | None = None
        self._usage = Usage()
        self._error: str | None = None
        self.has_ended = False

    @property
    def is_whole(self) -> bool:
        """The answer is all there, though its usage and terminator may be on their way."""
        return self._error is None and self._finish_reason is not None

    def feed(self, data: bytes) -> None:
        if not self.has_ended:
            for block in self._blocks(data):
                self._take(block)
                if self.has_ended:
                    self._rest = b""
                    return
            if len(self._rest) > EVENT_LIMIT:
                self._fail("response_too_large")

    def completion(self) -> Completion:
        """What came, once nothing more does. Without a finish_reason it is incomplete_stream.

        A terminator alone does not tell a whole answer from one that broke off behind a proxy.
        """
        self._take_rest()
        if self._error:
            return Completion(error=self._error)
        if not self.is_whole:
            return Completion(model=self._model, usage=self._usage, error="incomplete_stream")
        return judged(
            text=self._text.getvalue(),
            reasoning=self._reasoning.getvalue(),
            finish_reason=self._finish_reason,
            model=self._model,
            usage=self._usage,
        )

    def _take_rest(self) -> None:
        """The last event may lack its blank line. Where it cannot be read, it was cut off."""
        rest, self._rest = self._rest.removesuffix(b"\r"), b""
        if rest and not self.has_ended:
            self._take(rest)
            if self._error == "invalid_response":
                self._error = "incomplete_stream"

    def _blocks(self, data: bytes) -> Iterator[bytes]:
        if self._is_first and data:
            data, self._is_first = data.removeprefix(_BYTE_ORDER_MARK), False
        text = self._rest + data
        half = b"\r" if text.endswith(b"\r") else b""  # perhaps of a CRLF
        *blocks, rest = normalized(text.removesuffix(half)).split(b"\n\n")
        self._rest = rest + half
        yield from blocks

    def _take(self, block: bytes) -> None:
        self._blocks_read += 1
        event = event_of(block)
        if len(block) > EVENT_LIMIT or self._blocks_read > MOST_BLOCKS:
            self._fail("response_too_large")
        elif event is not None:
            self._add(self._protocol.read_payload(*event))

    def _add(self, event: Event) -> None:
        if event.error:
            self._fail(event.error)
            return
        self._text.write(event.text)
        self._reasoning.write(event.reasoning)
        self._size += len(event.text) + len(event.reasoning)
        self._finish_reason = event.finish_reason or self._finish_reason
        self._model = self._model or event.model
        self._usage = merged(self._usage, event.usage)
        self.has_ended = event.is_last
        if self._size > CONTENT_LIMIT:
            self._fail("response_too_large")

    def _fail(self, code: str) -> None:
        self._error, self.has_ended = code, True
        self._text, self._reasoning = StringIO(), StringIO()


def stream_events(body: bytes) -> Iterator[tuple[str, bytes]]:
    """(event name, data) of a whole body; comments are skipped."""
    for block in normalized(body.removeprefix(_BYTE_ORDER_MARK)).split(b"\n\n"):
        event = event_of(block)
        if event is not None:
            yield event


def normalized(text: bytes) -> bytes:
    """With one kind of line end."""
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text


def event_of(block: bytes) -> tuple[str, bytes] | None:
    """Its name and data; None where there is no data."""
    event, data = "message", []
    for line in block.split(b"\n"):
        name, _, value = line.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))
        elif name == b"event":
            event = value.removeprefix(b" ").decode("utf-8", "replace")
    return (event, b"\n".join(data)) if data else None
