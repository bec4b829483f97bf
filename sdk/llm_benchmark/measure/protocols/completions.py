"""OpenAI's older text completions."""

from collections.abc import Mapping
from typing import Any

from llm_benchmark.measure.plans import Generation, Target

from .answers import Completion, Event, first, judged, name_of, openai_usage, text_of
from .protocol import Protocol, dumps


class Completions(Protocol):
    name = "completions"
    path = "completions"
    aiperf_type = "completions"
    done = b"[DONE]"

    def generation(self, generation: Generation, target: Target) -> Mapping[str, Any]:
        return {
            "temperature": generation.temperature,
            "top_p": generation.top_p,
            "max_tokens": generation.max_tokens,
            "seed": generation.seed,
            "stop": list(generation.stop) or None,
        }

    def body(self, fields: Mapping[str, Any], *, prompt: str, system_prompt: str = "") -> bytes:
        """It knows no roles: the system prompt comes first, with a blank line behind it."""
        return dumps({**fields, "prompt": f"{system_prompt}\n\n{prompt}" if system_prompt else prompt})

    def stream_fields(self) -> Mapping[str, Any]:
        return {"stream": True, "stream_options": {"include_usage": True}}

    def read_document(self, data: Mapping[str, Any]) -> Completion:
        choice = first(data.get("choices"))
        if choice is None or not isinstance(choice.get("text"), str):
            return Completion(error="invalid_response")
        return judged(
            text=text_of(choice["text"]),
            finish_reason=name_of(choice.get("finish_reason")),
            model=name_of(data.get("model")),
            usage=openai_usage(data.get("usage")),
        )

    def read_event(self, name: str, data: Mapping[str, Any]) -> Event:
        choice = first(data.get("choices")) or {}
        return Event(
            text=text_of(choice.get("text")) or "",
            finish_reason=name_of(choice.get("finish_reason")),
            model=name_of(data.get("model")),
            usage=openai_usage(data["usage"]) if data.get("usage") else None,
        )
