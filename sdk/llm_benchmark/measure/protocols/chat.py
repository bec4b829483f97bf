"""OpenAI's chat completions."""

from collections.abc import Mapping
from typing import Any

from llm_benchmark.measure.plans import Generation, Target

from .answers import Completion, Event, first, judged, mapping, name_of, openai_usage, text_of
from .protocol import Protocol, dumps


class Chat(Protocol):
    name = "chat"
    path = "chat/completions"
    aiperf_type = "chat"
    done = b"[DONE]"

    def generation(self, generation: Generation, target: Target) -> Mapping[str, Any]:
        return {
            "temperature": generation.temperature,
            "top_p": generation.top_p,
            target.dialect.max_tokens_field: generation.max_tokens,
            "seed": generation.seed,
            "stop": list(generation.stop) or None,
        }

    def body(self, fields: Mapping[str, Any], *, prompt: str, system_prompt: str = "") -> bytes:
        messages = [{"role": "system", "content": system_prompt}] if system_prompt else []
        messages.append({"role": "user", "content": prompt})
        return dumps({**fields, "messages": messages})

    def stream_fields(self) -> Mapping[str, Any]:
        return {"stream": True, "stream_options": {"include_usage": True}}

    def read_document(self, data: Mapping[str, Any]) -> Completion:
        choice = first(data.get("choices"))
        message = choice.get("message") if choice else None
        if choice is None or not isinstance(message, dict):
            return Completion(error="invalid_response")
        return judged(
            text=_text_of(message),
            reasoning=_reasoning_of(message),
            finish_reason=name_of(choice.get("finish_reason")),
            model=name_of(data.get("model")),
            usage=openai_usage(data.get("usage")),
        )

    def read_event(self, name: str, data: Mapping[str, Any]) -> Event:
        choice = first(data.get("choices")) or {}
        delta = mapping(choice.get("delta"))
        return Event(
            text=_text_of(delta),
            reasoning=_reasoning_of(delta),
            finish_reason=name_of(choice.get("finish_reason")),
            model=name_of(data.get("model")),
            usage=openai_usage(data["usage"]) if data.get("usage") else None,
            is_aside=bool(delta.get("refusal")) and not delta.get("content"),
        )


def _text_of(message: Mapping[str, Any]) -> str:
    """A refusal is what the model answers."""
    return text_of(message.get("content")) or text_of(message.get("refusal")) or ""


def _reasoning_of(message: Mapping[str, Any]) -> str:
    """vLLM and DeepSeek say reasoning_content, others reasoning."""
    return text_of(message.get("reasoning_content")) or text_of(message.get("reasoning")) or ""
