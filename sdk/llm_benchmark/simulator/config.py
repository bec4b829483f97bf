"""How each simulated model behaves."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

FAILURES: Mapping[str, str] = {
    "401": "401; any status from 400 to 599 can be named like this",
    "429": "429 with Retry-After",
    "html": "200 with a web page",
    "empty": "200 without a body",
    "empty_text": "a completion without text",
    "bad_json": "200 with half a JSON document",
    "bad_utf8": "200 with bytes that are not UTF-8",
    "gzip": "a compressed body though identity was asked for",
    "huge": "a body of 8 MiB",
    "error_body": "200 with an error object",
    "redirect": "307 to another path",
    "reset": "the connection is reset before any byte",
    "reset_midway": "the connection is reset after half of the answer",
    "truncated": "the answer ends half-way, cleanly; a stream has no finish_reason and no [DONE]",
    "stream_error": "an error object inside the stream, then [DONE]",
    "error_event": "`event: error` inside the stream",
    "silent": "no answer at all",
    "trickle": "one byte a second",
    "endless": "a stream that never ends",
    "burst": "all chunks at once, at the time of the last one",
    "half_tokens": "half of the tokens asked for",
    "usage_lies": "usage ten times too high",
    "usage_bad": "usage of negative and non-finite numbers",
    "no_usage": "no usage, even where it was asked for",
    "wrong_model": "the answer names another model",
    "changing_model": "the named model changes from answer to answer",
    "double_done": "[DONE] twice",
    "echo_key": "the answer repeats the credential",
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
        failure: a key of FAILURES or an HTTP status; None: none.
        every: the failure happens at each `every`-th request.
        retry_after: header of a 429 or 503.
        strict: refuses fields it does not understand with 400, as hosted APIs do; else they are ignored.
        extra_fields: non-standard fields it understands.
        refused_fields: fields it refuses in any case.
    """

    ttft_ms: float = 0.0
    itl_ms: float = 0.0
    answers: Mapping[str, str] = field(default_factory=dict)
    output_tokens: int | None = None
    failure: str | None = None
    every: int = 1
    retry_after: str | None = "1"
    strict: bool = False
    extra_fields: tuple[str, ...] = ("ignore_eos", "min_tokens")
    refused_fields: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        is_status = self.failure is not None and self.failure.isdecimal() and len(self.failure) == len("429")
        if self.failure is not None and self.failure not in FAILURES and not is_status:
            raise ValueError(f"unknown failure {self.failure!r}; one of {', '.join(FAILURES)} or a status")

    def answer_to(self, prompt: str) -> str | None:
        """The settled answer, if this prompt has one."""
        if not self.answers:
            return None
        found = self.answers.get(prompt)
        return found if found is not None else self.answers.get(hashlib.sha256(prompt.encode()).hexdigest())


@dataclass(frozen=True, slots=True)
class SimulatorConfig:
    """Models by name, and the key that callers have to show (None: none)."""

    models: Mapping[str, Behaviour] = field(default_factory=lambda: {"sim": Behaviour()})
    api_key: str | None = field(default=None, repr=False)
    port: int = 0

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """`{"models": {"sim-a": {"ttft_ms": 40, …}}, "api_key": …, "port": …}`. ValueError or TypeError."""
        models = {name: Behaviour(**fields) for name, fields in data.get("models", {"sim": {}}).items()}
        return cls(models=models, api_key=data.get("api_key"), port=int(data.get("port", 0)))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
