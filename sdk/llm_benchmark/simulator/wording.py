"""What the simulator says, and the bytes that all protocols share: heads, chunks, events, errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import orjson

BYTES_PER_TOKEN = 4
PHRASES = {status.value: status.phrase for status in HTTPStatus}
LAST_CHUNK = b"0\r\n\r\n"
_ALWAYS = b"server: llm-benchmark-simulator\r\nx-simulated: true\r\n"


@dataclass(frozen=True, slots=True)
class Told:
    """The usage as it is told, which may be no numbers at all."""

    input: Any
    output: Any
    reasoning: int = 0
    total: Any = None
    cached: Any = 0

    @classmethod
    def of(cls, prompt: str, output_tokens: int, reasoning_tokens: int = 0) -> "Told":
        """Output exactly; input estimated, four bytes a token."""
        input_tokens = max(1, len(prompt.encode()) // BYTES_PER_TOKEN)
        return cls(input_tokens, output_tokens, reasoning_tokens, input_tokens + output_tokens)


@dataclass(frozen=True, slots=True)
class Said:
    """What one answer says. `usage` None: not told; `more`: further fields of a whole answer."""

    number: int
    model: str
    pieces: Sequence[str]
    finish_reason: str
    usage: Told | None
    thoughts: Sequence[str] = ()
    inputs: Sequence[str] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_cut(self) -> bool:
        return self.finish_reason == "length"


def event(data: Mapping[str, Any]) -> bytes:
    return b"data: " + orjson.dumps(data) + b"\n\n"


def named_event(data: Mapping[str, Any]) -> bytes:
    """With its `type` as the event's name."""
    return f"event: {data['type']}\n".encode() + event(data)


def chunk(data: bytes) -> bytes:
    """HTTP/1.1 chunked coding."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def error(message: str, code: str) -> dict[str, Any]:
    """OpenAI's form; `type` at the top is Anthropic's."""
    inner = {"message": message, "type": "simulated_error", "param": None, "code": code}
    return {"type": "error", "error": inner}


def head(
    status: int, *, length: int | None, content_type: str = "application/json", more: Mapping[str, str] = {}
) -> bytes:
    """Status line and headers; `length` None: chunked."""
    framing = "transfer-encoding: chunked" if length is None else f"content-length: {length}"
    phrase = PHRASES.get(status, "Status")
    extra = "".join(f"{name}: {value}\r\n" for name, value in more.items())
    lines = f"HTTP/1.1 {status} {phrase}\r\ncontent-type: {content_type}\r\n{framing}\r\n{extra}"
    return lines.encode() + _ALWAYS + b"\r\n"


def whole(status: int, body: bytes, **head_fields: Any) -> bytes:
    """A whole response."""
    return head(status, length=len(body), **head_fields) + body


def refusal(status: int, message: str, code: str, more: Mapping[str, str] | None = None) -> bytes:
    """A whole error response."""
    return whole(status, orjson.dumps(error(message, code)), more=more or {})
