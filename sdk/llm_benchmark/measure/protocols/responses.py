"""OpenAI's responses."""

from collections.abc import Mapping, Sequence
from typing import Any

from llm_benchmark.measure.plans import Generation, Target, Usage

from .answers import Completion, Event, count_of, input_output_usage, judged, mapping, name_of, text_of
from .protocol import Protocol, dumps

_LAST = frozenset({"response.completed", "response.incomplete"})
_FAILED = frozenset({"response.failed", "response.cancelled", "error"})
_TEXT = frozenset({"response.output_text.delta", "response.refusal.delta"})
_REASONING = frozenset({"response.reasoning_summary_text.delta", "response.reasoning_text.delta"})
_ASIDES = frozenset({"response.reasoning_summary_text.delta", "response.refusal.delta"})
_ENDED = frozenset({"completed", "incomplete", None})


class Responses(Protocol):
    name = "responses"
    path = "responses"
    aiperf_type = "responses"
    done = b"response.completed"

    def generation(self, generation: Generation, target: Target) -> Mapping[str, Any]:
        """It has no seed and no stop."""
        return {
            "temperature": generation.temperature,
            "top_p": generation.top_p,
            "max_output_tokens": generation.max_tokens,
            "store": False,
        }

    def body(self, fields: Mapping[str, Any], *, prompt: str, system_prompt: str = "") -> bytes:
        instructions = {"instructions": system_prompt} if system_prompt else {}
        return dumps({**fields, **instructions, "input": prompt})

    def read_document(self, data: Mapping[str, Any]) -> Completion:
        if data.get("status") == "failed":
            return Completion(error="provider_reported_error")
        output = data.get("output")
        if not isinstance(output, list) or name_of(data.get("status")) not in _ENDED:
            return Completion(error="invalid_response")
        items = [item for item in output if isinstance(item, dict)]
        return judged(
            text=_joined(items, "message", "content") or _refusal_of(items),
            reasoning=_joined(items, "reasoning", "summary") or _joined(items, "reasoning", "content"),
            finish_reason=_finish_reason(data),
            model=name_of(data.get("model")),
            usage=_usage(data.get("usage")),
        )

    def read_event(self, name: str, data: Mapping[str, Any]) -> Event:
        kind = name_of(data.get("type"))
        delta = text_of(data.get("delta")) or ""
        if kind in _FAILED:
            return Event(error="provider_reported_error")
        if kind in _TEXT:
            return Event(text=delta, is_aside=kind in _ASIDES)
        if kind in _REASONING:
            return Event(reasoning=delta, is_aside=kind in _ASIDES)
        if kind == "response.output_text.done":
            return Event(repeats_text=True)
        response = mapping(data.get("response"))
        if kind not in _LAST:
            return Event(model=name_of(response.get("model")))
        return Event(
            finish_reason=_finish_reason(response),
            model=name_of(response.get("model")),
            usage=_usage(response.get("usage")),
            is_last=True,
        )


def _joined(items: Sequence[Mapping[str, Any]], kind: str, field: str) -> str:
    return "".join(text_of(item.get(field)) or "" for item in items if item.get("type") == kind)


def _refusal_of(items: Sequence[Mapping[str, Any]]) -> str:
    """What the model answers instead."""
    parts = [part for item in items for part in _parts(item.get("content"))]
    return "".join(text_of(part.get("refusal")) or "" for part in parts)


def _parts(content: Any) -> list[Mapping[str, Any]]:
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _finish_reason(response: Mapping[str, Any]) -> str | None:
    """In the words of the other protocols."""
    if response.get("status") == "completed":
        return "stop"
    if response.get("status") == "incomplete":
        reason = mapping(response.get("incomplete_details")).get("reason")
        return "length" if reason == "max_output_tokens" else name_of(reason)
    return None


def _usage(value: Any) -> Usage:
    details = mapping(mapping(value).get("input_tokens_details"))
    return input_output_usage(value, count_of(details.get("cached_tokens")))
