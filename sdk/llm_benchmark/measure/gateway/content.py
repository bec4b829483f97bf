"""What counts as content, as AIPerf 0.13 counts it: its times and the journal's are of the same events."""

from dataclasses import dataclass
from typing import Any

from llm_benchmark.measure.protocols import Protocol
from llm_benchmark.measure.protocols.answers import first, mapping, parsed

_NOT_COUNTED = (b"summary", b"refusal")
_SUMMARIES = frozenset({"response.reasoning_summary_text.delta", "response.refusal.delta"})
_REPEATED = "response.output_text.done"


@dataclass(frozen=True, slots=True)
class Content:
    """What one event adds. `is_timed`: it may be the first or the last of an answer's content."""

    text: str = ""
    reasoning: str = ""
    is_timed: bool = False


def content_of(protocol: Protocol, payload: bytes) -> Content:
    """The content of a stream's event. Reasoning counts.

    AIPerf passes over summaries of the reasoning and over refusals. Where a text ends, the responses protocol
    repeats it whole: AIPerf takes the time of that event, and no tokens of it.
    """
    if protocol.name == "responses" and _kind(payload) == _REPEATED:
        return Content(is_timed=True)
    event = protocol.read_payload("", payload)
    is_counted = bool(event.content) and not _is_passed_over(payload)
    return Content(event.text, event.reasoning, is_timed=True) if is_counted else Content()


def _is_passed_over(payload: bytes) -> bool:
    if not any(literal in payload for literal in _NOT_COUNTED):
        return False
    data = mapping(parsed(payload))
    delta = mapping((first(data.get("choices")) or {}).get("delta"))
    return data.get("type") in _SUMMARIES or (not delta.get("content") and bool(delta.get("refusal")))


def _kind(payload: bytes) -> Any:
    return mapping(parsed(payload)).get("type")
