"""What a reproduction came to, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from llm_benchmark.measure.verdict import Judgement, Verdict
from llm_benchmark.measure.verdict.wording import least, reason_text, tolerance
from llm_benchmark.quantities import change, points, quantity

from .reproducing import Reproduction

_BOTH = "%(claim)s is claimed%(of)s and you measured %(measured)s"
_SENTENCES: Mapping[Verdict, str] = {
    Verdict.CONFIRMED: (
        f"Confirmed: {_BOTH}. The difference is %(difference)s (%(low)s to %(high)s), wholly inside the "
        "tolerance of ±%(tolerance)s."
    ),
    Verdict.CONSISTENT: (
        f"Consistent: {_BOTH}. Nothing speaks against the claim; a measurement of this size cannot confirm "
        "it to ±%(tolerance)s."
    ),
    Verdict.UNDERSTATED: f"Understated: {_BOTH}, better by at least %(least)s.",
    Verdict.REFUTED: (f"Refuted: {_BOTH}, worse by at least %(least)s. The tolerance is ±%(tolerance)s."),
    Verdict.INCONCLUSIVE: (
        f"Inconclusive: {_BOTH}, a difference of %(difference)s. That decides nothing at a tolerance of "
        "±%(tolerance)s."
    ),
}


def summary_of(found: Reproduction) -> str:
    """The verdict and the numbers of the metric that decided."""
    deciding = (j for j in found.judgements if j.is_deciding and j.verdict == found.verdict)
    judgement = next(deciding, None)
    if judgement is None:
        return "Inconclusive: no metric could be judged; nothing is decided."
    if judgement.difference is None:
        return " ".join(["Inconclusive: nothing is decided.", *reasons_of(found, judgement)])
    return _SENTENCES[found.verdict] % _numbers(found, judgement)


def reasons_of(found: Reproduction, judgement: Judgement) -> list[str]:
    """The steps of the rule, each a sentence."""
    kind, unit = found.edition.version.kind, unit_of(found, judgement)
    return [reason_text(r.code, r.params, kind=kind, unit=unit) for r in judgement.reasons]


def unit_of(found: Reproduction, judgement: Judgement) -> str:
    metrics = {metric.name: metric for metric in found.edition.version.metrics}
    return (metrics[judgement.metric].unit or "") if judgement.metric in metrics else ""


def title_of(found: Reproduction, judgement: Judgement) -> str:
    metrics = {metric.name: metric for metric in found.edition.version.metrics}
    return metrics[judgement.metric].title if judgement.metric in metrics else judgement.metric


def as_dict(found: Reproduction) -> dict[str, Any]:
    """For programs: JSON's types only."""
    return {
        "submission_id": found.submission.id,
        "benchmark": found.edition.benchmark,
        "version": found.edition.version.version,
        "verdict": str(found.verdict),
        "summary": summary_of(found),
        "judgements": [_judgement(found, judgement) for judgement in found.judgements],
        "runs": [run.as_dict() for run in found.runs],
    }


def _judgement(found: Reproduction, judgement: Judgement) -> dict[str, Any]:
    texts = reasons_of(found, judgement)
    reasons = [
        {"code": reason.code, "text": text, "params": dict(reason.params)}
        for reason, text in zip(judgement.reasons, texts, strict=True)
    ]
    return {**asdict(judgement), "verdict": str(judgement.verdict), "reasons": reasons}


def _numbers(found: Reproduction, judgement: Judgement) -> dict[str, str]:
    is_points, unit = not found.edition.is_load, unit_of(found, judgement)
    say = points if is_points else change
    ends = judgement.difference_low, judgement.difference_high
    behind = " points" if is_points else ""
    return {
        "of": "" if is_points else f" ({title_of(found, judgement)})",
        "claim": quantity(judgement.claim, unit),
        "measured": quantity(judgement.measured, unit),
        "difference": say(judgement.difference) + behind,
        "low": say(ends[0]),
        "high": say(ends[1]),
        "least": least(*ends, judgement.difference, is_points=is_points) + behind,
        "tolerance": tolerance(judgement.tolerance, is_points=is_points) + behind,
    }
