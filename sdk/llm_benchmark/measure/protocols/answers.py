"""What every protocol's answers come down to, and how their parts are read without trusting any of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from llm_benchmark.measure.plans import Usage

LARGEST_COUNT = 2**31 - 1
MOST_VALUES = 2**21
_LIGHT_BYTES = 2**20
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Completion:
    """One whole answer. `error` is None or a code of `measure.faults`.

    Args:
        text: the answer; reasoning alone is no answer, but it is content.
        vectors: how many embeddings or rankings came; None where the protocol has none.
    """

    text: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    vectors: int | None = None
    error: str | None = None

    @property
    def has_content(self) -> bool:
        """Whether the model did anything: text, reasoning, or vectors."""
        return bool(self.text or self.reasoning or self.vectors)


@dataclass(frozen=True, slots=True)
class Event:
    """What one event of a stream adds.

    Args:
        is_aside: what it says is a refusal, or a summary of the reasoning.
        repeats_text: it holds a text once more that came in pieces before.
        is_last: nothing of the answer follows.
    """

    text: str = ""
    reasoning: str = ""
    finish_reason: str | None = None
    model: str | None = None
    usage: Usage | None = None
    is_aside: bool = False
    repeats_text: bool = False
    is_last: bool = False
    error: str | None = None

    @property
    def content(self) -> str:
        """Reasoning counts, as AIPerf counts it."""
        return self.reasoning + self.text


def judged(
    *,
    text: str | None,
    reasoning: str | None = None,
    finish_reason: str | None,
    model: str | None,
    usage: Usage,
) -> Completion:
    """A completion of text: without any it is empty_response, or output_truncated at the length limit."""
    answer = text if text and text.strip() else None
    error = None
    if answer is None:
        error = "output_truncated" if finish_reason == "length" else "empty_response"
    return Completion(answer, reasoning or None, finish_reason, model, usage, error=error)


def parsed(body: bytes) -> Any:
    """The JSON value, or None; also where it would take many times the memory of its text."""
    if len(body) > _LIGHT_BYTES and _weight_of(body) > MOST_VALUES:
        return None
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None


def _weight_of(body: bytes) -> int:
    """At least the values in it, of some 60 bytes each; a container counts as five."""
    return body.count(b",") + 4 * (body.count(b"[") + body.count(b"{"))


def mapping(value: Any) -> dict[str, Any]:
    """The object, or an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def first(value: Any) -> dict[str, Any] | None:
    """The first object of a list."""
    found = value[0] if isinstance(value, list) and value else None
    return found if isinstance(found, dict) else None


def text_of(content: Any) -> str | None:
    """A string, or the joined text parts of a list. NUL, which databases refuse, becomes U+FFFD."""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(text for text in texts if isinstance(text, str))
    return content.replace("\x00", "\ufffd") if isinstance(content, str) else None


def name_of(value: Any) -> str | None:
    """A short printable string, or None."""
    if not isinstance(value, str):
        return None
    name = value[:_LONGEST_NAME]
    if not name.isprintable():
        name = "".join(letter for letter in name if letter.isprintable())
    return name or None


def count_of(value: Any) -> int | None:
    """A whole number from 0 to 2³¹ − 1; anything else is unknown."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not math.isfinite(value) or value != int(value) or not 0 <= value <= LARGEST_COUNT:
        return None
    return int(value)


def numbers(value: Any) -> Sequence[float] | None:
    """A list of finite numbers that is not empty, or None."""
    if not isinstance(value, list) or not value:
        return None
    is_number = set(map(type, value)) <= {int, float}  # as JSON has them; a batch has hundred thousands
    return value if is_number and all(map(math.isfinite, value)) else None


def openai_usage(value: Any) -> Usage:
    """The counts of chat, completions and embeddings."""
    usage = mapping(value)
    cached = mapping(usage.get("prompt_tokens_details")).get("cached_tokens")
    return Usage(
        count_of(usage.get("prompt_tokens")), count_of(usage.get("completion_tokens")), count_of(cached)
    )


def input_output_usage(value: Any, cached: Any = None) -> Usage:
    """The counts of responses and messages, which call them input and output."""
    usage = mapping(value)
    return Usage(count_of(usage.get("input_tokens")), count_of(usage.get("output_tokens")), count_of(cached))


def merged(first_told: Usage, then_told: Usage | None) -> Usage:
    """A later count replaces an earlier one; what it does not tell stays."""
    if then_told is None:
        return first_told

    def later(before: int | None, after: int | None) -> int | None:
        return before if after is None else after

    return Usage(
        later(first_told.input_tokens, then_told.input_tokens),
        later(first_told.output_tokens, then_told.output_tokens),
        later(first_told.cached_tokens, then_told.cached_tokens),
    )


def has_error(data: Mapping[str, Any]) -> bool:
    """Whether a body that says success tells of an error. `"error": null` does not; vLLM's errors are
    objects of that name."""
    return bool(data.get("error")) or data.get("object") == "error"
