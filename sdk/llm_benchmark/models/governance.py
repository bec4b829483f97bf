"""Proposals, reviews, ballots and what votes came to."""

from __future__ import annotations

from datetime import datetime

from .base import Model
from .benchmarks import QualityGate


class ActivateBenchmarkAction(Model, frozen=True, kw_only=True):
    """The published version is meant where none is named."""

    benchmark_id: str
    version_id: str | None = None
    content_hash: str | None = None


class BenchmarkChanges(Model, frozen=True, kw_only=True):
    """What is None, or an empty list, stays as it is."""

    name: str | None = None
    description: str | None = None
    category: str | None = None
    tags: list[str] = []
    long_description: str | None = None
    license: str | None = None
    custom_license: str | None = None
    documentation_url: str | None = None
    source_url: str | None = None


class UpdateBenchmarkAction(Model, frozen=True, kw_only=True):
    """`version_id` names a draft version to publish."""

    benchmark_id: str
    changes: BenchmarkChanges | None = None
    version_id: str | None = None
    content_hash: str | None = None


class DeprecateBenchmarkAction(Model, frozen=True, kw_only=True):
    benchmark_id: str
    reason: str


class SetVerificationPolicyAction(Model, frozen=True, kw_only=True):
    delta: float | None = None
    alpha: float | None = None
    gamma: float | None = None
    tolerances: dict[str, float] = {}
    deciding_metrics: list[str] = []
    sessions: int | None = None
    quality_gate: QualityGate | None = None
    version_id: str


class SetVotingRulesAction(Model, frozen=True, kw_only=True):
    """`quorum_percent` is 0 to 100, the threshold a fraction, times are seconds."""

    proposal_type: str
    quorum_percent: int
    quorum_minimum: int
    threshold_numerator: int
    threshold_denominator: int
    voting_seconds: int
    timelock_seconds: int
    expiry_seconds: int


class ProposalAction(Model, frozen=True, kw_only=True):
    """What is done if the vote passes: `kind`, and the one field of that name."""

    kind: str
    activate_benchmark: ActivateBenchmarkAction | None = None
    update_benchmark: UpdateBenchmarkAction | None = None
    deprecate_benchmark: DeprecateBenchmarkAction | None = None
    set_verification_policy: SetVerificationPolicyAction | None = None
    set_voting_rules: SetVotingRulesAction | None = None


class VotingRules(Model, frozen=True, kw_only=True):
    """`quorum_percent` is 0 to 100, the threshold a fraction, times are seconds."""

    number: int
    proposal_type: str
    quorum_percent: int
    quorum_minimum: int
    threshold_numerator: int
    threshold_denominator: int
    voting_seconds: int
    timelock_seconds: int
    expiry_seconds: int
    digest: str
    decided_by: str
    effective_at: datetime


class Tally(Model, frozen=True, kw_only=True):
    approve: int
    reject: int
    abstain: int
    ballot_count: int
    ballots_without_proposer: int


class Formula(Model, frozen=True, kw_only=True):
    """How it is decided, in words with the numbers that are known so far."""

    quorum: str
    threshold: str


class ProposalChange(Model, frozen=True, kw_only=True):
    """One thing that execution changes. A value is as the API spells it, None for "none"."""

    name: str
    before: str | None
    after: str | None


class Proposal(Model, frozen=True, kw_only=True):
    """`planned` is what the action would change; `effect` is what it did change."""

    id: str
    type: str
    title: str
    description: str
    rationale: str
    status: str
    benchmark_id: str | None
    benchmark_slug: str | None
    benchmark_name: str | None
    proposer_id: str
    proposer_name: str
    revision: int
    is_demo: bool
    action: ProposalAction
    action_digest: str
    planned: list[ProposalChange]
    rules: VotingRules
    formula: Formula
    electorate_size: int | None
    electorate_digest: str
    ballots_needed: int | None
    voting_opens_at: datetime | None
    voting_closes_at: datetime | None
    tally: Tally | None
    ballots_digest: str
    quorum_met: bool | None
    threshold_met: bool | None
    review_status: str
    approval_count: int
    objection_count: int
    comment_count: int
    execute_after: datetime | None
    expires_at: datetime | None
    executed_at: datetime | None
    execution_attempts: int
    execution_error_code: str
    execution_error: str
    effect: list[ProposalChange]
    submitted_at: datetime | None
    created_at: datetime
    updated_at: datetime


class ProposalReview(Model, frozen=True, kw_only=True):
    id: str
    revision: int
    reviewer_id: str
    reviewer_name: str
    decision: str
    reason: str
    created_at: datetime


class ProposalComment(Model, frozen=True, kw_only=True):
    id: str
    parent_id: str | None
    author_id: str
    author_name: str
    kind: str
    body: str
    resolved_at: datetime | None
    resolved_by_name: str | None
    created_at: datetime


class Ballot(Model, frozen=True, kw_only=True):
    """A line of the roll call. `choice` is None for whoever did not vote."""

    voter_id: str
    voter_name: str
    choice: str | None
    reason: str
    cast_at: datetime | None


class OwnBallot(Model, frozen=True, kw_only=True):
    """What voters see of their own ballot at any time."""

    proposal_id: str
    choice: str | None
    reason: str
    cast_at: datetime | None
