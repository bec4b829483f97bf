"""OpenAI's chat completions: what to send, and what came back.

Parsing trusts nothing: a body that is not a chat completion becomes a coded error, never an empty answer.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from .plans import Generation, Target, Usage

# They force a length or forbid the cache. A speed test wants that; an answer ends where the model ends it,
# and is the same with a cache.
SPEED_ONLY_FIELDS = frozenset({"ignore_eos", "min_tokens", "cache_prompt"})
LARGEST_COUNT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Completion:
    """What a provider said. `error` is None or one of invalid_response, provider_reported_error,
    incomplete_stream, empty_response, output_truncated."""

    text: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    error: str | None = None


def chat_fields(target: Target, generation: Generation) -> dict[str, Any]:
    """The body's fields that are the same for every question."""
    dialect = target.dialect
    extra = {name: value for name, value in dialect.extra_body.items() if name not in SPEED_ONLY_FIELDS}
    wanted = {
        "temperature": generation.temperature,
        "top_p": generation.top_p,
        dialect.max_tokens_field: generation.max_tokens,
        "seed": generation.seed,
        "stop": list(generation.stop) or None,
    }
    given = {name: value for name, value in wanted.items() if value is not None}
    return {**extra, "model": target.model, "stream": False, **given}


def chat_body(fields: Mapping[str, Any], *, prompt: str, system_prompt: str = "") -> bytes:
    """The JSON body of one question."""
    messages = [{"role": "system", "content": system_prompt}] if system_prompt else []
    messages.append({"role": "user", "content": prompt})
    return orjson.dumps({**fields, "messages": messages})


def parse_reply(body: bytes, content_type: str = "") -> Completion:
    """A completion from a whole body, JSON or (where a server streams unasked) server-sent events."""
    if content_type.partition(";")[0].strip().lower() == "text/event-stream":
        return parse_stream(body)
    return parse_completion(body)


def parse_completion(body: bytes) -> Completion:
    """A completion from a JSON body."""
    data = _object(body)
    if data is None:
        return Completion(error="invalid_response")
    if data.get("error"):
        return Completion(model=_name(data.get("model")), error="provider_reported_error")
    choice = _first_choice(data)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, dict):
        return Completion(error="invalid_response")
    return _judged(
        text=_text(message.get("content")),
        finish_reason=_name(choice.get("finish_reason")),
        model=_name(data.get("model")),
        usage=parse_usage(data.get("usage")),
    )


def parse_stream(body: bytes) -> Completion:
    """A completion from a whole stream. Without finish_reason and `[DONE]` it is incomplete_stream."""
    parts: list[str] = []
    finish_reason = model = None
    usage = Usage()
    finished = False
    for event, payload in stream_events(body):
        if payload == b"[DONE]":
            finished = True
            break
        data = _object(payload)
        if data is None:
            return Completion(error="invalid_response")
        if event == "error" or data.get("error"):
            return Completion(error="provider_reported_error")
        model = model or _name(data.get("model"))
        usage = parse_usage(data["usage"]) if data.get("usage") else usage
        choice = _first_choice(data) or {}
        delta = choice.get("delta")
        parts.append(_text(delta.get("content")) or "" if isinstance(delta, dict) else "")
        finish_reason = _name(choice.get("finish_reason")) or finish_reason
    if not finished and finish_reason is None:
        return Completion(model=model, usage=usage, error="incomplete_stream")
    return _judged(text="".join(parts), finish_reason=finish_reason, model=model, usage=usage)


def stream_events(body: bytes) -> Iterator[tuple[str, bytes]]:
    """(event name, data) of server-sent events (WHATWG HTML §9.2); comments are skipped."""
    for block in body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n"):
        event, data = "message", []
        for line in block.split(b"\n"):
            name, _, value = line.partition(b":")
            value = value.removeprefix(b" ")
            if name == b"data":
                data.append(value)
            elif name == b"event":
                event = value.decode("utf-8", "replace")
        if data:
            yield event, b"\n".join(data)


def parse_usage(value: Any) -> Usage:
    """The provider's counts; what is not a whole number from 0 to 2³¹ − 1 is unknown."""
    usage = value if isinstance(value, dict) else {}
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")), _count(cached))


def _judged(*, text: str | None, finish_reason: str | None, model: str | None, usage: Usage) -> Completion:
    answer = text if text and text.strip() else None
    error = None
    if answer is None:
        error = "output_truncated" if finish_reason == "length" else "empty_response"
    return Completion(answer, finish_reason, model, usage, error)


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return data if isinstance(data, dict) else None


def _first_choice(data: Mapping[str, Any]) -> dict[str, Any] | None:
    choices = data.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _text(content: Any) -> str | None:
    """A string, or the joined text parts of a list. NUL, which databases refuse, becomes U+FFFD."""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(text for text in texts if isinstance(text, str))
    return content.replace("\x00", "\ufffd") if isinstance(content, str) else None


def _name(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    return "".join(letter for letter in value[:200] if letter.isprintable()) or None


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not math.isfinite(value) or value != int(value) or not 0 <= value <= LARGEST_COUNT:
        return None
    return int(value)
