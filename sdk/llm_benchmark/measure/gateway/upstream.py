"""The provider's side: connections to the one pinned address, and the pool that keeps them."""

import asyncio
import ssl
import time
from typing import Any, Protocol, cast

import httptools

from llm_benchmark.measure.connection import FRAMING_LIMIT

from .bounds import Orders

_INFORMATIONAL, _SWITCHING = 200, 101
_CLOSED_SOON_SECONDS = 1.0  # an idle time-out takes longer


class Receiver(Protocol):
    """What an exchange offers to the connection that carries its answer."""

    def on_head(self, status: int, headers: dict[bytes, bytes]) -> None: ...
    def on_piece(self, now_ns: int, piece: bytes, *, is_last: bool) -> None: ...
    def on_broken(self, code: str) -> None: ...


class ConnectFailed(Exception):
    """No connection. `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class UpstreamConnection(asyncio.Protocol):
    """One keep-alive connection that carries one answer at a time, and no request twice."""

    def __init__(self, pool: "Pool", head_bytes: int) -> None:
        self._pool = pool
        self._head_bytes = head_bytes
        self._parser: Any = httptools.HttpResponseParser(self)
        self._receiver: Receiver | None = None
        self.transport: asyncio.Transport | None = None
        self.is_reused = False
        self._released_at = 0.0
        self._forget()

    def _forget(self) -> None:
        self._headers: dict[bytes, bytes] = {}
        self._pieces: list[bytes] = []
        self._received = self._size = 0
        self._has_head = self._is_complete = self._is_framed = self._keeps_alive = False

    def send(self, request: bytes, receiver: Receiver) -> None:
        assert self.transport is not None  # noqa: S101  (the pool hands out connected ones only)
        self._receiver = receiver
        self.transport.write(request)

    def abort(self) -> None:
        self._receiver = None
        self._released_at = 0.0
        self._pool.forget(self)
        if self.transport:
            self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is not a subclass

    def data_received(self, data: bytes) -> None:
        now_ns = time.perf_counter_ns()
        receiver = self._receiver
        if receiver is None:
            self.abort()  # nobody asked: whatever it is, it must not become somebody's answer
            return
        self._received += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._break("invalid_response")
            return
        # Headers, trailers, interim answers and whatever stands around chunks.
        if self._received - self._size > self._head_bytes + FRAMING_LIMIT * self._size:
            self._break("response_too_large")
            return
        if not self._has_head:
            return
        piece = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        self._pieces.clear()
        is_last = self._is_complete
        if is_last:
            self._release()
        if self._receiver is receiver or is_last:
            receiver.on_piece(now_ns, piece, is_last=is_last)

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._pool.forget(self)
        if self._was_closed_soon():
            self._pool.keep_none()
        receiver, self._receiver = self._receiver, None
        if receiver is None:
            return
        if self._has_head and not self._is_framed and exc is None:
            receiver.on_piece(time.perf_counter_ns(), b"", is_last=True)
        else:
            receiver.on_broken("connection_lost")

    def _was_closed_soon(self) -> bool:
        """Whether the provider closed it right after an answer that had promised to keep it."""
        return bool(self._released_at) and time.monotonic() - self._released_at < _CLOSED_SOON_SECONDS

    def on_message_begin(self) -> None:
        if self._is_complete:
            self._receiver = None  # a second answer to one request
            return

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._has_head:  # else a trailer
            self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < _INFORMATIONAL and status != _SWITCHING:
            return
        self._has_head = True
        self._is_framed = b"content-length" in self._headers or b"transfer-encoding" in self._headers
        if self._receiver:
            self._receiver.on_head(status, self._headers)

    def on_body(self, piece: bytes) -> None:
        self._size += len(piece)
        self._pieces.append(piece)

    def on_message_complete(self) -> None:
        if self._has_head:
            self._is_complete = True
            self._keeps_alive = self._parser.should_keep_alive()  # the parser forgets it after this
        else:
            self._headers.clear()  # 100, 103: the answer is still to come

    def _break(self, code: str) -> None:
        receiver = self._receiver
        self.abort()
        if receiver:
            receiver.on_broken(code)

    def _release(self) -> None:
        keep = self._keeps_alive and self._is_framed and self._receiver is not None
        self._receiver = None
        self._forget()
        self.is_reused = True
        self._released_at = time.monotonic()
        if keep and self._pool.keeps:
            self._pool.put(self)
        else:
            self.abort()
            self._pool.replace()


class Pool:
    """Idle connections to the one provider, warmed before the first request."""

    def __init__(self, orders: Orders) -> None:
        self._pinned = orders.pinned
        self._bounds = orders.bounds
        self._tls = tls_context() if orders.pinned.scheme == "https" else None
        self._idle: list[UpstreamConnection] = []
        self.keeps = True
        self._warming: set[asyncio.Task[None]] = set()

    def take(self) -> UpstreamConnection | None:
        return self._idle.pop() if self._idle else None

    def put(self, connection: UpstreamConnection) -> None:
        self._idle.append(connection)

    def forget(self, connection: UpstreamConnection) -> None:
        if connection in self._idle:
            self._idle.remove(connection)

    def warm(self) -> None:
        """Open the connections in the background; a failure shows with the first request."""
        for _ in range(self._bounds.connections):
            self.replace()

    def keep_none(self) -> None:
        """The provider closes what it promised to keep: a kept connection would lose the next request.

        The canary shows it before anything is measured; from then on each request finds a fresh connection.
        """
        self.keeps = False
        while self._idle:
            self._idle.pop().abort()
        self.warm()

    def replace(self) -> None:
        """Open one connection in the background."""
        task = asyncio.get_running_loop().create_task(self._warm_one())
        self._warming.add(task)
        task.add_done_callback(self._warming.discard)

    async def dial(self) -> UpstreamConnection:
        """A new connection to the pinned address.

        Raises:
            ConnectFailed: connect_failed, connect_timeout, tls_certificate, tls_failed.
        """
        try:
            async with asyncio.timeout(self._bounds.connect_seconds):
                return await self._connect()
        except TimeoutError:
            raise ConnectFailed("connect_timeout") from None
        except ssl.SSLCertVerificationError:
            raise ConnectFailed("tls_certificate") from None
        except ssl.SSLError:
            raise ConnectFailed("tls_failed") from None
        except OSError:
            raise ConnectFailed("connect_failed") from None

    async def settle(self) -> None:
        """Wait for the warm-up: a request must not dial beside a connection that is about to be there."""
        if self._warming:
            await asyncio.wait(self._warming)

    async def _warm_one(self) -> None:
        try:
            self.put(await self.dial())
        except ConnectFailed:
            return

    async def _connect(self) -> UpstreamConnection:
        _, connection = await asyncio.get_running_loop().create_connection(
            lambda: UpstreamConnection(self, self._bounds.head_bytes),
            host=self._pinned.address,
            port=self._pinned.port,
            ssl=self._tls,
            server_hostname=self._pinned.server_hostname,
        )
        return connection


def tls_context() -> ssl.SSLContext:
    """The system's certificates (SSL_CERT_FILE counts), HTTP/1.1 only."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
