"""A lean HTTP/1.1 client for one pinned address: bounded, without redirects, without silent repeats.

It sends a request exactly once. A connection that dies is a fault that the caller sees and counts.
"""

import asyncio
import functools
import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

import httptools

from .egress import USER_AGENT, Pinned

MIB = 1024 * 1024
BODY_LIMIT = 4 * MIB
ERROR_BODY_LIMIT = 64 * 1024
HEADERS_LIMIT = 64 * 1024
CONNECT_SECONDS = 10.0
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
    """A whole response; header names are lower case. Error bodies are cut at 64 KiB."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connections:
    """Keep-alive connections to one address. Use from one event loop."""

    def __init__(self, address: Pinned) -> None:
        self._address = address
        self._tls = _tls() if address.scheme == "https" else None
        self._idle: list[_Connection] = []
        self._open: set[_Connection] = set()

    async def send(self, request: bytes, *, seconds: float, limit: int = BODY_LIMIT) -> Response:
        """Send one request.

        Args:
            request: head and body, as `render_request` makes them.
            seconds: for connecting, sending and the last byte of the answer together.
            limit: largest accepted body in bytes.
        Raises:
            WireFault: nothing usable came back.
        """
        try:
            async with asyncio.timeout(seconds):
                connection = await self._connection()
                try:
                    response = await connection.exchange(request, limit)
                except BaseException:
                    connection.abort()
                    raise
        except TimeoutError:
            raise WireFault("total_timeout", f"no complete answer within {seconds:g} s") from None
        if connection.reusable:
            self._idle.append(connection)
        return response

    async def close(self) -> None:
        """Drop all connections and wait until they are gone."""
        gone = [connection.gone.wait() for connection in self._open]
        for connection in self._open:
            connection.abort()
        self._idle.clear()
        await asyncio.gather(*gone)

    async def _connection(self) -> "_Connection":
        while self._idle:
            connection = self._idle.pop()
            if connection.reusable:
                return connection
        return await self._dial()

    async def _dial(self) -> "_Connection":
        where = self._address
        dialling = asyncio.get_running_loop().create_connection(
            _Connection,
            where.address,
            where.port,
            ssl=self._tls,
            server_hostname=where.server_hostname if self._tls else None,
        )
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                _, connection = await dialling
        except TimeoutError:
            raise WireFault("connect_timeout", "the endpoint did not accept a connection in time") from None
        except ssl.SSLCertVerificationError as error:
            raise WireFault("tls_certificate", str(error)[:200]) from None
        except ssl.SSLError as error:
            raise WireFault("tls_failed", str(error)[:200]) from None
        except OSError as error:
            raise WireFault("connect_failed", error.strerror or "connection refused") from None
        self._open = {known for known in self._open if not known.gone.is_set()} | {connection}
        return connection


def render_request(
    method: str, path: str, *, host: str, headers: Iterable[tuple[str, str]] = (), body: bytes | None = None
) -> bytes:
    """The bytes of a request. It carries nothing that tells who sends it, besides the key in `headers`."""
    lines = [
        f"{method} {path} HTTP/1.1",
        f"host: {host}",
        f"user-agent: {USER_AGENT}",
        "accept: application/json",
        "accept-encoding: identity",
    ]
    lines += [f"{name.lower()}: {value}" for name, value in headers]
    if body is not None:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (body or b"")


@functools.cache
def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


class _Connection(asyncio.Protocol):
    """One connection, one exchange at a time."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[Response] | None = None
        self.reusable = True
        self.gone = asyncio.Event()

    async def exchange(self, request: bytes, limit: int) -> Response:
        self._parser = httptools.HttpResponseParser(self)
        self._waiter = asyncio.get_running_loop().create_future()
        self._limit = limit
        self._start_message()
        cast(asyncio.Transport, self._transport).write(request)
        return await self._waiter

    def abort(self) -> None:
        self.reusable = False
        if self._transport is not None:
            self._transport.abort()

    def _start_message(self) -> None:
        self._headers: dict[str, str] = {}
        self._body: list[bytes] = []
        self._size = self._head_size = 0
        self._status = 0

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self._waiter is None or self._waiter.done():
            self.abort()  # bytes nobody asked for: the next answer could not be told apart
            return
        if not self._status:
            self._head_size += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserCallbackError:
            raise  # a bug of ours, not the peer's
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._fail("invalid_response", "not an HTTP/1.1 response")
        if not self._status and self._head_size > HEADERS_LIMIT:
            self._fail("response_too_large", "headers above 64 KiB")

    def eof_received(self) -> None:
        # A body without a declared length ends with the connection (RFC 9112 §6.3).
        framed = "content-length" in self._headers or "transfer-encoding" in self._headers
        if self._pending() and self._status >= FIRST_FINAL_STATUS and not framed:
            self._finish()

    def connection_lost(self, exc: Exception | None) -> None:
        self.reusable = False
        self.gone.set()
        self._fail("connection_lost", "the connection closed before the answer was complete")

    # httptools

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        if not self._pending():
            self.reusable = False  # a second answer to one question
        self._status = self._parser.get_status_code()
        if self._status >= FIRST_ERROR_STATUS:
            self._limit = min(self._limit, ERROR_BODY_LIMIT)
        if self._headers.get("content-encoding", "identity").lower() not in {"", "identity"}:
            self._fail("encoding_refused", "the body is compressed though identity was asked for")

    def on_body(self, body: bytes) -> None:
        room = self._limit - self._size
        self._size += len(body)
        self._body.append(body if len(body) <= room else body[: max(room, 0)])
        if len(body) > room and self._pending():
            self._overflow()

    def on_message_complete(self) -> None:
        if self._status < FIRST_FINAL_STATUS:
            self._start_message()  # 100 Continue, 103 Early Hints: the answer follows
        elif self._pending():
            self.reusable = self.reusable and self._parser.should_keep_alive()
            self._finish()

    def _overflow(self) -> None:
        self.reusable = False
        if self._status >= FIRST_ERROR_STATUS:
            self._finish()
            self.abort()
        else:
            self._fail("response_too_large", f"body above {self._limit} bytes")

    def _pending(self) -> bool:
        return self._waiter is not None and not self._waiter.done()

    def _response(self) -> Response:
        return Response(self._status, self._headers, b"".join(self._body))

    def _finish(self) -> None:
        cast("asyncio.Future[Response]", self._waiter).set_result(self._response())

    def _fail(self, code: str, message: str) -> None:
        if self._pending():
            partial = self._response() if self._status else None
            cast("asyncio.Future[Response]", self._waiter).set_exception(WireFault(code, message, partial))
        self.abort()
