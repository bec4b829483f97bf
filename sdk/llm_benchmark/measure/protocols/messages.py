"""Anthropic's messages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from llm_benchmark.measure.plans import Generation, Target, Usage

from .answers import Completion, Event, count_of, input_output_usage, judged, mapping, name_of, text_of
from .protocol import Protocol, dumps

API_VERSION = "2023-06-01"
DEFAULT_MAX_TOKENS = 4096  # it wants a limit in every request
_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
}


class Messages(Protocol):
    name = "messages"
    path = "messages"
    aiperf_type = "messages"
    done = b"message_stop"

    def headers(self, api_key: str | None) -> Sequence[tuple[str, str]]:
        key = [("x-api-key", api_key)] if api_key else []
        return [*key, ("anthropic-version", API_VERSION)]

    def generation(self, generation: Generation, target: Target) -> Mapping[str, Any]:
        """It has no seed, and refuses temperatures above 1."""
        return {
            "temperature": generation.temperature,
            "top_p": generation.top_p,
            "max_tokens": generation.max_tokens or DEFAULT_MAX_TOKENS,
            "stop_sequences": list(generation.stop) or None,
        }

    def body(self, fields: Mapping[str, Any], *, prompt: str, system_prompt: str = "") -> bytes:
        system = {"system": system_prompt} if system_prompt else {}
        return dumps({**fields, **system, "messages": [{"role": "user", "content": prompt}]})

    def read_document(self, data: Mapping[str, Any]) -> Completion:
        content = data.get("content")
        if data.get("type") == "error":
            return Completion(error="provider_reported_error")
        if not isinstance(content, list):
            return Completion(error="invalid_response")
        parts = [part for part in content if isinstance(part, dict)]
        return judged(
            text=text_of([part for part in parts if part.get("type") == "text"]),
            reasoning="".join(text_of(part.get("thinking")) or "" for part in parts),
            finish_reason=_finish_reason(data.get("stop_reason")),
            model=name_of(data.get("model")),
            usage=_usage(data.get("usage")),
        )

    def read_event(self, name: str, data: Mapping[str, Any]) -> Event:
        kind, delta = name_of(data.get("type")), mapping(data.get("delta"))
        if kind == "error":
            return Event(error="provider_reported_error")
        if kind == "message_start":
            message = mapping(data.get("message"))
            return Event(model=name_of(message.get("model")), usage=_usage(message.get("usage")))
        if kind == "message_delta":
            usage = _usage(data["usage"]) if data.get("usage") else None
            return Event(finish_reason=_finish_reason(delta.get("stop_reason")), usage=usage)
        return Event(
            text=text_of(delta.get("text")) or "",
            reasoning=text_of(delta.get("thinking")) or "",
            is_last=kind == "message_stop",
        )


def _finish_reason(value: Any) -> str | None:
    """In the words of the other protocols."""
    name = name_of(value)
    return _REASONS.get(name, name) if name else None


def _usage(value: Any) -> Usage:
    """All input tokens, as the other protocols count them; it tells those of its cache apart."""
    usage = mapping(value)
    told = input_output_usage(usage, count_of(usage.get("cache_read_input_tokens")))
    if told.input_tokens is None:
        return told
    written = count_of(usage.get("cache_creation_input_tokens")) or 0
    total = count_of(told.input_tokens + (told.cached_tokens or 0) + written)
    return replace(told, input_tokens=total)
