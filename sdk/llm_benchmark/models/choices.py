"""The values that the API takes and gives today, for type checkers. Newer servers may give more."""

from typing import Literal

BenchmarkKind = Literal["quality", "performance", "external"]
BenchmarkOrder = Literal["name", "-name", "created_at", "-created_at", "updated_at", "-updated_at"]
BenchmarkStatus = Literal["draft", "under_review", "active", "deprecated", "archived"]
Category = Literal["performance", "accuracy", "reliability", "safety", "cost", "capability"]
Choice = Literal["approve", "reject", "abstain"]
CommentKind = Literal["comment", "suggestion", "question", "issue", "praise"]
Decision = Literal["approve", "request_changes", "reject"]
Level = Literal["unverified", "community_verified", "platform_verified", "audited"]
License = Literal["apache_2", "mit", "bsd_3_clause", "cc_by_4_0", "cc_by_sa_4_0", "custom"]
OrganizationRole = Literal["viewer", "member", "admin", "owner"]
OrganizationType = Literal["llm_provider", "research_institution", "enterprise", "open_source", "individual"]
ProposalStatus = Literal[
    "draft", "under_review", "voting", "approved", "rejected", "quorum_not_met", "withdrawn", "queued",
    "executed", "failed", "expired",
]  # fmt: skip
ProposalType = Literal["new_benchmark", "update_benchmark", "deprecate_benchmark", "policy_change"]
RepeatReason = Literal["dispute", "policy_change", "expiry", "platform_fault"]
Scope = Literal[
    "benchmarks:read", "benchmarks:write", "endpoints:read", "endpoints:write", "submissions:read",
    "submissions:write", "governance:read", "governance:write", "organizations:read", "organizations:write",
    "profile:read", "profile:write",
]  # fmt: skip
SiteRole = Literal["anonymous", "registered", "contributor", "reviewer", "admin"]
Verdict = Literal["confirmed", "consistent", "understated", "refuted", "inconclusive"]
Visibility = Literal["public", "unlisted", "private"]
