"""What a judgement is, and what several come to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

SLACK = 1e-12
"""What rounding may do to a sum of scores."""


class Verdict(StrEnum):
    CONFIRMED = "confirmed"
    CONSISTENT = "consistent"
    UNDERSTATED = "understated"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"


WORST_FIRST = (
    Verdict.REFUTED,
    Verdict.INCONCLUSIVE,
    Verdict.UNDERSTATED,
    Verdict.CONSISTENT,
    Verdict.CONFIRMED,
)


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of the rule, for a door to put into words: a code and the numbers in it."""

    code: str
    params: Mapping[str, Any]


def because(code: str, **params: Any) -> Reason:
    return Reason(code, params)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one metric says about the claim.

    Args:
        rule: `paired`, `two_samples` (weak), `one_session`, `few_sessions`, `sessions` or `none`.
        difference: measured − claim for quality, measured / claim for performance; `difference_low` and
            `difference_high` bound it; an unbounded or unknown side is None.
        tolerance: δ for quality, τ for performance.
        measured_low, measured_high: the 95 % interval of the measured value itself.
        sample_count: cases, requests (one session) or sessions behind the measured value.
        needed_count: how many cases, requests or sessions (`needed_unit`) would decide at the rates seen.
        is_deciding: false for a metric that is shown but does not count.
    """

    metric: str
    verdict: Verdict
    rule: str
    claim: float | None
    measured: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    difference_confidence: float | None
    tolerance: float
    sample_count: int
    reasons: tuple[Reason, ...]
    measured_low: float | None = None
    measured_high: float | None = None
    needed_count: int | None = None
    needed_unit: str | None = None
    is_deciding: bool = True


def combine(judgements: Sequence[Judgement]) -> Verdict:
    """The worst deciding metric's verdict; inconclusive when none decides."""
    found = {judgement.verdict for judgement in judgements if judgement.is_deciding}
    return next((verdict for verdict in WORST_FIRST if verdict in found), Verdict.INCONCLUSIVE)


def unjudged(metric: str, claim: float | None, tolerance: float, reason: Reason) -> Judgement:
    return Judgement(
        metric=metric,
        verdict=Verdict.INCONCLUSIVE,
        rule="none",
        claim=claim,
        measured=None,
        difference=None,
        difference_low=None,
        difference_high=None,
        difference_confidence=None,
        tolerance=tolerance,
        sample_count=0,
        reasons=(reason,),
    )


def smallest(holds: Callable[[int], bool], *, above: int, limit: int) -> int | None:
    low, high = above, above + 1
    while not holds(high):
        low, high = high, high * 2
        if high > limit:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
