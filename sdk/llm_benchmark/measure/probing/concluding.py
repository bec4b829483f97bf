"""What follows from a check's probes."""

from collections.abc import Sequence

from llm_benchmark.measure.faults import failure
from llm_benchmark.measure.plans import Failure, Target

from .capability import ANSWERED_CONFIDENCE, Capability, Known, Source, refined
from .findings import Finding, ProbeRecord
from .health import NO_PROBE, Verdict, judge, not_measured
from .steps import ASKED_FOR, judged_steps, protocol_of

_MESSAGES = {
    "answered": "The model answers.",
    "answered_after_retries": "The model answers, but not at the first try.",
    "unstable_probes": "The model answered once, but not each time.",
    "no_probe": "There is no probe for models of this kind.",
}


def concluded(guess: Known, protocol: str, target: Target, probes: Sequence[ProbeRecord]) -> Finding:
    """The finding of a check that came to its end."""
    verdict = judge(judged_steps(probes))
    decisive = next((probe for probe in reversed(probes) if probe.error == verdict.error), None)
    known = _after(guess, protocol, probes)
    message = _message(verdict, decisive.status if decisive else None)
    return _finding(known, protocol_of(probes, protocol), verdict, message, probes)


def not_probed(guess: Known, target: Target) -> Finding:
    """The finding for a kind of model that cannot be probed."""
    return _finding(guess, target.protocol, NO_PROBE, _MESSAGES[NO_PROBE.reason], ())


def refused(guess: Known, protocol: str, reason: Failure, probes: Sequence[ProbeRecord]) -> Finding:
    """The finding where the endpoint may not be dialled."""
    return _finding(guess, protocol, not_measured(reason.code), reason.message, probes)


def _finding(
    known: Known, protocol: str, verdict: Verdict, message: str, probes: Sequence[ProbeRecord]
) -> Finding:
    return Finding(
        capability=known.capability,
        source=known.source,
        confidence=known.confidence,
        protocol=protocol,
        state=verdict.state,
        reason=verdict.reason,
        error=verdict.error,
        message=message,
        stops_campaign=verdict.stops_campaign,
        is_ours=verdict.is_ours,
        probes=tuple(probes),
    )


def _message(verdict: Verdict, status: int | None) -> str:
    said = _MESSAGES.get(verdict.reason)
    if verdict.error is None:
        return said or ""
    reason = failure(verdict.error, status=status).message
    return f"{said} {reason}" if said else reason


def _after(guess: Known, protocol: str, probes: Sequence[ProbeRecord]) -> Known:
    """What is known after the probes: an answer settles what was unknown, a refusal in words refines."""
    asked = ASKED_FOR.get(protocol, Capability.CHAT_TEXT)
    if any(probe.error is None for probe in probes):
        is_open = guess.source in {Source.UNKNOWN, Source.PROBE}
        return Known(asked, Source.PROBE, ANSWERED_CONFIDENCE, guess.metadata) if is_open else guess
    refusal = next((probe for probe in probes if probe.error == "capability_mismatch"), None)
    return refined(guess, refusal=refusal.excerpt, asked=asked) if refusal else guess
