"""Whether an answer is whole: a finish_reason, the last word, and no error inside.

Bytes are searched for literals first and parsed only where one is found: a regular expression over a whole
stream stalls the event loop for milliseconds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from llm_benchmark.measure.plans import Usage

_TAIL_LINES = 160  # finish_reason and usage stand among the last events of an honest stream
_MAX_TOKENS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """`code` is None for a whole answer, else why it is not one."""

    code: str | None = None
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    model: str | None = None


def judge_stream(body: bytes) -> Judgement:
    """Judge a whole SSE body of chat.completion.chunk events."""
    if has_error_event(body):
        return Judgement("provider_reported_error")
    finish_reason, usage, model = None, None, None
    for event in _events_from_the_end(body):
        usage = usage or _usage_of(event)
        model = model or _text(event.get("model"))
        finish_reason = finish_reason or _finish_reason_of(event)
        if finish_reason:
            break
    whole = finish_reason is not None and ends_with_done(body)
    return Judgement(None if whole else "incomplete_stream", finish_reason, usage or Usage(), model)


def judge_document(body: bytes) -> Judgement:
    """Judge a chat.completion JSON document."""
    document = _parsed(body)
    if not document:
        return Judgement("invalid_response")
    finish_reason, usage = _finish_reason_of(document), _usage_of(document) or Usage()
    code = (
        "provider_reported_error" if document.get("error") else None if finish_reason else "incomplete_stream"
    )
    return Judgement(code, finish_reason, usage, _text(document.get("model")))


def ends_with_done(body: bytes) -> bool:
    """Whether the last line is `data: [DONE]`."""
    last = body[-64:].rstrip().rsplit(b"\n", 1)[-1]
    return last.startswith(b"data:") and last[5:].strip() == b"[DONE]"


def has_error_event(piece: bytes) -> bool:
    """Whether a line tells of an error: an `event: error`, or data with an `error` that is not null."""
    if b"error" not in piece:
        return False
    return any(_tells_error(line.strip()) for line in piece.split(b"\n") if b"error" in line)


def says_done(piece: bytes) -> bool:
    """Whether `[DONE]` stands at the start of a line; inside a text a line break is always escaped."""
    if b"[DONE]" not in piece:
        return False
    return any(_payload(line) == b"[DONE]" for line in piece.split(b"\n"))


def content_of(event: dict[str, Any]) -> str:
    """What an event adds to the answer; reasoning counts, as AIPerf counts it."""
    choice = _first_choice(event)
    delta = choice.get("delta") or choice.get("message") or {}
    if not isinstance(delta, dict):
        return ""
    parts = (delta.get(name) for name in ("content", "reasoning_content", "reasoning"))
    return "".join(part for part in parts if isinstance(part, str))


def events_of(body: bytes) -> Iterator[tuple[int, bytes]]:
    """Each data line with the offset of its end in the body."""
    end = 0
    for line in body.split(b"\n"):
        end += len(line) + 1
        if line.startswith(b"data:"):
            yield end, _payload(line)


def parse_event(payload: bytes) -> dict[str, Any]:
    return _parsed(payload) or {}


def _events_from_the_end(body: bytes) -> Iterator[dict[str, Any]]:
    for line in reversed(body.rsplit(b"\n", _TAIL_LINES)):
        event = _parsed(_payload(line)) if line.startswith(b"data:") else None
        if event:
            yield event


def _tells_error(line: bytes) -> bool:
    if line in {b"event: error", b"event:error"}:
        return True
    return b'"error"' in line and bool((_parsed(_payload(line)) or {}).get("error"))


def _payload(line: bytes) -> bytes:
    return line.removeprefix(b"data:").strip()


def _parsed(text: bytes) -> dict[str, Any] | None:
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _first_choice(event: dict[str, Any]) -> dict[str, Any]:
    choices = event.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    return first if isinstance(first, dict) else {}


def _finish_reason_of(event: dict[str, Any]) -> str | None:
    return _text(_first_choice(event).get("finish_reason"))


def _text(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) and value else None


def _usage_of(event: dict[str, Any]) -> Usage | None:
    usage = event.get("usage")
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")), _count(cached))


def _count(value: Any) -> int | None:
    plausible = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_TOKENS
    return value if plausible else None
