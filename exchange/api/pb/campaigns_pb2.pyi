import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from exchange.api.pb import endpoints_pb2 as _endpoints_pb2
from exchange.api.pb import submissions_pb2 as _submissions_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CampaignMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAMPAIGN_MODE_UNSPECIFIED: _ClassVar[CampaignMode]
    CAMPAIGN_MODE_FULL: _ClassVar[CampaignMode]
    CAMPAIGN_MODE_NEW: _ClassVar[CampaignMode]
    CAMPAIGN_MODE_ACTIVE: _ClassVar[CampaignMode]
    CAMPAIGN_MODE_UNSTABLE: _ClassVar[CampaignMode]
    CAMPAIGN_MODE_FAILED: _ClassVar[CampaignMode]
    CAMPAIGN_MODE_UNSTABLE_FAILED: _ClassVar[CampaignMode]
    CAMPAIGN_MODE_ONE: _ClassVar[CampaignMode]

class CampaignStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAMPAIGN_STATUS_UNSPECIFIED: _ClassVar[CampaignStatus]
    CAMPAIGN_STATUS_QUEUED: _ClassVar[CampaignStatus]
    CAMPAIGN_STATUS_RUNNING: _ClassVar[CampaignStatus]
    CAMPAIGN_STATUS_COMPLETED: _ClassVar[CampaignStatus]
    CAMPAIGN_STATUS_COMPLETED_WITH_ERRORS: _ClassVar[CampaignStatus]
    CAMPAIGN_STATUS_FAILED: _ClassVar[CampaignStatus]
    CAMPAIGN_STATUS_CANCELLED: _ClassVar[CampaignStatus]

class CampaignVia(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAMPAIGN_VIA_UNSPECIFIED: _ClassVar[CampaignVia]
    CAMPAIGN_VIA_API: _ClassVar[CampaignVia]
    CAMPAIGN_VIA_GRPC: _ClassVar[CampaignVia]
    CAMPAIGN_VIA_CLI: _ClassVar[CampaignVia]
    CAMPAIGN_VIA_MCP: _ClassVar[CampaignVia]
    CAMPAIGN_VIA_WEB: _ClassVar[CampaignVia]

class CampaignStage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAMPAIGN_STAGE_UNSPECIFIED: _ClassVar[CampaignStage]
    CAMPAIGN_STAGE_PENDING: _ClassVar[CampaignStage]
    CAMPAIGN_STAGE_CAPABILITY: _ClassVar[CampaignStage]
    CAMPAIGN_STAGE_SMOKE: _ClassVar[CampaignStage]
    CAMPAIGN_STAGE_STABILITY: _ClassVar[CampaignStage]
    CAMPAIGN_STAGE_BENCHMARK: _ClassVar[CampaignStage]
    CAMPAIGN_STAGE_DONE: _ClassVar[CampaignStage]

class CampaignOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAMPAIGN_OUTCOME_UNSPECIFIED: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_ACTIVE: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_UNSTABLE: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_NOT_AVAILABLE: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_INCOMPATIBLE: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_UNSUPPORTED: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_FAILED: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_SKIPPED_UNSUPPORTED_PROFILE: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_BENCHMARK_ERROR: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_AUTH_ERROR: _ClassVar[CampaignOutcome]
    CAMPAIGN_OUTCOME_CANCELLED: _ClassVar[CampaignOutcome]

class MeasurementStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEASUREMENT_STATUS_UNSPECIFIED: _ClassVar[MeasurementStatus]
    MEASUREMENT_STATUS_PENDING: _ClassVar[MeasurementStatus]
    MEASUREMENT_STATUS_RUNNING: _ClassVar[MeasurementStatus]
    MEASUREMENT_STATUS_SUCCEEDED: _ClassVar[MeasurementStatus]
    MEASUREMENT_STATUS_SKIPPED: _ClassVar[MeasurementStatus]
    MEASUREMENT_STATUS_FAILED: _ClassVar[MeasurementStatus]
    MEASUREMENT_STATUS_CANCELLED: _ClassVar[MeasurementStatus]
CAMPAIGN_MODE_UNSPECIFIED: CampaignMode
CAMPAIGN_MODE_FULL: CampaignMode
CAMPAIGN_MODE_NEW: CampaignMode
CAMPAIGN_MODE_ACTIVE: CampaignMode
CAMPAIGN_MODE_UNSTABLE: CampaignMode
CAMPAIGN_MODE_FAILED: CampaignMode
CAMPAIGN_MODE_UNSTABLE_FAILED: CampaignMode
CAMPAIGN_MODE_ONE: CampaignMode
CAMPAIGN_STATUS_UNSPECIFIED: CampaignStatus
CAMPAIGN_STATUS_QUEUED: CampaignStatus
CAMPAIGN_STATUS_RUNNING: CampaignStatus
CAMPAIGN_STATUS_COMPLETED: CampaignStatus
CAMPAIGN_STATUS_COMPLETED_WITH_ERRORS: CampaignStatus
CAMPAIGN_STATUS_FAILED: CampaignStatus
CAMPAIGN_STATUS_CANCELLED: CampaignStatus
CAMPAIGN_VIA_UNSPECIFIED: CampaignVia
CAMPAIGN_VIA_API: CampaignVia
CAMPAIGN_VIA_GRPC: CampaignVia
CAMPAIGN_VIA_CLI: CampaignVia
CAMPAIGN_VIA_MCP: CampaignVia
CAMPAIGN_VIA_WEB: CampaignVia
CAMPAIGN_STAGE_UNSPECIFIED: CampaignStage
CAMPAIGN_STAGE_PENDING: CampaignStage
CAMPAIGN_STAGE_CAPABILITY: CampaignStage
CAMPAIGN_STAGE_SMOKE: CampaignStage
CAMPAIGN_STAGE_STABILITY: CampaignStage
CAMPAIGN_STAGE_BENCHMARK: CampaignStage
CAMPAIGN_STAGE_DONE: CampaignStage
CAMPAIGN_OUTCOME_UNSPECIFIED: CampaignOutcome
CAMPAIGN_OUTCOME_ACTIVE: CampaignOutcome
CAMPAIGN_OUTCOME_UNSTABLE: CampaignOutcome
CAMPAIGN_OUTCOME_NOT_AVAILABLE: CampaignOutcome
CAMPAIGN_OUTCOME_INCOMPATIBLE: CampaignOutcome
CAMPAIGN_OUTCOME_UNSUPPORTED: CampaignOutcome
CAMPAIGN_OUTCOME_FAILED: CampaignOutcome
CAMPAIGN_OUTCOME_SKIPPED_UNSUPPORTED_PROFILE: CampaignOutcome
CAMPAIGN_OUTCOME_BENCHMARK_ERROR: CampaignOutcome
CAMPAIGN_OUTCOME_AUTH_ERROR: CampaignOutcome
CAMPAIGN_OUTCOME_CANCELLED: CampaignOutcome
MEASUREMENT_STATUS_UNSPECIFIED: MeasurementStatus
MEASUREMENT_STATUS_PENDING: MeasurementStatus
MEASUREMENT_STATUS_RUNNING: MeasurementStatus
MEASUREMENT_STATUS_SUCCEEDED: MeasurementStatus
MEASUREMENT_STATUS_SKIPPED: MeasurementStatus
MEASUREMENT_STATUS_FAILED: MeasurementStatus
MEASUREMENT_STATUS_CANCELLED: MeasurementStatus

class CampaignEndpoint(_message.Message):
    __slots__ = ("endpoint_id", "endpoint_name", "fault_code", "fault_message")
    ENDPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_NAME_FIELD_NUMBER: _ClassVar[int]
    FAULT_CODE_FIELD_NUMBER: _ClassVar[int]
    FAULT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    endpoint_id: str
    endpoint_name: str
    fault_code: str
    fault_message: str
    def __init__(self, endpoint_id: _Optional[str] = ..., endpoint_name: _Optional[str] = ..., fault_code: _Optional[str] = ..., fault_message: _Optional[str] = ...) -> None: ...

class Campaign(_message.Message):
    __slots__ = ("id", "organization_id", "endpoint_id", "endpoint_name", "deployment_id", "mode", "profile_version_id", "profile_slug", "profile_version", "refresh", "status", "via", "requested_by_name", "fault_code", "fault_message", "endpoints", "percent", "item_count", "done_count", "failed_measurement_count", "outcomes", "is_demo", "created_at", "cancel_requested_at", "started_at", "finished_at")
    class OutcomesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_NAME_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    PROFILE_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    PROFILE_SLUG_FIELD_NUMBER: _ClassVar[int]
    PROFILE_VERSION_FIELD_NUMBER: _ClassVar[int]
    REFRESH_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    VIA_FIELD_NUMBER: _ClassVar[int]
    REQUESTED_BY_NAME_FIELD_NUMBER: _ClassVar[int]
    FAULT_CODE_FIELD_NUMBER: _ClassVar[int]
    FAULT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    ENDPOINTS_FIELD_NUMBER: _ClassVar[int]
    PERCENT_FIELD_NUMBER: _ClassVar[int]
    ITEM_COUNT_FIELD_NUMBER: _ClassVar[int]
    DONE_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILED_MEASUREMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    CANCEL_REQUESTED_AT_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    organization_id: str
    endpoint_id: str
    endpoint_name: str
    deployment_id: str
    mode: CampaignMode
    profile_version_id: str
    profile_slug: str
    profile_version: str
    refresh: bool
    status: CampaignStatus
    via: CampaignVia
    requested_by_name: str
    fault_code: str
    fault_message: str
    endpoints: _containers.RepeatedCompositeFieldContainer[CampaignEndpoint]
    percent: float
    item_count: int
    done_count: int
    failed_measurement_count: int
    outcomes: _containers.ScalarMap[str, int]
    is_demo: bool
    created_at: _timestamp_pb2.Timestamp
    cancel_requested_at: _timestamp_pb2.Timestamp
    started_at: _timestamp_pb2.Timestamp
    finished_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., organization_id: _Optional[str] = ..., endpoint_id: _Optional[str] = ..., endpoint_name: _Optional[str] = ..., deployment_id: _Optional[str] = ..., mode: _Optional[_Union[CampaignMode, str]] = ..., profile_version_id: _Optional[str] = ..., profile_slug: _Optional[str] = ..., profile_version: _Optional[str] = ..., refresh: _Optional[bool] = ..., status: _Optional[_Union[CampaignStatus, str]] = ..., via: _Optional[_Union[CampaignVia, str]] = ..., requested_by_name: _Optional[str] = ..., fault_code: _Optional[str] = ..., fault_message: _Optional[str] = ..., endpoints: _Optional[_Iterable[_Union[CampaignEndpoint, _Mapping]]] = ..., percent: _Optional[float] = ..., item_count: _Optional[int] = ..., done_count: _Optional[int] = ..., failed_measurement_count: _Optional[int] = ..., outcomes: _Optional[_Mapping[str, int]] = ..., is_demo: _Optional[bool] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., cancel_requested_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CampaignItem(_message.Message):
    __slots__ = ("id", "campaign_id", "deployment_id", "endpoint_id", "endpoint_name", "served_name", "model_id", "position", "stage", "outcome", "initial_status", "final_status", "status_reason", "message", "capability", "capability_source", "capability_confidence", "protocol", "measurement_status", "measurement_side", "measurement_code", "measurement_message", "performance_run_id", "attempt_count", "is_simulated", "started_at", "finished_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    CAMPAIGN_ID_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_NAME_FIELD_NUMBER: _ClassVar[int]
    SERVED_NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    INITIAL_STATUS_FIELD_NUMBER: _ClassVar[int]
    FINAL_STATUS_FIELD_NUMBER: _ClassVar[int]
    STATUS_REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_SOURCE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    MEASUREMENT_STATUS_FIELD_NUMBER: _ClassVar[int]
    MEASUREMENT_SIDE_FIELD_NUMBER: _ClassVar[int]
    MEASUREMENT_CODE_FIELD_NUMBER: _ClassVar[int]
    MEASUREMENT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PERFORMANCE_RUN_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    IS_SIMULATED_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    campaign_id: str
    deployment_id: str
    endpoint_id: str
    endpoint_name: str
    served_name: str
    model_id: str
    position: int
    stage: CampaignStage
    outcome: CampaignOutcome
    initial_status: _endpoints_pb2.DeploymentStatus
    final_status: _endpoints_pb2.DeploymentStatus
    status_reason: str
    message: str
    capability: _endpoints_pb2.Capability
    capability_source: _endpoints_pb2.CapabilitySource
    capability_confidence: float
    protocol: str
    measurement_status: MeasurementStatus
    measurement_side: _submissions_pb2.FaultSide
    measurement_code: str
    measurement_message: str
    performance_run_id: str
    attempt_count: int
    is_simulated: bool
    started_at: _timestamp_pb2.Timestamp
    finished_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., campaign_id: _Optional[str] = ..., deployment_id: _Optional[str] = ..., endpoint_id: _Optional[str] = ..., endpoint_name: _Optional[str] = ..., served_name: _Optional[str] = ..., model_id: _Optional[str] = ..., position: _Optional[int] = ..., stage: _Optional[_Union[CampaignStage, str]] = ..., outcome: _Optional[_Union[CampaignOutcome, str]] = ..., initial_status: _Optional[_Union[_endpoints_pb2.DeploymentStatus, str]] = ..., final_status: _Optional[_Union[_endpoints_pb2.DeploymentStatus, str]] = ..., status_reason: _Optional[str] = ..., message: _Optional[str] = ..., capability: _Optional[_Union[_endpoints_pb2.Capability, str]] = ..., capability_source: _Optional[_Union[_endpoints_pb2.CapabilitySource, str]] = ..., capability_confidence: _Optional[float] = ..., protocol: _Optional[str] = ..., measurement_status: _Optional[_Union[MeasurementStatus, str]] = ..., measurement_side: _Optional[_Union[_submissions_pb2.FaultSide, str]] = ..., measurement_code: _Optional[str] = ..., measurement_message: _Optional[str] = ..., performance_run_id: _Optional[str] = ..., attempt_count: _Optional[int] = ..., is_simulated: _Optional[bool] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CampaignProbe(_message.Message):
    __slots__ = ("step", "number", "status", "error", "latency_ms", "retry_after_seconds", "excerpt")
    STEP_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    LATENCY_MS_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_SECONDS_FIELD_NUMBER: _ClassVar[int]
    EXCERPT_FIELD_NUMBER: _ClassVar[int]
    step: str
    number: int
    status: int
    error: str
    latency_ms: float
    retry_after_seconds: float
    excerpt: str
    def __init__(self, step: _Optional[str] = ..., number: _Optional[int] = ..., status: _Optional[int] = ..., error: _Optional[str] = ..., latency_ms: _Optional[float] = ..., retry_after_seconds: _Optional[float] = ..., excerpt: _Optional[str] = ...) -> None: ...

class CampaignResult(_message.Message):
    __slots__ = ("id", "campaign_id", "deployment_id", "endpoint_id", "endpoint_name", "served_name", "model_id", "position", "stage", "outcome", "initial_status", "final_status", "status_reason", "message", "capability", "capability_source", "capability_confidence", "protocol", "measurement_status", "measurement_side", "measurement_code", "measurement_message", "performance_run_id", "attempt_count", "is_simulated", "started_at", "finished_at", "probes", "figures")
    ID_FIELD_NUMBER: _ClassVar[int]
    CAMPAIGN_ID_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_NAME_FIELD_NUMBER: _ClassVar[int]
    SERVED_NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    INITIAL_STATUS_FIELD_NUMBER: _ClassVar[int]
    FINAL_STATUS_FIELD_NUMBER: _ClassVar[int]
    STATUS_REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_SOURCE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    MEASUREMENT_STATUS_FIELD_NUMBER: _ClassVar[int]
    MEASUREMENT_SIDE_FIELD_NUMBER: _ClassVar[int]
    MEASUREMENT_CODE_FIELD_NUMBER: _ClassVar[int]
    MEASUREMENT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PERFORMANCE_RUN_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    IS_SIMULATED_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_AT_FIELD_NUMBER: _ClassVar[int]
    PROBES_FIELD_NUMBER: _ClassVar[int]
    FIGURES_FIELD_NUMBER: _ClassVar[int]
    id: str
    campaign_id: str
    deployment_id: str
    endpoint_id: str
    endpoint_name: str
    served_name: str
    model_id: str
    position: int
    stage: CampaignStage
    outcome: CampaignOutcome
    initial_status: _endpoints_pb2.DeploymentStatus
    final_status: _endpoints_pb2.DeploymentStatus
    status_reason: str
    message: str
    capability: _endpoints_pb2.Capability
    capability_source: _endpoints_pb2.CapabilitySource
    capability_confidence: float
    protocol: str
    measurement_status: MeasurementStatus
    measurement_side: _submissions_pb2.FaultSide
    measurement_code: str
    measurement_message: str
    performance_run_id: str
    attempt_count: int
    is_simulated: bool
    started_at: _timestamp_pb2.Timestamp
    finished_at: _timestamp_pb2.Timestamp
    probes: _containers.RepeatedCompositeFieldContainer[CampaignProbe]
    figures: _struct_pb2.Struct
    def __init__(self, id: _Optional[str] = ..., campaign_id: _Optional[str] = ..., deployment_id: _Optional[str] = ..., endpoint_id: _Optional[str] = ..., endpoint_name: _Optional[str] = ..., served_name: _Optional[str] = ..., model_id: _Optional[str] = ..., position: _Optional[int] = ..., stage: _Optional[_Union[CampaignStage, str]] = ..., outcome: _Optional[_Union[CampaignOutcome, str]] = ..., initial_status: _Optional[_Union[_endpoints_pb2.DeploymentStatus, str]] = ..., final_status: _Optional[_Union[_endpoints_pb2.DeploymentStatus, str]] = ..., status_reason: _Optional[str] = ..., message: _Optional[str] = ..., capability: _Optional[_Union[_endpoints_pb2.Capability, str]] = ..., capability_source: _Optional[_Union[_endpoints_pb2.CapabilitySource, str]] = ..., capability_confidence: _Optional[float] = ..., protocol: _Optional[str] = ..., measurement_status: _Optional[_Union[MeasurementStatus, str]] = ..., measurement_side: _Optional[_Union[_submissions_pb2.FaultSide, str]] = ..., measurement_code: _Optional[str] = ..., measurement_message: _Optional[str] = ..., performance_run_id: _Optional[str] = ..., attempt_count: _Optional[int] = ..., is_simulated: _Optional[bool] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., probes: _Optional[_Iterable[_Union[CampaignProbe, _Mapping]]] = ..., figures: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class CampaignChange(_message.Message):
    __slots__ = ("deployment_id", "endpoint_name", "served_name", "previous_status", "status", "previous_reason", "reason", "is_changed", "ratios")
    class RatiosEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_NAME_FIELD_NUMBER: _ClassVar[int]
    SERVED_NAME_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_STATUS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_REASON_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    IS_CHANGED_FIELD_NUMBER: _ClassVar[int]
    RATIOS_FIELD_NUMBER: _ClassVar[int]
    deployment_id: str
    endpoint_name: str
    served_name: str
    previous_status: _endpoints_pb2.DeploymentStatus
    status: _endpoints_pb2.DeploymentStatus
    previous_reason: str
    reason: str
    is_changed: bool
    ratios: _containers.ScalarMap[str, float]
    def __init__(self, deployment_id: _Optional[str] = ..., endpoint_name: _Optional[str] = ..., served_name: _Optional[str] = ..., previous_status: _Optional[_Union[_endpoints_pb2.DeploymentStatus, str]] = ..., status: _Optional[_Union[_endpoints_pb2.DeploymentStatus, str]] = ..., previous_reason: _Optional[str] = ..., reason: _Optional[str] = ..., is_changed: _Optional[bool] = ..., ratios: _Optional[_Mapping[str, float]] = ...) -> None: ...

class CampaignComparison(_message.Message):
    __slots__ = ("campaign", "previous", "appeared", "vanished", "changes")
    CAMPAIGN_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_FIELD_NUMBER: _ClassVar[int]
    APPEARED_FIELD_NUMBER: _ClassVar[int]
    VANISHED_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    campaign: Campaign
    previous: Campaign
    appeared: _containers.RepeatedCompositeFieldContainer[CampaignItem]
    vanished: _containers.RepeatedCompositeFieldContainer[CampaignItem]
    changes: _containers.RepeatedCompositeFieldContainer[CampaignChange]
    def __init__(self, campaign: _Optional[_Union[Campaign, _Mapping]] = ..., previous: _Optional[_Union[Campaign, _Mapping]] = ..., appeared: _Optional[_Iterable[_Union[CampaignItem, _Mapping]]] = ..., vanished: _Optional[_Iterable[_Union[CampaignItem, _Mapping]]] = ..., changes: _Optional[_Iterable[_Union[CampaignChange, _Mapping]]] = ...) -> None: ...

class CampaignExport(_message.Message):
    __slots__ = ("campaign_id", "name", "media_type", "content")
    CAMPAIGN_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    campaign_id: str
    name: str
    media_type: str
    content: bytes
    def __init__(self, campaign_id: _Optional[str] = ..., name: _Optional[str] = ..., media_type: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class StartCampaignRequest(_message.Message):
    __slots__ = ("organization_id", "mode", "endpoint_id", "deployment_id", "profile_version_id", "refresh")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROFILE_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    REFRESH_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    mode: CampaignMode
    endpoint_id: str
    deployment_id: str
    profile_version_id: str
    refresh: bool
    def __init__(self, organization_id: _Optional[str] = ..., mode: _Optional[_Union[CampaignMode, str]] = ..., endpoint_id: _Optional[str] = ..., deployment_id: _Optional[str] = ..., profile_version_id: _Optional[str] = ..., refresh: _Optional[bool] = ...) -> None: ...

class ListCampaignsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "organization_id", "endpoint_id", "status")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    organization_id: str
    endpoint_id: str
    status: CampaignStatus
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., organization_id: _Optional[str] = ..., endpoint_id: _Optional[str] = ..., status: _Optional[_Union[CampaignStatus, str]] = ...) -> None: ...

class ListCampaignsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Campaign]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Campaign, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetCampaignRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class CancelCampaignRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListCampaignItemsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "campaign_id", "status", "outcome")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CAMPAIGN_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    campaign_id: str
    status: _endpoints_pb2.DeploymentStatus
    outcome: CampaignOutcome
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., campaign_id: _Optional[str] = ..., status: _Optional[_Union[_endpoints_pb2.DeploymentStatus, str]] = ..., outcome: _Optional[_Union[CampaignOutcome, str]] = ...) -> None: ...

class ListCampaignItemsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[CampaignItem]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[CampaignItem, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListCampaignResultsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "campaign_id", "status", "outcome")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CAMPAIGN_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    campaign_id: str
    status: _endpoints_pb2.DeploymentStatus
    outcome: CampaignOutcome
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., campaign_id: _Optional[str] = ..., status: _Optional[_Union[_endpoints_pb2.DeploymentStatus, str]] = ..., outcome: _Optional[_Union[CampaignOutcome, str]] = ...) -> None: ...

class ListCampaignResultsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[CampaignResult]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[CampaignResult, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CompareCampaignsRequest(_message.Message):
    __slots__ = ("id", "previous")
    ID_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_FIELD_NUMBER: _ClassVar[int]
    id: str
    previous: str
    def __init__(self, id: _Optional[str] = ..., previous: _Optional[str] = ...) -> None: ...

class ExportCampaignRequest(_message.Message):
    __slots__ = ("id", "format")
    ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    id: str
    format: str
    def __init__(self, id: _Optional[str] = ..., format: _Optional[str] = ...) -> None: ...
