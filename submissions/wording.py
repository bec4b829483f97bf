"""Verdicts and reasons as full sentences. Codes and numbers are stored; words are made when they are shown.

The verdict comes first, then the numbers, the difference and the tolerance. It is said who measured; a tool's
failure is ours or the endpoint's, never the model's.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from exchange.core.quantities import UNKNOWN, change, plain, points, quantity

Judgement = Mapping[str, Any]
"""One stored judgement: the fields of MetricJudgement, and `kind`, `title`, `unit` and `needed_unit`."""

_WAITING = {
    "requested": gettext_lazy("Requested: the measurement waits for a worker; nothing is decided."),
    "cancelled": gettext_lazy("Cancelled before there was a verdict. Nothing was decided."),
}
_SIDES = {
    "platform": gettext_lazy("The fault is ours; this says nothing about the model."),
    "provider": gettext_lazy("The fault is the endpoint’s; this says nothing about the model."),
    "model": gettext_lazy("Without answers to measure there is no verdict."),
    "submitter": gettext_lazy("The fault is in what was submitted; this says nothing about the model."),
}


def summary_of(
    *,
    status: str,
    verdict: str,
    judgements: Sequence[Judgement],
    fault_side: str = "",
    fault_message: str = "",
    done: int = 0,
    planned: int = 0,
) -> str:
    """What a verification has come to, in one or two sentences."""
    if status == "running":
        counts = {"done": plain(done, 0), "planned": plain(planned, 0)}
        return _("Running: %(done)s of %(planned)s requests are answered; nothing is decided.") % counts
    if status == "failed":
        side = str(_SIDES.get(fault_side, _SIDES["platform"]))
        return f"{_('Not measured: %s') % _closed(fault_message)} {side}"
    if status != "decided":
        return str(_WAITING[status])
    return verdict_sentence(verdict, leading(judgements, verdict))


def leading(judgements: Sequence[Judgement], verdict: str) -> Judgement | None:
    """The first deciding judgement with the verdict's value: the one that decided."""
    return next((j for j in judgements if j["is_deciding"] and j["verdict"] == verdict), None)


def verdict_sentence(verdict: str, judgement: Judgement | None) -> str:
    if judgement is None:
        return _("Inconclusive: no metric could be judged; nothing is decided.")
    sentences = _POINTS if judgement["kind"] == "quality" else _RATIOS
    needs_measure = judgement["claim"] is not None and judgement["measured"] is not None
    if verdict == "inconclusive" and not (needs_measure and judgement["difference"] is not None):
        reasons = [reason_text(reason, judgement) for reason in judgement["reasons"]]
        return " ".join([_("Inconclusive: nothing is decided."), *reasons])
    return str(sentences[verdict]) % _numbers(judgement) + _what_would_decide(judgement, verdict)


_POINTS = {
    "confirmed": gettext_lazy(
        "Confirmed: the claim of %(claim)s holds. We asked the same %(count)s questions again and measured "
        "%(measured)s; the difference is %(difference)s points (%(low)s to %(high)s), the tolerance was "
        "±%(tolerance)s."
    ),
    "consistent": gettext_lazy(
        "Consistent: nothing speaks against %(claim)s; we measured %(measured)s. %(count)s cases cannot "
        "settle ±%(tolerance)s points."
    ),
    "understated": gettext_lazy(
        "Understated: claimed %(claim)s, measured %(measured)s, at least %(least)s points more. The board "
        "ranks our number."
    ),
    "refuted": gettext_lazy(
        "Refuted: claimed %(claim)s, measured %(measured)s. The claim is at least %(least)s points above "
        "what we found."
    ),
    "inconclusive": gettext_lazy(
        "Inconclusive: claimed %(claim)s, measured %(measured)s with %(count)s cases. The difference lies "
        "between %(low)s and %(high)s points, which leaves the claim open at a tolerance of ±%(tolerance)s."
    ),
}
_RATIOS = {
    "confirmed": gettext_lazy(
        "Confirmed: the claim of %(claim)s (%(title)s) holds. We measured %(measured)s; the difference is "
        "%(difference)s (%(low)s to %(high)s), the tolerance was ±%(tolerance)s."
    ),
    "consistent": gettext_lazy(
        "Consistent: nothing speaks against %(claim)s (%(title)s); we measured %(measured)s, which is "
        "%(difference)s and within ±%(tolerance)s."
    ),
    "understated": gettext_lazy(
        "Understated: claimed %(claim)s (%(title)s), measured %(measured)s, which is better by at least "
        "%(least)s. The board ranks our number."
    ),
    "refuted": gettext_lazy(
        "Refuted: claimed %(claim)s (%(title)s), measured %(measured)s, which is worse than the claim by "
        "at least %(least)s."
    ),
    "inconclusive": gettext_lazy(
        "Inconclusive: claimed %(claim)s (%(title)s), measured %(measured)s, a difference of "
        "%(difference)s at a tolerance of ±%(tolerance)s. One measurement like this cannot decide it."
    ),
}


def _numbers(judgement: Judgement) -> dict[str, str]:
    unit, is_points = judgement["unit"], judgement["kind"] == "quality"
    say = points if is_points else change
    return {
        "title": judgement["title"],
        "claim": quantity(judgement["claim"], unit),
        "measured": quantity(judgement["measured"], unit),
        "count": _count(judgement["sample_count"]),
        "difference": say(judgement["difference"]),
        "low": say(judgement["difference_low"]),
        "high": say(judgement["difference_high"]),
        "tolerance": _tolerance(judgement["tolerance"], is_points=is_points),
        "least": _least(judgement, is_points=is_points),
    }


def _least(judgement: Judgement, *, is_points: bool) -> str:
    """The end of the interval that is nearer to no difference."""
    neutral = 0.0 if is_points else 1.0
    ends = [judgement[name] for name in ("difference_low", "difference_high", "difference")]
    known = [end for end in ends if end is not None]
    nearest = min(known, key=lambda end: abs(end - neutral), default=None)
    if nearest is None:
        return UNKNOWN
    if is_points:
        return plain(abs(100 * nearest), 1)
    return f"{plain(abs(100 * (nearest - 1)), 1)}\u00a0%"


def _what_would_decide(judgement: Judgement, verdict: str) -> str:
    """`About 1,050 more would.`"""
    needed, seen = judgement.get("needed_count"), judgement["sample_count"]
    if needed is None or verdict not in {"consistent", "inconclusive"}:
        return ""
    if judgement.get("needed_unit") == "sessions":
        words = ngettext(
            "About %(n)s session would settle it.", "About %(n)s sessions would settle it.", needed
        )
        return f" {words % {'n': plain(needed, 0)}}"
    more = max(needed - seen, 1)
    words = ngettext("About %(n)s more would.", "About %(n)s more would.", more)
    return f" {words % {'n': plain(more, 0)}}"


def reason_text(reason: Mapping[str, Any], judgement: Judgement) -> str:
    """One step of the rule as a sentence; an unknown code is its own words."""
    code, params = reason["code"], reason["params"]
    own = _QUALITY_REASONS if judgement["kind"] == "quality" else _SPEED_REASONS
    template = own.get(code) or _REASONS.get(code)
    if template is None:
        return _closed(code.replace("_", " ").capitalize())
    return str(template) % _spelled(params, judgement)


_REASONS = {
    "no_value": gettext_lazy("The measurement has no value for this metric."),
    "not_claimed": gettext_lazy("The claim does not name this metric."),
    "shown_only": gettext_lazy("This metric is shown and does not decide."),
    "would_decide": gettext_lazy("%(n)s %(unit)s would decide at the rates seen."),
    "not_comparable": gettext_lazy(
        "The answers had another length than asked for, so their times cannot be compared."
    ),
}
_QUALITY_REASONS = {
    "case_evidence": gettext_lazy("Compared case by case: %(n)s cases, asked by both sides."),
    "no_case_evidence": gettext_lazy(
        "The claim came without results for each case, so two samples were compared; this weaker rule "
        "decides less."
    ),
    "evidence_does_not_add_up": gettext_lazy(
        "The submitted case results come to %(evidence)s, not to the claimed %(claim)s; so two samples were "
        "compared."
    ),
    "surely_below_claim": gettext_lazy(
        "With %(level)s confidence the re-run is at least %(bound_size)s points below the claim; the "
        "tolerance is %(tolerance)s."
    ),
    "surely_above_claim": gettext_lazy(
        "With %(level)s confidence the re-run is at least %(bound_size)s points above the claim; the "
        "tolerance is %(tolerance)s."
    ),
    "not_surely_different": gettext_lazy(
        "The difference lies between %(low)s and %(high)s points (%(level)s interval), which does not go "
        "wholly beyond ±%(tolerance)s."
    ),
    "surely_within_tolerance": gettext_lazy(
        "The difference lies between %(low)s and %(high)s points, wholly inside ±%(tolerance)s."
    ),
    "too_few_cases": gettext_lazy("A confirmation needs %(minimum)s cases; there are %(n)s."),
    "interval_beyond_tolerance": gettext_lazy(
        "The difference lies between %(low)s and %(high)s points, not wholly inside ±%(tolerance)s."
    ),
    "not_the_whole_set": gettext_lazy("Only %(n)s cases of the set were asked again."),
    "difference_above_limit": gettext_lazy(
        "The difference of %(difference)s points is larger than %(limit)s."
    ),
    "interval_excludes_zero": gettext_lazy(
        "The difference lies between %(low)s and %(high)s points; no difference is not among them."
    ),
    "reproduced": gettext_lazy(
        "The whole set was asked again; the difference of %(difference)s points is within %(limit)s."
    ),
}
_SPEED_REASONS = {
    "one_session": gettext_lazy(
        "Measured in one session; it says nothing about the spread between sessions, so only a difference "
        "beyond twice the tolerance can refute."
    ),
    "few_sessions": gettext_lazy("Measured in %(sessions)s sessions; a confirmation needs at least 5."),
    "sessions": gettext_lazy("Measured in %(sessions)s sessions."),
    "surely_beyond_tolerance": gettext_lazy(
        "With %(level)s confidence the difference (%(span)s) lies wholly outside %(floor)s to %(ceiling)s."
    ),
    "not_surely_beyond": gettext_lazy(
        "With %(level)s confidence the difference (%(span)s) is not wholly outside %(floor)s to %(ceiling)s."
    ),
    "surely_within_tolerance": gettext_lazy(
        "The difference of %(ratio)s and its interval lie inside ±%(tolerance)s."
    ),
    "near_claim": gettext_lazy("The difference of %(ratio)s is within ±%(tolerance)s."),
    "not_near_claim": gettext_lazy("The difference of %(ratio)s is larger than ±%(tolerance)s."),
    "saturated": gettext_lazy(
        "The measuring side was near its own limit, so these times neither confirm nor refute."
    ),
    "no_ratio": gettext_lazy("Claim %(claim)s and measurement %(measured)s have no ratio."),
    "not_stated": gettext_lazy(
        "%(n)s successful requests are too few for this percentile; it is stated from %(minimum)s."
    ),
}
_UNITS = {"cases": gettext_lazy("cases"), "sessions": gettext_lazy("sessions")}
_QUANTITIES, _COUNTS = ("claim", "evidence", "measured"), ("n", "minimum", "claim_n", "sessions", "requests")
_DIFFERENCES = ("low", "high", "bound", "difference", "floor", "ceiling", "ratio")


def _spelled(params: Mapping[str, Any], judgement: Judgement) -> dict[str, str]:
    is_points = judgement["kind"] == "quality"
    say = points if is_points else change
    words = {name: quantity(params[name], judgement["unit"]) for name in _QUANTITIES if name in params}
    words |= {name: _count(params[name]) for name in _COUNTS if name in params}
    words |= {name: say(params[name]) for name in _DIFFERENCES if name in params}
    if "tolerance" in params:
        words["tolerance"] = _tolerance(params["tolerance"], is_points=is_points)
    if "limit" in params:
        words["limit"] = _tolerance(params["limit"], is_points=is_points)
    if "level" in params:
        words["level"] = f"{100 * params['level']:g}\u00a0%"
    if "unit" in params:
        words["unit"] = str(_UNITS.get(params["unit"], params["unit"]))
    if params.get("bound") is not None:
        words["bound_size"] = plain(abs(100 * params["bound"]), 1)
    words["span"] = _span(params.get("low"), params.get("high"))
    return words


def _span(low: float | None, high: float | None) -> str:
    """Two ratios as changes; an open side in words."""
    if low is None and high is None:
        return _("no interval")
    if low is None:
        return _("at most %s") % change(high)
    if high is None:
        return _("at least %s") % change(low)
    return _("%(low)s to %(high)s") % {"low": change(low), "high": change(high)}


def _tolerance(value: float, *, is_points: bool) -> str:
    number = f"{round(100 * value, 2):g}"
    return number if is_points else f"{number}\u00a0%"


def _count(value: float | None) -> str:
    return UNKNOWN if value is None else plain(value, 0)


def _closed(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def bound_sentence(*, requests: int, tokens: int, is_load: bool = False) -> str:
    """What a verification may cost, for a refusal and a form."""
    numbers = {"requests": plain(requests, 0), "tokens": plain(tokens, 0)}
    sentence = _("Up to %(requests)s requests and %(tokens)s tokens at your endpoint.") % numbers
    if is_load:
        sentence += " " + _(
            "A load session that a fault cuts short cannot be continued: it begins again, at most twice, and "
            "each time costs what one session costs."
        )
    return sentence
