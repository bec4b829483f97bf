"""The difference of two measured rows on one metric, with what can be said of chance. Pure.

Cases that both answered are compared one by one. Speed is compared as a ratio across sessions; one session
each has only the intervals of its requests and no p-value, since it cannot show how sessions vary.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from llm_benchmark.measure import significance, statistics
from llm_benchmark.measure.metrics import CONFIDENCE, MetricKind
from llm_benchmark.measure.significance import BOTH_INTERVALS, SIGNIFICANT, Sample, Tested

_DIGITS = 12  # of a score: what is beyond them is rounding, and no spread


class Method(StrEnum):
    MCNEMAR = "mcnemar_exact"
    PAIRED_T = "paired_t"
    SIGN_FLIPS = "sign_flips"
    TWO_PROPORTIONS = "two_proportions"
    WELCH_T = "welch_t"
    LOG_RATIO_T = "log_ratio_t"
    INTERVALS = "intervals"
    NONE = "none"


class Obstacle(StrEnum):
    """Why there is no p-value."""

    ONE_SESSION = "one_session"
    NO_SPREAD = "no_spread"
    NO_VALUE = "no_value"


@dataclass(frozen=True, slots=True)
class Reading:
    """What was measured of one row.

    Args:
        sessions: the value of each session.
        cases: key -> score of each shared question, None without evidence of each.
        weights: what each of these questions weighs.
    """

    value: float | None
    low: float | None
    high: float | None
    count: int | None
    kind: MetricKind
    sessions: Sequence[float] = ()
    cases: Mapping[str, float] | None = None
    weights: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second. `percent…` is the ratio as a change; each interval is given where the test has one.

    Args:
        shared_count: cases or sessions that the test used; None for intervals.
    """

    method: Method
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    percent: float | None = None
    percent_low: float | None = None
    percent_high: float | None = None
    confidence: float = CONFIDENCE
    p_value: float | None = None
    p_adjusted: float | None = None
    shared_count: int | None = None
    obstacle: Obstacle | None = None

    @property
    def sign(self) -> int:
        """1 or −1 when it is surely above or below 0, by the interval and by p where there is one; else 0."""
        low, high = self._bounds
        if self.p_adjusted is not None and self.p_adjusted >= SIGNIFICANT:
            return 0
        return (low is not None and low > 0) - (high is not None and high < 0)

    @property
    def is_ratio(self) -> bool:
        """Whether the interval is that of the ratio and so in percent."""
        return self.method is Method.LOG_RATIO_T

    @property
    def _bounds(self) -> tuple[float | None, float | None]:
        if self.is_ratio:
            return self.percent_low, self.percent_high
        return self.low, self.high

    def turned(self) -> "Difference":
        """Second minus first."""
        return replace(
            self,
            difference=_negative(self.difference),
            low=_negative(self.high),
            high=_negative(self.low),
            percent=_inverse(self.percent),
            percent_low=_inverse(self.percent_high),
            percent_high=_inverse(self.percent_low),
        )

    def turned_up(self) -> "Difference":
        """The sizes of a difference below zero, without its sign, the nearer end first."""
        return replace(
            self,
            difference=_negative(self.difference),
            low=_negative(self.high),
            high=_negative(self.low),
            percent=_negative(self.percent),
            percent_low=_negative(self.percent_high),
            percent_high=_negative(self.percent_low),
        )


def _negative(value: float | None) -> float | None:
    return None if value is None else -value


def _inverse(percent: float | None) -> float | None:
    ratio = None if percent is None else 1 + percent / 100
    return 100 * (1 / ratio - 1) if ratio and ratio > 0 else None


def adjusted(found: Sequence[Difference]) -> list[Difference]:
    """With Holm's p-values over all of them."""
    p_values = significance.holm([difference.p_value for difference in found])
    return [replace(one, p_adjusted=p) for one, p in zip(found, p_values, strict=True)]


def between(first: Reading, second: Reading, *, is_speed: bool) -> Difference:
    """By the strongest method that the evidence of both allows."""
    if first.value is None or second.value is None:
        return Difference(Method.NONE, obstacle=Obstacle.NO_VALUE)
    found = _compared(first, second, is_speed=is_speed)
    known = found.percent is not None
    return found if known else replace(found, percent=_percent(first.value, second.value))


def _compared(first: Reading, second: Reading, *, is_speed: bool) -> Difference:
    if is_speed:
        return _of_speed(first, second)
    if first.cases is not None and second.cases is not None:
        return _paired(first.cases, second.cases, first.weights or {})
    return _unpaired(first, second)


def _paired(
    first: Mapping[str, float], second: Mapping[str, float], weights: Mapping[str, float]
) -> Difference:
    keys = [key for key in first if key in second]
    if not keys:
        return Difference(Method.NONE, obstacle=Obstacle.NO_VALUE)
    scores = [first[key] for key in keys], [second[key] for key in keys]
    counts = [weights.get(key, 1.0) for key in keys]
    pairs = statistics.paired_difference(*scores, [count / max(counts) for count in counts])
    method, tested = _test_pairs(*scores, counts)
    if isinstance(tested, float):
        tested = Tested(tested, *pairs.interval(CONFIDENCE))
    return _found(method, pairs.difference, tested, len(keys))


def _test_pairs(
    first: Sequence[float], second: Sequence[float], counts: Sequence[float]
) -> tuple[Method, Tested | float]:
    """A p-value alone where the interval is that of the pairs."""
    differences = [round(one - other, _DIGITS) for one, other in zip(first, second, strict=True)]
    changed = sum(difference != 0 for difference in differences)
    if len(set(counts)) == 1 and {*first, *second} <= {0.0, 1.0}:
        gained = sum(difference > 0 for difference in differences)
        return Method.MCNEMAR, significance.mcnemar_exact(gained, changed - gained)
    tested = significance.paired_t(differences, counts)
    return (Method.PAIRED_T, tested) if tested else (Method.SIGN_FLIPS, significance.sign_flips(changed))


def _found(method: Method, difference: float, tested: Tested, shared: int | None = None) -> Difference:
    return Difference(
        method, difference, tested.low, tested.high, p_value=tested.p_value, shared_count=shared
    )


def _unpaired(first: Reading, second: Reading) -> Difference:
    difference = _minus(first, second)
    if first.count and second.count and first.kind is second.kind is MetricKind.PROPORTION:
        one, other = _successes(first), _successes(second)
        low, high = statistics.newcombe(one, other, CONFIDENCE)
        return _found(
            Method.TWO_PROPORTIONS, difference, Tested(significance.two_proportions(one, other), low, high)
        )
    samples = _sample(first), _sample(second)
    tested = significance.welch(samples[0], samples[1]) if samples[0] and samples[1] else None
    if tested is None:
        return Difference(Method.NONE, difference, obstacle=Obstacle.NO_SPREAD)
    return _found(Method.WELCH_T, difference, tested)


def _successes(reading: Reading) -> tuple[float, float]:
    return (reading.value or 0.0) * (reading.count or 0), float(reading.count or 0)


def _sample(reading: Reading) -> Sample | None:
    """The mean with the standard error that its t-interval tells; the wider side, where one is clipped."""
    if reading.value is None or reading.low is None or reading.high is None or (reading.count or 0) <= 1:
        return None
    df = (reading.count or 0) - 1
    half = max(reading.value - reading.low, reading.high - reading.value)
    return Sample(reading.value, half / statistics.t_quantile((1 + CONFIDENCE) / 2, df), df)


def _of_speed(first: Reading, second: Reading) -> Difference:
    if min(len(first.sessions), len(second.sessions)) <= 1:
        return _of_intervals(first, second)
    if min(*first.sessions, *second.sessions) > 0:
        return _ratio(first, second)
    tested = significance.welch(
        significance.sample_of(first.sessions), significance.sample_of(second.sessions)
    )
    if tested is None:
        return Difference(Method.NONE, _minus(first, second), obstacle=Obstacle.NO_SPREAD)
    return _found(Method.WELCH_T, _minus(first, second), tested, _session_count(first, second))


def _ratio(first: Reading, second: Reading) -> Difference:
    """Times and rates vary by factors, so their logarithms are compared."""
    ours, theirs = (significance.sample_of([math.log(v) for v in one.sessions]) for one in (first, second))
    tested = significance.welch(ours, theirs)
    percent = _change(ours.mean - theirs.mean)
    if tested is None:
        difference = _minus(first, second)
        return Difference(Method.NONE, difference, percent=percent, obstacle=Obstacle.NO_SPREAD)
    return Difference(
        Method.LOG_RATIO_T,
        _minus(first, second),
        percent=percent,
        percent_low=_change(tested.low),
        percent_high=_change(tested.high),
        p_value=tested.p_value,
        shared_count=_session_count(first, second),
    )


def _of_intervals(first: Reading, second: Reading) -> Difference:
    low, high = _least(first.low, second.high), _least(first.high, second.low)
    known = low is not None or high is not None
    return Difference(
        Method.INTERVALS if known else Method.NONE,
        _minus(first, second),
        low,
        high,
        percent=_percent(first.value, second.value),
        percent_low=_percent(first.low, second.high),
        percent_high=_percent(first.high, second.low),
        confidence=BOTH_INTERVALS if known else CONFIDENCE,
        obstacle=Obstacle.ONE_SESSION,
    )


def _least(end: float | None, other: float | None) -> float | None:
    return None if end is None or other is None else end - other


def _percent(value: float | None, of: float | None) -> float | None:
    return None if value is None or of is None or of <= 0 else 100 * (value / of - 1)


def _change(log_ratio: float) -> float:
    return 100 * math.expm1(min(log_ratio, 700.0))


def _minus(first: Reading, second: Reading) -> float:
    return (first.value or 0.0) - (second.value or 0.0)


def _session_count(first: Reading, second: Reading) -> int:
    return min(len(first.sessions), len(second.sessions))
