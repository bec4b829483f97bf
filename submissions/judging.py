"""From a verification's runs to judgements: the engine's rules, on the evidence that the runs left."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from statistics import fmean
from typing import Any

from benchmarks.models import BenchmarkKind, Metric, VerificationPolicy
from benchmarks.policies import has_ratio
from llm_benchmark.measure.bundle import formats
from llm_benchmark.measure.metrics import CaseScore, MetricKind
from llm_benchmark.measure.verdict import (
    Claim,
    Judgement,
    PerformancePolicy,
    QualityPolicy,
    Verdict,
    combine,
    judge_quality,
    judge_scores,
    judge_sessions,
    performance_policy,
)
from llm_benchmark.measure.verdict.judgement import because, unjudged
from submissions.runs.models import Run, Score
from submissions.runs.selectors import case_scores, declared_kinds

from . import selectors
from .intake import CASE_MEAN, Measured
from .models import Submission, Verification


def judge(verification: Verification, runs: Sequence[Run]) -> tuple[Verdict, list[dict[str, Any]]]:
    """The verdict, and a judgement of each metric that decides or is claimed, as JSON."""
    submission = verification.submission
    measured = selectors.measured_by(submission.version)
    is_load = measured.kind == BenchmarkKind.PERFORMANCE
    judge_runs = _judge_load if is_load else _judge_questions
    judgements = [*judge_runs(verification.policy, claim_of(submission), measured, runs)]
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


def _judge_questions(
    policy: VerificationPolicy, claim: Claim, _measured: Measured, runs: Sequence[Run]
) -> list[Judgement]:
    rule = _question_rule(policy)
    scores = _case_scores(runs)
    answered = [float(case.answered) for case in scores]
    readable = [case for case in scores if case.evaluable]
    shares = {"completion_rate": answered, "answered_accuracy": [case.score for case in readable]}
    kinds = declared_kinds(runs[0])
    names = dict.fromkeys([*policy.deciding_metrics, *claim.metrics])
    found = []
    for name in names:
        if name == CASE_MEAN:
            kind = kinds.get(name, MetricKind.PROPORTION)
            judgement = judge_scores(rule, claim, scores, planned=len(scores), metric=name, kind=kind)
        elif name in shares and name in claim.metrics:
            judgement = judge_quality(
                rule,
                claim=claim.metrics[name],
                planned=len(scores),
                rerun=shares[name],
                weights=[case.weight for case in readable] if name == "answered_accuracy" else None,
                metric=name,
            )
        elif name in policy.deciding_metrics:
            judgement = unjudged(name, claim.metrics.get(name), rule.delta, because("not_claimed"))
        else:
            continue
        found.append(replace(judgement, is_deciding=name in policy.deciding_metrics))
    return found


def _question_rule(policy: VerificationPolicy) -> QualityPolicy:
    return QualityPolicy(policy.delta, policy.alpha, policy.gamma)


def _case_scores(runs: Sequence[Run]) -> list[CaseScore]:
    """Every planned case as the engine scores it; of several sessions the mean."""
    return [_mean_of(sessions) for sessions in zip(*map(case_scores, runs), strict=True)]


def _mean_of(sessions: Sequence[CaseScore]) -> CaseScore:
    return replace(
        sessions[0],
        score=fmean(case.score for case in sessions),
        answered=all(case.answered for case in sessions),
        error=next((case.error for case in sessions if case.error), None),
    )


def _judge_load(
    policy: VerificationPolicy, claim: Claim, _measured: Measured, runs: Sequence[Run]
) -> list[Judgement]:
    sessions = [formats.read_session(run.session or {}) for run in runs]
    return judge_sessions(_load_rule(policy), claim.metrics, sessions)


def _load_rule(policy: VerificationPolicy) -> PerformancePolicy:
    tolerances = {name: value for name, value in policy.tolerances.items() if has_ratio(name)}
    return performance_policy(policy.deciding_metrics, tolerances, alpha=policy.alpha, gamma=policy.gamma)


def basis_of(submission: Submission, policy: VerificationPolicy) -> dict[str, Any] | None:
    """The claim and the rule in the bundle's formats, when one run alone decides by them."""
    is_load = submission.version.benchmark.kind == BenchmarkKind.PERFORMANCE
    if policy.sessions != 1 or not (is_load or policy.deciding_metrics == [CASE_MEAN]):
        return None
    rule = _load_rule(policy) if is_load else _question_rule(policy)
    return {"claim": asdict(claim_of(submission)), "policy": formats.policy(rule)}


def _only_shown(submission: Submission, judged: Sequence[Judgement], runs: Sequence[Run]) -> list[Judgement]:
    """Claimed metrics that no rule judges, with what was measured."""
    names = {judgement.metric for judgement in judged}
    return [
        _shown(claim.name, claim.value, runs) for claim in submission.claims.all() if claim.name not in names
    ]


def _shown(name: str, value: float, runs: Sequence[Run]) -> Judgement:
    judgement = unjudged(name, value, 0.0, because("shown_only"))
    score = Score.objects.filter(run__in=runs, metric=name).order_by("-created_at").first()
    if score is None:
        return replace(judgement, is_deciding=False)
    return replace(
        judgement,
        is_deciding=False,
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
