"""The bytes that the simulator says: heads, completions, chunks, errors."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson

BYTES_PER_TOKEN = 4
PHRASES = {status.value: status.phrase for status in HTTPStatus}
DONE = b"data: [DONE]\n\n"
LAST_CHUNK = b"0\r\n\r\n"
_ALWAYS = b"server: llm-benchmark-simulator\r\nx-simulated: true\r\n"


@dataclass(frozen=True, slots=True)
class Wording:
    """What one answer says. `usage` None: not told."""

    id: str
    model: str
    pieces: Sequence[str]
    finish_reason: str
    usage: Mapping[str, Any] | None

    def completion(self) -> bytes:
        """The body without streaming."""
        message = {"role": "assistant", "content": "".join(self.pieces)}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        return orjson.dumps(
            {**self._envelope("chat.completion"), "choices": [choice], **self._usage(self.usage)}
        )

    def events(self) -> list[bytes]:
        """One event a piece; the first also names the role."""
        return [self._event({"delta": _delta(index, piece)}) for index, piece in enumerate(self.pieces)]

    def closing(self) -> bytes:
        """The events after the text: finish_reason, usage where it was asked for, `[DONE]`."""
        events = self._event({"delta": {}, "finish_reason": self.finish_reason})
        if self.usage is not None:
            tail = {**self._envelope("chat.completion.chunk"), "choices": [], **self._usage(self.usage)}
            events += event(tail)
        return events + DONE

    def _event(self, choice: Mapping[str, Any]) -> bytes:
        choices = [{"index": 0, "finish_reason": None, **choice}]
        return event({**self._envelope("chat.completion.chunk"), "choices": choices})

    def _envelope(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": int(time.time()), "model": self.model}

    @staticmethod
    def _usage(usage: Mapping[str, Any] | None) -> dict[str, Any]:
        return {} if usage is None else {"usage": usage}


def usage_of(prompt: str, output_tokens: int) -> dict[str, Any]:
    """Output exactly; input estimated, four bytes a token."""
    input_tokens = max(1, len(prompt.encode()) // BYTES_PER_TOKEN)
    return {
        "prompt_tokens": input_tokens,
        "completion_tokens": output_tokens,
        "total_tokens": input_tokens + output_tokens,
        "prompt_tokens_details": {"cached_tokens": 0},
    }


def event(data: Mapping[str, Any]) -> bytes:
    return b"data: " + orjson.dumps(data) + b"\n\n"


def chunk(data: bytes) -> bytes:
    """HTTP/1.1 chunked coding."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def error(message: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "simulated_error", "param": None, "code": code}}


def head(
    status: int, *, length: int | None, content_type: str = "application/json", more: Mapping[str, str] = {}
) -> bytes:
    """Status line and headers; `length` None: chunked."""
    framing = "transfer-encoding: chunked" if length is None else f"content-length: {length}"
    phrase = PHRASES.get(status, "Status")
    extra = "".join(f"{name}: {value}\r\n" for name, value in more.items())
    lines = f"HTTP/1.1 {status} {phrase}\r\ncontent-type: {content_type}\r\n{framing}\r\n{extra}"
    return lines.encode() + _ALWAYS + b"\r\n"


def _delta(index: int, piece: str) -> dict[str, str]:
    return {"role": "assistant", "content": piece} if index == 0 else {"content": piece}
