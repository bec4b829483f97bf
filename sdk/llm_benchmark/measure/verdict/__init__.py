"""Does a re-measurement bear out a claim? Pure functions of the policy, the claim and the evidence."""

from .judgement import Judgement, Reason, Verdict, combine
from .performance import (
    MetricRule,
    PerformancePolicy,
    Session,
    default_rule,
    judge_performance,
    judge_sessions,
    performance_policy,
)
from .quality import Claim, QualityPolicy, judge_quality, judge_scores

__all__ = [
    "Claim",
    "Judgement",
    "MetricRule",
    "PerformancePolicy",
    "QualityPolicy",
    "Reason",
    "Session",
    "Verdict",
    "combine",
    "default_rule",
    "judge_performance",
    "judge_quality",
    "judge_scores",
    "judge_sessions",
    "performance_policy",
]
