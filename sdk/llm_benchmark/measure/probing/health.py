"""From what probes brought to a model's state, with a reason. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from llm_benchmark.measure.faults import FAULTS, UNREACHABLE


class State(StrEnum):
    """How a model stands. A check brings active to failed; the others come from lists and people."""

    NEW = "new"
    ACTIVE = "active"
    UNSTABLE = "unstable"
    NOT_AVAILABLE = "not_available"
    INCOMPATIBLE = "incompatible"
    UNSUPPORTED = "unsupported"
    FAILED = "failed"
    DISABLED = "disabled"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A state and its reason; without a state nothing was learnt about the model.

    Args:
        error: the code that decided; None: it answers.
        stops_campaign: the endpoint refuses the credential or wants to be paid.
        is_ours: the measurement failed, not the model.
    """

    state: State | None
    reason: str
    error: str | None = None
    stops_campaign: bool = False
    is_ours: bool = False


STOPPING = frozenset({"authentication_failed", "payment_required"})
_STATES: Mapping[str, State] = {
    "model_not_found": State.NOT_AVAILABLE,
    "capability_mismatch": State.INCOMPATIBLE,
    "rate_limited": State.UNSTABLE,  # the provider says "later"
    "overloaded": State.UNSTABLE,
}
NO_PROBE = Verdict(State.UNSUPPORTED, "no_probe")


def judge(steps: Sequence[Sequence[str | None]]) -> Verdict:
    """The verdict on a check's steps, the smoke probe first.

    Args:
        steps: the outcome of each try of each step: None for an answer, else a code. No step is empty.
    """
    ends = [tries[-1] for tries in steps]
    errors = [error for error in ends if error]
    stopping = next((error for error in errors if error in STOPPING), None)
    if stopping:
        return Verdict(None, stopping, stopping, stops_campaign=True)
    ours = next((error for error in errors if error not in FAULTS), None)
    if ours:
        return not_measured(ours)
    if ends[0]:
        return _never_answered(ends[0])
    if errors:
        return Verdict(State.UNSTABLE, "unstable_probes", errors[0])
    if any(len(tries) > 1 for tries in steps):
        return Verdict(State.UNSTABLE, "answered_after_retries")
    return Verdict(State.ACTIVE, "answered")


def not_measured(code: str) -> Verdict:
    """The model was not reached, so its state stays."""
    return Verdict(None, code, code, is_ours=True)


def _never_answered(error: str) -> Verdict:
    if error in UNREACHABLE:
        return not_measured(error)
    return Verdict(_STATES.get(error, State.FAILED), error, error)
