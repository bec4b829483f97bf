"""One HTTP/1.1 exchange at a time over one connection, with every size and every silence bounded."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import httptools

from .protocols.streams import MIB, WIRE_LIMIT, Stream

BODY_LIMIT = 4 * MIB
ERROR_BODY_LIMIT = 64 * 1024
HEADERS_LIMIT = 64 * 1024
FRAMING_LIMIT = 1
"""Bytes around each byte of a body, beside the headers: nobody honest sends it in chunks of a few bytes."""

TAIL_SECONDS = 5.0
"""For the usage and the terminator of a stream, once its answer is whole."""

END_SECONDS = 0.05
"""For the end of the body behind a stream's last event; later, the connection is given up instead."""

FIRST_FINAL_STATUS = 200
FIRST_ERROR_STATUS = 400


class WireFault(Exception):
    """No usable response. `code` is one of `measure.faults`."""

    def __init__(self, code: str, message: str = "", response: "Response | None" = None) -> None:
        super().__init__(message or code)
        self.code = code
        self.response = response


@dataclass(frozen=True, slots=True)
class Response:
    """A whole response; header names are lower case. Error bodies are cut at 64 KiB, streams at 4 MiB.

    `is_stream`: the body was given to the request's `stream` as well, all of it.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    is_stream: bool = False


class Connection(asyncio.Protocol):
    """One connection, one exchange at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[Response] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self.reusable = True
        self.gone = asyncio.Event()

    async def exchange(
        self, request: bytes, limit: int, stream: Stream | None, idle_seconds: float | None
    ) -> Response:
        self._parser = httptools.HttpResponseParser(self)
        self._waiter = self._loop.create_future()
        self._limit, self._stream, self._idle = limit, stream, idle_seconds
        self._received = 0
        self._grace: float | None = None
        self._start_message()
        cast(asyncio.Transport, self._transport).write(request)
        if idle_seconds is not None:
            self._deadline = self._loop.time() + idle_seconds
            self._look_in(idle_seconds)
        try:
            return await self._waiter
        finally:
            self._look_in(None)

    def abort(self) -> None:
        self.reusable = False
        if self._transport is not None:
            self._transport.abort()

    def _start_message(self) -> None:
        self._headers: dict[str, str] = {}
        self._body = bytearray()
        self._piece: list[bytes] = []
        self._size = self._status = 0
        self._is_stream = False

    # silence

    def _look_in(self, seconds: float | None) -> None:
        """Look whether anything came, after so long; None: no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self._loop.call_later(seconds, self._look)

    def _look(self) -> None:
        left = self._deadline - self._loop.time()
        if not self._pending():
            return
        if left > 0:
            self._look_in(left)
        elif self._grace is not None:
            self._finish()
            self.abort()
        else:
            code = "idle_timeout" if self._status else "first_byte_timeout"
            self._fail(code, f"nothing came for {self._idle:g} s")

    def _be_patient(self) -> None:
        """Something came. Once a stream's answer is whole there is a fixed time for the rest.

        Before the end of the head nothing prolongs the wait: it is short, and may be sent byte by byte.
        """
        grace = _grace_of(self._stream) if self._is_stream else None
        if grace is not None and grace != self._grace:
            self._grace, self._deadline = grace, self._loop.time() + grace
            self._look_in(grace)
        elif grace is None and self._idle is not None and self._status:
            self._deadline = self._loop.time() + self._idle

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if not self._pending():
            self.abort()  # bytes nobody asked for: the next answer could not be told apart
            return
        self._received += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserCallbackError:
            raise  # a bug of ours, not the peer's
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._fail("invalid_response", "not an HTTP/1.1 response")
        if self._received - self._size > HEADERS_LIMIT + FRAMING_LIMIT * self._size:
            self._fail("response_too_large", "headers above 64 KiB")
        if self._pending():
            self._feed_stream()
            self._be_patient()

    def _feed_stream(self) -> None:
        """What came in one piece, at once: a stream of tiny chunks costs no more than one of large ones."""
        if self._is_stream:
            piece, self._piece = b"".join(self._piece), []
            cast(Stream, self._stream).feed(piece)

    def eof_received(self) -> None:
        # A body without a declared length ends with the connection (RFC 9112 §6.3).
        framed = "content-length" in self._headers or "transfer-encoding" in self._headers
        if self._pending() and self._status >= FIRST_FINAL_STATUS and not framed:
            self._finish()

    def connection_lost(self, exc: Exception | None) -> None:
        self.reusable = False
        self.gone.set()
        if self._pending() and self._is_stream and cast(Stream, self._stream).has_ended:
            self._finish()
        self._fail("connection_lost", "the connection closed before the answer was complete")

    # httptools

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._status:
            return  # a trailer
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        if not self._pending():
            self.reusable = False  # a second answer to one question
        self._status = self._parser.get_status_code()
        if self._status >= FIRST_ERROR_STATUS:
            self._limit = min(self._limit, ERROR_BODY_LIMIT)
        if self._headers.get("content-encoding", "identity").lower() not in {"", "identity"}:
            self._fail("encoding_refused", "the body is compressed though identity was asked for")
        self._is_stream = self._stream is not None and self._is_event_stream()

    def _is_event_stream(self) -> bool:
        kind = self._headers.get("content-type", "").partition(";")[0].strip().lower()
        return self._status == FIRST_FINAL_STATUS and kind == "text/event-stream"

    def on_body(self, body: bytes) -> None:
        kept = self._limit - len(self._body)
        self._size += len(body)
        self._body += body if len(body) <= kept else body[: max(kept, 0)]
        if self._is_stream:
            self._piece.append(body)
        if self._size > (WIRE_LIMIT if self._is_stream else self._limit) and self._pending():
            self._overflow()

    def on_message_complete(self) -> None:
        if self._status < FIRST_FINAL_STATUS:
            self._start_message()  # 100 Continue, 103 Early Hints: the answer follows
        elif self._pending():
            self.reusable = self.reusable and self._parser.should_keep_alive()
            self._feed_stream()
            self._finish()

    def _overflow(self) -> None:
        self.reusable = False
        if self._status >= FIRST_ERROR_STATUS:
            self._finish()
            self.abort()
        else:
            self._fail("response_too_large", f"body above {self._size - 1} bytes")

    def _pending(self) -> bool:
        return self._waiter is not None and not self._waiter.done()

    def _response(self) -> Response:
        return Response(self._status, self._headers, bytes(self._body), self._is_stream)

    def _finish(self) -> None:
        cast("asyncio.Future[Response]", self._waiter).set_result(self._response())

    def _fail(self, code: str, message: str) -> None:
        if self._pending():
            partial = self._response() if self._status else None
            cast("asyncio.Future[Response]", self._waiter).set_exception(WireFault(code, message, partial))
        self.abort()


def _grace_of(stream: Stream | None) -> float | None:
    """How long to wait for what follows the answer, in seconds; None while it is not whole."""
    if stream is None or not (stream.has_ended or stream.is_whole):
        return None
    return END_SECONDS if stream.has_ended else TAIL_SECONDS
