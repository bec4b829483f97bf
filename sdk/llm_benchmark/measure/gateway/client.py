"""The client's side: AIPerf, or our canary, on loopback."""

import asyncio
import json
import re
from dataclasses import dataclass
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, cast

import httptools
import orjson

from llm_benchmark.measure.protocols import LIMIT_FIELDS, Protocol
from llm_benchmark.measure.sink import Purpose

from .exchange import Exchange

if TYPE_CHECKING:
    from .relay import Relay

_HIGH_WATER = 1024 * 1024
_REASONS = {200: b"OK", 400: b"Bad Request", 401: b"Unauthorized", 404: b"Not Found", 411: b"Length Required"}
_STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
    b"Cache-Control: no-store\r\n\r\n"
)
_REQUEST_ID = re.compile(rb"[A-Za-z0-9-]{1,64}")


def client_path(protocol: Protocol) -> str:
    """Where clients ask, whatever the provider's path is."""
    return f"/v1/{protocol.path}"


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """A request that may be passed on: its body, and what we have to know of it."""

    purpose: Purpose
    request_id: str
    body: bytes
    wants_stream: bool
    max_tokens: int


class ClientConnection(asyncio.Protocol):
    """One connection from the client; one request at a time."""

    def __init__(self, relay: "Relay") -> None:
        self._relay = relay
        self._parser: Any = httptools.HttpRequestParser(self)
        self._transport: asyncio.Transport | None = None
        self._has_written_head = False
        self.exchange: Exchange | None = None
        self._begin()

    def _begin(self) -> None:
        self._url = b""
        self._headers: dict[bytes, bytes] = {}
        self._body: list[bytes] = []
        self._size = self._head_size = 0
        self._refusal: tuple[int, str] | None = None
        self._allowed_as: Purpose | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is not a subclass
        self._transport.set_write_buffer_limits(high=_HIGH_WATER)
        self._relay.clients.add(self)

    def connection_lost(self, _exc: Exception | None) -> None:
        self._relay.clients.discard(self)
        self._transport = None
        if self.exchange:
            self.exchange.on_client_lost()

    def pause_writing(self) -> None:
        if self.exchange:
            self.exchange.pause()

    def resume_writing(self) -> None:
        if self.exchange:
            self.exchange.resume()

    def data_received(self, data: bytes) -> None:
        if self.exchange:  # pipelined: nothing we serve does that
            self.abort()
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._refusal = self._refusal or (400, "malformed_request")
        if self._refusal:
            self._relay.refused(self._request_id(), self._refusal[1])
            self.refuse(*self._refusal)

    def on_message_begin(self) -> None:
        self._begin()

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        self._head_size += len(name) + len(value)
        if name in self._headers:
            self._refusal = (400, "duplicate_header")
        if self._head_size > self._relay.orders.bounds.head_bytes:
            self._refusal = (431, "head_too_large")
        self._headers[name] = value

    def on_headers_complete(self) -> None:
        self._refusal = self._refusal or self._judge_head()
        if not self._refusal and self._headers.get(b"expect", b"").lower() == b"100-continue":
            self._write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._relay.orders.bounds.request_bytes:
            self._refusal = (413, "request_too_large")
        else:
            self._body.append(piece)

    def on_message_complete(self) -> None:
        if self._refusal or self.exchange:
            self._refusal = self._refusal or (400, "pipelined_request")
            return
        request = self._read_request()
        if request is None:
            self._refusal = (400, "malformed_request")
            return
        self._has_written_head = False
        self.exchange = Exchange(relay=self._relay, client=self, request=request)
        self._relay.admit(self.exchange)

    def write_chunk(self, piece: bytes) -> None:
        chunk = b"%x\r\n%b\r\n" % (len(piece), piece)
        self._write(chunk if self._has_written_head else _STREAM_HEAD + chunk)
        self._has_written_head = True

    def write_end(self, piece: bytes) -> None:
        chunk = b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b""
        self._write((b"" if self._has_written_head else _STREAM_HEAD) + chunk + b"0\r\n\r\n")

    def write_document(
        self, status: int, kind: bytes, body: bytes, *, retry_after: bytes = b"", closes: bool = False
    ) -> None:
        head = [
            b"HTTP/1.1 %d %b" % (status, _REASONS.get(status, b"Status")),
            b"Content-Type: " + kind,
            b"Content-Length: %d" % len(body),
        ]
        if retry_after:
            head.append(b"Retry-After: " + retry_after)
        if closes:
            head.append(b"Connection: close")
        self._write(b"\r\n".join(head) + b"\r\n\r\n" + body)

    def refuse(self, status: int, code: str) -> None:
        """An error document when nothing was written yet, else a connection torn off; closed either way."""
        if self._has_written_head:
            self.abort()
            return
        body = json.dumps({"error": {"code": code, "message": f"The gateway refused this: {code}."}})
        # A client that were not told would lose its next request on the closing connection.
        self.write_document(status, b"application/json", body.encode(), closes=True)
        if self._transport:
            self._transport.close()

    def abort(self) -> None:
        if self._transport:
            self._transport.abort()

    def _write(self, piece: bytes) -> None:
        if self._transport and not self._transport.is_closing():
            self._transport.write(piece)

    def _judge_head(self) -> tuple[int, str] | None:
        if self._parser.get_method() != b"POST" or self._url != self._relay.path:
            return 404, "unknown_path"
        self._allowed_as = self._purpose()
        if self._allowed_as is None:
            return 401, "wrong_key"
        if b"transfer-encoding" in self._headers or b"content-length" not in self._headers:
            return 411, "chunked_request"
        return None

    def _purpose(self) -> Purpose | None:
        given = self._headers.get(b"authorization", b"")
        for authorization, purpose in self._relay.authorizations:
            if compare_digest(given, authorization):
                return purpose
        return None

    def _request_id(self) -> str:
        given = self._headers.get(b"x-request-id", b"")
        return given.decode() if _REQUEST_ID.fullmatch(given) else ""

    def _read_request(self) -> ClientRequest | None:
        body = b"".join(self._body)
        purpose = self._allowed_as
        try:
            fields = orjson.loads(body)
        except orjson.JSONDecodeError:
            return None
        if purpose is None or not isinstance(fields, dict):
            return None
        asked = next((fields[name] for name in LIMIT_FIELDS if fields.get(name)), 0)
        return ClientRequest(
            purpose=purpose,
            request_id=self._request_id(),
            body=body,
            wants_stream=fields.get("stream") is True,
            max_tokens=asked if isinstance(asked, int) and asked > 0 else 0,
        )
