import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from exchange.api.pb import benchmarks_pb2 as _benchmarks_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProposalType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROPOSAL_TYPE_UNSPECIFIED: _ClassVar[ProposalType]
    PROPOSAL_TYPE_NEW_BENCHMARK: _ClassVar[ProposalType]
    PROPOSAL_TYPE_UPDATE_BENCHMARK: _ClassVar[ProposalType]
    PROPOSAL_TYPE_DEPRECATE_BENCHMARK: _ClassVar[ProposalType]
    PROPOSAL_TYPE_POLICY_CHANGE: _ClassVar[ProposalType]

class ProposalStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROPOSAL_STATUS_UNSPECIFIED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_DRAFT: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_UNDER_REVIEW: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_VOTING: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_APPROVED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_REJECTED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_WITHDRAWN: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_QUORUM_NOT_MET: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_QUEUED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_EXECUTED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_FAILED: _ClassVar[ProposalStatus]
    PROPOSAL_STATUS_EXPIRED: _ClassVar[ProposalStatus]

class Vote(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VOTE_UNSPECIFIED: _ClassVar[Vote]
    VOTE_APPROVE: _ClassVar[Vote]
    VOTE_REJECT: _ClassVar[Vote]
    VOTE_ABSTAIN: _ClassVar[Vote]

class ReviewStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REVIEW_STATUS_UNSPECIFIED: _ClassVar[ReviewStatus]
    REVIEW_STATUS_PENDING: _ClassVar[ReviewStatus]
    REVIEW_STATUS_APPROVED: _ClassVar[ReviewStatus]
    REVIEW_STATUS_REQUEST_CHANGES: _ClassVar[ReviewStatus]
    REVIEW_STATUS_REJECTED: _ClassVar[ReviewStatus]

class ReviewDecision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REVIEW_DECISION_UNSPECIFIED: _ClassVar[ReviewDecision]
    REVIEW_DECISION_APPROVE: _ClassVar[ReviewDecision]
    REVIEW_DECISION_REQUEST_CHANGES: _ClassVar[ReviewDecision]
    REVIEW_DECISION_REJECT: _ClassVar[ReviewDecision]

class CommentKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMMENT_KIND_UNSPECIFIED: _ClassVar[CommentKind]
    COMMENT_KIND_COMMENT: _ClassVar[CommentKind]
    COMMENT_KIND_SUGGESTION: _ClassVar[CommentKind]
    COMMENT_KIND_QUESTION: _ClassVar[CommentKind]
    COMMENT_KIND_ISSUE: _ClassVar[CommentKind]
    COMMENT_KIND_PRAISE: _ClassVar[CommentKind]

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_ACTIVATE_BENCHMARK: _ClassVar[ActionKind]
    ACTION_KIND_UPDATE_BENCHMARK: _ClassVar[ActionKind]
    ACTION_KIND_DEPRECATE_BENCHMARK: _ClassVar[ActionKind]
    ACTION_KIND_SET_VERIFICATION_POLICY: _ClassVar[ActionKind]
    ACTION_KIND_SET_VOTING_RULES: _ClassVar[ActionKind]
PROPOSAL_TYPE_UNSPECIFIED: ProposalType
PROPOSAL_TYPE_NEW_BENCHMARK: ProposalType
PROPOSAL_TYPE_UPDATE_BENCHMARK: ProposalType
PROPOSAL_TYPE_DEPRECATE_BENCHMARK: ProposalType
PROPOSAL_TYPE_POLICY_CHANGE: ProposalType
PROPOSAL_STATUS_UNSPECIFIED: ProposalStatus
PROPOSAL_STATUS_DRAFT: ProposalStatus
PROPOSAL_STATUS_UNDER_REVIEW: ProposalStatus
PROPOSAL_STATUS_VOTING: ProposalStatus
PROPOSAL_STATUS_APPROVED: ProposalStatus
PROPOSAL_STATUS_REJECTED: ProposalStatus
PROPOSAL_STATUS_WITHDRAWN: ProposalStatus
PROPOSAL_STATUS_QUORUM_NOT_MET: ProposalStatus
PROPOSAL_STATUS_QUEUED: ProposalStatus
PROPOSAL_STATUS_EXECUTED: ProposalStatus
PROPOSAL_STATUS_FAILED: ProposalStatus
PROPOSAL_STATUS_EXPIRED: ProposalStatus
VOTE_UNSPECIFIED: Vote
VOTE_APPROVE: Vote
VOTE_REJECT: Vote
VOTE_ABSTAIN: Vote
REVIEW_STATUS_UNSPECIFIED: ReviewStatus
REVIEW_STATUS_PENDING: ReviewStatus
REVIEW_STATUS_APPROVED: ReviewStatus
REVIEW_STATUS_REQUEST_CHANGES: ReviewStatus
REVIEW_STATUS_REJECTED: ReviewStatus
REVIEW_DECISION_UNSPECIFIED: ReviewDecision
REVIEW_DECISION_APPROVE: ReviewDecision
REVIEW_DECISION_REQUEST_CHANGES: ReviewDecision
REVIEW_DECISION_REJECT: ReviewDecision
COMMENT_KIND_UNSPECIFIED: CommentKind
COMMENT_KIND_COMMENT: CommentKind
COMMENT_KIND_SUGGESTION: CommentKind
COMMENT_KIND_QUESTION: CommentKind
COMMENT_KIND_ISSUE: CommentKind
COMMENT_KIND_PRAISE: CommentKind
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_ACTIVATE_BENCHMARK: ActionKind
ACTION_KIND_UPDATE_BENCHMARK: ActionKind
ACTION_KIND_DEPRECATE_BENCHMARK: ActionKind
ACTION_KIND_SET_VERIFICATION_POLICY: ActionKind
ACTION_KIND_SET_VOTING_RULES: ActionKind

class ActivateBenchmarkAction(_message.Message):
    __slots__ = ("benchmark_id", "version_id", "content_hash")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_HASH_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    version_id: str
    content_hash: str
    def __init__(self, benchmark_id: _Optional[str] = ..., version_id: _Optional[str] = ..., content_hash: _Optional[str] = ...) -> None: ...

class BenchmarkChanges(_message.Message):
    __slots__ = ("name", "description", "category", "tags", "long_description", "license", "custom_license", "documentation_url", "source_url")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    LONG_DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_LICENSE_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTATION_URL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_URL_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    category: _benchmarks_pb2.BenchmarkCategory
    tags: _containers.RepeatedScalarFieldContainer[str]
    long_description: str
    license: _benchmarks_pb2.LicenseType
    custom_license: str
    documentation_url: str
    source_url: str
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., category: _Optional[_Union[_benchmarks_pb2.BenchmarkCategory, str]] = ..., tags: _Optional[_Iterable[str]] = ..., long_description: _Optional[str] = ..., license: _Optional[_Union[_benchmarks_pb2.LicenseType, str]] = ..., custom_license: _Optional[str] = ..., documentation_url: _Optional[str] = ..., source_url: _Optional[str] = ...) -> None: ...

class UpdateBenchmarkAction(_message.Message):
    __slots__ = ("benchmark_id", "changes", "version_id", "content_hash")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_HASH_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    changes: BenchmarkChanges
    version_id: str
    content_hash: str
    def __init__(self, benchmark_id: _Optional[str] = ..., changes: _Optional[_Union[BenchmarkChanges, _Mapping]] = ..., version_id: _Optional[str] = ..., content_hash: _Optional[str] = ...) -> None: ...

class DeprecateBenchmarkAction(_message.Message):
    __slots__ = ("benchmark_id", "reason")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    reason: str
    def __init__(self, benchmark_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class SetVerificationPolicyAction(_message.Message):
    __slots__ = ("version_id", "delta", "alpha", "gamma", "tolerances", "deciding_metrics", "sessions", "quality_gate")
    class TolerancesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    ALPHA_FIELD_NUMBER: _ClassVar[int]
    GAMMA_FIELD_NUMBER: _ClassVar[int]
    TOLERANCES_FIELD_NUMBER: _ClassVar[int]
    DECIDING_METRICS_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    QUALITY_GATE_FIELD_NUMBER: _ClassVar[int]
    version_id: str
    delta: float
    alpha: float
    gamma: float
    tolerances: _containers.ScalarMap[str, float]
    deciding_metrics: _containers.RepeatedScalarFieldContainer[str]
    sessions: int
    quality_gate: _benchmarks_pb2.QualityGate
    def __init__(self, version_id: _Optional[str] = ..., delta: _Optional[float] = ..., alpha: _Optional[float] = ..., gamma: _Optional[float] = ..., tolerances: _Optional[_Mapping[str, float]] = ..., deciding_metrics: _Optional[_Iterable[str]] = ..., sessions: _Optional[int] = ..., quality_gate: _Optional[_Union[_benchmarks_pb2.QualityGate, _Mapping]] = ...) -> None: ...

class SetVotingRulesAction(_message.Message):
    __slots__ = ("proposal_type", "quorum_percent", "quorum_minimum", "threshold_numerator", "threshold_denominator", "voting_seconds", "timelock_seconds", "expiry_seconds")
    PROPOSAL_TYPE_FIELD_NUMBER: _ClassVar[int]
    QUORUM_PERCENT_FIELD_NUMBER: _ClassVar[int]
    QUORUM_MINIMUM_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_NUMERATOR_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_DENOMINATOR_FIELD_NUMBER: _ClassVar[int]
    VOTING_SECONDS_FIELD_NUMBER: _ClassVar[int]
    TIMELOCK_SECONDS_FIELD_NUMBER: _ClassVar[int]
    EXPIRY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    proposal_type: ProposalType
    quorum_percent: int
    quorum_minimum: int
    threshold_numerator: int
    threshold_denominator: int
    voting_seconds: int
    timelock_seconds: int
    expiry_seconds: int
    def __init__(self, proposal_type: _Optional[_Union[ProposalType, str]] = ..., quorum_percent: _Optional[int] = ..., quorum_minimum: _Optional[int] = ..., threshold_numerator: _Optional[int] = ..., threshold_denominator: _Optional[int] = ..., voting_seconds: _Optional[int] = ..., timelock_seconds: _Optional[int] = ..., expiry_seconds: _Optional[int] = ...) -> None: ...

class ProposalAction(_message.Message):
    __slots__ = ("kind", "activate_benchmark", "update_benchmark", "deprecate_benchmark", "set_verification_policy", "set_voting_rules")
    KIND_FIELD_NUMBER: _ClassVar[int]
    ACTIVATE_BENCHMARK_FIELD_NUMBER: _ClassVar[int]
    UPDATE_BENCHMARK_FIELD_NUMBER: _ClassVar[int]
    DEPRECATE_BENCHMARK_FIELD_NUMBER: _ClassVar[int]
    SET_VERIFICATION_POLICY_FIELD_NUMBER: _ClassVar[int]
    SET_VOTING_RULES_FIELD_NUMBER: _ClassVar[int]
    kind: ActionKind
    activate_benchmark: ActivateBenchmarkAction
    update_benchmark: UpdateBenchmarkAction
    deprecate_benchmark: DeprecateBenchmarkAction
    set_verification_policy: SetVerificationPolicyAction
    set_voting_rules: SetVotingRulesAction
    def __init__(self, kind: _Optional[_Union[ActionKind, str]] = ..., activate_benchmark: _Optional[_Union[ActivateBenchmarkAction, _Mapping]] = ..., update_benchmark: _Optional[_Union[UpdateBenchmarkAction, _Mapping]] = ..., deprecate_benchmark: _Optional[_Union[DeprecateBenchmarkAction, _Mapping]] = ..., set_verification_policy: _Optional[_Union[SetVerificationPolicyAction, _Mapping]] = ..., set_voting_rules: _Optional[_Union[SetVotingRulesAction, _Mapping]] = ...) -> None: ...

class VotingRules(_message.Message):
    __slots__ = ("number", "proposal_type", "quorum_percent", "quorum_minimum", "threshold_numerator", "threshold_denominator", "voting_seconds", "timelock_seconds", "expiry_seconds", "digest", "decided_by", "effective_at")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_TYPE_FIELD_NUMBER: _ClassVar[int]
    QUORUM_PERCENT_FIELD_NUMBER: _ClassVar[int]
    QUORUM_MINIMUM_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_NUMERATOR_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_DENOMINATOR_FIELD_NUMBER: _ClassVar[int]
    VOTING_SECONDS_FIELD_NUMBER: _ClassVar[int]
    TIMELOCK_SECONDS_FIELD_NUMBER: _ClassVar[int]
    EXPIRY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    DECIDED_BY_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_AT_FIELD_NUMBER: _ClassVar[int]
    number: int
    proposal_type: ProposalType
    quorum_percent: int
    quorum_minimum: int
    threshold_numerator: int
    threshold_denominator: int
    voting_seconds: int
    timelock_seconds: int
    expiry_seconds: int
    digest: str
    decided_by: str
    effective_at: _timestamp_pb2.Timestamp
    def __init__(self, number: _Optional[int] = ..., proposal_type: _Optional[_Union[ProposalType, str]] = ..., quorum_percent: _Optional[int] = ..., quorum_minimum: _Optional[int] = ..., threshold_numerator: _Optional[int] = ..., threshold_denominator: _Optional[int] = ..., voting_seconds: _Optional[int] = ..., timelock_seconds: _Optional[int] = ..., expiry_seconds: _Optional[int] = ..., digest: _Optional[str] = ..., decided_by: _Optional[str] = ..., effective_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Tally(_message.Message):
    __slots__ = ("approve", "reject", "abstain", "ballot_count", "ballots_without_proposer")
    APPROVE_FIELD_NUMBER: _ClassVar[int]
    REJECT_FIELD_NUMBER: _ClassVar[int]
    ABSTAIN_FIELD_NUMBER: _ClassVar[int]
    BALLOT_COUNT_FIELD_NUMBER: _ClassVar[int]
    BALLOTS_WITHOUT_PROPOSER_FIELD_NUMBER: _ClassVar[int]
    approve: int
    reject: int
    abstain: int
    ballot_count: int
    ballots_without_proposer: int
    def __init__(self, approve: _Optional[int] = ..., reject: _Optional[int] = ..., abstain: _Optional[int] = ..., ballot_count: _Optional[int] = ..., ballots_without_proposer: _Optional[int] = ...) -> None: ...

class Formula(_message.Message):
    __slots__ = ("quorum", "threshold")
    QUORUM_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    quorum: str
    threshold: str
    def __init__(self, quorum: _Optional[str] = ..., threshold: _Optional[str] = ...) -> None: ...

class ProposalChange(_message.Message):
    __slots__ = ("name", "before", "after")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    name: str
    before: str
    after: str
    def __init__(self, name: _Optional[str] = ..., before: _Optional[str] = ..., after: _Optional[str] = ...) -> None: ...

class Proposal(_message.Message):
    __slots__ = ("id", "type", "title", "description", "rationale", "status", "benchmark_id", "benchmark_slug", "benchmark_name", "proposer_id", "proposer_name", "revision", "is_demo", "action", "action_digest", "planned", "rules", "formula", "electorate_size", "electorate_digest", "ballots_needed", "voting_opens_at", "voting_closes_at", "tally", "ballots_digest", "quorum_met", "threshold_met", "review_status", "approval_count", "objection_count", "comment_count", "execute_after", "expires_at", "executed_at", "execution_attempts", "execution_error_code", "execution_error", "effect", "submitted_at", "created_at", "updated_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    RATIONALE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_SLUG_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_NAME_FIELD_NUMBER: _ClassVar[int]
    PROPOSER_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSER_NAME_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ACTION_DIGEST_FIELD_NUMBER: _ClassVar[int]
    PLANNED_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    FORMULA_FIELD_NUMBER: _ClassVar[int]
    ELECTORATE_SIZE_FIELD_NUMBER: _ClassVar[int]
    ELECTORATE_DIGEST_FIELD_NUMBER: _ClassVar[int]
    BALLOTS_NEEDED_FIELD_NUMBER: _ClassVar[int]
    VOTING_OPENS_AT_FIELD_NUMBER: _ClassVar[int]
    VOTING_CLOSES_AT_FIELD_NUMBER: _ClassVar[int]
    TALLY_FIELD_NUMBER: _ClassVar[int]
    BALLOTS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    QUORUM_MET_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_MET_FIELD_NUMBER: _ClassVar[int]
    REVIEW_STATUS_FIELD_NUMBER: _ClassVar[int]
    APPROVAL_COUNT_FIELD_NUMBER: _ClassVar[int]
    OBJECTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    COMMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    EXECUTE_AFTER_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    EXECUTED_AT_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_ERROR_CODE_FIELD_NUMBER: _ClassVar[int]
    EXECUTION_ERROR_FIELD_NUMBER: _ClassVar[int]
    EFFECT_FIELD_NUMBER: _ClassVar[int]
    SUBMITTED_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    type: ProposalType
    title: str
    description: str
    rationale: str
    status: ProposalStatus
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: str
    proposer_id: str
    proposer_name: str
    revision: int
    is_demo: bool
    action: ProposalAction
    action_digest: str
    planned: _containers.RepeatedCompositeFieldContainer[ProposalChange]
    rules: VotingRules
    formula: Formula
    electorate_size: int
    electorate_digest: str
    ballots_needed: int
    voting_opens_at: _timestamp_pb2.Timestamp
    voting_closes_at: _timestamp_pb2.Timestamp
    tally: Tally
    ballots_digest: str
    quorum_met: bool
    threshold_met: bool
    review_status: ReviewStatus
    approval_count: int
    objection_count: int
    comment_count: int
    execute_after: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    executed_at: _timestamp_pb2.Timestamp
    execution_attempts: int
    execution_error_code: str
    execution_error: str
    effect: _containers.RepeatedCompositeFieldContainer[ProposalChange]
    submitted_at: _timestamp_pb2.Timestamp
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., type: _Optional[_Union[ProposalType, str]] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., rationale: _Optional[str] = ..., status: _Optional[_Union[ProposalStatus, str]] = ..., benchmark_id: _Optional[str] = ..., benchmark_slug: _Optional[str] = ..., benchmark_name: _Optional[str] = ..., proposer_id: _Optional[str] = ..., proposer_name: _Optional[str] = ..., revision: _Optional[int] = ..., is_demo: _Optional[bool] = ..., action: _Optional[_Union[ProposalAction, _Mapping]] = ..., action_digest: _Optional[str] = ..., planned: _Optional[_Iterable[_Union[ProposalChange, _Mapping]]] = ..., rules: _Optional[_Union[VotingRules, _Mapping]] = ..., formula: _Optional[_Union[Formula, _Mapping]] = ..., electorate_size: _Optional[int] = ..., electorate_digest: _Optional[str] = ..., ballots_needed: _Optional[int] = ..., voting_opens_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., voting_closes_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tally: _Optional[_Union[Tally, _Mapping]] = ..., ballots_digest: _Optional[str] = ..., quorum_met: _Optional[bool] = ..., threshold_met: _Optional[bool] = ..., review_status: _Optional[_Union[ReviewStatus, str]] = ..., approval_count: _Optional[int] = ..., objection_count: _Optional[int] = ..., comment_count: _Optional[int] = ..., execute_after: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., executed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., execution_attempts: _Optional[int] = ..., execution_error_code: _Optional[str] = ..., execution_error: _Optional[str] = ..., effect: _Optional[_Iterable[_Union[ProposalChange, _Mapping]]] = ..., submitted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ProposalReview(_message.Message):
    __slots__ = ("id", "revision", "reviewer_id", "reviewer_name", "decision", "reason", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REVIEWER_ID_FIELD_NUMBER: _ClassVar[int]
    REVIEWER_NAME_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    revision: int
    reviewer_id: str
    reviewer_name: str
    decision: ReviewDecision
    reason: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., revision: _Optional[int] = ..., reviewer_id: _Optional[str] = ..., reviewer_name: _Optional[str] = ..., decision: _Optional[_Union[ReviewDecision, str]] = ..., reason: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ProposalComment(_message.Message):
    __slots__ = ("id", "parent_id", "author_id", "author_name", "kind", "body", "resolved_at", "resolved_by_name", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_ID_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_AT_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_BY_NAME_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    parent_id: str
    author_id: str
    author_name: str
    kind: CommentKind
    body: str
    resolved_at: _timestamp_pb2.Timestamp
    resolved_by_name: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., parent_id: _Optional[str] = ..., author_id: _Optional[str] = ..., author_name: _Optional[str] = ..., kind: _Optional[_Union[CommentKind, str]] = ..., body: _Optional[str] = ..., resolved_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., resolved_by_name: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Ballot(_message.Message):
    __slots__ = ("voter_id", "voter_name", "choice", "reason", "cast_at")
    VOTER_ID_FIELD_NUMBER: _ClassVar[int]
    VOTER_NAME_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CAST_AT_FIELD_NUMBER: _ClassVar[int]
    voter_id: str
    voter_name: str
    choice: Vote
    reason: str
    cast_at: _timestamp_pb2.Timestamp
    def __init__(self, voter_id: _Optional[str] = ..., voter_name: _Optional[str] = ..., choice: _Optional[_Union[Vote, str]] = ..., reason: _Optional[str] = ..., cast_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class OwnBallot(_message.Message):
    __slots__ = ("proposal_id", "choice", "reason", "cast_at")
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CAST_AT_FIELD_NUMBER: _ClassVar[int]
    proposal_id: str
    choice: Vote
    reason: str
    cast_at: _timestamp_pb2.Timestamp
    def __init__(self, proposal_id: _Optional[str] = ..., choice: _Optional[_Union[Vote, str]] = ..., reason: _Optional[str] = ..., cast_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListProposalsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "type", "status", "benchmark_id", "query")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    type: ProposalType
    status: ProposalStatus
    benchmark_id: str
    query: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., type: _Optional[_Union[ProposalType, str]] = ..., status: _Optional[_Union[ProposalStatus, str]] = ..., benchmark_id: _Optional[str] = ..., query: _Optional[str] = ...) -> None: ...

class ListProposalsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Proposal]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Proposal, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CreateProposalRequest(_message.Message):
    __slots__ = ("type", "title", "description", "rationale", "action")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    RATIONALE_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    type: ProposalType
    title: str
    description: str
    rationale: str
    action: ProposalAction
    def __init__(self, type: _Optional[_Union[ProposalType, str]] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., rationale: _Optional[str] = ..., action: _Optional[_Union[ProposalAction, _Mapping]] = ...) -> None: ...

class GetProposalRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class UpdateProposalRequest(_message.Message):
    __slots__ = ("id", "title", "description", "rationale", "action")
    ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    RATIONALE_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    id: str
    title: str
    description: str
    rationale: str
    action: ProposalAction
    def __init__(self, id: _Optional[str] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., rationale: _Optional[str] = ..., action: _Optional[_Union[ProposalAction, _Mapping]] = ...) -> None: ...

class SubmitProposalForReviewRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListProposalReviewsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "proposal_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    proposal_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., proposal_id: _Optional[str] = ...) -> None: ...

class ListProposalReviewsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ProposalReview]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[ProposalReview, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ReviewProposalRequest(_message.Message):
    __slots__ = ("proposal_id", "decision", "reason")
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    proposal_id: str
    decision: ReviewDecision
    reason: str
    def __init__(self, proposal_id: _Optional[str] = ..., decision: _Optional[_Union[ReviewDecision, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class ListProposalCommentsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "proposal_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    proposal_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., proposal_id: _Optional[str] = ...) -> None: ...

class ListProposalCommentsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ProposalComment]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[ProposalComment, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AddProposalCommentRequest(_message.Message):
    __slots__ = ("proposal_id", "body", "kind", "parent_id")
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PARENT_ID_FIELD_NUMBER: _ClassVar[int]
    proposal_id: str
    body: str
    kind: CommentKind
    parent_id: str
    def __init__(self, proposal_id: _Optional[str] = ..., body: _Optional[str] = ..., kind: _Optional[_Union[CommentKind, str]] = ..., parent_id: _Optional[str] = ...) -> None: ...

class ResolveProposalCommentRequest(_message.Message):
    __slots__ = ("proposal_id", "id")
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    proposal_id: str
    id: str
    def __init__(self, proposal_id: _Optional[str] = ..., id: _Optional[str] = ...) -> None: ...

class OpenVotingRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class CastVoteRequest(_message.Message):
    __slots__ = ("proposal_id", "choice", "reason")
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    proposal_id: str
    choice: Vote
    reason: str
    def __init__(self, proposal_id: _Optional[str] = ..., choice: _Optional[_Union[Vote, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class GetMyBallotRequest(_message.Message):
    __slots__ = ("proposal_id",)
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    proposal_id: str
    def __init__(self, proposal_id: _Optional[str] = ...) -> None: ...

class ListBallotsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "proposal_id", "cast_only")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    CAST_ONLY_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    proposal_id: str
    cast_only: bool
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., proposal_id: _Optional[str] = ..., cast_only: _Optional[bool] = ...) -> None: ...

class ListBallotsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Ballot]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Ballot, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WithdrawProposalRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class RetryExecutionRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListVotingRulesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "type")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    type: ProposalType
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., type: _Optional[_Union[ProposalType, str]] = ...) -> None: ...

class ListVotingRulesResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[VotingRules]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[VotingRules, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
