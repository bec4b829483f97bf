"""The values that the API takes and gives today, for type checkers. Newer servers may give more."""

from typing import Literal

BenchmarkKind = Literal["quality", "performance", "external"]
BenchmarkOrder = Literal["name", "-name", "created_at", "-created_at", "updated_at", "-updated_at"]
BenchmarkStatus = Literal["draft", "under_review", "active", "deprecated", "archived"]
CampaignMode = Literal["full", "new", "active", "unstable", "failed", "unstable_failed", "one"]
CampaignOutcome = Literal[
    "active", "unstable", "not_available", "incompatible", "unsupported", "failed",
    "skipped_unsupported_profile", "benchmark_error", "auth_error", "cancelled",
]  # fmt: skip
CampaignStatus = Literal["queued", "running", "completed", "completed_with_errors", "failed", "cancelled"]
Capability = Literal[
    "chat_text", "embedding", "vision", "multimodal", "parser", "translation", "safety", "rerank", "special",
    "unknown",
]  # fmt: skip
CapabilityByHand = Literal[
    "chat_text", "embedding", "vision", "multimodal", "parser", "translation", "safety", "rerank", "special",
    "automatic",
]  # fmt: skip
Category = Literal["performance", "accuracy", "reliability", "safety", "cost", "capability"]
Choice = Literal["approve", "reject", "abstain"]
CommentKind = Literal["comment", "suggestion", "question", "issue", "praise"]
Decision = Literal["approve", "request_changes", "reject"]
DeploymentStatus = Literal[
    "new", "active", "unstable", "not_available", "incompatible", "unsupported", "failed", "disabled",
    "missing",
]  # fmt: skip
Level = Literal["unverified", "community_verified", "platform_verified", "audited"]
License = Literal["apache_2", "mit", "bsd_3_clause", "cc_by_4_0", "cc_by_sa_4_0", "custom"]
OrganizationRole = Literal["viewer", "member", "admin", "owner"]
OrganizationType = Literal["llm_provider", "research_institution", "enterprise", "open_source", "individual"]
ProposalStatus = Literal[
    "draft", "under_review", "voting", "approved", "rejected", "quorum_not_met", "withdrawn", "queued",
    "executed", "failed", "expired",
]  # fmt: skip
ProposalType = Literal["new_benchmark", "update_benchmark", "deprecate_benchmark", "policy_change"]
Protocol = Literal["chat", "completions", "responses", "messages", "embeddings", "rerank", "rerank_tei"]
RepeatReason = Literal["dispute", "policy_change", "expiry", "platform_fault", "quality_gate"]
Scope = Literal[
    "benchmarks:read", "benchmarks:write", "endpoints:read", "endpoints:write", "submissions:read",
    "submissions:write", "governance:read", "governance:write", "organizations:read", "organizations:write",
    "profile:read", "profile:write",
]  # fmt: skip
SiteRole = Literal["anonymous", "registered", "contributor", "reviewer", "admin"]
Verdict = Literal["confirmed", "consistent", "understated", "refuted", "inconclusive"]
Visibility = Literal["public", "unlisted", "private"]
