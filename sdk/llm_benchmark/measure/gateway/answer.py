"""Whether an answer is whole: a finish_reason, its protocol's last word, and no error inside.

Bytes are searched for literals first and parsed only where one is found: a regular expression over a whole
stream stalls the event loop for milliseconds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from llm_benchmark.measure.plans import Usage
from llm_benchmark.measure.protocols import Event, Protocol, merged

_DONE = b"[DONE]"
_TAIL_LINES = 160  # finish_reason and usage stand among the last events of an honest stream
_HEAD_LINES = 8  # the model and the first usage stand in the first event; a ping may come before
_MODELS_OWN = frozenset({"empty_response", "output_truncated"})
"""Of a whole answer without content: the model's affair."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """`code` is None for a whole answer, else why it is not one."""

    code: str | None = None
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    model: str | None = None


def judge_stream(protocol: Protocol, body: bytes) -> Judgement:
    """Judge a whole body of server-sent events."""
    if has_error_event(protocol, body):
        return Judgement("provider_reported_error")
    start, end = _opening(protocol, body), _ending(protocol, body)
    is_whole = end.is_last and end.finish_reason is not None
    usage = merged(start.usage or Usage(), end.usage)
    return Judgement(
        None if is_whole else "incomplete_stream", end.finish_reason, usage, start.model or end.model
    )


def judge_document(protocol: Protocol, body: bytes) -> Judgement:
    """Judge a whole JSON document."""
    found = protocol.read(body)
    code = None if found.error in _MODELS_OWN else found.error
    if code is None and found.finish_reason is None:
        code = "incomplete_stream"
    return Judgement(code, found.finish_reason, found.usage, found.model)


def has_error_event(protocol: Protocol, piece: bytes) -> bool:
    """Whether a line tells of an error: an `event: error`, or data in which the protocol reads one."""
    if b"error" not in piece:
        return False
    return any(_tells_error(protocol, line.strip()) for line in piece.split(b"\n") if b"error" in line)


def says_last(protocol: Protocol, piece: bytes) -> bool:
    """Whether the last word stands at the start of a line; inside a text a line break is always escaped."""
    if protocol.done not in piece:
        return False
    lines = (line for line in piece.split(b"\n") if protocol.done in line and line.startswith(b"data:"))
    return any(protocol.read_payload("", _payload(line)).is_last for line in lines)


def events_of(body: bytes) -> Iterator[tuple[int, bytes]]:
    """Each data line's payload with the offset of its end in the body."""
    end = 0
    for line in body.split(b"\n"):
        end += len(line) + 1
        if line.startswith(b"data:"):
            yield end, _payload(line)


def _opening(protocol: Protocol, body: bytes) -> Event:
    """The model and the usage that are told first."""
    lines = body.split(b"\n", _HEAD_LINES)[:-1]
    events = (protocol.read_payload("", _payload(line)) for line in lines if line.startswith(b"data:"))
    return next((event for event in events if event.model), Event())


def _ending(protocol: Protocol, body: bytes) -> Event:
    """What the last events say together; `is_last`: the very last one is the protocol's last word."""
    is_last, finish_reason, usage, model = None, None, None, None
    for line in _lines_from_the_end(body):
        if not line.startswith(b"data:"):
            continue
        payload = _payload(line)
        if payload == _DONE and protocol.done != _DONE:
            continue
        event = protocol.read_payload("", payload)
        is_last = event.is_last if is_last is None else is_last
        finish_reason = event.finish_reason
        usage = merged(event.usage, usage) if event.usage else usage
        model = model or event.model
        if finish_reason:
            break
    return Event(finish_reason=finish_reason, model=model, usage=usage, is_last=bool(is_last))


def _lines_from_the_end(body: bytes) -> Iterator[bytes]:
    """Few are looked at, so the whole is not taken apart."""
    end = len(body)
    for _ in range(_TAIL_LINES):
        start = body.rfind(b"\n", 0, end)
        yield body[start + 1 : end]
        if start < 0:
            return
        end = start


def _tells_error(protocol: Protocol, line: bytes) -> bool:
    if line in {b"event: error", b"event:error"}:
        return True
    told = b'"error"' in line and protocol.read_payload("", _payload(line)).error
    return told == "provider_reported_error"


def _payload(line: bytes) -> bytes:
    return line.removeprefix(b"data:").strip()
