"""How each simulated model behaves."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

FAILURES: Mapping[str, str] = {
    "401": "401; any status from 400 to 599 can be named like this",
    "429": "429 with Retry-After",
    "mismatch": "400 that says the model is made for images",
    "gone": "400 that says there is no such model",
    "html": "200 with a web page",
    "empty": "200 without a body",
    "empty_text": "an answer without content",
    "bad_json": "200 with half a JSON document",
    "bad_utf8": "200 with bytes that are not UTF-8",
    "gzip": "a compressed body though identity was asked for",
    "gzip_bomb": "10 MiB that unpack to 10 GiB",
    "huge": "a body of 8 MiB",
    "bottomless": "a body of 10 GiB",
    "endless_head": "headers without end",
    "error_body": "200 with an error object",
    "redirect": "307 to another path",
    "refresh": "an answer with Refresh and Location in its head",
    "reset": "the connection is reset before any byte",
    "reset_midway": "the connection is reset after half of the answer",
    "truncated": "the answer ends half-way, cleanly; a stream has no finish_reason and no terminator",
    "no_done": "a stream without its terminator",
    "no_finish": "a stream without a finish_reason",
    "stream_error": "an error object inside the stream, then the terminator",
    "error_event": "`event: error` inside the stream",
    "silent": "no answer at all",
    "stall": "half of the answer, then silence",
    "trickle": "one byte a second",
    "drip": "a body of one byte each 20 seconds, for ever",
    "endless": "a stream that never ends",
    "burst": "all chunks at once, at the time of the last one",
    "half_tokens": "half of the tokens asked for",
    "usage_lies": "usage ten times too high",
    "usage_bad": "usage of negative numbers, fractions and words",
    "usage_infinite": "usage of 1e309 and NaN, which are no JSON",
    "no_usage": "no usage, even where it was asked for",
    "wrong_model": "the answer names another model",
    "changing_model": "the named model changes from answer to answer",
    "double_done": "the terminator twice",
    "echo_key": "the answer repeats the credential",
    "echo_key_name": "the answer has a field that is named like the credential",
    "echo_key_error": "400 whose message repeats the credential",
    "injection": "the answer tells its grader what to do",
}
KINDS: Mapping[str, frozenset[str]] = {
    "chat": frozenset({"chat", "completions", "responses", "messages"}),
    "embedding": frozenset({"embeddings"}),
    "rerank": frozenset({"rerank"}),
    "rerank_tei": frozenset({"rerank_tei"}),
}
"""What a model is made for, and the protocols that serve it."""

LISTINGS: Mapping[str, str] = {
    "data": "OpenAI's form",
    "anthropic": "Anthropic's form, whose pages follow `after_id` instead of `after`",
    "models": "the list is called `models`",
    "bare": "a list without an object around it",
    "strings": "names instead of objects",
    "looping": "each page names the same next page",
    "endless": "each page has new models and another page behind it",
    "echo_key": "a model is named like the credential",
    "huge": "a page of 3 MiB",
    "html": "a web page",
    "401": "any status from 400 to 599",
}


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One simulated model.

    Args:
        ttft_ms: from the request's last byte to the first chunk. Without streaming the whole answer takes
            as long as its stream would.
        itl_ms: between two chunks; chunk n leaves at ttft + n · itl after the request, without drift.
        answers: answer by exact prompt, or by the SHA-256 (hex) of the prompt's UTF-8.
        output_tokens: length of a made-up answer; None: what `max_tokens` asks for, or 16.
        reasoning_tokens: how much it thinks aloud before the answer; counts against `max_tokens`.
        kind: a key of KINDS. Asked for something else, it refuses with 400 and says what it is.
        asymmetric: an embedding model that has to be told `input_type`.
        failure: a key of FAILURES or an HTTP status; None: none.
        every: the failure happens at each `every`-th request.
        fail_first: it happens at the first so many requests only; 0: at `every`.
        retry_after: header of a 429 or 503.
        strict: refuses fields it does not understand with 400, as hosted APIs do; else they are ignored.
        extra_fields: non-standard fields it understands.
        refused_fields: fields it refuses in any case.
        metadata: more fields of its entry in the list of models.
        is_listed: whether it has an entry.
    """

    ttft_ms: float = 0.0
    itl_ms: float = 0.0
    answers: Mapping[str, str] = field(default_factory=dict)
    output_tokens: int | None = None
    reasoning_tokens: int = 0
    kind: str = "chat"
    asymmetric: bool = False
    failure: str | None = None
    every: int = 1
    fail_first: int = 0
    retry_after: str | None = "1"
    strict: bool = False
    extra_fields: tuple[str, ...] = ("ignore_eos", "min_tokens")
    refused_fields: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    is_listed: bool = True

    def __post_init__(self) -> None:
        if self.failure is not None and self.failure not in FAILURES and not is_status(self.failure):
            raise ValueError(f"unknown failure {self.failure!r}; one of {', '.join(FAILURES)} or a status")
        if self.kind not in KINDS:
            raise ValueError(f"unknown kind {self.kind!r}; one of {', '.join(KINDS)}")

    def failure_of(self, number: int) -> str:
        """What goes wrong at the `number`-th request; empty: nothing."""
        fails = number <= self.fail_first if self.fail_first else number % self.every == 0
        return (self.failure or "") if fails else ""

    def answer_to(self, prompt: str) -> str | None:
        """The settled answer, if this prompt has one."""
        if not self.answers:
            return None
        found = self.answers.get(prompt)
        return found if found is not None else self.answers.get(hashlib.sha256(prompt.encode()).hexdigest())


@dataclass(frozen=True, slots=True)
class SimulatorConfig:
    """Models by name, and how they are listed.

    Args:
        api_key: what callers have to show (None: nothing).
        listing: a key of LISTINGS or an HTTP status.
        page_size: most models on one page of the list; None: all.
    """

    models: Mapping[str, Behaviour] = field(default_factory=lambda: {"sim": Behaviour()})
    api_key: str | None = field(default=None, repr=False)
    port: int = 0
    listing: str = "data"
    page_size: int | None = None

    def __post_init__(self) -> None:
        if self.listing not in LISTINGS and not is_status(self.listing):
            raise ValueError(f"unknown listing {self.listing!r}; one of {', '.join(LISTINGS)} or a status")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """`{"models": {"sim-a": {"ttft_ms": 40, …}}, "api_key": …, "port": …}`. ValueError or TypeError."""
        models = {name: Behaviour(**fields) for name, fields in data.get("models", {"sim": {}}).items()}
        return cls(**{**data, "models": models, "port": int(data.get("port", 0))})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def is_status(name: str) -> bool:
    return name.isdecimal() and len(name) == len("429")
