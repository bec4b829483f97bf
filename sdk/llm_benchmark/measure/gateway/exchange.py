"""One request: from the client to the provider and back, watched, bounded and written down."""

import asyncio
import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from llm_benchmark.measure.redaction import is_echoed, redact, redact_stream
from llm_benchmark.measure.sink import Purpose

from .answer import Judgement, has_error_event, judge_document, judge_stream, says_last
from .journal import JournalEntry, SentLine, spent_tokens
from .upstream import ConnectFailed, UpstreamConnection

if TYPE_CHECKING:
    from .client import ClientConnection, ClientRequest
    from .relay import Relay

_STREAM, _JSON = b"text/event-stream", b"application/json"
_NS = 1_000_000_000
_READ_BYTES = 200  # of memory, for what is written down of each read
_CANARY_BYTES = 1024 * 1024


class Exchange:
    """A client's request while it is under way."""

    def __init__(self, *, relay: "Relay", client: "ClientConnection", request: "ClientRequest") -> None:
        self._relay, self._client, self._request = relay, client, request
        self._bounds, self._protocol = relay.orders.bounds, relay.protocol
        is_canary = request.purpose is Purpose.CANARY
        self._most_bytes = (
            min(_CANARY_BYTES, self._bounds.answer_bytes) if is_canary else self._bounds.answer_bytes
        )
        self._key = relay.orders.api_key
        self._secret = (self._key or "").encode()
        self._upstream: UpstreamConnection | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._start_ns, self._zero = time.time_ns(), time.perf_counter_ns()
        self._sent_ns: int | None = None
        self._head_ns: int | None = None
        self._last_ns = self._zero
        self._paused_at, self._pause_ns = 0, 0
        self._status: int | None = None
        self._retry_after = b""
        self._pieces: list[bytes] = []
        self._size = 0
        self._arrivals: list[tuple[int, int]] = []
        self._is_streaming = self._is_over = self._is_reused = False
        self._judgement = Judgement()
        self.number: int | None = None
        self.token_reserve = 0

    @property
    def request(self) -> "ClientRequest":
        return self._request

    async def start(self) -> None:
        """Send it on a connection of its own; never a second time."""
        await self._relay.pool.settle()
        upstream = self._relay.pool.take()
        try:
            upstream = upstream or await self._relay.pool.dial()
        except ConnectFailed as failed:
            self.fail(failed.code)
            return
        self.send(upstream)

    def send(self, upstream: UpstreamConnection) -> None:
        if self._is_over:  # the client left while we dialled
            self._relay.pool.put(upstream)
            return
        self._upstream, self._is_reused = upstream, upstream.is_reused
        self._sent_ns = time.perf_counter_ns()
        self._last_ns = self._sent_ns
        upstream.send(self._relay.head_of(self._request) + self._request.body, self)
        # The loop writes at the end of its turn: what need not precede the request waits for the next one.
        asyncio.get_running_loop().call_soon(self._note_sent)

    def _note_sent(self) -> None:
        self._tick()
        assert self.number is not None  # noqa: S101  (admitted)
        line = SentLine(self.number, self._request.request_id, self._request.purpose, self._start_ns)
        self._relay.journal.sent(line)

    def on_head(self, status: int, headers: dict[bytes, bytes]) -> None:
        self._status, self._head_ns = status, time.perf_counter_ns()
        kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
        self._retry_after = redact(headers.get(b"retry-after", b""), self._key)[:40]
        code = _refused_head(status, headers, kind, wants_stream=self._request.wants_stream)
        if code:
            self.fail(code)
        self._is_streaming = kind == _STREAM

    def on_piece(self, now_ns: int, piece: bytes, *, is_last: bool) -> None:
        if self._is_over:
            return
        self._last_ns = now_ns
        has_room = self._keep(piece, now_ns) if piece else True
        if not has_room or self._size > self._most_bytes:
            self.fail("response_too_large")
        elif not is_last and (code := self._early_code(piece)):
            self.fail(code)
        elif is_last:
            self._complete(piece)
        elif self._is_streaming and piece:
            self._client.write_chunk(piece)

    def on_broken(self, code: str) -> None:
        self.fail(code)

    def on_client_lost(self) -> None:
        self._end("client_disconnected")

    def pause(self) -> None:
        self._paused_at = time.perf_counter_ns()
        if self._upstream and self._upstream.transport:
            self._upstream.transport.pause_reading()

    def resume(self) -> None:
        self._pause_ns += time.perf_counter_ns() - self._paused_at
        if not self._is_over and self._upstream and self._upstream.transport:
            self._upstream.transport.resume_reading()

    def fail(self, code: str, status: int = 502) -> None:
        """Let the client see a failure: an error status while nothing was written, else a torn stream."""
        if self._is_over:
            return
        self._end(code)
        self._client.refuse(status, code)

    def _keep(self, piece: bytes, now_ns: int) -> bool:
        """Whether there was room for it."""
        self._size += len(piece)
        self._arrivals.append((now_ns - self._zero, self._size))
        self._pieces.append(piece)
        return self._relay.hold(len(piece) + _READ_BYTES)

    def _early_code(self, piece: bytes) -> str | None:
        """What must not reach the client: the key, an error inside, an end without a finish_reason."""
        if not self._is_streaming:
            return None
        if self._secret and self._secret in piece:  # its other spellings are looked for in the whole
            return "credential_echoed"
        if has_error_event(self._protocol, piece):
            return "provider_reported_error"
        is_last = says_last(self._protocol, piece)
        return judge_stream(self._protocol, b"".join(self._pieces)).code if is_last else None

    def _complete(self, piece: bytes) -> None:
        if self._status != HTTPStatus.OK:
            self._pass_error_on()
            return
        body = b"".join(self._pieces)
        if self._says_key(body):
            self.fail("credential_echoed")
            return
        judge = judge_stream if self._is_streaming else judge_document
        self._judgement = judge(self._protocol, body)
        if code := self._judgement.code:
            self.fail(code)
        elif self._is_streaming:
            self._client.write_end(piece)
            self._end("ok")
        else:
            self._client.write_document(200, _JSON, body)
            self._end("ok")

    def _says_key(self, body: bytes) -> bool:
        """A canary's is parsed for pieces of it, too; those of a load are looked through when it is over."""
        if self._request.purpose is Purpose.CANARY:
            return redact_stream(body, self._key) != body
        return is_echoed(body, self._key)

    def _pass_error_on(self) -> None:
        body = redact(b"".join(self._pieces), self._key)
        self._client.write_document(self._status or 502, b"text/plain", body, retry_after=self._retry_after)
        self._end("http_error")

    def _tick(self) -> None:
        """One timer for all deadlines; it looks again when the next one could be due."""
        if self._is_over or self._sent_ns is None:
            return
        now, bounds = time.perf_counter_ns(), self._bounds
        quiet = bounds.idle_seconds if self._arrivals else bounds.first_byte_seconds
        quiet_left = quiet - (now - self._last_ns) / _NS
        total_left = bounds.total_seconds - (now - self._zero) / _NS
        if quiet_left <= 0:
            self.fail("idle_timeout" if self._arrivals else "first_byte_timeout", 504)
        elif total_left <= 0:
            self.fail("total_timeout", 504)
        else:
            wait = max(min(quiet_left, total_left), 0.01)
            self._timer = asyncio.get_running_loop().call_later(wait, self._tick)

    def _end(self, outcome: str) -> None:
        if self._is_over:
            return
        self._is_over = True
        if self._timer:
            self._timer.cancel()
        if self._upstream and outcome not in {"ok", "http_error"}:
            self._upstream.abort()
        self._client.exchange = None
        body = b"".join(self._pieces)
        if outcome != "ok":
            body = redact(body, self._key)
        held = self._size + _READ_BYTES * len(self._arrivals)
        tokens = spent_tokens(self._judgement.usage, body.count(b"\ndata:"))
        self._relay.finish(self, tokens=tokens, held=held)
        entry = self._entry(outcome, len(body))
        self._relay.journal.ended(entry, body, is_stream=self._is_streaming)

    def _entry(self, outcome: str, byte_count: int) -> JournalEntry:
        def after(moment: int | None) -> int | None:
            return None if moment is None else moment - self._zero

        return JournalEntry(
            number=self.number,
            request_id=self._request.request_id,
            purpose=self._request.purpose,
            outcome=outcome,
            start_ns=self._start_ns,
            status=self._status,
            end_after_ns=time.perf_counter_ns() - self._zero,
            sent_after_ns=after(self._sent_ns),
            head_after_ns=after(self._head_ns),
            arrivals=self._arrivals,
            byte_count=byte_count,
            finish_reason=self._judgement.finish_reason,
            usage=self._judgement.usage,
            returned_model=self._judgement.model,
            is_connection_reused=self._is_reused,
            pause_ns=self._pause_ns,
        )


def _refused_head(status: int, headers: dict[bytes, bytes], kind: bytes, *, wants_stream: bool) -> str | None:
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return "redirect_refused"
    if headers.get(b"content-encoding", b"identity").strip().lower() != b"identity":
        return "encoding_refused"
    if status >= HTTPStatus.BAD_REQUEST:
        return None
    if status != HTTPStatus.OK:
        return "unexpected_status"
    return None if kind == (_STREAM if wants_stream else _JSON) else "wrong_content_type"
