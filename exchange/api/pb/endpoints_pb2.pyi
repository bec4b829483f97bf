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
CREDENTIAL_SOURCE_UNSPECIFIED: CredentialSource
CREDENTIAL_SOURCE_NONE: CredentialSource
CREDENTIAL_SOURCE_STORED: CredentialSource
CREDENTIAL_SOURCE_ENVIRONMENT: CredentialSource

class Endpoint(_message.Message):
    __slots__ = ("id", "organization_id", "name", "provider_name", "base_url", "dialect", "has_credential", "operator_allowed", "is_simulated", "deployment_count", "discovered_at", "created_at", "is_demo", "credential_source")
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
    def __init__(self, id: _Optional[str] = ..., organization_id: _Optional[str] = ..., name: _Optional[str] = ..., provider_name: _Optional[str] = ..., base_url: _Optional[str] = ..., dialect: _Optional[str] = ..., has_credential: _Optional[bool] = ..., operator_allowed: _Optional[bool] = ..., is_simulated: _Optional[bool] = ..., deployment_count: _Optional[int] = ..., discovered_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_demo: _Optional[bool] = ..., credential_source: _Optional[_Union[CredentialSource, str]] = ...) -> None: ...

class Deployment(_message.Message):
    __slots__ = ("id", "endpoint_id", "organization_id", "provider_name", "served_name", "model_id", "model_name", "model_publisher", "model_version", "is_listed", "is_simulated", "created_at", "is_demo")
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
    def __init__(self, id: _Optional[str] = ..., endpoint_id: _Optional[str] = ..., organization_id: _Optional[str] = ..., provider_name: _Optional[str] = ..., served_name: _Optional[str] = ..., model_id: _Optional[str] = ..., model_name: _Optional[str] = ..., model_publisher: _Optional[str] = ..., model_version: _Optional[str] = ..., is_listed: _Optional[bool] = ..., is_simulated: _Optional[bool] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_demo: _Optional[bool] = ...) -> None: ...

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
    __slots__ = ("organization_id", "name", "provider_name", "base_url", "api_key")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    BASE_URL_FIELD_NUMBER: _ClassVar[int]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    name: str
    provider_name: str
    base_url: str
    api_key: str
    def __init__(self, organization_id: _Optional[str] = ..., name: _Optional[str] = ..., provider_name: _Optional[str] = ..., base_url: _Optional[str] = ..., api_key: _Optional[str] = ...) -> None: ...

class GetEndpointRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class UpdateEndpointRequest(_message.Message):
    __slots__ = ("id", "name", "provider_name", "base_url", "api_key")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    BASE_URL_FIELD_NUMBER: _ClassVar[int]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    provider_name: str
    base_url: str
    api_key: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., provider_name: _Optional[str] = ..., base_url: _Optional[str] = ..., api_key: _Optional[str] = ...) -> None: ...

class DiscoverModelsRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListDeploymentsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "endpoint_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    endpoint_id: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., endpoint_id: _Optional[str] = ...) -> None: ...

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
