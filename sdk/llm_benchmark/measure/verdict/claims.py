"""A whole claim against all that was measured, by a version's policy: on the platform and at home."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Protocol

from llm_benchmark.measure.metrics import CaseScore, MetricKind
from llm_benchmark.measure.plans import Session

from .judgement import Judgement, because, unjudged
from .performance import PerformancePolicy, has_ratio, judge_sessions, performance_policy
from .quality import Claim, QualityPolicy, judge_quality, judge_scores

CASE_MEAN = "accuracy"
"""The metric that is the mean of the case scores."""


class Policy(Protocol):
    """A verification policy as its version states it."""

    @property
    def delta(self) -> float: ...

    @property
    def alpha(self) -> float: ...

    @property
    def gamma(self) -> float: ...

    @property
    def tolerances(self) -> Mapping[str, float]: ...

    @property
    def deciding_metrics(self) -> Sequence[str]: ...


def question_rule(policy: Policy) -> QualityPolicy:
    return QualityPolicy(policy.delta, policy.alpha, policy.gamma)


def load_rule(policy: Policy) -> PerformancePolicy:
    tolerances = {name: value for name, value in policy.tolerances.items() if has_ratio(name)}
    return performance_policy(policy.deciding_metrics, tolerances, alpha=policy.alpha, gamma=policy.gamma)


def judge_questions(
    policy: Policy,
    claim: Claim,
    sessions: Sequence[Sequence[CaseScore]],
    kinds: Mapping[str, MetricKind],
) -> list[Judgement]:
    """A judgement of each metric that decides, and of each other claimed one that cases can judge.

    Args:
        sessions: every planned case's score in each session, in the same order.
    """
    rule, scores = question_rule(policy), [_mean_of(cases) for cases in zip(*sessions, strict=True)]
    shares = {
        "completion_rate": [float(case.answered) for case in scores],
        "answered_accuracy": [case.score for case in scores if case.evaluable],
    }
    weights = {"answered_accuracy": [case.weight for case in scores if case.evaluable]}
    found = []
    for name in dict.fromkeys([*policy.deciding_metrics, *claim.metrics]):
        if name == CASE_MEAN:
            kind = kinds.get(name, MetricKind.PROPORTION)
            judgement = judge_scores(rule, claim, scores, planned=len(scores), metric=name, kind=kind)
        elif name in shares and name in claim.metrics:
            judgement = judge_quality(
                rule,
                claim=claim.metrics[name],
                planned=len(scores),
                rerun=shares[name],
                weights=weights.get(name),
                metric=name,
            )
        elif name in policy.deciding_metrics:
            judgement = unjudged(name, claim.metrics.get(name), rule.delta, because("not_claimed"))
        else:
            continue
        found.append(replace(judgement, is_deciding=name in policy.deciding_metrics))
    return found


def judge_load(policy: Policy, claim: Claim, sessions: Sequence[Session]) -> list[Judgement]:
    return judge_sessions(load_rule(policy), claim.metrics, sessions)


def shown_only(name: str, claim: float) -> Judgement:
    """A claimed metric that no rule judges."""
    return replace(unjudged(name, claim, 0.0, because("shown_only")), is_deciding=False)


def _mean_of(sessions: Sequence[CaseScore]) -> CaseScore:
    return replace(
        sessions[0],
        score=fmean(case.score for case in sessions),
        answered=all(case.answered for case in sessions),
        error=next((case.error for case in sessions if case.error), None),
    )
