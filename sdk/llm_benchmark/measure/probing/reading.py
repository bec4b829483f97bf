"""From a reply to what it says about the model."""

import time

from llm_benchmark.measure.quality.asking import Reply
from llm_benchmark.measure.retries import asked_seconds

from .capability import is_about_capability, says_no_such_model, says_wrong_kind
from .findings import ProbeRecord
from .steps import Probe
from .texts import error_text, excerpt


def read(probe: Probe, reply: Reply, model: str) -> ProbeRecord:
    """The record of a probe. A refusal's text may tell more than its status."""
    text = error_text(reply.raw) if reply.error else reply.completion.text or reply.completion.reasoning or ""
    told = text.replace(model, "…")  # a name like `image-chat` says nothing about the refusal
    return ProbeRecord(
        step=probe.step,
        number=probe.number,
        status=reply.status,
        error=_error(reply, told),
        latency_ms=reply.latency_ms,
        retry_after_seconds=_retry_after(reply),
        excerpt=excerpt(told if reply.error else text),
    )


def _error(reply: Reply, text: str) -> str | None:
    if reply.error in {"empty_response", "output_truncated"}:
        return None if _is_at_work(reply) else reply.error
    if reply.error == "model_not_found" and says_wrong_kind(text) and not says_no_such_model(text):
        return "capability_mismatch"  # OpenAI's 404 for a model of another kind
    if reply.error != "request_refused":
        return reply.error
    if says_no_such_model(text):
        return "model_not_found"
    return "capability_mismatch" if is_about_capability(text) else reply.error


def _is_at_work(reply: Reply) -> bool:
    """Thinking is an answer, and so is coming to the limit: it is ours, and reasoning may be hidden."""
    return reply.completion.has_content or reply.error == "output_truncated"


def _retry_after(reply: Reply) -> float | None:
    return asked_seconds(reply.retry_after, time.time()) if reply.retry_after else None
