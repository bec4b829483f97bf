"""One HTTP attempt: from a body to what the provider made of it."""

import asyncio
import gzip
from dataclasses import dataclass, replace
from time import perf_counter

from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import Pinned, parse_endpoint_url
from llm_benchmark.measure.faults import FAULTS, status_fault
from llm_benchmark.measure.plans import Answer, Target, Usage
from llm_benchmark.measure.protocols import Completion, Stream
from llm_benchmark.measure.redaction import is_echoed, redact, redact_stream
from llm_benchmark.measure.sink import SettledAs
from llm_benchmark.measure.wire import Connections, Response, WireFault, render_request


@dataclass(frozen=True, slots=True)
class Reply:
    """What one attempt brought."""

    completion: Completion
    raw: bytes
    latency_ms: float
    status: int | None = None
    retry_after: str | None = None
    error: str | None = None

    @property
    def usage(self) -> Usage:
        return self.completion.usage

    @property
    def refuses_streams(self) -> bool:
        """Whether the endpoint takes no `stream`, or no `stream_options`, by its own words."""
        return self.error == "request_refused" and b"stream" in self.raw.lower()

    @property
    def settled_as(self) -> SettledAs:
        """Lost when the provider may have done the work and nobody knows."""
        known = self.error is None or FAULTS[self.error].reached
        return SettledAs.SETTLED if known else SettledAs.LOST

    def answer(self, key: str) -> Answer:
        told = self.completion
        return Answer(
            key=key,
            text=told.text,
            raw=self.raw,
            latency_ms=self.latency_ms,
            http_status=self.status,
            finish_reason=told.finish_reason,
            returned_model=told.model,
            usage=told.usage,
            error=self.error,
        )


class Endpoint:
    """One target, asked by its protocol over pinned connections."""

    def __init__(
        self, target: Target, pinned: Pinned, seconds: float, idle_seconds: float | None = None
    ) -> None:
        url = parse_endpoint_url(target.base_url)
        self.protocol = protocols.get(target.protocol)
        self._host, self._path = url.host_header, protocols.path_of(url, self.protocol)
        self._key, self._seconds, self._idle_seconds = target.api_key, seconds, idle_seconds
        self._headers = self.protocol.headers(target.api_key)
        self._connections = Connections(pinned)

    async def ask(self, body: bytes) -> Reply:
        """Send once. Never raises for what the provider does."""
        request = render_request("POST", self._path, host=self._host, headers=self._headers, body=body)
        stream = Stream(self.protocol) if self.protocol.can_stream else None
        started = perf_counter()
        try:
            response = await self._connections.send(
                request, seconds=self._seconds, idle_seconds=self._idle_seconds, stream=stream
            )
        except WireFault as fault:
            return self._faulty(fault, started)
        return self._read(response, started, stream)

    async def close(self) -> None:
        await self._connections.close()

    def _read(self, response: Response, started: float, stream: Stream | None = None) -> Reply:
        latency_ms = (perf_counter() - started) * 1000
        refused = status_fault(response.status)
        if refused:
            raw, completion = redact_stream(response.body, self._key), Completion()
        else:
            raw, completion = self._understood(response, stream)
        return Reply(
            completion=completion,
            raw=_packed(raw) if response.is_stream else raw,
            latency_ms=latency_ms,
            status=response.status,
            retry_after=response.headers.get("retry-after"),
            error=refused or completion.error,
        )

    def _understood(self, response: Response, stream: Stream | None) -> tuple[bytes, Completion]:
        """The body without the key, and what that says. An echo in pieces shows in the joined text alone."""
        kind = response.headers.get("content-type", "")
        raw = redact(response.body, self._key)
        if response.is_stream and stream is not None:
            completion = stream.completion()
        else:
            completion = self.protocol.read(raw, kind)
        is_echo = any(is_echoed(text or "", self._key) for text in _texts(completion))
        if is_echo or completion.error:
            raw = redact_stream(raw, self._key)
        return raw, self._without_key(completion) if is_echo else completion

    def _without_key(self, completion: Completion) -> Completion:
        text, reasoning, model, finish_reason = (redact(text or "", self._key) for text in _texts(completion))
        return replace(
            completion,
            text=text or None,
            reasoning=reasoning or None,
            model=model or None,
            finish_reason=finish_reason or None,
        )

    def _faulty(self, fault: WireFault, started: float) -> Reply:
        latency_ms = (perf_counter() - started) * 1000
        partial = fault.response
        raw = redact_stream(partial.body, self._key) if partial else b""
        return Reply(
            completion=Completion(),
            raw=_packed(raw) if partial and partial.is_stream else raw,
            latency_ms=latency_ms,
            status=partial.status if partial else None,
            error=fault.code,
        )


def _packed(stream: bytes) -> bytes:
    """A stream's events say little with many bytes, and each of a run's answers is stored."""
    return gzip.compress(stream, compresslevel=5, mtime=0)


def _texts(completion: Completion) -> tuple[str | None, ...]:
    return completion.text, completion.reasoning, completion.model, completion.finish_reason


def new_loop() -> asyncio.AbstractEventLoop:
    """uvloop's where it is installed."""
    try:
        import uvloop  # noqa: PLC0415  (an extra, and not made for Windows)
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
