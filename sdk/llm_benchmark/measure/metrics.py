"""What a run's stored evidence says: metrics with the interval that their kind allows.

Quality counts over the planned questions, so a question without an answer is a wrong one. Performance follows
AIPerf's definitions (percentiles interpolated, failed requests left out), from the counted requests alone.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from . import statistics
from .performance.goals import good_count, is_good
from .plans import Answer, Question, RequestRecord
from .scorers import score

CONFIDENCE = 0.95


class MetricKind(StrEnum):
    PROPORTION = "proportion"
    MEAN = "mean"
    PERCENTILE = "percentile"
    RATE = "rate"
    ERROR_RATE = "error_rate"


class Direction(StrEnum):
    HIGHER = "higher_is_better"
    LOWER = "lower_is_better"


class Covers(StrEnum):
    """What would vary if it were done again: the interval is about that and nothing else."""

    QUESTIONS = "questions"
    REQUESTS = "requests_of_one_session"
    SESSIONS = "sessions"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval and what it is about. An unknown or unbounded side is None."""

    low: float | None
    high: float | None
    kind: MetricKind
    covers: Covers


@dataclass(frozen=True, slots=True)
class MetricValue:
    """A measured value. `is_stated` is false for a percentile that its few requests cannot support."""

    value: float | None
    sample_count: int
    low: float | None
    high: float | None
    confidence: float
    kind: MetricKind
    covers: Covers
    is_stated: bool = True


@dataclass(frozen=True, slots=True)
class CaseScore:
    """One planned question's score. `error` says why an answer is missing or could not be read."""

    key: str
    score: float
    answered: bool
    error: str | None = None
    weight: float = 1.0
    answer_sha256: str | None = None

    @property
    def evaluable(self) -> bool:
        return self.answered and self.error is None


def interval(
    kind: MetricKind,
    values: Sequence[float],
    *,
    confidence: float = CONFIDENCE,
    weights: Sequence[float] | None = None,
    quantile: float | None = None,
    concurrency: int = 1,
) -> Bounds:
    """The interval that a metric's kind allows.

    Args:
        values: scores (proportion, mean); one session's requests (percentile); 1 for each failed and 0 for
            each other request (error_rate); one value for each session (rate).
        quantile: 0 to 1, for a percentile.
        concurrency: requests of a busier session wait for each other, so their order says nothing.
    """
    if not values:
        return Bounds(None, None, kind, Covers.NOTHING)
    if kind is MetricKind.PERCENTILE:
        return _percentile_bounds(values, quantile or 0.5, confidence, concurrency)
    if kind is MetricKind.RATE:
        return _bounds(_session_interval(values, confidence), kind, Covers.SESSIONS)
    if kind is MetricKind.ERROR_RATE:
        exact = statistics.clopper_pearson(round(sum(values)), len(values), confidence)
        return _bounds(exact, kind, Covers.REQUESTS)
    return _score_bounds(kind, values, weights or [1.0] * len(values), confidence)


def _bounds(found: statistics.Interval | None, kind: MetricKind, covers: Covers) -> Bounds:
    return Bounds(*found, kind, covers) if found else Bounds(None, None, kind, Covers.NOTHING)


def _percentile_bounds(values: Sequence[float], q: float, confidence: float, concurrency: int) -> Bounds:
    if concurrency != 1:
        return Bounds(None, None, MetricKind.PERCENTILE, Covers.NOTHING)
    low, high = statistics.quantile_interval(values, q, confidence)
    return Bounds(low, high, MetricKind.PERCENTILE, Covers.REQUESTS)


def _session_interval(values: Sequence[float], confidence: float) -> statistics.Interval | None:
    """On the logarithms where they exist: times and rates vary by factors."""
    if min(values) > 0:
        return statistics.log_ratio_t_interval(values, 1.0, confidence)
    return statistics.mean_t_interval(values, confidence)


def _score_bounds(
    kind: MetricKind, values: Sequence[float], weights: Sequence[float], confidence: float
) -> Bounds:
    """Wilson for a proportion of unweighted right-or-wrong scores, else Student's on the (weighted) mean."""
    if kind is MetricKind.PROPORTION and len(set(weights)) == 1 and set(values) <= {0.0, 1.0}:
        found = statistics.wilson(sum(values), len(values), confidence)
        return _bounds(found, MetricKind.PROPORTION, Covers.QUESTIONS)
    wide = _weighted_interval(values, weights, confidence)
    clipped = wide and (max(wide[0], 0.0), min(wide[1], 1.0))
    return _bounds(clipped, MetricKind.MEAN, Covers.QUESTIONS)


def _weighted_interval(
    values: Sequence[float], weights: Sequence[float], confidence: float
) -> statistics.Interval | None:
    if len(set(values)) <= 1:
        return None
    n, total, mean = len(values), math.fsum(weights), _weighted_mean(values, weights)
    spread = math.fsum((w * (v - mean)) ** 2 for v, w in zip(values, weights, strict=True))
    se = math.sqrt(spread * n / (n - 1)) / total
    half = statistics.t_quantile((1 + confidence) / 2, n - 1) * se
    return mean - half, mean + half


def _weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / math.fsum(weights)


def score_answers(questions: Sequence[Question], answers: Iterable[Answer]) -> list[CaseScore]:
    """Score every planned question; one without an answer gets 0. No answer is held beyond its turn."""
    planned = {question.key: question for question in questions}
    scored = {
        answer.key: _case_score(planned[answer.key], answer) for answer in answers if answer.key in planned
    }
    return [scored.get(question.key) or _not_asked(question) for question in questions]


def _not_asked(question: Question) -> CaseScore:
    return CaseScore(question.key, 0.0, answered=False, error="not_asked", weight=question.weight)


def _case_score(question: Question, answer: Answer) -> CaseScore:
    scored = score(question, answer.text)
    answered = answer.error is None and bool(answer.text and answer.text.strip())
    error = answer.error or scored.error
    if error and answer.finish_reason == "length" and answer.error is None:
        error = "output_truncated"
    value = scored.value if answered else 0.0
    sha256 = hashlib.sha256(answer.raw).hexdigest()
    return CaseScore(question.key, value, answered, error, question.weight, sha256)


def quality_metrics(
    scores: Sequence[CaseScore],
    confidence: float = CONFIDENCE,
    kinds: Mapping[str, MetricKind] | None = None,
) -> dict[str, MetricValue]:
    """`accuracy` over all planned questions, `answered_accuracy` over readable answers, `completion_rate`.

    Args:
        kinds: what the benchmark version declares of them, `proportion` or `mean`; by default a proportion.
            Scores that weigh differently or are partly right have the interval of a mean all the same.
    """
    evaluable = [case for case in scores if case.evaluable]
    found = {
        "accuracy": ([c.score for c in scores], [c.weight for c in scores]),
        "answered_accuracy": ([c.score for c in evaluable], [c.weight for c in evaluable]),
        "completion_rate": ([float(c.answered) for c in scores], [1.0] * len(scores)),
    }
    declared = kinds or {}
    return {
        name: _score_metric(declared.get(name, MetricKind.PROPORTION), values, weights, confidence)
        for name, (values, weights) in found.items()
    }


def _score_metric(
    kind: MetricKind, values: Sequence[float], weights: Sequence[float], confidence: float
) -> MetricValue:
    bounds = interval(kind, values, confidence=confidence, weights=weights)
    value = _weighted_mean(values, weights) if values else None
    return _metric(value, len(values), bounds, confidence)


def _metric(
    value: float | None, n: int, bounds: Bounds, confidence: float, *, stated: bool = True
) -> MetricValue:
    return MetricValue(value, n, bounds.low, bounds.high, confidence, bounds.kind, bounds.covers, stated)


_TIMES = {"ttft": "ttft_ms", "request_latency": "latency_ms", "itl": "itl_ms"}
_PERCENTILES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
PERCENTILE_METRICS = {
    f"{time}_{name}": (attribute, q) for time, attribute in _TIMES.items() for name, q in _PERCENTILES.items()
}
"""Metric name → the record's field (ms) and the quantile."""

NATIVE_RATE = "native_output_tokens_per_second"
"""By the provider's own count: shown beside the o200k rate, judged and ranked nowhere."""

RATE_METRICS = ("output_tokens_per_second", "requests_per_second")


def direction_of(name: str) -> Direction:
    """Whether more is better, for the metrics that the engine measures."""
    is_lower = name in PERCENTILE_METRICS or name in ("error_rate", "knee_ttft_p50")
    return Direction.LOWER if is_lower else Direction.HIGHER


def samples(records: Iterable[RequestRecord], name: str) -> list[float]:
    """The successful requests' values behind a percentile metric."""
    attribute, _ = PERCENTILE_METRICS[name]
    values = (getattr(record, attribute) for record in records if record.error is None)
    return [value for value in values if value is not None]


def performance_metrics(
    records: Sequence[RequestRecord],
    *,
    concurrency: int = 1,
    slo: Mapping[str, float] | None = None,
    confidence: float = CONFIDENCE,
) -> dict[str, MetricValue]:
    """One session's metrics. Times in ms, rates per second of the span that the successful requests fill.

    Where nothing is generated, there is a rate of input tokens (o200k) too.

    Args:
        slo: goals in ms; with them come `goodput` (good requests a second) and `good_request_fraction`.
    """
    found = {
        name: _percentile_metric(samples(records, name), q, concurrency, confidence)
        for name, (_, q) in PERCENTILE_METRICS.items()
    }
    good = [record for record in records if record.error is None]
    counts = {**_token_counts(good), "requests_per_second": len(good)}
    if slo:
        counts["goodput"] = good_count(records, slo)
        found["good_request_fraction"] = _share_metric(
            [is_good(record, slo) for record in records], confidence
        )
    span = _span_seconds(good)
    found |= {name: _rate_metric(count, span, len(good), confidence) for name, count in counts.items()}
    found["error_rate"] = _share_metric([record.error is not None for record in records], confidence)
    return found


def _token_counts(good: Sequence[RequestRecord]) -> dict[str, int | None]:
    """Of all successful requests, by the name of their rate."""
    counts = {
        "output_tokens_per_second": _sum_of_known(record.output_tokens for record in good),
        NATIVE_RATE: _sum_of_known(record.usage.output_tokens for record in good),
    }
    if good and all(record.output_tokens is None for record in good):
        counts["input_tokens_per_second"] = _sum_of_known(record.input_tokens for record in good)
    return counts


def _sum_of_known(counts: Iterable[int | None]) -> int | None:
    """None where one is unknown."""
    known = list(counts)
    return None if None in known else sum(count or 0 for count in known)


def _percentile_metric(values: Sequence[float], q: float, concurrency: int, confidence: float) -> MetricValue:
    bounds = interval(
        MetricKind.PERCENTILE, values, confidence=confidence, quantile=q, concurrency=concurrency
    )
    value = statistics.percentile(values, q) if values else None
    enough = len(values) >= statistics.requests_to_state(q)
    return _metric(value, len(values), bounds, confidence, stated=enough)


def _span_seconds(good: Sequence[RequestRecord]) -> float | None:
    """From the first start to the last end: AIPerf's benchmark_duration."""
    if not good or any(record.latency_ms is None for record in good):
        return None
    first = min(record.start_ns for record in good)
    ends = (record.start_ns - first + (record.latency_ms or 0.0) * 1e6 for record in good)
    return max(ends) / 1e9 or None


def _rate_metric(count: int | None, span: float | None, n: int, confidence: float) -> MetricValue:
    """One session says nothing about the spread between sessions, so there is no interval."""
    value = None if count is None or span is None else count / span
    return MetricValue(value, n, None, None, confidence, MetricKind.RATE, Covers.NOTHING)


def _share_metric(flags: Sequence[bool], confidence: float) -> MetricValue:
    """The share of requests for which something holds."""
    values = [float(flag) for flag in flags]
    bounds = interval(MetricKind.ERROR_RATE, values, confidence=confidence)
    return _metric(fmean(values) if values else None, len(values), bounds, confidence)


def across_sessions(
    sessions: Sequence[Mapping[str, MetricValue]], confidence: float = CONFIDENCE
) -> dict[str, MetricValue]:
    """One session's metrics as they are; of several the (geometric) mean and its interval over sessions."""
    if len(sessions) == 1:
        return dict(sessions[0])
    return {name: _across([session[name] for session in sessions], confidence) for name in sessions[0]}


def _across(values: Sequence[MetricValue], confidence: float) -> MetricValue:
    known = [metric.value for metric in values if metric.value is not None]
    stated = all(metric.is_stated for metric in values)
    if len(known) < len(values):
        return _metric(None, len(known), interval(values[0].kind, []), confidence, stated=stated)
    found = _bounds(_session_interval(known, confidence), values[0].kind, Covers.SESSIONS)
    return _metric(centre(known), len(known), found, confidence, stated=stated)


def centre(values: Sequence[float]) -> float:
    """The geometric mean, or the arithmetic one where a value is not above 0. Of one value, that value."""
    if len(values) == 1:
        return values[0]
    if min(values) > 0:
        return math.exp(fmean(math.log(value) for value in values))
    return fmean(values)
