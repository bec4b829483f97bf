"""What counts as content, as AIPerf 0.13 counts it: its times and the journal's are of the same events."""

from dataclasses import dataclass

from llm_benchmark.measure.protocols import Protocol


@dataclass(frozen=True, slots=True)
class Content:
    """What one event adds. `is_timed`: it may be the first or the last of an answer's content."""

    text: str = ""
    reasoning: str = ""
    is_timed: bool = False
    finish_reason: str | None = None


def content_of(protocol: Protocol, payload: bytes) -> Content:
    """The content of a stream's event. Reasoning counts.

    AIPerf passes over summaries of the reasoning and over refusals. Where a text ends, the responses protocol
    repeats it whole: AIPerf takes the time of that event, and no tokens of it.
    """
    event = protocol.read_payload("", payload)
    if not event.content or event.is_aside:
        return Content(is_timed=event.repeats_text, finish_reason=event.finish_reason)
    return Content(event.text, event.reasoning, is_timed=True, finish_reason=event.finish_reason)
