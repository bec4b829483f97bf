"""Each step of a verdict's rule as a sentence: codes and numbers are stored, words are made when shown."""

from collections.abc import Mapping
from typing import Any

from llm_benchmark.quantities import (
    NO_BREAK,
    UNKNOWN,
    Translate,
    change,
    gettext_noop,
    plain,
    points,
    quantity,
)


def reason_text(
    code: str, params: Mapping[str, Any], *, kind: str, unit: str, translate: Translate = str
) -> str:
    """One reason of a judgement; an unknown code is its own words.

    Args:
        kind: of the benchmark, `quality` or `performance`.
        unit: the metric's.
    """
    own = QUALITY_REASONS if kind == "quality" else SPEED_REASONS
    template = own.get(code) or REASONS.get(code)
    if template is None:
        return closed(code.replace("_", " ").capitalize())
    return translate(template) % _spelled(params, kind=kind, unit=unit, translate=translate)


def tolerance(value: float, *, is_points: bool) -> str:
    """`2` points, or `15 %`."""
    number = f"{round(100 * value, 2):g}"
    return number if is_points else f"{number}{NO_BREAK}%"


def count(value: float | None) -> str:
    return UNKNOWN if value is None else plain(value, 0)


def closed(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def least(low: float | None, high: float | None, difference: float | None, *, is_points: bool) -> str:
    """The size of the end of an interval that is nearer to no difference."""
    neutral = 0.0 if is_points else 1.0
    known = [end for end in (low, high, difference) if end is not None]
    nearest = min(known, key=lambda end: abs(end - neutral), default=None)
    if nearest is None:
        return UNKNOWN
    size = plain(abs(100 * (nearest - neutral)), 1)
    return size if is_points else f"{size}{NO_BREAK}%"


REASONS = {
    "no_value": gettext_noop("The measurement has no value for this metric."),
    "not_claimed": gettext_noop("The claim does not name this metric."),
    "shown_only": gettext_noop("This metric is shown and does not decide."),
    "would_decide": gettext_noop("%(n)s %(unit)s would decide at the rates seen."),
    "not_comparable": gettext_noop(
        "The answers had another length than asked for, so their times cannot be compared."
    ),
}
QUALITY_REASONS = {
    "case_evidence": gettext_noop("Compared case by case: %(n)s cases, asked by both sides."),
    "no_case_evidence": gettext_noop(
        "The claim came without results for each case, so two samples were compared; this weaker rule "
        "decides less."
    ),
    "evidence_does_not_add_up": gettext_noop(
        "The submitted case results come to %(evidence)s, not to the claimed %(claim)s; so two samples were "
        "compared."
    ),
    "surely_below_claim": gettext_noop(
        "With %(level)s confidence the re-run is at least %(bound_size)s points below the claim; the "
        "tolerance is %(tolerance)s."
    ),
    "surely_above_claim": gettext_noop(
        "With %(level)s confidence the re-run is at least %(bound_size)s points above the claim; the "
        "tolerance is %(tolerance)s."
    ),
    "not_surely_different": gettext_noop(
        "The difference lies between %(low)s and %(high)s points (%(level)s interval), which does not go "
        "wholly beyond ±%(tolerance)s."
    ),
    "surely_within_tolerance": gettext_noop(
        "The difference lies between %(low)s and %(high)s points, wholly inside ±%(tolerance)s."
    ),
    "too_few_cases": gettext_noop("A confirmation needs %(minimum)s cases; there are %(n)s."),
    "interval_beyond_tolerance": gettext_noop(
        "The difference lies between %(low)s and %(high)s points, not wholly inside ±%(tolerance)s."
    ),
    "not_the_whole_set": gettext_noop("Only %(n)s cases of the set were asked again."),
    "difference_above_limit": gettext_noop(
        "The difference of %(difference)s points is larger than %(limit)s."
    ),
    "interval_excludes_zero": gettext_noop(
        "The difference lies between %(low)s and %(high)s points; no difference is not among them."
    ),
    "reproduced": gettext_noop(
        "The whole set was asked again; the difference of %(difference)s points is within %(limit)s."
    ),
}
SPEED_REASONS = {
    "one_session": gettext_noop(
        "Measured in one session; it says nothing about the spread between sessions, so only a difference "
        "beyond twice the tolerance can refute."
    ),
    "few_sessions": gettext_noop("Measured in %(sessions)s sessions; a confirmation needs at least 5."),
    "sessions": gettext_noop("Measured in %(sessions)s sessions."),
    "surely_beyond_tolerance": gettext_noop(
        "With %(level)s confidence the difference (%(span)s) lies wholly outside %(floor)s to %(ceiling)s."
    ),
    "not_surely_beyond": gettext_noop(
        "With %(level)s confidence the difference (%(span)s) is not wholly outside %(floor)s to %(ceiling)s."
    ),
    "surely_within_tolerance": gettext_noop(
        "The difference of %(ratio)s and its interval lie inside ±%(tolerance)s."
    ),
    "near_claim": gettext_noop("The difference of %(ratio)s is within ±%(tolerance)s."),
    "not_near_claim": gettext_noop("The difference of %(ratio)s is larger than ±%(tolerance)s."),
    "saturated": gettext_noop(
        "The measuring side was near its own limit, so these times neither confirm nor refute."
    ),
    "no_ratio": gettext_noop("Claim %(claim)s and measurement %(measured)s have no ratio."),
    "not_stated": gettext_noop(
        "%(n)s successful requests are too few for this percentile; it is stated from %(minimum)s."
    ),
    "quality_gate_passed": gettext_noop(
        "The quality gate is open: with the same settings this deployment came to %(found)s on "
        "%(benchmark)s %(version)s (%(title)s) when it was last measured again; the gate asks for "
        "%(required)s."
    ),
    "quality_gate_failed": gettext_noop(
        "The quality gate is closed: with the same settings this deployment came to %(found)s on "
        "%(benchmark)s %(version)s (%(title)s) when it was last measured again; the gate asks for "
        "%(required)s. Have a claim on %(benchmark)s %(version)s verified that reaches it, then have this "
        "one measured again."
    ),
    "quality_gate_missing": gettext_noop(
        "The quality gate is closed: with the same settings this deployment was never measured again on "
        "%(benchmark)s %(version)s (%(title)s); the gate asks for %(required)s. Have a claim on "
        "%(benchmark)s %(version)s verified, then have this one measured again."
    ),
}
CLOSED_GATE = frozenset({"quality_gate_failed", "quality_gate_missing"})
"""Reasons that withhold a verdict on a speed."""
_UNITS = {"cases": gettext_noop("cases"), "sessions": gettext_noop("sessions")}
_QUANTITIES, _COUNTS = ("claim", "evidence", "measured"), ("n", "minimum", "claim_n", "sessions", "requests")
_DIFFERENCES = ("low", "high", "bound", "difference", "floor", "ceiling", "ratio")
_NAMES = ("benchmark", "version", "title")


def _spelled(params: Mapping[str, Any], *, kind: str, unit: str, translate: Translate) -> dict[str, str]:
    is_points = kind == "quality"
    say = points if is_points else change
    words = {name: quantity(params[name], unit) for name in _QUANTITIES if name in params}
    words |= {name: count(params[name]) for name in _COUNTS if name in params}
    words |= {name: say(params[name]) for name in _DIFFERENCES if name in params}
    for name in ("tolerance", "limit"):
        if name in params:
            words[name] = tolerance(params[name], is_points=is_points)
    if "level" in params:
        words["level"] = f"{100 * params['level']:g}{NO_BREAK}%"
    if "unit" in params:
        words["unit"] = translate(_UNITS.get(params["unit"], params["unit"]))
    if params.get("bound") is not None:
        words["bound_size"] = plain(abs(100 * params["bound"]), 1)
    words |= {name: params[name] for name in _NAMES if name in params}
    if "required" in params:
        words["required"] = quantity(params["required"], "ratio")
        words["found"] = _found(params.get("found"), translate)
    words["span"] = _span(params.get("low"), params.get("high"), translate)
    return words


def _found(share: float | None, translate: Translate) -> str:
    """What a gate found; the number is not told where its claim is hidden."""
    return (
        translate(gettext_noop("a value that is not public")) if share is None else quantity(share, "ratio")
    )


def _span(low: float | None, high: float | None, translate: Translate) -> str:
    """Two ratios as changes; an open side in words."""
    if low is None and high is None:
        return translate(gettext_noop("no interval"))
    if low is None:
        return translate(gettext_noop("at most %s")) % change(high)
    if high is None:
        return translate(gettext_noop("at least %s")) % change(low)
    return translate(gettext_noop("%(low)s to %(high)s")) % {"low": change(low), "high": change(high)}
