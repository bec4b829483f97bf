import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CredentialSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CREDENTIAL_SOURCE_UNSPECIFIED: _ClassVar[CredentialSource]
    CREDENTIAL_SOURCE_NONE: _ClassVar[CredentialSource]
    CREDENTIAL_SOURCE_STORED: _ClassVar[CredentialSource]
    CREDENTIAL_SOURCE_ENVIRONMENT: _ClassVar[CredentialSource]

class Capability(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAPABILITY_UNSPECIFIED: _ClassVar[Capability]
    CAPABILITY_CHAT_TEXT: _ClassVar[Capability]
    CAPABILITY_EMBEDDING: _ClassVar[Capability]
    CAPABILITY_VISION: _ClassVar[Capability]
    CAPABILITY_MULTIMODAL: _ClassVar[Capability]
    CAPABILITY_PARSER: _ClassVar[Capability]
    CAPABILITY_TRANSLATION: _ClassVar[Capability]
    CAPABILITY_SAFETY: _ClassVar[Capability]
    CAPABILITY_RERANK: _ClassVar[Capability]
    CAPABILITY_SPECIAL: _ClassVar[Capability]
    CAPABILITY_UNKNOWN: _ClassVar[Capability]

class CapabilitySource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAPABILITY_SOURCE_UNSPECIFIED: _ClassVar[CapabilitySource]
    CAPABILITY_SOURCE_METADATA: _ClassVar[CapabilitySource]
    CAPABILITY_SOURCE_NAME: _ClassVar[CapabilitySource]
    CAPABILITY_SOURCE_PROBE: _ClassVar[CapabilitySource]
    CAPABILITY_SOURCE_MANUAL: _ClassVar[CapabilitySource]
    CAPABILITY_SOURCE_UNKNOWN: _ClassVar[CapabilitySource]

class DeploymentStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEPLOYMENT_STATUS_UNSPECIFIED: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_NEW: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_ACTIVE: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_UNSTABLE: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_NOT_AVAILABLE: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_INCOMPATIBLE: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_UNSUPPORTED: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_FAILED: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_DISABLED: _ClassVar[DeploymentStatus]
    DEPLOYMENT_STATUS_MISSING: _ClassVar[DeploymentStatus]
CREDENTIAL_SOURCE_UNSPECIFIED: CredentialSource
CREDENTIAL_SOURCE_NONE: CredentialSource
CREDENTIAL_SOURCE_STORED: CredentialSource
CREDENTIAL_SOURCE_ENVIRONMENT: CredentialSource
CAPABILITY_UNSPECIFIED: Capability
CAPABILITY_CHAT_TEXT: Capability
CAPABILITY_EMBEDDING: Capability
CAPABILITY_VISION: Capability
CAPABILITY_MULTIMODAL: Capability
CAPABILITY_PARSER: Capability
CAPABILITY_TRANSLATION: Capability
CAPABILITY_SAFETY: Capability
CAPABILITY_RERANK: Capability
CAPABILITY_SPECIAL: Capability
CAPABILITY_UNKNOWN: Capability
CAPABILITY_SOURCE_UNSPECIFIED: CapabilitySource
CAPABILITY_SOURCE_METADATA: CapabilitySource
CAPABILITY_SOURCE_NAME: CapabilitySource
CAPABILITY_SOURCE_PROBE: CapabilitySource
CAPABILITY_SOURCE_MANUAL: CapabilitySource
CAPABILITY_SOURCE_UNKNOWN: CapabilitySource
DEPLOYMENT_STATUS_UNSPECIFIED: DeploymentStatus
DEPLOYMENT_STATUS_NEW: DeploymentStatus
DEPLOYMENT_STATUS_ACTIVE: DeploymentStatus
DEPLOYMENT_STATUS_UNSTABLE: DeploymentStatus
DEPLOYMENT_STATUS_NOT_AVAILABLE: DeploymentStatus
DEPLOYMENT_STATUS_INCOMPATIBLE: DeploymentStatus
DEPLOYMENT_STATUS_UNSUPPORTED: DeploymentStatus
DEPLOYMENT_STATUS_FAILED: DeploymentStatus
DEPLOYMENT_STATUS_DISABLED: DeploymentStatus
DEPLOYMENT_STATUS_MISSING: DeploymentStatus

class Endpoint(_message.Message):
    __slots__ = ("id", "organization_id", "name", "provider_name", "base_url", "dialect", "has_credential", "operator_allowed", "is_simulated", "deployment_count", "discovered_at", "created_at", "is_demo", "credential_source", "protocol")
    ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    BASE_URL_FIELD_NUMBER: _ClassVar[int]
    DIALECT_FIELD_NUMBER: _ClassVar[int]
    HAS_CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    IS_SIMULATED_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    DISCOVERED_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_SOURCE_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    id: str
    organization_id: str
    name: str
    provider_name: str
    base_url: str
    dialect: str
    has_credential: bool
    operator_allowed: bool
    is_simulated: bool
    deployment_count: int
    discovered_at: _timestamp_pb2.Timestamp
    created_at: _timestamp_pb2.Timestamp
    is_demo: bool
    credential_source: CredentialSource
    protocol: str
    def __init__(self, id: _Optional[str] = ..., organization_id: _Optional[str] = ..., name: _Optional[str] = ..., provider_name: _Optional[str] = ..., base_url: _Optional[str] = ..., dialect: _Optional[str] = ..., has_credential: _Optional[bool] = ..., operator_allowed: _Optional[bool] = ..., is_simulated: _Optional[bool] = ..., deployment_count: _Optional[int] = ..., discovered_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_demo: _Optional[bool] = ..., credential_source: _Optional[_Union[CredentialSource, str]] = ..., protocol: _Optional[str] = ...) -> None: ...

class Deployment(_message.Message):
    __slots__ = ("id", "endpoint_id", "organization_id", "provider_name", "served_name", "model_id", "model_name", "model_publisher", "model_version", "is_listed", "is_simulated", "created_at", "is_demo", "status", "status_reason", "capability", "capability_source", "capability_confidence", "protocol", "first_seen_at", "last_seen_at", "last_success_at", "last_failure_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    SERVED_NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_PUBLISHER_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    IS_LISTED_FIELD_NUMBER: _ClassVar[int]
    IS_SIMULATED_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    STATUS_REASON_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_SOURCE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    FIRST_SEEN_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_SEEN_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_SUCCESS_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_FAILURE_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    endpoint_id: str
    organization_id: str
    provider_name: str
    served_name: str
    model_id: str
    model_name: str
    model_publisher: str
    model_version: str
    is_listed: bool
    is_simulated: bool
    created_at: _timestamp_pb2.Timestamp
    is_demo: bool
    status: DeploymentStatus
    status_reason: str
    capability: Capability
    capability_source: CapabilitySource
    capability_confidence: float
    protocol: str
    first_seen_at: _timestamp_pb2.Timestamp
    last_seen_at: _timestamp_pb2.Timestamp
    last_success_at: _timestamp_pb2.Timestamp
    last_failure_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., endpoint_id: _Optional[str] = ..., organization_id: _Optional[str] = ..., provider_name: _Optional[str] = ..., served_name: _Optional[str] = ..., model_id: _Optional[str] = ..., model_name: _Optional[str] = ..., model_publisher: _Optional[str] = ..., model_version: _Optional[str] = ..., is_listed: _Optional[bool] = ..., is_simulated: _Optional[bool] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_demo: _Optional[bool] = ..., status: _Optional[_Union[DeploymentStatus, str]] = ..., status_reason: _Optional[str] = ..., capability: _Optional[_Union[Capability, str]] = ..., capability_source: _Optional[_Union[CapabilitySource, str]] = ..., capability_confidence: _Optional[float] = ..., protocol: _Optional[str] = ..., first_seen_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_seen_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_success_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_failure_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeploymentStatusChange(_message.Message):
    __slots__ = ("old_status", "new_status", "reason", "campaign_id", "changed_by_name", "changed_at")
    OLD_STATUS_FIELD_NUMBER: _ClassVar[int]
    NEW_STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CAMPAIGN_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGED_BY_NAME_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    old_status: DeploymentStatus
    new_status: DeploymentStatus
    reason: str
    campaign_id: str
    changed_by_name: str
    changed_at: _timestamp_pb2.Timestamp
    def __init__(self, old_status: _Optional[_Union[DeploymentStatus, str]] = ..., new_status: _Optional[_Union[DeploymentStatus, str]] = ..., reason: _Optional[str] = ..., campaign_id: _Optional[str] = ..., changed_by_name: _Optional[str] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Price(_message.Message):
    __slots__ = ("id", "deployment_id", "input_per_million", "output_per_million", "effective_at", "set_by_name", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    INPUT_PER_MILLION_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_PER_MILLION_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_AT_FIELD_NUMBER: _ClassVar[int]
    SET_BY_NAME_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    deployment_id: str
    input_per_million: str
    output_per_million: str
    effective_at: _timestamp_pb2.Timestamp
    set_by_name: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., deployment_id: _Optional[str] = ..., input_per_million: _Optional[str] = ..., output_per_million: _Optional[str] = ..., effective_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., set_by_name: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class LanguageModel(_message.Message):
    __slots__ = ("id", "publisher", "name", "version", "publisher_verified", "aliases", "created_at", "is_demo")
    ID_FIELD_NUMBER: _ClassVar[int]
    PUBLISHER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PUBLISHER_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    id: str
    publisher: str
    name: str
    version: str
    publisher_verified: bool
    aliases: _containers.RepeatedScalarFieldContainer[str]
    created_at: _timestamp_pb2.Timestamp
    is_demo: bool
    def __init__(self, id: _Optional[str] = ..., publisher: _Optional[str] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., publisher_verified: _Optional[bool] = ..., aliases: _Optional[_Iterable[str]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_demo: _Optional[bool] = ...) -> None: ...

class ListEndpointsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "organization_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    organization_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., organization_id: _Optional[str] = ...) -> None: ...

class ListEndpointsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Endpoint]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Endpoint, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RegisterEndpointRequest(_message.Message):
    __slots__ = ("organization_id", "name", "provider_name", "base_url", "api_key", "protocol")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    BASE_URL_FIELD_NUMBER: _ClassVar[int]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    name: str
    provider_name: str
    base_url: str
    api_key: str
    protocol: str
    def __init__(self, organization_id: _Optional[str] = ..., name: _Optional[str] = ..., provider_name: _Optional[str] = ..., base_url: _Optional[str] = ..., api_key: _Optional[str] = ..., protocol: _Optional[str] = ...) -> None: ...

class GetEndpointRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class UpdateEndpointRequest(_message.Message):
    __slots__ = ("id", "name", "provider_name", "base_url", "api_key", "protocol")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    BASE_URL_FIELD_NUMBER: _ClassVar[int]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    provider_name: str
    base_url: str
    api_key: str
    protocol: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., provider_name: _Optional[str] = ..., base_url: _Optional[str] = ..., api_key: _Optional[str] = ..., protocol: _Optional[str] = ...) -> None: ...

class DiscoverModelsRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListDeploymentsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "endpoint_id", "status", "capability")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    endpoint_id: str
    status: DeploymentStatus
    capability: Capability
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., endpoint_id: _Optional[str] = ..., status: _Optional[_Union[DeploymentStatus, str]] = ..., capability: _Optional[_Union[Capability, str]] = ...) -> None: ...

class ListDeploymentsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Deployment]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Deployment, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetDeploymentRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class UpdateDeploymentRequest(_message.Message):
    __slots__ = ("id", "capability", "is_disabled")
    ID_FIELD_NUMBER: _ClassVar[int]
    CAPABILITY_FIELD_NUMBER: _ClassVar[int]
    IS_DISABLED_FIELD_NUMBER: _ClassVar[int]
    id: str
    capability: str
    is_disabled: bool
    def __init__(self, id: _Optional[str] = ..., capability: _Optional[str] = ..., is_disabled: _Optional[bool] = ...) -> None: ...

class ListDeploymentStatusChangesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "deployment_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    deployment_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., deployment_id: _Optional[str] = ...) -> None: ...

class ListDeploymentStatusChangesResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[DeploymentStatusChange]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[DeploymentStatusChange, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListPricesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "deployment_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    deployment_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., deployment_id: _Optional[str] = ...) -> None: ...

class ListPricesResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Price]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Price, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SetPriceRequest(_message.Message):
    __slots__ = ("deployment_id", "input_per_million", "output_per_million", "effective_at")
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    INPUT_PER_MILLION_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_PER_MILLION_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_AT_FIELD_NUMBER: _ClassVar[int]
    deployment_id: str
    input_per_million: str
    output_per_million: str
    effective_at: _timestamp_pb2.Timestamp
    def __init__(self, deployment_id: _Optional[str] = ..., input_per_million: _Optional[str] = ..., output_per_million: _Optional[str] = ..., effective_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListModelsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "query")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    query: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., query: _Optional[str] = ...) -> None: ...

class ListModelsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[LanguageModel]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[LanguageModel, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetModelRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...
