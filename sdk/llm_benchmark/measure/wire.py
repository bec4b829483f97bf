"""A lean HTTP/1.1 client for one pinned address: bounded, without redirects, without silent repeats.

It sends a request exactly once. A connection that dies is a fault that the caller sees and counts.
"""

import asyncio
import functools
import ssl
from collections.abc import Iterable

from .connection import BODY_LIMIT, ERROR_BODY_LIMIT, Connection, Response, WireFault
from .egress import Pinned
from .head import length_line, render_head
from .protocols.streams import MIB, Stream

__all__ = ["BODY_LIMIT", "ERROR_BODY_LIMIT", "MIB", "Connections", "Response", "WireFault", "render_request"]

CONNECT_SECONDS = 10.0


class Connections:
    """Keep-alive connections to one address. Use from one event loop."""

    def __init__(self, address: Pinned) -> None:
        self._address = address
        self._tls = _tls() if address.scheme == "https" else None
        self._idle: list[Connection] = []
        self._open: set[Connection] = set()

    async def send(
        self,
        request: bytes,
        *,
        seconds: float,
        idle_seconds: float | None = None,
        limit: int = BODY_LIMIT,
        stream: Stream | None = None,
    ) -> Response:
        """Send one request.

        Args:
            request: head and body, as `render_request` makes them.
            seconds: for connecting, sending and the last byte of the answer together.
            idle_seconds: the longest silence before the first byte and between two; None: as long as all.
            limit: largest accepted body in bytes, unless it is a stream.
            stream: takes server-sent events, up to the last event of the answer.
        Raises:
            WireFault: nothing usable came back.
        """
        try:
            async with asyncio.timeout(seconds):
                connection = await self._connection()
                try:
                    response = await connection.exchange(request, limit, stream, idle_seconds)
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

    async def _connection(self) -> "Connection":
        while self._idle:
            connection = self._idle.pop()
            if connection.reusable:
                return connection
        return await self._dial()

    async def _dial(self) -> "Connection":
        where = self._address
        dialling = asyncio.get_running_loop().create_connection(
            Connection,
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
    head = render_head(method, path, host=host, headers=headers, has_body=body is not None)
    return head + (b"\r\n" if body is None else length_line(len(body)) + body)


@functools.cache
def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
