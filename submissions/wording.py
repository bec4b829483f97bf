"""Verdicts and reasons as full sentences. Codes and numbers are stored; words are made when they are shown.

The verdict comes first, then the numbers, the difference and the tolerance. It is said who measured; a tool's
failure is ours or the endpoint's, never the model's.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from exchange.core.quantities import change, plain, points, quantity
from llm_benchmark.measure.verdict import wording as engine

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
        return f"{_('Not measured: %s') % engine.closed(fault_message)} {side}"
    if status != "decided":
        return str(_WAITING[status])
    return verdict_sentence(verdict, leading(judgements, verdict))


def leading(judgements: Sequence[Judgement], verdict: str) -> Judgement | None:
    """The first deciding judgement with the verdict's value: the one that decided."""
    return next((j for j in judgements if j["is_deciding"] and j["verdict"] == verdict), None)


def verdict_sentence(verdict: str, judgement: Judgement | None) -> str:
    if judgement is None:
        return _("Inconclusive: no metric could be judged; nothing is decided.")
    if closed := [reason for reason in judgement["reasons"] if reason["code"] in engine.CLOSED_GATE]:
        return " ".join([_("Inconclusive: nothing is decided."), reason_text(closed[0], judgement)])
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
    low, high = judgement["difference_low"], judgement["difference_high"]
    difference = judgement["difference"]
    return {
        "title": judgement["title"],
        "claim": quantity(judgement["claim"], unit),
        "measured": quantity(judgement["measured"], unit),
        "count": engine.count(judgement["sample_count"]),
        "difference": say(difference),
        "low": say(low),
        "high": say(high),
        "tolerance": engine.tolerance(judgement["tolerance"], is_points=is_points),
        "least": engine.least(low, high, difference, is_points=is_points),
    }


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
    """One step of the rule as a sentence."""
    kind, unit = judgement["kind"], judgement["unit"]
    return engine.reason_text(reason["code"], reason["params"], kind=kind, unit=unit, translate=_)


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
