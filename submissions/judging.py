"""From a verification's runs to judgements: the engine's rules, on the evidence that the runs left."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any
from uuid import UUID

from benchmarks.models import BenchmarkKind, Metric, VerificationPolicy
from benchmarks.selectors import get_version, list_metrics
from exchange.core.actors import SYSTEM
from llm_benchmark.measure.bundle import formats
from llm_benchmark.measure.verdict import (
    CASE_MEAN,
    Claim,
    Judgement,
    Verdict,
    combine,
    gate_of,
    judge_load,
    judge_questions,
    load_rule,
    question_rule,
    shown_only,
    through_gate,
)
from submissions.runs.models import Run, Score
from submissions.runs.selectors import case_scores, declared_kinds

from . import selectors
from .intake import Measured
from .models import Submission, Verification


def judge(verification: Verification, runs: Sequence[Run]) -> tuple[Verdict, list[dict[str, Any]]]:
    """The verdict, and a judgement of each metric that decides or is claimed, as JSON."""
    submission = verification.submission
    measured = selectors.measured_by(submission.version)
    is_load = measured.kind == BenchmarkKind.PERFORMANCE
    judge_runs = _judge_load if is_load else _judge_questions
    judgements = [*judge_runs(verification.policy, claim_of(submission), runs)]
    if gate := verification.policy.quality_gate:
        judgements = _through_gate(gate, verification, judgements)
    judgements += _only_shown(submission, judgements, runs)
    return combine(judgements), [_as_json(judgement, measured) for judgement in judgements]


def claim_of(submission: Submission) -> Claim:
    claims = {claim.name: claim for claim in submission.claims.all()}
    cases = dict(submission.cases.values_list("key", "score"))
    accuracy = claims.get(CASE_MEAN)
    return Claim(
        metrics={name: claim.value for name, claim in claims.items()},
        cases=cases or None,
        case_count=accuracy.sample_count if accuracy else None,
    )


def _judge_questions(policy: VerificationPolicy, claim: Claim, runs: Sequence[Run]) -> list[Judgement]:
    return judge_questions(policy, claim, [case_scores(run) for run in runs], declared_kinds(runs[0]))


def _judge_load(policy: VerificationPolicy, claim: Claim, runs: Sequence[Run]) -> list[Judgement]:
    return judge_load(policy, claim, [formats.read_session(run.session or {}) for run in runs])


def _through_gate(
    gate: Mapping[str, Any], verification: Verification, judgements: Sequence[Judgement]
) -> list[Judgement]:
    version = get_version(actor=SYSTEM, version_id=UUID(gate["benchmark_version_id"]))
    titles = {metric.name: metric.title for metric in list_metrics(version)}
    params = {
        "benchmark": version.benchmark.name,
        "version": version.version,
        "benchmark_version_id": str(version.pk),
        "metric": gate["metric"],
        "title": titles[gate["metric"]],
        "required": gate["minimum"],
    }
    latest = selectors.find_same_measured(verification, version)
    value = _measured(latest, gate["metric"]) if latest else None
    if latest and selectors.is_public(latest):
        params |= {"found": value, "verification_id": str(latest.pk)}
    return through_gate(judgements, gate_of(gate["minimum"], value), **params)


def _measured(verification: Verification, metric: str) -> float | None:
    return next((j["measured"] for j in verification.judgements if j["metric"] == metric), None)


def basis_of(submission: Submission, policy: VerificationPolicy) -> dict[str, Any] | None:
    """The claim and the rule in the bundle's formats, when one run alone decides by them.

    Behind a quality gate it does not: what the gate finds lies outside the run.
    """
    is_load = submission.version.benchmark.kind == BenchmarkKind.PERFORMANCE
    if policy.sessions != 1 or policy.quality_gate or not (is_load or policy.deciding_metrics == [CASE_MEAN]):
        return None
    rule = load_rule(policy) if is_load else question_rule(policy)
    return {"claim": asdict(claim_of(submission)), "policy": formats.policy(rule)}


def _only_shown(submission: Submission, judged: Sequence[Judgement], runs: Sequence[Run]) -> list[Judgement]:
    """Claimed metrics that no rule judges, with what was measured."""
    names = {judgement.metric for judgement in judged}
    return [
        _shown(claim.name, claim.value, runs) for claim in submission.claims.all() if claim.name not in names
    ]


def _shown(name: str, value: float, runs: Sequence[Run]) -> Judgement:
    judgement = shown_only(name, value)
    score = Score.objects.filter(run__in=runs, metric=name).order_by("-created_at").first()
    if score is None:
        return judgement
    return replace(
        judgement,
        measured=score.value,
        measured_low=score.low,
        measured_high=score.high,
        sample_count=score.sample_count or 0,
    )


def _as_json(judgement: Judgement, measured: Measured) -> dict[str, Any]:
    """With what the words need later: the metric's title and unit, and which rules were used."""
    metric: Metric | None = measured.metrics.get(judgement.metric)
    return {
        **asdict(judgement),
        "verdict": str(judgement.verdict),
        "kind": measured.kind,
        "title": metric.title if metric else judgement.metric,
        "unit": metric.unit if metric else "",
        "reasons": [{"code": reason.code, "params": dict(reason.params)} for reason in judgement.reasons],
    }
