"""Quality: the same cases again. The intervals are about decode noise on them, not about other cases."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from llm_benchmark.measure import statistics
from llm_benchmark.measure.metrics import CaseScore, MetricKind, interval
from llm_benchmark.measure.statistics import Interval

from .judgement import SLACK, Judgement, Reason, Verdict, because, smallest, unjudged

EVIDENCE_ROUNDING = 0.005
"""How far a claim may stand from the mean of its own per-case scores: rounding to whole percent."""

LARGEST_N = 10_000_000


@dataclass(frozen=True, slots=True)
class QualityPolicy:
    """δ: the difference that matters (0 to 1). α: error of confirming. γ: error of refuting or correcting."""

    delta: float = 0.02
    alpha: float = 0.05
    gamma: float = 0.01

    @property
    def minimum_n(self) -> int:
        return statistics.minimum_n(self.alpha, self.delta)


class _Comparison(Protocol):
    @property
    def n(self) -> float: ...

    @property
    def difference(self) -> float: ...

    def interval(self, confidence: float) -> Interval: ...

    def scaled(self, n: float) -> "_Comparison": ...


@dataclass(frozen=True, slots=True)
class _TwoSamples:
    """A re-run against a bare number. Wilson's variance bounds that of any scores between 0 and 1."""

    rerun: float
    claim: float
    n: float
    claim_n: float

    @property
    def difference(self) -> float:
        return self.rerun - self.claim

    def interval(self, confidence: float) -> Interval:
        rerun, claimed = (self.rerun * self.n, self.n), (self.claim * self.claim_n, self.claim_n)
        return statistics.newcombe(rerun, claimed, confidence)

    def scaled(self, n: float) -> "_TwoSamples":
        return replace(self, n=n, claim_n=self.claim_n * n / self.n)


def judge_quality(
    policy: QualityPolicy,
    *,
    claim: float,
    planned: int,
    rerun: Sequence[float],
    claimed: Sequence[float | None] | None = None,
    claim_n: int | None = None,
    weights: Sequence[float] | None = None,
    metric: str = "accuracy",
    kind: MetricKind = MetricKind.PROPORTION,
) -> Judgement:
    """Judge a claimed (weighted) mean score by re-run cases.

    A case counts as the share that its weight is of the heaviest one's, so n = Σw / max w. That bounds the
    variance of a weighted mean: Σw²x(1−x) ≤ max w · Σwx(1−x), and equal weights change nothing.

    Args:
        claim: the claimed mean, 0 to 1.
        planned: number of cases in the benchmark version.
        rerun: the re-run's score of each case that was drawn; unanswered is 0.
        claimed: the claimed score of the same cases in the same order; None in it means unanswered.
        claim_n: cases behind the claim; by default all planned ones.
        weights: of the re-run cases, above 0; by default all alike.
        kind: as declared; decides the measured value's own interval.

    Raises:
        ValueError: a score or the claim is not between 0 and 1, or the lengths differ.
    """
    _check_scores([claim, *rerun, *(score for score in claimed or () if score is not None)])
    if not rerun:
        return unjudged(metric, claim, policy.delta, because("no_value"))
    shares = _shares(weights or [1.0] * len(rerun))
    comparison, rule, basis = _compare(
        claim=claim, planned=planned, rerun=rerun, claimed=claimed, claim_n=claim_n, shares=shares
    )
    verdict, steps = _decide_quality(policy, comparison, whole=len(rerun) == planned)
    level = 1 - 2 * (policy.gamma if verdict in {Verdict.REFUTED, Verdict.UNDERSTATED} else policy.alpha)
    open_question = verdict in {Verdict.INCONCLUSIVE, Verdict.CONSISTENT}
    needed = _cases_to_decide(policy, comparison, len(rerun)) if open_question else None
    if needed:
        steps = (*steps, because("would_decide", n=needed, unit="cases"))
    low, high = comparison.interval(level)
    measured = interval(kind, rerun, weights=weights)
    return Judgement(
        metric=metric,
        verdict=verdict,
        rule=rule,
        claim=claim,
        measured=_mean(rerun, shares),
        difference=comparison.difference,
        difference_low=low,
        difference_high=high,
        difference_confidence=level,
        tolerance=policy.delta,
        sample_count=len(rerun),
        reasons=(basis, *steps),
        measured_low=measured.low,
        measured_high=measured.high,
        needed_count=needed,
        needed_unit="cases" if needed else None,
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed.

    Args:
        metrics: name → value.
        cases: case key → claimed score, None for a case without an answer; None without per-case evidence.
        case_count: cases behind the claim; by default all of the benchmark version.
    """

    metrics: Mapping[str, float]
    cases: Mapping[str, float | None] | None = None
    case_count: int | None = None


def judge_scores(
    policy: QualityPolicy,
    claim: Claim,
    scores: Sequence[CaseScore],
    *,
    planned: int,
    metric: str = "accuracy",
    kind: MetricKind = MetricKind.PROPORTION,
) -> Judgement:
    """Judge a claim by the scores of the cases that were asked again, weighted as the version weighs them."""
    value = claim.metrics.get(metric)
    if value is None:
        return unjudged(metric, None, policy.delta, because("not_claimed"))
    claimed = None if claim.cases is None else [claim.cases.get(case.key) for case in scores]
    return judge_quality(
        policy,
        claim=value,
        planned=planned,
        rerun=[case.score for case in scores],
        claimed=claimed,
        claim_n=claim.case_count,
        weights=[case.weight for case in scores],
        metric=metric,
        kind=kind,
    )


def _shares(weights: Sequence[float]) -> list[float]:
    heaviest = max(weights)
    return [weight / heaviest for weight in weights]


def _mean(scores: Sequence[float], shares: Sequence[float]) -> float:
    return math.fsum(s * share for s, share in zip(scores, shares, strict=True)) / math.fsum(shares)


def _check_scores(scores: Sequence[float]) -> None:
    if not all(0 <= score <= 1 for score in scores):
        raise ValueError("scores and claims lie between 0 and 1")


def _compare(
    *,
    claim: float,
    planned: int,
    rerun: Sequence[float],
    claimed: Sequence[float | None] | None,
    claim_n: int | None,
    shares: Sequence[float],
) -> tuple[_Comparison, str, Reason]:
    n, behind = math.fsum(shares), claim_n or planned
    weak = _TwoSamples(_mean(rerun, shares), claim, n, behind * n / len(rerun))
    if claimed is None:
        return weak, "two_samples", because("no_case_evidence", claim_n=behind, effective_n=n)
    scores = [0.0 if score is None else score for score in claimed]
    evidence = _mean(scores, shares)
    if len(rerun) == planned and abs(evidence - claim) > EVIDENCE_ROUNDING + SLACK:
        return weak, "two_samples", because("evidence_does_not_add_up", claim=claim, evidence=evidence)
    pairs = statistics.paired_difference(rerun, scores, shares)
    return pairs, "paired", because("case_evidence", n=len(rerun), effective_n=n)


def _decide_quality(
    policy: QualityPolicy, comparison: _Comparison, *, whole: bool
) -> tuple[Verdict, tuple[Reason, ...]]:
    delta, strict = policy.delta, 1 - 2 * policy.gamma
    low, high = comparison.interval(strict)
    shared = {"tolerance": delta, "level": 1 - policy.gamma}
    if high < -delta:
        return Verdict.REFUTED, (because("surely_below_claim", bound=high, **shared),)
    if low > delta:
        return Verdict.UNDERSTATED, (because("surely_above_claim", bound=low, **shared),)
    not_beyond = because("not_surely_different", low=low, high=high, tolerance=delta, level=strict)
    open_points = _against_confirming(policy, comparison)
    if not open_points:
        low, high = comparison.interval(1 - 2 * policy.alpha)
        return Verdict.CONFIRMED, (
            not_beyond,
            because("surely_within_tolerance", low=low, high=high, tolerance=delta),
        )
    objections = _against_consistent(policy, comparison, whole=whole)
    if objections:
        return Verdict.INCONCLUSIVE, (not_beyond, *open_points, *objections)
    reproduced = because("reproduced", difference=comparison.difference, limit=_limit(policy, comparison))
    return Verdict.CONSISTENT, (not_beyond, *open_points, reproduced)


def _against_confirming(policy: QualityPolicy, comparison: _Comparison) -> tuple[Reason, ...]:
    low, high = comparison.interval(1 - 2 * policy.alpha)
    found = []
    if comparison.n < policy.minimum_n:
        found.append(because("too_few_cases", n=round(comparison.n), minimum=policy.minimum_n))
    if not (-policy.delta < low and high < policy.delta):
        found.append(because("interval_beyond_tolerance", low=low, high=high, tolerance=policy.delta))
    return tuple(found)


def _against_consistent(policy: QualityPolicy, comparison: _Comparison, *, whole: bool) -> tuple[Reason, ...]:
    low, high = comparison.interval(1 - 2 * policy.alpha)
    limit, found = _limit(policy, comparison), []
    if not whole:
        found.append(because("not_the_whole_set", n=round(comparison.n)))
    if abs(comparison.difference) > limit + SLACK:
        found.append(because("difference_above_limit", difference=comparison.difference, limit=limit))
    if not low <= 0 <= high:
        found.append(because("interval_excludes_zero", low=low, high=high))
    return tuple(found)


def _limit(policy: QualityPolicy, comparison: _Comparison) -> float:
    return max(policy.delta, 1 / comparison.n)


def _cases_to_decide(policy: QualityPolicy, comparison: _Comparison, cases: int) -> int | None:
    """The smallest number of cases that confirms or refutes if the same rates (and weights) go on."""
    share = comparison.n / cases

    def decides(n: int) -> bool:
        verdict, _ = _decide_quality(policy, comparison.scaled(n * share), whole=False)
        return verdict is not Verdict.INCONCLUSIVE

    return smallest(decides, above=cases, limit=LARGEST_N)
