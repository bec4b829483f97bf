"""Does a re-measurement bear out a claim? Pure functions of the policy, the claim and the evidence."""

from llm_benchmark.measure.plans import Session

from .claims import CASE_MEAN, Policy, judge_load, judge_questions, load_rule, question_rule, shown_only
from .judgement import Judgement, Reason, Verdict, combine
from .performance import (
    MetricRule,
    PerformancePolicy,
    default_rule,
    has_ratio,
    judge_performance,
    judge_sessions,
    performance_policy,
)
from .quality import Claim, QualityPolicy, judge_quality, judge_scores
from .quality_gate import Gate, are_set_alike, gate_of, through_gate

__all__ = [
    "CASE_MEAN",
    "Claim",
    "Gate",
    "Judgement",
    "MetricRule",
    "PerformancePolicy",
    "Policy",
    "QualityPolicy",
    "Reason",
    "Session",
    "Verdict",
    "are_set_alike",
    "combine",
    "default_rule",
    "gate_of",
    "has_ratio",
    "judge_load",
    "judge_performance",
    "judge_quality",
    "judge_questions",
    "judge_scores",
    "judge_sessions",
    "load_rule",
    "performance_policy",
    "question_rule",
    "shown_only",
    "through_gate",
]
