"""What is sent for one request, and when: (milliseconds after the request, bytes) until the script ends."""

import gzip
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import orjson

from . import wording
from .config import Behaviour
from .request import ChatRequest
from .wording import DONE, LAST_CHUNK, Wording, chunk, head

HUGE = 8 * 1024 * 1024
BLOCK = b" " * 65536
MISBEHAVING_MODEL = "simulated-other-model"
EVENT_STREAM = "text/event-stream"
WITH_RETRY_AFTER = frozenset({429, 503})
BREAKS = frozenset({"truncated", "reset_midway", "stream_error", "error_event"})

Steps = Iterable[tuple[float, bytes]]


class Ending(Enum):
    KEEP = "the connection stays open"
    CLOSE = "the connection closes"
    RESET = "the connection is reset"
    SILENCE = "nothing happens any more"


@dataclass(frozen=True, slots=True)
class Script:
    steps: Steps
    ending: Ending = Ending.KEEP


def script_of(request: ChatRequest, behaviour: Behaviour, *, number: int, key: str) -> Script:
    """The script of the `number`-th request; `key` is the caller's credential."""
    failure = (behaviour.failure or "") if number % behaviour.every == 0 else ""
    if failure.isdecimal():
        return Script([(behaviour.ttft_ms, _refusal(int(failure), behaviour))])
    said = _wording(request, behaviour, failure, number, key)
    unusual = _unusual(failure, behaviour, said)
    if unusual is not None:
        return unusual
    if request.stream:
        return _streamed(said, behaviour, failure)
    return _whole(said, behaviour, failure)


def refusal(status: int, message: str, code: str, more: Mapping[str, str] | None = None) -> bytes:
    """A whole error response in OpenAI's form."""
    return whole(status, orjson.dumps(wording.error(message, code)), more=more or {})


def whole(status: int, body: bytes, **head_fields: Any) -> bytes:
    return head(status, length=len(body), **head_fields) + body


def _refusal(status: int, behaviour: Behaviour) -> bytes:
    more = {"retry-after": behaviour.retry_after} if behaviour.retry_after is not None else {}
    more = more if status in WITH_RETRY_AFTER else {}
    return refusal(status, "This failure is simulated.", f"simulated_{status}", more)


def _wording(request: ChatRequest, behaviour: Behaviour, failure: str, number: int, key: str) -> Wording:
    pieces, finish_reason = request.text(behaviour)
    if failure == "half_tokens":
        pieces, finish_reason = pieces[: (len(pieces) + 1) // 2], "stop"
    if failure == "empty_text":
        pieces, finish_reason = [""], "stop"
    if failure == "echo_key":
        pieces = [key]
    names = {"wrong_model": MISBEHAVING_MODEL, "changing_model": f"{request.model}-{number}"}
    usage = _usage(request, failure, len(pieces))
    return Wording(
        f"chatcmpl-simulated-{number}", names.get(failure, request.model), pieces, finish_reason, usage
    )


def _usage(request: ChatRequest, failure: str, output_tokens: int) -> dict[str, Any] | None:
    if failure == "no_usage" or (request.stream and not request.include_usage):
        return None
    usage = wording.usage_of(request.prompt, output_tokens)
    if failure == "usage_lies":
        return {name: count * 10 for name, count in usage.items() if isinstance(count, int)}
    if failure == "usage_bad":
        return {"prompt_tokens": -5, "completion_tokens": 1.5, "total_tokens": "many"}
    return usage


def _unusual(failure: str, behaviour: Behaviour, said: Wording) -> Script | None:
    """Failures that look the same with and without streaming."""
    body = said.completion()
    bodies = {
        "html": lambda: whole(200, b"<!doctype html><h1>Simulated</h1>", content_type="text/html"),
        "empty": lambda: whole(200, b""),
        "bad_json": lambda: whole(200, body[: len(body) // 2]),
        "bad_utf8": lambda: whole(200, body.replace(b'"content":"', b'"content":"\xff\xfe')),
        "gzip": lambda: whole(200, gzip.compress(body), more={"content-encoding": "gzip"}),
        "huge": lambda: whole(200, body + b" " * HUGE),
        "error_body": lambda: refusal(200, "This failure is simulated.", "simulated"),
        "redirect": lambda: whole(307, b"", more={"location": "/elsewhere"}),
    }
    if failure in bodies:
        return Script([(behaviour.ttft_ms, bodies[failure]())])
    if failure == "reset":
        return Script([(behaviour.ttft_ms, b"")], Ending.RESET)
    if failure == "silent":
        return Script([], Ending.SILENCE)
    if failure == "trickle":
        return Script(_trickled(whole(200, body)), Ending.CLOSE)
    if failure == "endless":
        return Script(_endless(said, behaviour), Ending.CLOSE)
    return None


def _whole(said: Wording, behaviour: Behaviour, failure: str) -> Script:
    at = _moment(behaviour, len(said.pieces) - 1)
    if failure in {"stream_error", "error_event"}:
        return Script([(at, refusal(200, "This failure is simulated.", "simulated"))])
    response = whole(200, said.completion())
    if failure in BREAKS:
        return Script([(at, response[: -len(said.completion()) // 2])], _break(failure))
    return Script([(at, response)])


def _streamed(said: Wording, behaviour: Behaviour, failure: str) -> Script:
    events = said.events()
    if failure in BREAKS:
        events = events[: (len(events) + 1) // 2]
    ending = _break(failure) if failure == "reset_midway" else Ending.KEEP
    return Script(_paced(events, _tail(said, failure), behaviour, burst=failure == "burst"), ending)


def _paced(
    events: list[bytes], tail: bytes, behaviour: Behaviour, *, burst: bool
) -> Iterator[tuple[float, bytes]]:
    last = _moment(behaviour, len(events) - 1)
    opening = head(200, length=None, content_type=EVENT_STREAM)
    for index, event in enumerate(events):
        at = last if burst else _moment(behaviour, index)
        yield at, (opening if index == 0 else b"") + chunk(event)
    yield last, (b"" if events else opening) + tail


def _tail(said: Wording, failure: str) -> bytes:
    """What follows the text."""
    if failure == "reset_midway":
        return b""
    if failure == "truncated":
        return LAST_CHUNK
    broken = orjson.dumps(wording.error("This failure is simulated.", "simulated"))
    tails = {
        "stream_error": b"data: " + broken + b"\n\n" + DONE,
        "error_event": b"event: error\ndata: " + broken + b"\n\n",
        "double_done": said.closing() + DONE,
    }
    return chunk(tails.get(failure, said.closing())) + LAST_CHUNK


def _trickled(response: bytes) -> Iterator[tuple[float, bytes]]:
    for second in range(len(response)):
        yield second * 1000.0, response[second : second + 1]


def _endless(said: Wording, behaviour: Behaviour) -> Iterator[tuple[float, bytes]]:
    pause_ms = max(behaviour.itl_ms, 1.0)
    events = said.events() or [BLOCK]
    at = behaviour.ttft_ms
    yield at, head(200, length=None, content_type=EVENT_STREAM)
    while True:
        for event in events:
            yield at, chunk(event + b":" + BLOCK + b"\n\n")
            at += pause_ms


def _moment(behaviour: Behaviour, index: int) -> float:
    return behaviour.ttft_ms + max(0, index) * behaviour.itl_ms


def _break(failure: str) -> Ending:
    return Ending.RESET if failure == "reset_midway" else Ending.CLOSE
