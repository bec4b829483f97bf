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
from .quality import QualityPolicy, judge_quality

__all__ = [
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
    "judge_sessions",
    "performance_policy",
]
