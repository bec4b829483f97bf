"""Performance: ratios of times and rates. One session can refute only what lies far outside the tolerance,
since the requests of a session say nothing about the spread between sessions.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from llm_benchmark.measure import statistics
from llm_benchmark.measure.loads import RATIO_METRICS, THROUGHPUTS
from llm_benchmark.measure.metrics import (
    CONFIDENCE,
    PERCENTILE_METRICS,
    Direction,
    MetricValue,
    centre,
    direction_of,
    samples,
)
from llm_benchmark.measure.performance.sessions import session_metrics
from llm_benchmark.measure.plans import Session

from .judgement import SLACK, Judgement, Reason, Verdict, because, smallest, unjudged

MOST_SESSIONS = 1000
LEAST_RATIO, MOST_RATIO = 1e-9, 1e9
"""Farther off than any honest claim, and near enough to be written and computed with."""


@dataclass(frozen=True, slots=True)
class MetricRule:
    """How one performance metric is judged. `tolerance` is τ: 0.15 is 15 %."""

    name: str
    direction: Direction
    tolerance: float
    is_deciding: bool = True


@dataclass(frozen=True, slots=True)
class PerformancePolicy:
    """The rules of each metric; from `sessions_to_confirm` sessions on, τ itself decides."""

    rules: tuple[MetricRule, ...]
    alpha: float = 0.05
    gamma: float = 0.01
    sessions_to_confirm: int = 5


_DEFAULT_TOLERANCES = {"p50": 0.15, "p90": 0.20, "p95": 0.20, "p99": 0.25}
_THROUGHPUT_TOLERANCE = 0.10


def default_rule(name: str, *, is_deciding: bool = True) -> MetricRule:
    """Throughput 10 %, p50 15 %, p90 and p95 20 %, p99 25 %. KeyError for a metric without a ratio."""
    if name in THROUGHPUTS:
        return MetricRule(name, Direction.HIGHER, _THROUGHPUT_TOLERANCE, is_deciding)
    if name not in RATIO_METRICS:
        raise KeyError(name)
    return MetricRule(name, direction_of(name), _DEFAULT_TOLERANCES[name.rpartition("_")[2]], is_deciding)


def has_ratio(name: str) -> bool:
    """Whether a performance metric can be judged: as re-run divided by claim."""
    return name in RATIO_METRICS


def performance_policy(
    deciding_metrics: Collection[str],
    tolerances: Mapping[str, float] | None = None,
    *,
    alpha: float = 0.05,
    gamma: float = 0.01,
) -> PerformancePolicy:
    """The named metrics decide, all others are shown; a tolerance that is not given is the default.

    Raises:
        KeyError: a name is not a metric that can be judged as a ratio.
    """
    given = tolerances or {}
    names = [*deciding_metrics, *(name for name in RATIO_METRICS if name not in deciding_metrics)]
    rules = [default_rule(name, is_deciding=name in deciding_metrics) for name in names]
    unknown = given.keys() - set(names)
    if unknown:
        raise KeyError(min(unknown))
    chosen = tuple(replace(rule, tolerance=given.get(rule.name, rule.tolerance)) for rule in rules)
    return PerformancePolicy(chosen, alpha, gamma)


def judge_sessions(
    policy: PerformancePolicy, claim: Mapping[str, float], sessions: Sequence[Session]
) -> list[Judgement]:
    """Judge by all sessions: each metric that decides, and each other one that the claim names."""
    rules = [rule for rule in policy.rules if rule.is_deciding or rule.name in claim]
    measured = [session_metrics(session) for session in sessions]
    return [_judge_rule(policy, rule, claim, sessions, measured) for rule in rules]


def _judge_rule(
    policy: PerformancePolicy,
    rule: MetricRule,
    claim: Mapping[str, float],
    sessions: Sequence[Session],
    measured: Sequence[Mapping[str, MetricValue]],
) -> Judgement:
    alone = len(sessions) == 1 and rule.name in PERCENTILE_METRICS
    return judge_performance(
        policy,
        rule,
        claim=claim.get(rule.name),
        values=[metrics[rule.name].value if rule.name in metrics else None for metrics in measured],
        sample=samples(sessions[0].records, rule.name) if alone else (),
        concurrency=max((session.concurrency for session in sessions), default=1),
        flags=frozenset().union(*(session.flags for session in sessions)),
    )


def judge_performance(
    policy: PerformancePolicy,
    rule: MetricRule,
    *,
    claim: float | None,
    values: Sequence[float | None],
    sample: Sequence[float] = (),
    concurrency: int = 1,
    flags: Collection[str] = (),
) -> Judgement:
    """Judge one metric.

    Args:
        claim: the claimed value, None if the claim does not name the metric.
        values: the metric's value in each session, None where it has none.
        sample: the requests' values behind a percentile, when there is one session.
        concurrency: above 1 a session's requests depend on each other and bound nothing.
    """
    known = [value for value in values if value is not None and math.isfinite(value)]
    complete = bool(known) and len(known) == len(values)
    obstacle = _obstacle(rule, claim, known, sample, flags) if complete else because("no_value")
    if obstacle or claim is None:
        judgement = unjudged(rule.name, claim, rule.tolerance, obstacle or because("not_claimed"))
    else:
        spread = _Spread(policy, rule, _ratios(known, claim), _ratios(sample, claim), concurrency)
        itself = _Spread(policy, rule, known, sample, concurrency).interval(CONFIDENCE)
        judgement = _judge_spread(spread, claim, itself, saturated="saturated" in flags)
    return replace(
        judgement,
        claim=_finite(claim),
        measured=centre(known) if complete else None,
        sample_count=len(sample) or len(known),
        is_deciding=rule.is_deciding,
    )


def _ratios(values: Sequence[float], claim: float) -> list[float]:
    return [max(LEAST_RATIO, min(value / claim, MOST_RATIO)) for value in values]


def _finite(value: float | None) -> float | None:
    """Unknown where JSON has no number for it."""
    return value if value is not None and math.isfinite(value) else None


def _judge_spread(
    spread: "_Spread", claim: float, measured: tuple[float | None, float | None], *, saturated: bool
) -> Judgement:
    verdict, level, steps = spread.decide(saturated=saturated)
    low, high = spread.interval(level)
    undecided = verdict in {Verdict.INCONCLUSIVE, Verdict.CONSISTENT}
    needed = spread.sessions_to_decide() if undecided else None
    return Judgement(
        metric=spread.rule.name,
        verdict=verdict,
        rule=spread.name,
        claim=claim,
        measured=None,
        difference=spread.ratio,
        difference_low=low,
        difference_high=high,
        difference_confidence=level,
        tolerance=spread.rule.tolerance,
        sample_count=0,
        reasons=(*steps, because("would_decide", n=needed, unit="sessions")) if needed else steps,
        measured_low=measured[0],
        measured_high=measured[1],
        needed_count=needed,
        needed_unit="sessions" if needed else None,
    )


def _obstacle(
    rule: MetricRule,
    claim: float | None,
    known: Sequence[float],
    sample: Sequence[float],
    flags: Collection[str],
) -> Reason | None:
    """Why this metric cannot be judged at all."""
    if claim is None:
        return because("not_claimed")
    if not (math.isfinite(claim) and all(map(math.isfinite, sample)) and min(claim, *known) > 0):
        return because("no_ratio", claim=_finite(claim), measured=min(known))
    if "not_comparable" in flags:
        return because("not_comparable")
    if len(known) == 1 and rule.name in PERCENTILE_METRICS:
        return _too_few_requests(rule, len(sample))
    return None


def _too_few_requests(rule: MetricRule, n: int) -> Reason | None:
    _, q = PERCENTILE_METRICS[rule.name]
    minimum = statistics.requests_to_state(q)
    return None if n >= minimum else because("not_stated", n=n, minimum=minimum)


@dataclass(frozen=True, slots=True)
class _Spread:
    """Ratios to the claim: one for each session, and of one session's requests."""

    policy: PerformancePolicy
    rule: MetricRule
    ratios: Sequence[float]
    sample: Sequence[float]
    concurrency: int

    @property
    def ratio(self) -> float:
        return centre(self.ratios)

    @property
    def enough_sessions(self) -> bool:
        return len(self.ratios) >= self.policy.sessions_to_confirm

    @property
    def name(self) -> str:
        if self.enough_sessions:
            return "sessions"
        return "one_session" if len(self.ratios) == 1 else "few_sessions"

    def interval(self, confidence: float) -> tuple[float | None, float | None]:
        if len(self.ratios) > 1:
            return statistics.log_ratio_t_interval(self.ratios, 1.0, confidence) or (self.ratio, self.ratio)
        if self.concurrency != 1 or not self.sample:
            return None, None
        return statistics.quantile_interval(self.sample, PERCENTILE_METRICS[self.rule.name][1], confidence)

    def decide(self, *, saturated: bool) -> tuple[Verdict, float, tuple[Reason, ...]]:
        strict, tolerance = 1 - self.policy.gamma, self.rule.tolerance
        basis = because(self.name, sessions=len(self.ratios), requests=len(self.sample))
        low, high = self.interval(strict)
        floor, ceiling = self._refutation_limits()
        side = self._side(low, high)
        bounds = {"low": low, "high": high, "floor": floor, "ceiling": ceiling, "level": strict}
        if side and not saturated:
            return side, strict, (basis, because("surely_beyond_tolerance", **bounds))
        steps = (basis, because("saturated") if saturated else because("not_surely_beyond", **bounds))
        if self._is_within(1 - 2 * self.policy.alpha) and not saturated:
            confirmed = because("surely_within_tolerance", ratio=self.ratio, tolerance=tolerance)
            return Verdict.CONFIRMED, 1 - 2 * self.policy.alpha, (*steps, confirmed)
        near = abs(math.log(self.ratio)) <= math.log1p(tolerance) + SLACK
        outcome = because("near_claim" if near else "not_near_claim", ratio=self.ratio, tolerance=tolerance)
        return Verdict.CONSISTENT if near else Verdict.INCONCLUSIVE, strict, (*steps, outcome)

    def _refutation_limits(self) -> tuple[float, float]:
        """Ratios beyond which a claim is off: τ itself with enough sessions, else twice that."""
        if self.enough_sessions:
            return 1 / (1 + self.rule.tolerance), 1 + self.rule.tolerance
        return 1 - 2 * self.rule.tolerance, 1 + 2 * self.rule.tolerance

    def _side(self, low: float | None, high: float | None) -> Verdict | None:
        floor, ceiling = self._refutation_limits()
        lower_is_better = self.rule.direction is Direction.LOWER
        if low is not None and low > ceiling:
            return Verdict.REFUTED if lower_is_better else Verdict.UNDERSTATED
        if high is not None and high < floor:
            return Verdict.UNDERSTATED if lower_is_better else Verdict.REFUTED
        return None

    def _is_within(self, confidence: float) -> bool:
        low, high = self.interval(confidence)
        inside = low is not None and high is not None
        limit = 1 + self.rule.tolerance
        return self.enough_sessions and inside and 1 / limit < (low or 0) and (high or math.inf) < limit

    def sessions_to_decide(self) -> int | None:
        """As many as τ needs; with those, the number at which the spread seen would decide."""
        if not self.enough_sessions:
            return self.policy.sessions_to_confirm
        logs = [math.log(ratio) for ratio in self.ratios]
        middle, limit = math.fsum(logs) / len(logs), math.log1p(self.rule.tolerance)
        deviation = statistics.standard_error(logs) * math.sqrt(len(logs))
        level = 1 - self.policy.alpha if abs(middle) < limit else 1 - self.policy.gamma / 2

        def decides(k: int) -> bool:
            half = statistics.t_quantile(level, k - 1) * deviation / math.sqrt(k)
            return half < abs(limit - abs(middle))

        return smallest(decides, above=len(logs), limit=MOST_SESSIONS)
