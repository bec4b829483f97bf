import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from exchange.api.pb import benchmarks_pb2 as _benchmarks_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SubmissionStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SUBMISSION_STATUS_UNSPECIFIED: _ClassVar[SubmissionStatus]
    SUBMISSION_STATUS_ACCEPTED: _ClassVar[SubmissionStatus]
    SUBMISSION_STATUS_WITHDRAWN: _ClassVar[SubmissionStatus]
    SUBMISSION_STATUS_REVOKED: _ClassVar[SubmissionStatus]

class VerificationLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERIFICATION_LEVEL_UNSPECIFIED: _ClassVar[VerificationLevel]
    VERIFICATION_LEVEL_UNVERIFIED: _ClassVar[VerificationLevel]
    VERIFICATION_LEVEL_COMMUNITY_VERIFIED: _ClassVar[VerificationLevel]
    VERIFICATION_LEVEL_PLATFORM_VERIFIED: _ClassVar[VerificationLevel]
    VERIFICATION_LEVEL_AUDITED: _ClassVar[VerificationLevel]

class VerificationStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERIFICATION_STATUS_UNSPECIFIED: _ClassVar[VerificationStatus]
    VERIFICATION_STATUS_REQUESTED: _ClassVar[VerificationStatus]
    VERIFICATION_STATUS_RUNNING: _ClassVar[VerificationStatus]
    VERIFICATION_STATUS_DECIDED: _ClassVar[VerificationStatus]
    VERIFICATION_STATUS_FAILED: _ClassVar[VerificationStatus]
    VERIFICATION_STATUS_CANCELLED: _ClassVar[VerificationStatus]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_CONFIRMED: _ClassVar[Verdict]
    VERDICT_CONSISTENT: _ClassVar[Verdict]
    VERDICT_UNDERSTATED: _ClassVar[Verdict]
    VERDICT_REFUTED: _ClassVar[Verdict]
    VERDICT_INCONCLUSIVE: _ClassVar[Verdict]

class RunStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_STATUS_UNSPECIFIED: _ClassVar[RunStatus]
    RUN_STATUS_QUEUED: _ClassVar[RunStatus]
    RUN_STATUS_RUNNING: _ClassVar[RunStatus]
    RUN_STATUS_SUCCEEDED: _ClassVar[RunStatus]
    RUN_STATUS_FAILED: _ClassVar[RunStatus]
    RUN_STATUS_CANCELLED: _ClassVar[RunStatus]
    RUN_STATUS_DEAD: _ClassVar[RunStatus]

class FaultSide(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_SIDE_UNSPECIFIED: _ClassVar[FaultSide]
    FAULT_SIDE_PLATFORM: _ClassVar[FaultSide]
    FAULT_SIDE_PROVIDER: _ClassVar[FaultSide]
    FAULT_SIDE_MODEL: _ClassVar[FaultSide]
    FAULT_SIDE_SUBMITTER: _ClassVar[FaultSide]
SUBMISSION_STATUS_UNSPECIFIED: SubmissionStatus
SUBMISSION_STATUS_ACCEPTED: SubmissionStatus
SUBMISSION_STATUS_WITHDRAWN: SubmissionStatus
SUBMISSION_STATUS_REVOKED: SubmissionStatus
VERIFICATION_LEVEL_UNSPECIFIED: VerificationLevel
VERIFICATION_LEVEL_UNVERIFIED: VerificationLevel
VERIFICATION_LEVEL_COMMUNITY_VERIFIED: VerificationLevel
VERIFICATION_LEVEL_PLATFORM_VERIFIED: VerificationLevel
VERIFICATION_LEVEL_AUDITED: VerificationLevel
VERIFICATION_STATUS_UNSPECIFIED: VerificationStatus
VERIFICATION_STATUS_REQUESTED: VerificationStatus
VERIFICATION_STATUS_RUNNING: VerificationStatus
VERIFICATION_STATUS_DECIDED: VerificationStatus
VERIFICATION_STATUS_FAILED: VerificationStatus
VERIFICATION_STATUS_CANCELLED: VerificationStatus
VERDICT_UNSPECIFIED: Verdict
VERDICT_CONFIRMED: Verdict
VERDICT_CONSISTENT: Verdict
VERDICT_UNDERSTATED: Verdict
VERDICT_REFUTED: Verdict
VERDICT_INCONCLUSIVE: Verdict
RUN_STATUS_UNSPECIFIED: RunStatus
RUN_STATUS_QUEUED: RunStatus
RUN_STATUS_RUNNING: RunStatus
RUN_STATUS_SUCCEEDED: RunStatus
RUN_STATUS_FAILED: RunStatus
RUN_STATUS_CANCELLED: RunStatus
RUN_STATUS_DEAD: RunStatus
FAULT_SIDE_UNSPECIFIED: FaultSide
FAULT_SIDE_PLATFORM: FaultSide
FAULT_SIDE_PROVIDER: FaultSide
FAULT_SIDE_MODEL: FaultSide
FAULT_SIDE_SUBMITTER: FaultSide

class MetricClaim(_message.Message):
    __slots__ = ("name", "value", "sample_count")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: float
    sample_count: int
    def __init__(self, name: _Optional[str] = ..., value: _Optional[float] = ..., sample_count: _Optional[int] = ...) -> None: ...

class CaseClaim(_message.Message):
    __slots__ = ("key", "score", "answer_digest")
    KEY_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    ANSWER_DIGEST_FIELD_NUMBER: _ClassVar[int]
    key: str
    score: float
    answer_digest: str
    def __init__(self, key: _Optional[str] = ..., score: _Optional[float] = ..., answer_digest: _Optional[str] = ...) -> None: ...

class Configuration(_message.Message):
    __slots__ = ("temperature", "top_p", "max_tokens", "system_prompt", "chat_template", "tools", "reasoning_effort", "precision", "dialect", "concurrency", "streaming")
    TEMPERATURE_FIELD_NUMBER: _ClassVar[int]
    TOP_P_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_PROMPT_FIELD_NUMBER: _ClassVar[int]
    CHAT_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    REASONING_EFFORT_FIELD_NUMBER: _ClassVar[int]
    PRECISION_FIELD_NUMBER: _ClassVar[int]
    DIALECT_FIELD_NUMBER: _ClassVar[int]
    CONCURRENCY_FIELD_NUMBER: _ClassVar[int]
    STREAMING_FIELD_NUMBER: _ClassVar[int]
    temperature: float
    top_p: float
    max_tokens: int
    system_prompt: str
    chat_template: str
    tools: str
    reasoning_effort: str
    precision: str
    dialect: str
    concurrency: int
    streaming: bool
    def __init__(self, temperature: _Optional[float] = ..., top_p: _Optional[float] = ..., max_tokens: _Optional[int] = ..., system_prompt: _Optional[str] = ..., chat_template: _Optional[str] = ..., tools: _Optional[str] = ..., reasoning_effort: _Optional[str] = ..., precision: _Optional[str] = ..., dialect: _Optional[str] = ..., concurrency: _Optional[int] = ..., streaming: _Optional[bool] = ...) -> None: ...

class ModelReference(_message.Message):
    __slots__ = ("publisher", "name", "version")
    PUBLISHER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    publisher: str
    name: str
    version: str
    def __init__(self, publisher: _Optional[str] = ..., name: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class Submission(_message.Message):
    __slots__ = ("id", "organization_id", "organization_name", "benchmark_id", "benchmark_slug", "benchmark_name", "version_id", "version", "kind", "model_id", "model_name", "model_publisher", "model_version", "deployment_id", "provider_name", "status", "visibility", "level", "claims", "case_count", "configuration", "fingerprint", "notes", "verdict", "verification_id", "is_demo", "is_simulated", "created_at", "status_reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_NAME_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_SLUG_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_PUBLISHER_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    CASE_COUNT_FIELD_NUMBER: _ClassVar[int]
    CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    IS_SIMULATED_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    STATUS_REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    organization_id: str
    organization_name: str
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: str
    version_id: str
    version: str
    kind: _benchmarks_pb2.BenchmarkKind
    model_id: str
    model_name: str
    model_publisher: str
    model_version: str
    deployment_id: str
    provider_name: str
    status: SubmissionStatus
    visibility: _benchmarks_pb2.Visibility
    level: VerificationLevel
    claims: _containers.RepeatedCompositeFieldContainer[MetricClaim]
    case_count: int
    configuration: Configuration
    fingerprint: str
    notes: str
    verdict: Verdict
    verification_id: str
    is_demo: bool
    is_simulated: bool
    created_at: _timestamp_pb2.Timestamp
    status_reason: str
    def __init__(self, id: _Optional[str] = ..., organization_id: _Optional[str] = ..., organization_name: _Optional[str] = ..., benchmark_id: _Optional[str] = ..., benchmark_slug: _Optional[str] = ..., benchmark_name: _Optional[str] = ..., version_id: _Optional[str] = ..., version: _Optional[str] = ..., kind: _Optional[_Union[_benchmarks_pb2.BenchmarkKind, str]] = ..., model_id: _Optional[str] = ..., model_name: _Optional[str] = ..., model_publisher: _Optional[str] = ..., model_version: _Optional[str] = ..., deployment_id: _Optional[str] = ..., provider_name: _Optional[str] = ..., status: _Optional[_Union[SubmissionStatus, str]] = ..., visibility: _Optional[_Union[_benchmarks_pb2.Visibility, str]] = ..., level: _Optional[_Union[VerificationLevel, str]] = ..., claims: _Optional[_Iterable[_Union[MetricClaim, _Mapping]]] = ..., case_count: _Optional[int] = ..., configuration: _Optional[_Union[Configuration, _Mapping]] = ..., fingerprint: _Optional[str] = ..., notes: _Optional[str] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., verification_id: _Optional[str] = ..., is_demo: _Optional[bool] = ..., is_simulated: _Optional[bool] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., status_reason: _Optional[str] = ...) -> None: ...

class SubmissionCheck(_message.Message):
    __slots__ = ("benchmark_id", "benchmark_slug", "version_id", "version", "model_id", "configuration", "fingerprint")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_SLUG_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    benchmark_slug: str
    version_id: str
    version: str
    model_id: str
    configuration: Configuration
    fingerprint: str
    def __init__(self, benchmark_id: _Optional[str] = ..., benchmark_slug: _Optional[str] = ..., version_id: _Optional[str] = ..., version: _Optional[str] = ..., model_id: _Optional[str] = ..., configuration: _Optional[_Union[Configuration, _Mapping]] = ..., fingerprint: _Optional[str] = ...) -> None: ...

class Evidence(_message.Message):
    __slots__ = ("id", "name", "media_type", "size_bytes", "sha256", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., media_type: _Optional[str] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class EvidenceContent(_message.Message):
    __slots__ = ("evidence_id", "name", "media_type", "sha256", "content")
    EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    evidence_id: str
    name: str
    media_type: str
    sha256: str
    content: bytes
    def __init__(self, evidence_id: _Optional[str] = ..., name: _Optional[str] = ..., media_type: _Optional[str] = ..., sha256: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class EvidenceUpload(_message.Message):
    __slots__ = ("id", "part_size_bytes", "urls", "expires_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    PART_SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    URLS_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    part_size_bytes: int
    urls: _containers.RepeatedScalarFieldContainer[str]
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., part_size_bytes: _Optional[int] = ..., urls: _Optional[_Iterable[str]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class EvidenceLink(_message.Message):
    __slots__ = ("evidence_id", "url", "expires_at", "sha256", "size_bytes")
    EVIDENCE_ID_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    evidence_id: str
    url: str
    expires_at: _timestamp_pb2.Timestamp
    sha256: str
    size_bytes: int
    def __init__(self, evidence_id: _Optional[str] = ..., url: _Optional[str] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., sha256: _Optional[str] = ..., size_bytes: _Optional[int] = ...) -> None: ...

class VerificationBound(_message.Message):
    __slots__ = ("requests", "tokens", "accept_bound")
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_BOUND_FIELD_NUMBER: _ClassVar[int]
    requests: int
    tokens: int
    accept_bound: str
    def __init__(self, requests: _Optional[int] = ..., tokens: _Optional[int] = ..., accept_bound: _Optional[str] = ...) -> None: ...

class Reason(_message.Message):
    __slots__ = ("code", "text", "params")
    CODE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PARAMS_FIELD_NUMBER: _ClassVar[int]
    code: str
    text: str
    params: _struct_pb2.Struct
    def __init__(self, code: _Optional[str] = ..., text: _Optional[str] = ..., params: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class MetricJudgement(_message.Message):
    __slots__ = ("metric", "is_deciding", "verdict", "rule", "claim", "measured", "difference", "difference_low", "difference_high", "difference_confidence", "tolerance", "measured_low", "measured_high", "sample_count", "needed_count", "reasons", "needed_unit")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    IS_DECIDING_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    MEASURED_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_LOW_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_HIGH_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    TOLERANCE_FIELD_NUMBER: _ClassVar[int]
    MEASURED_LOW_FIELD_NUMBER: _ClassVar[int]
    MEASURED_HIGH_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    NEEDED_COUNT_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    NEEDED_UNIT_FIELD_NUMBER: _ClassVar[int]
    metric: str
    is_deciding: bool
    verdict: Verdict
    rule: str
    claim: float
    measured: float
    difference: float
    difference_low: float
    difference_high: float
    difference_confidence: float
    tolerance: float
    measured_low: float
    measured_high: float
    sample_count: int
    needed_count: int
    reasons: _containers.RepeatedCompositeFieldContainer[Reason]
    needed_unit: str
    def __init__(self, metric: _Optional[str] = ..., is_deciding: _Optional[bool] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., rule: _Optional[str] = ..., claim: _Optional[float] = ..., measured: _Optional[float] = ..., difference: _Optional[float] = ..., difference_low: _Optional[float] = ..., difference_high: _Optional[float] = ..., difference_confidence: _Optional[float] = ..., tolerance: _Optional[float] = ..., measured_low: _Optional[float] = ..., measured_high: _Optional[float] = ..., sample_count: _Optional[int] = ..., needed_count: _Optional[int] = ..., reasons: _Optional[_Iterable[_Union[Reason, _Mapping]]] = ..., needed_unit: _Optional[str] = ...) -> None: ...

class Verification(_message.Message):
    __slots__ = ("id", "submission_id", "status", "verdict", "summary", "judgements", "policy_number", "policy_digest", "seed_digest", "seed", "request_bound", "token_bound", "done_count", "planned_count", "fault_side", "fault_code", "fault_message", "repeat_reason", "run_ids", "flags", "requested_at", "started_at", "finished_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    JUDGEMENTS_FIELD_NUMBER: _ClassVar[int]
    POLICY_NUMBER_FIELD_NUMBER: _ClassVar[int]
    POLICY_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SEED_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    REQUEST_BOUND_FIELD_NUMBER: _ClassVar[int]
    TOKEN_BOUND_FIELD_NUMBER: _ClassVar[int]
    DONE_COUNT_FIELD_NUMBER: _ClassVar[int]
    PLANNED_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAULT_SIDE_FIELD_NUMBER: _ClassVar[int]
    FAULT_CODE_FIELD_NUMBER: _ClassVar[int]
    FAULT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    REPEAT_REASON_FIELD_NUMBER: _ClassVar[int]
    RUN_IDS_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    REQUESTED_AT_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    submission_id: str
    status: VerificationStatus
    verdict: Verdict
    summary: str
    judgements: _containers.RepeatedCompositeFieldContainer[MetricJudgement]
    policy_number: int
    policy_digest: str
    seed_digest: str
    seed: str
    request_bound: int
    token_bound: int
    done_count: int
    planned_count: int
    fault_side: FaultSide
    fault_code: str
    fault_message: str
    repeat_reason: str
    run_ids: _containers.RepeatedScalarFieldContainer[str]
    flags: _containers.RepeatedScalarFieldContainer[str]
    requested_at: _timestamp_pb2.Timestamp
    started_at: _timestamp_pb2.Timestamp
    finished_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., submission_id: _Optional[str] = ..., status: _Optional[_Union[VerificationStatus, str]] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., summary: _Optional[str] = ..., judgements: _Optional[_Iterable[_Union[MetricJudgement, _Mapping]]] = ..., policy_number: _Optional[int] = ..., policy_digest: _Optional[str] = ..., seed_digest: _Optional[str] = ..., seed: _Optional[str] = ..., request_bound: _Optional[int] = ..., token_bound: _Optional[int] = ..., done_count: _Optional[int] = ..., planned_count: _Optional[int] = ..., fault_side: _Optional[_Union[FaultSide, str]] = ..., fault_code: _Optional[str] = ..., fault_message: _Optional[str] = ..., repeat_reason: _Optional[str] = ..., run_ids: _Optional[_Iterable[str]] = ..., flags: _Optional[_Iterable[str]] = ..., requested_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class MeasuredMetric(_message.Message):
    __slots__ = ("name", "value", "low", "high", "confidence", "sample_count", "is_stated", "covers")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    IS_STATED_FIELD_NUMBER: _ClassVar[int]
    COVERS_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: float
    low: float
    high: float
    confidence: float
    sample_count: int
    is_stated: bool
    covers: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., confidence: _Optional[float] = ..., sample_count: _Optional[int] = ..., is_stated: _Optional[bool] = ..., covers: _Optional[str] = ...) -> None: ...

class GroupScore(_message.Message):
    __slots__ = ("group", "sample_count", "accuracy", "low", "high", "confidence", "answered_count", "answered_accuracy")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    ACCURACY_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_COUNT_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_ACCURACY_FIELD_NUMBER: _ClassVar[int]
    group: str
    sample_count: int
    accuracy: float
    low: float
    high: float
    confidence: float
    answered_count: int
    answered_accuracy: float
    def __init__(self, group: _Optional[str] = ..., sample_count: _Optional[int] = ..., accuracy: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., confidence: _Optional[float] = ..., answered_count: _Optional[int] = ..., answered_accuracy: _Optional[float] = ...) -> None: ...

class Run(_message.Message):
    __slots__ = ("id", "kind", "status", "fence", "attempt_count", "planned_count", "done_count", "requests_settled", "requests_lost", "fault_side", "fault_code", "fault_message", "returned_model", "metrics", "flags", "snapshot", "fingerprint", "bundle_sha256", "public_bundle_sha256", "bundle_size_bytes", "created_at", "started_at", "finished_at", "findings", "groups", "input_tokens", "output_tokens", "cost_usd")
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    FENCE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    PLANNED_COUNT_FIELD_NUMBER: _ClassVar[int]
    DONE_COUNT_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_SETTLED_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_LOST_FIELD_NUMBER: _ClassVar[int]
    FAULT_SIDE_FIELD_NUMBER: _ClassVar[int]
    FAULT_CODE_FIELD_NUMBER: _ClassVar[int]
    FAULT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RETURNED_MODEL_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    BUNDLE_SHA256_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_BUNDLE_SHA256_FIELD_NUMBER: _ClassVar[int]
    BUNDLE_SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COST_USD_FIELD_NUMBER: _ClassVar[int]
    id: str
    kind: _benchmarks_pb2.BenchmarkKind
    status: RunStatus
    fence: int
    attempt_count: int
    planned_count: int
    done_count: int
    requests_settled: int
    requests_lost: int
    fault_side: FaultSide
    fault_code: str
    fault_message: str
    returned_model: str
    metrics: _containers.RepeatedCompositeFieldContainer[MeasuredMetric]
    flags: _containers.RepeatedScalarFieldContainer[str]
    snapshot: _struct_pb2.Struct
    fingerprint: str
    bundle_sha256: str
    public_bundle_sha256: str
    bundle_size_bytes: int
    created_at: _timestamp_pb2.Timestamp
    started_at: _timestamp_pb2.Timestamp
    finished_at: _timestamp_pb2.Timestamp
    findings: _struct_pb2.Struct
    groups: _containers.RepeatedCompositeFieldContainer[GroupScore]
    input_tokens: int
    output_tokens: int
    cost_usd: str
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[_Union[_benchmarks_pb2.BenchmarkKind, str]] = ..., status: _Optional[_Union[RunStatus, str]] = ..., fence: _Optional[int] = ..., attempt_count: _Optional[int] = ..., planned_count: _Optional[int] = ..., done_count: _Optional[int] = ..., requests_settled: _Optional[int] = ..., requests_lost: _Optional[int] = ..., fault_side: _Optional[_Union[FaultSide, str]] = ..., fault_code: _Optional[str] = ..., fault_message: _Optional[str] = ..., returned_model: _Optional[str] = ..., metrics: _Optional[_Iterable[_Union[MeasuredMetric, _Mapping]]] = ..., flags: _Optional[_Iterable[str]] = ..., snapshot: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., fingerprint: _Optional[str] = ..., bundle_sha256: _Optional[str] = ..., public_bundle_sha256: _Optional[str] = ..., bundle_size_bytes: _Optional[int] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., findings: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., groups: _Optional[_Iterable[_Union[GroupScore, _Mapping]]] = ..., input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., cost_usd: _Optional[str] = ...) -> None: ...

class Bundle(_message.Message):
    __slots__ = ("run_id", "sha256", "content", "part")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    sha256: str
    content: bytes
    part: str
    def __init__(self, run_id: _Optional[str] = ..., sha256: _Optional[str] = ..., content: _Optional[bytes] = ..., part: _Optional[str] = ...) -> None: ...

class CaseComparison(_message.Message):
    __slots__ = ("key", "claimed_score", "measured_score", "measured_answer", "reference", "error", "answer_digest")
    KEY_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_SCORE_FIELD_NUMBER: _ClassVar[int]
    MEASURED_SCORE_FIELD_NUMBER: _ClassVar[int]
    MEASURED_ANSWER_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    ANSWER_DIGEST_FIELD_NUMBER: _ClassVar[int]
    key: str
    claimed_score: float
    measured_score: float
    measured_answer: str
    reference: str
    error: str
    answer_digest: str
    def __init__(self, key: _Optional[str] = ..., claimed_score: _Optional[float] = ..., measured_score: _Optional[float] = ..., measured_answer: _Optional[str] = ..., reference: _Optional[str] = ..., error: _Optional[str] = ..., answer_digest: _Optional[str] = ...) -> None: ...

class ListSubmissionsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "benchmark_id", "version_id", "model_id", "organization_id", "verdict")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    benchmark_id: str
    version_id: str
    model_id: str
    organization_id: str
    verdict: Verdict
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., benchmark_id: _Optional[str] = ..., version_id: _Optional[str] = ..., model_id: _Optional[str] = ..., organization_id: _Optional[str] = ..., verdict: _Optional[_Union[Verdict, str]] = ...) -> None: ...

class ListSubmissionsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Submission]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Submission, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SubmitResultsRequest(_message.Message):
    __slots__ = ("organization_id", "benchmark_id", "version", "model", "deployment_id", "claims", "cases", "configuration", "visibility", "notes")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    CASES_FIELD_NUMBER: _ClassVar[int]
    CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    benchmark_id: str
    version: str
    model: ModelReference
    deployment_id: str
    claims: _containers.RepeatedCompositeFieldContainer[MetricClaim]
    cases: _containers.RepeatedCompositeFieldContainer[CaseClaim]
    configuration: Configuration
    visibility: _benchmarks_pb2.Visibility
    notes: str
    def __init__(self, organization_id: _Optional[str] = ..., benchmark_id: _Optional[str] = ..., version: _Optional[str] = ..., model: _Optional[_Union[ModelReference, _Mapping]] = ..., deployment_id: _Optional[str] = ..., claims: _Optional[_Iterable[_Union[MetricClaim, _Mapping]]] = ..., cases: _Optional[_Iterable[_Union[CaseClaim, _Mapping]]] = ..., configuration: _Optional[_Union[Configuration, _Mapping]] = ..., visibility: _Optional[_Union[_benchmarks_pb2.Visibility, str]] = ..., notes: _Optional[str] = ...) -> None: ...

class CheckSubmissionRequest(_message.Message):
    __slots__ = ("organization_id", "benchmark_id", "version", "model", "deployment_id", "claims", "cases", "configuration")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    CASES_FIELD_NUMBER: _ClassVar[int]
    CONFIGURATION_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    benchmark_id: str
    version: str
    model: ModelReference
    deployment_id: str
    claims: _containers.RepeatedCompositeFieldContainer[MetricClaim]
    cases: _containers.RepeatedCompositeFieldContainer[CaseClaim]
    configuration: Configuration
    def __init__(self, organization_id: _Optional[str] = ..., benchmark_id: _Optional[str] = ..., version: _Optional[str] = ..., model: _Optional[_Union[ModelReference, _Mapping]] = ..., deployment_id: _Optional[str] = ..., claims: _Optional[_Iterable[_Union[MetricClaim, _Mapping]]] = ..., cases: _Optional[_Iterable[_Union[CaseClaim, _Mapping]]] = ..., configuration: _Optional[_Union[Configuration, _Mapping]] = ...) -> None: ...

class GetSubmissionRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class WithdrawSubmissionRequest(_message.Message):
    __slots__ = ("id", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    reason: str
    def __init__(self, id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ChangeSubmissionVisibilityRequest(_message.Message):
    __slots__ = ("id", "visibility")
    ID_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    id: str
    visibility: _benchmarks_pb2.Visibility
    def __init__(self, id: _Optional[str] = ..., visibility: _Optional[_Union[_benchmarks_pb2.Visibility, str]] = ...) -> None: ...

class ListEvidenceRequest(_message.Message):
    __slots__ = ("submission_id", "page_size", "page_token")
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    submission_id: str
    page_size: int
    page_token: str
    def __init__(self, submission_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEvidenceResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Evidence]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Evidence, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AddEvidenceRequest(_message.Message):
    __slots__ = ("submission_id", "name", "content", "sha256")
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    submission_id: str
    name: str
    content: bytes
    sha256: str
    def __init__(self, submission_id: _Optional[str] = ..., name: _Optional[str] = ..., content: _Optional[bytes] = ..., sha256: _Optional[str] = ...) -> None: ...

class DownloadEvidenceRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class BeginEvidenceUploadRequest(_message.Message):
    __slots__ = ("submission_id", "name", "size_bytes", "sha256")
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    submission_id: str
    name: str
    size_bytes: int
    sha256: str
    def __init__(self, submission_id: _Optional[str] = ..., name: _Optional[str] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ...) -> None: ...

class CompleteEvidenceUploadRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetEvidenceLinkRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetVerificationBoundRequest(_message.Message):
    __slots__ = ("submission_id",)
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    submission_id: str
    def __init__(self, submission_id: _Optional[str] = ...) -> None: ...

class RequestVerificationRequest(_message.Message):
    __slots__ = ("submission_id", "accept_bound", "repeat_reason")
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_BOUND_FIELD_NUMBER: _ClassVar[int]
    REPEAT_REASON_FIELD_NUMBER: _ClassVar[int]
    submission_id: str
    accept_bound: str
    repeat_reason: str
    def __init__(self, submission_id: _Optional[str] = ..., accept_bound: _Optional[str] = ..., repeat_reason: _Optional[str] = ...) -> None: ...

class ListVerificationsRequest(_message.Message):
    __slots__ = ("submission_id", "page_size", "page_token")
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    submission_id: str
    page_size: int
    page_token: str
    def __init__(self, submission_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListVerificationsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Verification]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Verification, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetVerificationRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class CancelVerificationRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListCaseComparisonsRequest(_message.Message):
    __slots__ = ("verification_id", "page_size", "page_token")
    VERIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    verification_id: str
    page_size: int
    page_token: str
    def __init__(self, verification_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCaseComparisonsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[CaseComparison]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[CaseComparison, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRunRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class DownloadBundleRequest(_message.Message):
    __slots__ = ("run_id", "part")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    part: str
    def __init__(self, run_id: _Optional[str] = ..., part: _Optional[str] = ...) -> None: ...
