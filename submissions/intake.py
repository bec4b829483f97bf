"""What a claim must fulfil before it is taken in. Everything wrong is said at once, by field."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from benchmarks.models import BenchmarkKind, Metric, MetricKind
from benchmarks.policies import QUALITY_METRICS
from exchange.core.errors import FieldError, InvalidInput
from exchange.core.quantities import plain, quantity
from llm_benchmark.measure.verdict import CASE_MEAN

from .errors import NOT_THE_FULL_SET

OVER_ALL_CASES = frozenset({CASE_MEAN, "completion_rate"})
"""Shares of all planned cases."""

ROUNDING = 1e-9
LISTED_ERRORS = 20
_PERCENT = 100
_LEAST_DECIMALS = 2  # whole percents
_PLAUSIBLE: dict[str, tuple[float, float]] = {
    MetricKind.PERCENTILE: (0.001, 86_400_000.0),  # ms
    MetricKind.RATE: (1e-6, 1e9),  # per second
}
_PERCENTILES = ("p50", "p90", "p95", "p99")


@dataclass(frozen=True, slots=True)
class Measured:
    """What a version measures. `weights` is each planned case's key and weight; empty without cases."""

    kind: str
    metrics: Mapping[str, Metric]
    weights: Mapping[str, float]


Claims = Sequence[Mapping[str, Any]]
Cases = Sequence[Mapping[str, Any]]


def check(measured: Measured, claims: Claims, cases: Cases) -> None:
    """Raise InvalidInput naming every field that cannot be right."""
    errors = [*_check_claims(measured, claims), *_check_cases(measured, cases)]
    if not errors:
        errors = list(_check_together(measured, claims, cases))
    if errors:
        raise InvalidInput(errors=errors[:LISTED_ERRORS])


def _check_claims(measured: Measured, claims: Claims) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, claim in enumerate(claims):
        name, metric = claim["name"], measured.metrics.get(claim["name"])
        if metric is None:
            yield FieldError(f"claims[{index}].name", "unknown_metric", _unknown(measured))
        elif name in seen:
            message = _("This metric is claimed twice.")
            yield FieldError(f"claims[{index}].name", "duplicate_metric", message)
        else:
            yield from _check_value(f"claims[{index}].value", claim["value"], *_bounds(measured, metric))
        seen.add(name)
    primary = next((name for name, metric in measured.metrics.items() if metric.is_primary), None)
    if primary is not None and primary not in seen:
        message = _("The primary metric is missing: %s.") % primary
        yield FieldError("claims", "primary_metric_missing", message)


def _unknown(measured: Measured) -> str:
    return _("This version has no such metric. It has: %s.") % ", ".join(sorted(measured.metrics))


def _bounds(measured: Measured, metric: Metric) -> tuple[float | None, float | None]:
    """The metric's own; the shares that we compute ourselves lie between 0 and 1 in any case."""
    if measured.kind == BenchmarkKind.QUALITY and metric.name in QUALITY_METRICS:
        return max(metric.minimum or 0.0, 0.0), min(1.0 if metric.maximum is None else metric.maximum, 1.0)
    return metric.minimum, metric.maximum


def _check_value(field: str, value: float, low: float | None, high: float | None) -> Iterator[FieldError]:
    if not math.isfinite(value):
        yield FieldError(field, "not_finite", _("This must be a finite number."))
    elif (low is not None and value < low) or (high is not None and value > high):
        yield FieldError(field, "out_of_bounds", _bounds_message(value, low, high))


def _bounds_message(value: float, low: float | None, high: float | None) -> str:
    numbers = {"value": f"{value:g}", "low": low, "high": high}
    if low is not None and high is not None:
        message = _("%(value)s does not lie between %(low)g and %(high)g.") % numbers
    elif low is not None:
        message = _("%(value)s lies below %(low)g.") % numbers
    else:
        message = _("%(value)s lies above %(high)g.") % numbers
    if high == 1 and 1 < value <= _PERCENT:
        share = Decimal(repr(value)) / _PERCENT
        message += " " + _("Did you mean %s?") % f"{share.normalize():f}"
    return message


def _check_cases(measured: Measured, cases: Cases) -> Iterator[FieldError]:
    if not cases:
        return
    if measured.kind != BenchmarkKind.QUALITY:
        yield FieldError("cases", "not_for_this_kind", _("Only quality benchmarks have cases."))
        return
    first_at: dict[str, int] = {}
    for index, case in enumerate(cases):
        yield from _check_case(f"cases[{index}]", case, measured.weights, first_at.get(case["key"]))
        first_at.setdefault(case["key"], index)
    missing = [key for key in measured.weights if key not in first_at]
    if missing:
        values = {"count": len(missing), "planned": len(measured.weights), "some": ", ".join(missing[:5])}
        message = _("%(count)d of %(planned)d cases have no result, the first of them: %(some)s.") % values
        yield FieldError("cases", NOT_THE_FULL_SET, message)


def _check_case(
    field: str, case: Mapping[str, Any], planned: Mapping[str, float], first: int | None
) -> Iterator[FieldError]:
    key, score = case["key"], case["score"]
    if key not in planned:
        message = _("This version has no case %s.") % key
        yield FieldError(f"{field}.key", "unknown_case", message)
    elif first is not None:
        message = _("Case %(key)s appears twice, the first time at %(first)d. Each case counts once.")
        yield FieldError(f"{field}.key", "duplicate_case", message % {"key": key, "first": first})
    if not (math.isfinite(score) and 0 <= score <= 1):
        message = _("A case's score lies between 0 and 1.")
        yield FieldError(f"{field}.score", "out_of_bounds", message)


def _check_together(measured: Measured, claims: Claims, cases: Cases) -> Iterator[FieldError]:
    for index, claim in enumerate(claims):
        metric = measured.metrics[claim["name"]]
        if cases and claim["name"] == CASE_MEAN:
            yield from _check_mean(index, claim, cases, measured.weights)
        else:
            miscounted = list(_check_count(index, claim, measured))
            yield from miscounted
            if metric.kind == MetricKind.PROPORTION and not miscounted:
                yield from _check_share(index, claim, metric, measured)
            yield from _check_plausible(index, claim["value"], metric, measured.kind)
    yield from _check_percentiles(claims)


def _check_mean(
    index: int, claim: Mapping[str, Any], cases: Cases, weights: Mapping[str, float]
) -> Iterator[FieldError]:
    total = math.fsum(weights[case["key"]] for case in cases)
    mean = math.fsum(case["score"] * weights[case["key"]] for case in cases) / total
    if abs(claim["value"] - mean) > ROUNDING:
        message = _("The mean of the %(count)d case results is %(mean)r, not %(value)r.")
        values = {"count": len(cases), "mean": mean, "value": claim["value"]}
        yield FieldError(f"claims[{index}].value", "does_not_match_cases", message % values)
    count = claim.get("sample_count")
    if count is not None and count != len(cases):
        message = _("%(given)d was given, and there are %(count)d case results.")
        values = {"given": count, "count": len(cases)}
        yield FieldError(f"claims[{index}].sample_count", "does_not_match_cases", message % values)


def _check_count(index: int, claim: Mapping[str, Any], measured: Measured) -> Iterator[FieldError]:
    """A share of all cases rests on all of them, another one at most on all."""
    planned, given = len(measured.weights), claim.get("sample_count")
    if not planned or given is None:
        return
    field, message = f"claims[{index}].sample_count", _("This version has %d cases.") % planned
    if given > planned:
        yield FieldError(field, "more_than_planned", message)
    elif given < planned and claim["name"] in OVER_ALL_CASES:
        message += " " + _("This metric counts all of them: one without an answer is a wrong one.")
        yield FieldError(field, NOT_THE_FULL_SET, message)


def _check_plausible(index: int, value: float, metric: Metric, kind: str) -> Iterator[FieldError]:
    """A time between a thousandth of a millisecond and a day; a rate up to a milliard a second."""
    field = f"claims[{index}].value"
    if metric.kind not in _PLAUSIBLE:
        return
    low, high = _PLAUSIBLE[metric.kind]
    if value <= 0:
        yield FieldError(field, "not_positive", _("A measured time or rate is above 0."))
    elif kind == BenchmarkKind.PERFORMANCE and not low <= value <= high:
        message = _("%(value)g is not plausible: expected is a number from %(low)g to %(high)g.")
        yield FieldError(field, "implausible", message % {"value": value, "low": low, "high": high})


def _check_share(
    index: int, claim: Mapping[str, Any], metric: Metric, measured: Measured
) -> Iterator[FieldError]:
    planned = len(measured.weights)
    given = claim.get("sample_count")
    is_weighted = len(set(measured.weights.values())) > 1
    count = given or (planned if claim["name"] in OVER_ALL_CASES else 0)
    if count and not is_weighted and not _is_possible(claim["value"], count):
        yield FieldError(
            f"claims[{index}].value", "impossible_score", _impossible(claim["value"], count, metric.unit)
        )


def _is_possible(value: float, count: int) -> bool:
    """Whether some k of `count` rounds to the value at the decimals it is stated with (the GRIM test)."""
    decimals = max(_LEAST_DECIMALS, -int(Decimal(repr(value)).as_tuple().exponent))
    nearest = round(value * count) / count
    return abs(nearest - value) <= 0.5 * 10.0**-decimals + 1e-12


def _impossible(value: float, count: int, unit: str) -> str:
    below = min(math.floor(value * count), count - 1)
    message = _(
        "%(value)s is not possible with %(count)s cases. %(below)s right gives %(low)s, "
        "%(above)s gives %(high)s."
    )
    return message % {
        "value": f"{Decimal(repr(value)) * _PERCENT:f}".rstrip("0").rstrip(".") + "\u00a0%",
        "count": plain(count, 0),
        "below": plain(below, 0),
        "above": plain(below + 1, 0),
        "low": quantity(below / count, unit),
        "high": quantity((below + 1) / count, unit),
    }


def _check_percentiles(claims: Claims) -> Iterator[FieldError]:
    """A higher percentile is never below a lower one of the same quantity."""
    found: dict[str, dict[str, tuple[int, float]]] = {}
    for index, claim in enumerate(claims):
        quantity_name, _sep, percentile = claim["name"].rpartition("_")
        if percentile in _PERCENTILES:
            found.setdefault(quantity_name, {})[percentile] = (index, claim["value"])
    for values in found.values():
        yield from _check_order([(name, *values[name]) for name in _PERCENTILES if name in values])


def _check_order(ordered: Iterable[tuple[str, int, float]]) -> Iterator[FieldError]:
    before: tuple[str, float] | None = None
    for name, index, value in ordered:
        if before is not None and value < before[1]:
            message = _("%(name)s is %(value)g and so below %(lower)s, which is %(other)g.")
            values = {"name": name, "value": value, "lower": before[0], "other": before[1]}
            yield FieldError(f"claims[{index}].value", "percentiles_not_ordered", message % values)
        before = (name, value)
