"""One way to ask a model: what is sent where, and how what comes back is read."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import orjson

from llm_benchmark.measure.plans import Generation, Target

from .answers import Completion, Event, has_error, parsed
from .streams import Stream

# They force a length or forbid the cache. A speed test wants that; an answer ends where the model ends it,
# and is the same with a cache.
SPEED_ONLY_FIELDS = frozenset({"ignore_eos", "min_tokens", "cache_prompt"})

LIMIT_FIELDS = ("max_completion_tokens", "max_tokens", "max_output_tokens")
"""How protocols and dialects call the most tokens of an answer."""

SIGNS_OF_LIFE = frozenset({"ping", "heartbeat", "keepalive", "keep-alive"})
"""Names of events that may hold anything. Nothing else may: it could be a part of the answer, mangled."""


class Protocol(ABC):
    """Stateless; one instance of each stands in `PROTOCOLS`.

    Attributes:
        name: as endpoints and snapshots have it.
        path: below the base URL's version, `chat/completions`.
        aiperf_type: AIPerf's name of it (`--endpoint-type`).
        done: a literal that stands in the last event of every whole stream, and early in no other place of
            one; b"" where there are no streams.
        is_at_root: the path stands beside /v1, not below it.
    """

    name: ClassVar[str]
    path: ClassVar[str]
    aiperf_type: ClassVar[str]
    done: ClassVar[bytes] = b""
    is_at_root: ClassVar[bool] = False

    @property
    def can_stream(self) -> bool:
        return bool(self.done)

    def headers(self, api_key: str | None) -> Sequence[tuple[str, str]]:
        """What carries the key, and whatever else each request needs."""
        return [("Authorization", f"Bearer {api_key}")] if api_key else []

    def generation_fields(self, target: Target, generation: Generation) -> dict[str, Any]:
        """The body's fields that are the same for every question, without `stream`."""
        extra = target.dialect.extra_body
        kept = {name: value for name, value in extra.items() if name not in SPEED_ONLY_FIELDS}
        wanted = self.generation(generation, target)
        return {
            **kept,
            "model": target.model,
            **{name: value for name, value in wanted.items() if value is not None},
        }

    @abstractmethod
    def generation(self, generation: Generation, target: Target) -> Mapping[str, Any]:
        """How this protocol calls the settings; None leaves a field out."""

    @abstractmethod
    def body(self, fields: Mapping[str, Any], *, prompt: str, system_prompt: str = "") -> bytes:
        """The JSON body of one question. An empty system prompt sends none."""

    def stream_fields(self) -> Mapping[str, Any]:
        """What asks for a stream with its usage at the end."""
        return {"stream": True}

    @abstractmethod
    def read_document(self, data: Mapping[str, Any]) -> Completion:
        """A whole JSON answer without an `error` in it. Trusts nothing."""

    def read_event(self, name: str, data: Mapping[str, Any]) -> Event:
        """One event of a stream that holds an object."""
        raise NotImplementedError(f"{self.name} has no streams")

    def read_payload(self, name: str, payload: bytes) -> Event:
        """One event of a stream, whatever it holds."""
        if payload.strip() == b"[DONE]":
            return Event(is_last=True)
        data = parsed(payload)
        if name == "error" or (isinstance(data, dict) and has_error(data)):
            return Event(error="provider_reported_error")
        if isinstance(data, dict):
            return self.read_event(name, data)
        return Event() if name in SIGNS_OF_LIFE else Event(error="invalid_response")

    def read(self, body: bytes, content_type: str = "") -> Completion:
        """A whole body, JSON or server-sent events by its content type (a server may stream unasked)."""
        if content_type.partition(";")[0].strip().lower() == "text/event-stream":
            return self.read_stream(body)
        data = parsed(body)
        if isinstance(data, dict) and has_error(data):
            return Completion(error="provider_reported_error")
        return self.read_parsed(data)

    def read_parsed(self, data: Any) -> Completion:
        """What JSON gave."""
        if not isinstance(data, dict):
            return Completion(error="invalid_response")
        return self.read_document(data)

    def read_stream(self, body: bytes) -> Completion:
        """A whole stream. Without a finish_reason it is incomplete_stream."""
        if not self.can_stream:
            return Completion(error="invalid_response")
        stream = Stream(self)
        stream.feed(body)
        return stream.completion()


def dumps(fields: Mapping[str, Any]) -> bytes:
    return orjson.dumps(fields)
