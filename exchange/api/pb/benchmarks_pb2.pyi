import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BenchmarkCategory(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BENCHMARK_CATEGORY_UNSPECIFIED: _ClassVar[BenchmarkCategory]
    BENCHMARK_CATEGORY_PERFORMANCE: _ClassVar[BenchmarkCategory]
    BENCHMARK_CATEGORY_ACCURACY: _ClassVar[BenchmarkCategory]
    BENCHMARK_CATEGORY_RELIABILITY: _ClassVar[BenchmarkCategory]
    BENCHMARK_CATEGORY_SAFETY: _ClassVar[BenchmarkCategory]
    BENCHMARK_CATEGORY_COST: _ClassVar[BenchmarkCategory]
    BENCHMARK_CATEGORY_CAPABILITY: _ClassVar[BenchmarkCategory]

class BenchmarkStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BENCHMARK_STATUS_UNSPECIFIED: _ClassVar[BenchmarkStatus]
    BENCHMARK_STATUS_DRAFT: _ClassVar[BenchmarkStatus]
    BENCHMARK_STATUS_UNDER_REVIEW: _ClassVar[BenchmarkStatus]
    BENCHMARK_STATUS_ACTIVE: _ClassVar[BenchmarkStatus]
    BENCHMARK_STATUS_DEPRECATED: _ClassVar[BenchmarkStatus]
    BENCHMARK_STATUS_ARCHIVED: _ClassVar[BenchmarkStatus]

class LicenseType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LICENSE_TYPE_UNSPECIFIED: _ClassVar[LicenseType]
    LICENSE_TYPE_APACHE_2: _ClassVar[LicenseType]
    LICENSE_TYPE_MIT: _ClassVar[LicenseType]
    LICENSE_TYPE_BSD_3_CLAUSE: _ClassVar[LicenseType]
    LICENSE_TYPE_CC_BY_4_0: _ClassVar[LicenseType]
    LICENSE_TYPE_CC_BY_SA_4_0: _ClassVar[LicenseType]
    LICENSE_TYPE_CUSTOM: _ClassVar[LicenseType]

class BenchmarkKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BENCHMARK_KIND_UNSPECIFIED: _ClassVar[BenchmarkKind]
    BENCHMARK_KIND_QUALITY: _ClassVar[BenchmarkKind]
    BENCHMARK_KIND_PERFORMANCE: _ClassVar[BenchmarkKind]
    BENCHMARK_KIND_EXTERNAL: _ClassVar[BenchmarkKind]

class BenchmarkVersionStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BENCHMARK_VERSION_STATUS_UNSPECIFIED: _ClassVar[BenchmarkVersionStatus]
    BENCHMARK_VERSION_STATUS_DRAFT: _ClassVar[BenchmarkVersionStatus]
    BENCHMARK_VERSION_STATUS_PUBLISHED: _ClassVar[BenchmarkVersionStatus]
    BENCHMARK_VERSION_STATUS_SUPERSEDED: _ClassVar[BenchmarkVersionStatus]
    BENCHMARK_VERSION_STATUS_VOIDED: _ClassVar[BenchmarkVersionStatus]

class Visibility(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VISIBILITY_UNSPECIFIED: _ClassVar[Visibility]
    VISIBILITY_PUBLIC: _ClassVar[Visibility]
    VISIBILITY_UNLISTED: _ClassVar[Visibility]
    VISIBILITY_PRIVATE: _ClassVar[Visibility]

class MetricDirection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    METRIC_DIRECTION_UNSPECIFIED: _ClassVar[MetricDirection]
    METRIC_DIRECTION_HIGHER_IS_BETTER: _ClassVar[MetricDirection]
    METRIC_DIRECTION_LOWER_IS_BETTER: _ClassVar[MetricDirection]

class MetricKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    METRIC_KIND_UNSPECIFIED: _ClassVar[MetricKind]
    METRIC_KIND_PROPORTION: _ClassVar[MetricKind]
    METRIC_KIND_MEAN: _ClassVar[MetricKind]
    METRIC_KIND_PERCENTILE: _ClassVar[MetricKind]
    METRIC_KIND_RATE: _ClassVar[MetricKind]
    METRIC_KIND_ERROR_RATE: _ClassVar[MetricKind]

class LoadProtocol(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LOAD_PROTOCOL_UNSPECIFIED: _ClassVar[LoadProtocol]
    LOAD_PROTOCOL_EMBEDDINGS: _ClassVar[LoadProtocol]
    LOAD_PROTOCOL_RERANK: _ClassVar[LoadProtocol]
BENCHMARK_CATEGORY_UNSPECIFIED: BenchmarkCategory
BENCHMARK_CATEGORY_PERFORMANCE: BenchmarkCategory
BENCHMARK_CATEGORY_ACCURACY: BenchmarkCategory
BENCHMARK_CATEGORY_RELIABILITY: BenchmarkCategory
BENCHMARK_CATEGORY_SAFETY: BenchmarkCategory
BENCHMARK_CATEGORY_COST: BenchmarkCategory
BENCHMARK_CATEGORY_CAPABILITY: BenchmarkCategory
BENCHMARK_STATUS_UNSPECIFIED: BenchmarkStatus
BENCHMARK_STATUS_DRAFT: BenchmarkStatus
BENCHMARK_STATUS_UNDER_REVIEW: BenchmarkStatus
BENCHMARK_STATUS_ACTIVE: BenchmarkStatus
BENCHMARK_STATUS_DEPRECATED: BenchmarkStatus
BENCHMARK_STATUS_ARCHIVED: BenchmarkStatus
LICENSE_TYPE_UNSPECIFIED: LicenseType
LICENSE_TYPE_APACHE_2: LicenseType
LICENSE_TYPE_MIT: LicenseType
LICENSE_TYPE_BSD_3_CLAUSE: LicenseType
LICENSE_TYPE_CC_BY_4_0: LicenseType
LICENSE_TYPE_CC_BY_SA_4_0: LicenseType
LICENSE_TYPE_CUSTOM: LicenseType
BENCHMARK_KIND_UNSPECIFIED: BenchmarkKind
BENCHMARK_KIND_QUALITY: BenchmarkKind
BENCHMARK_KIND_PERFORMANCE: BenchmarkKind
BENCHMARK_KIND_EXTERNAL: BenchmarkKind
BENCHMARK_VERSION_STATUS_UNSPECIFIED: BenchmarkVersionStatus
BENCHMARK_VERSION_STATUS_DRAFT: BenchmarkVersionStatus
BENCHMARK_VERSION_STATUS_PUBLISHED: BenchmarkVersionStatus
BENCHMARK_VERSION_STATUS_SUPERSEDED: BenchmarkVersionStatus
BENCHMARK_VERSION_STATUS_VOIDED: BenchmarkVersionStatus
VISIBILITY_UNSPECIFIED: Visibility
VISIBILITY_PUBLIC: Visibility
VISIBILITY_UNLISTED: Visibility
VISIBILITY_PRIVATE: Visibility
METRIC_DIRECTION_UNSPECIFIED: MetricDirection
METRIC_DIRECTION_HIGHER_IS_BETTER: MetricDirection
METRIC_DIRECTION_LOWER_IS_BETTER: MetricDirection
METRIC_KIND_UNSPECIFIED: MetricKind
METRIC_KIND_PROPORTION: MetricKind
METRIC_KIND_MEAN: MetricKind
METRIC_KIND_PERCENTILE: MetricKind
METRIC_KIND_RATE: MetricKind
METRIC_KIND_ERROR_RATE: MetricKind
LOAD_PROTOCOL_UNSPECIFIED: LoadProtocol
LOAD_PROTOCOL_EMBEDDINGS: LoadProtocol
LOAD_PROTOCOL_RERANK: LoadProtocol

class Citation(_message.Message):
    __slots__ = ("title", "authors", "venue", "year", "doi", "bibtex")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    AUTHORS_FIELD_NUMBER: _ClassVar[int]
    VENUE_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    DOI_FIELD_NUMBER: _ClassVar[int]
    BIBTEX_FIELD_NUMBER: _ClassVar[int]
    title: str
    authors: _containers.RepeatedScalarFieldContainer[str]
    venue: str
    year: int
    doi: str
    bibtex: str
    def __init__(self, title: _Optional[str] = ..., authors: _Optional[_Iterable[str]] = ..., venue: _Optional[str] = ..., year: _Optional[int] = ..., doi: _Optional[str] = ..., bibtex: _Optional[str] = ...) -> None: ...

class Benchmark(_message.Message):
    __slots__ = ("id", "slug", "name", "description", "kind", "category", "status", "visibility", "tags", "organization_id", "organization_name", "is_demo", "current_version", "current_version_id", "created_at", "updated_at", "long_description", "license", "custom_license", "citation", "documentation_url", "source_url", "maintainers", "is_endorsed")
    ID_FIELD_NUMBER: _ClassVar[int]
    SLUG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_NAME_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    CURRENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    CURRENT_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    LONG_DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_LICENSE_FIELD_NUMBER: _ClassVar[int]
    CITATION_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTATION_URL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_URL_FIELD_NUMBER: _ClassVar[int]
    MAINTAINERS_FIELD_NUMBER: _ClassVar[int]
    IS_ENDORSED_FIELD_NUMBER: _ClassVar[int]
    id: str
    slug: str
    name: str
    description: str
    kind: BenchmarkKind
    category: BenchmarkCategory
    status: BenchmarkStatus
    visibility: Visibility
    tags: _containers.RepeatedScalarFieldContainer[str]
    organization_id: str
    organization_name: str
    is_demo: bool
    current_version: str
    current_version_id: str
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    long_description: str
    license: LicenseType
    custom_license: str
    citation: Citation
    documentation_url: str
    source_url: str
    maintainers: _containers.RepeatedScalarFieldContainer[str]
    is_endorsed: bool
    def __init__(self, id: _Optional[str] = ..., slug: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., kind: _Optional[_Union[BenchmarkKind, str]] = ..., category: _Optional[_Union[BenchmarkCategory, str]] = ..., status: _Optional[_Union[BenchmarkStatus, str]] = ..., visibility: _Optional[_Union[Visibility, str]] = ..., tags: _Optional[_Iterable[str]] = ..., organization_id: _Optional[str] = ..., organization_name: _Optional[str] = ..., is_demo: _Optional[bool] = ..., current_version: _Optional[str] = ..., current_version_id: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., long_description: _Optional[str] = ..., license: _Optional[_Union[LicenseType, str]] = ..., custom_license: _Optional[str] = ..., citation: _Optional[_Union[Citation, _Mapping]] = ..., documentation_url: _Optional[str] = ..., source_url: _Optional[str] = ..., maintainers: _Optional[_Iterable[str]] = ..., is_endorsed: _Optional[bool] = ...) -> None: ...

class BenchmarkStatusChange(_message.Message):
    __slots__ = ("from_status", "to_status", "changed_by_id", "changed_by_name", "reason", "changed_at")
    FROM_STATUS_FIELD_NUMBER: _ClassVar[int]
    TO_STATUS_FIELD_NUMBER: _ClassVar[int]
    CHANGED_BY_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGED_BY_NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    from_status: BenchmarkStatus
    to_status: BenchmarkStatus
    changed_by_id: str
    changed_by_name: str
    reason: str
    changed_at: _timestamp_pb2.Timestamp
    def __init__(self, from_status: _Optional[_Union[BenchmarkStatus, str]] = ..., to_status: _Optional[_Union[BenchmarkStatus, str]] = ..., changed_by_id: _Optional[str] = ..., changed_by_name: _Optional[str] = ..., reason: _Optional[str] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Metric(_message.Message):
    __slots__ = ("name", "title", "unit", "direction", "kind", "minimum", "maximum", "is_primary")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    IS_PRIMARY_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    unit: str
    direction: MetricDirection
    kind: MetricKind
    minimum: float
    maximum: float
    is_primary: bool
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., unit: _Optional[str] = ..., direction: _Optional[_Union[MetricDirection, str]] = ..., kind: _Optional[_Union[MetricKind, str]] = ..., minimum: _Optional[float] = ..., maximum: _Optional[float] = ..., is_primary: _Optional[bool] = ...) -> None: ...

class Generation(_message.Message):
    __slots__ = ("temperature", "top_p", "max_tokens", "seed", "stop")
    TEMPERATURE_FIELD_NUMBER: _ClassVar[int]
    TOP_P_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    temperature: float
    top_p: float
    max_tokens: int
    seed: int
    stop: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, temperature: _Optional[float] = ..., top_p: _Optional[float] = ..., max_tokens: _Optional[int] = ..., seed: _Optional[int] = ..., stop: _Optional[_Iterable[str]] = ...) -> None: ...

class LoadProfile(_message.Message):
    __slots__ = ("input_tokens", "output_tokens", "requests", "warmup_requests", "concurrency", "streaming", "protocol", "concurrencies", "slo", "documents", "batch_size")
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    WARMUP_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    CONCURRENCY_FIELD_NUMBER: _ClassVar[int]
    STREAMING_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    CONCURRENCIES_FIELD_NUMBER: _ClassVar[int]
    SLO_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    BATCH_SIZE_FIELD_NUMBER: _ClassVar[int]
    input_tokens: int
    output_tokens: int
    requests: int
    warmup_requests: int
    concurrency: int
    streaming: bool
    protocol: LoadProtocol
    concurrencies: _containers.RepeatedScalarFieldContainer[int]
    slo: Slo
    documents: int
    batch_size: int
    def __init__(self, input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., requests: _Optional[int] = ..., warmup_requests: _Optional[int] = ..., concurrency: _Optional[int] = ..., streaming: _Optional[bool] = ..., protocol: _Optional[_Union[LoadProtocol, str]] = ..., concurrencies: _Optional[_Iterable[int]] = ..., slo: _Optional[_Union[Slo, _Mapping]] = ..., documents: _Optional[int] = ..., batch_size: _Optional[int] = ...) -> None: ...

class Slo(_message.Message):
    __slots__ = ("ttft_ms", "itl_ms", "request_latency_ms")
    TTFT_MS_FIELD_NUMBER: _ClassVar[int]
    ITL_MS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_LATENCY_MS_FIELD_NUMBER: _ClassVar[int]
    ttft_ms: float
    itl_ms: float
    request_latency_ms: float
    def __init__(self, ttft_ms: _Optional[float] = ..., itl_ms: _Optional[float] = ..., request_latency_ms: _Optional[float] = ...) -> None: ...

class QualityGate(_message.Message):
    __slots__ = ("benchmark_version_id", "metric", "minimum")
    BENCHMARK_VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    benchmark_version_id: str
    metric: str
    minimum: float
    def __init__(self, benchmark_version_id: _Optional[str] = ..., metric: _Optional[str] = ..., minimum: _Optional[float] = ...) -> None: ...

class VerificationPolicy(_message.Message):
    __slots__ = ("number", "delta", "alpha", "gamma", "tolerances", "deciding_metrics", "sessions", "decided_by", "digest", "effective_at", "quality_gate")
    class TolerancesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    ALPHA_FIELD_NUMBER: _ClassVar[int]
    GAMMA_FIELD_NUMBER: _ClassVar[int]
    TOLERANCES_FIELD_NUMBER: _ClassVar[int]
    DECIDING_METRICS_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    DECIDED_BY_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_AT_FIELD_NUMBER: _ClassVar[int]
    QUALITY_GATE_FIELD_NUMBER: _ClassVar[int]
    number: int
    delta: float
    alpha: float
    gamma: float
    tolerances: _containers.ScalarMap[str, float]
    deciding_metrics: _containers.RepeatedScalarFieldContainer[str]
    sessions: int
    decided_by: str
    digest: str
    effective_at: _timestamp_pb2.Timestamp
    quality_gate: QualityGate
    def __init__(self, number: _Optional[int] = ..., delta: _Optional[float] = ..., alpha: _Optional[float] = ..., gamma: _Optional[float] = ..., tolerances: _Optional[_Mapping[str, float]] = ..., deciding_metrics: _Optional[_Iterable[str]] = ..., sessions: _Optional[int] = ..., decided_by: _Optional[str] = ..., digest: _Optional[str] = ..., effective_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., quality_gate: _Optional[_Union[QualityGate, _Mapping]] = ...) -> None: ...

class BenchmarkVersion(_message.Message):
    __slots__ = ("id", "benchmark_id", "version", "kind", "status", "content_hash", "changelog", "system_prompt", "prompt_template", "cases_public", "generation", "load_profile", "metrics", "test_case_count", "policy", "published_at", "created_at", "migration_notes", "parent_version", "is_compatible")
    ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_HASH_FIELD_NUMBER: _ClassVar[int]
    CHANGELOG_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_PROMPT_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    CASES_PUBLIC_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    LOAD_PROFILE_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    TEST_CASE_COUNT_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    MIGRATION_NOTES_FIELD_NUMBER: _ClassVar[int]
    PARENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    IS_COMPATIBLE_FIELD_NUMBER: _ClassVar[int]
    id: str
    benchmark_id: str
    version: str
    kind: BenchmarkKind
    status: BenchmarkVersionStatus
    content_hash: str
    changelog: str
    system_prompt: str
    prompt_template: str
    cases_public: bool
    generation: Generation
    load_profile: LoadProfile
    metrics: _containers.RepeatedCompositeFieldContainer[Metric]
    test_case_count: int
    policy: VerificationPolicy
    published_at: _timestamp_pb2.Timestamp
    created_at: _timestamp_pb2.Timestamp
    migration_notes: str
    parent_version: str
    is_compatible: bool
    def __init__(self, id: _Optional[str] = ..., benchmark_id: _Optional[str] = ..., version: _Optional[str] = ..., kind: _Optional[_Union[BenchmarkKind, str]] = ..., status: _Optional[_Union[BenchmarkVersionStatus, str]] = ..., content_hash: _Optional[str] = ..., changelog: _Optional[str] = ..., system_prompt: _Optional[str] = ..., prompt_template: _Optional[str] = ..., cases_public: _Optional[bool] = ..., generation: _Optional[_Union[Generation, _Mapping]] = ..., load_profile: _Optional[_Union[LoadProfile, _Mapping]] = ..., metrics: _Optional[_Iterable[_Union[Metric, _Mapping]]] = ..., test_case_count: _Optional[int] = ..., policy: _Optional[_Union[VerificationPolicy, _Mapping]] = ..., published_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., migration_notes: _Optional[str] = ..., parent_version: _Optional[str] = ..., is_compatible: _Optional[bool] = ...) -> None: ...

class TestCase(_message.Message):
    __slots__ = ("key", "prompt", "reference", "scorer", "scorer_config", "choices", "weight", "tags", "group")
    class ChoicesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    KEY_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    SCORER_FIELD_NUMBER: _ClassVar[int]
    SCORER_CONFIG_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    key: str
    prompt: str
    reference: str
    scorer: str
    scorer_config: _struct_pb2.Struct
    choices: _containers.ScalarMap[str, str]
    weight: float
    tags: _containers.RepeatedScalarFieldContainer[str]
    group: str
    def __init__(self, key: _Optional[str] = ..., prompt: _Optional[str] = ..., reference: _Optional[str] = ..., scorer: _Optional[str] = ..., scorer_config: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., choices: _Optional[_Mapping[str, str]] = ..., weight: _Optional[float] = ..., tags: _Optional[_Iterable[str]] = ..., group: _Optional[str] = ...) -> None: ...

class ListBenchmarksRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "category", "kind", "status", "query", "tags", "organization", "license", "endorsed", "ordering")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    ENDORSED_FIELD_NUMBER: _ClassVar[int]
    ORDERING_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    category: BenchmarkCategory
    kind: BenchmarkKind
    status: BenchmarkStatus
    query: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    organization: str
    license: LicenseType
    endorsed: bool
    ordering: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., category: _Optional[_Union[BenchmarkCategory, str]] = ..., kind: _Optional[_Union[BenchmarkKind, str]] = ..., status: _Optional[_Union[BenchmarkStatus, str]] = ..., query: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., organization: _Optional[str] = ..., license: _Optional[_Union[LicenseType, str]] = ..., endorsed: _Optional[bool] = ..., ordering: _Optional[str] = ...) -> None: ...

class ListBenchmarksResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Benchmark]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[Benchmark, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CreateBenchmarkRequest(_message.Message):
    __slots__ = ("organization_id", "slug", "name", "description", "kind", "category", "visibility", "tags", "long_description", "license", "custom_license", "citation", "documentation_url", "source_url", "maintainers")
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    SLUG_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    LONG_DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_LICENSE_FIELD_NUMBER: _ClassVar[int]
    CITATION_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTATION_URL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_URL_FIELD_NUMBER: _ClassVar[int]
    MAINTAINERS_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    slug: str
    name: str
    description: str
    kind: BenchmarkKind
    category: BenchmarkCategory
    visibility: Visibility
    tags: _containers.RepeatedScalarFieldContainer[str]
    long_description: str
    license: LicenseType
    custom_license: str
    citation: Citation
    documentation_url: str
    source_url: str
    maintainers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, organization_id: _Optional[str] = ..., slug: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., kind: _Optional[_Union[BenchmarkKind, str]] = ..., category: _Optional[_Union[BenchmarkCategory, str]] = ..., visibility: _Optional[_Union[Visibility, str]] = ..., tags: _Optional[_Iterable[str]] = ..., long_description: _Optional[str] = ..., license: _Optional[_Union[LicenseType, str]] = ..., custom_license: _Optional[str] = ..., citation: _Optional[_Union[Citation, _Mapping]] = ..., documentation_url: _Optional[str] = ..., source_url: _Optional[str] = ..., maintainers: _Optional[_Iterable[str]] = ...) -> None: ...

class GetBenchmarkRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetBenchmarkBySlugRequest(_message.Message):
    __slots__ = ("slug",)
    SLUG_FIELD_NUMBER: _ClassVar[int]
    slug: str
    def __init__(self, slug: _Optional[str] = ...) -> None: ...

class UpdateBenchmarkRequest(_message.Message):
    __slots__ = ("id", "name", "description", "category", "visibility", "tags", "long_description", "license", "custom_license", "citation", "documentation_url", "source_url", "maintainers")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    LONG_DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_LICENSE_FIELD_NUMBER: _ClassVar[int]
    CITATION_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTATION_URL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_URL_FIELD_NUMBER: _ClassVar[int]
    MAINTAINERS_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    description: str
    category: BenchmarkCategory
    visibility: Visibility
    tags: _containers.RepeatedScalarFieldContainer[str]
    long_description: str
    license: LicenseType
    custom_license: str
    citation: Citation
    documentation_url: str
    source_url: str
    maintainers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., category: _Optional[_Union[BenchmarkCategory, str]] = ..., visibility: _Optional[_Union[Visibility, str]] = ..., tags: _Optional[_Iterable[str]] = ..., long_description: _Optional[str] = ..., license: _Optional[_Union[LicenseType, str]] = ..., custom_license: _Optional[str] = ..., citation: _Optional[_Union[Citation, _Mapping]] = ..., documentation_url: _Optional[str] = ..., source_url: _Optional[str] = ..., maintainers: _Optional[_Iterable[str]] = ...) -> None: ...

class SubmitForReviewRequest(_message.Message):
    __slots__ = ("id", "expected_status")
    ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STATUS_FIELD_NUMBER: _ClassVar[int]
    id: str
    expected_status: BenchmarkStatus
    def __init__(self, id: _Optional[str] = ..., expected_status: _Optional[_Union[BenchmarkStatus, str]] = ...) -> None: ...

class ApproveBenchmarkRequest(_message.Message):
    __slots__ = ("id", "expected_status", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    expected_status: BenchmarkStatus
    reason: str
    def __init__(self, id: _Optional[str] = ..., expected_status: _Optional[_Union[BenchmarkStatus, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class RejectBenchmarkRequest(_message.Message):
    __slots__ = ("id", "expected_status", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    expected_status: BenchmarkStatus
    reason: str
    def __init__(self, id: _Optional[str] = ..., expected_status: _Optional[_Union[BenchmarkStatus, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class TakeBackFromReviewRequest(_message.Message):
    __slots__ = ("id", "expected_status", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    expected_status: BenchmarkStatus
    reason: str
    def __init__(self, id: _Optional[str] = ..., expected_status: _Optional[_Union[BenchmarkStatus, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class DeprecateBenchmarkRequest(_message.Message):
    __slots__ = ("id", "expected_status", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    expected_status: BenchmarkStatus
    reason: str
    def __init__(self, id: _Optional[str] = ..., expected_status: _Optional[_Union[BenchmarkStatus, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class ReactivateBenchmarkRequest(_message.Message):
    __slots__ = ("id", "expected_status", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    expected_status: BenchmarkStatus
    reason: str
    def __init__(self, id: _Optional[str] = ..., expected_status: _Optional[_Union[BenchmarkStatus, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class ArchiveBenchmarkRequest(_message.Message):
    __slots__ = ("id", "expected_status", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    expected_status: BenchmarkStatus
    reason: str
    def __init__(self, id: _Optional[str] = ..., expected_status: _Optional[_Union[BenchmarkStatus, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class ListBenchmarkStatusChangesRequest(_message.Message):
    __slots__ = ("benchmark_id", "page_size", "page_token")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    page_size: int
    page_token: str
    def __init__(self, benchmark_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBenchmarkStatusChangesResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[BenchmarkStatusChange]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[BenchmarkStatusChange, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListBenchmarkVersionsRequest(_message.Message):
    __slots__ = ("benchmark_id", "page_size", "page_token")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    page_size: int
    page_token: str
    def __init__(self, benchmark_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBenchmarkVersionsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[BenchmarkVersion]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[BenchmarkVersion, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CreateBenchmarkVersionRequest(_message.Message):
    __slots__ = ("benchmark_id", "version", "changelog", "system_prompt", "prompt_template", "cases_public", "generation", "load_profile", "metrics", "test_cases", "policy", "migration_notes")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CHANGELOG_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_PROMPT_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    CASES_PUBLIC_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    LOAD_PROFILE_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    TEST_CASES_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    MIGRATION_NOTES_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    version: str
    changelog: str
    system_prompt: str
    prompt_template: str
    cases_public: bool
    generation: Generation
    load_profile: LoadProfile
    metrics: _containers.RepeatedCompositeFieldContainer[Metric]
    test_cases: _containers.RepeatedCompositeFieldContainer[TestCase]
    policy: PolicyDraft
    migration_notes: str
    def __init__(self, benchmark_id: _Optional[str] = ..., version: _Optional[str] = ..., changelog: _Optional[str] = ..., system_prompt: _Optional[str] = ..., prompt_template: _Optional[str] = ..., cases_public: _Optional[bool] = ..., generation: _Optional[_Union[Generation, _Mapping]] = ..., load_profile: _Optional[_Union[LoadProfile, _Mapping]] = ..., metrics: _Optional[_Iterable[_Union[Metric, _Mapping]]] = ..., test_cases: _Optional[_Iterable[_Union[TestCase, _Mapping]]] = ..., policy: _Optional[_Union[PolicyDraft, _Mapping]] = ..., migration_notes: _Optional[str] = ...) -> None: ...

class PolicyDraft(_message.Message):
    __slots__ = ("delta", "alpha", "gamma", "tolerances", "deciding_metrics", "sessions", "quality_gate")
    class TolerancesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    DELTA_FIELD_NUMBER: _ClassVar[int]
    ALPHA_FIELD_NUMBER: _ClassVar[int]
    GAMMA_FIELD_NUMBER: _ClassVar[int]
    TOLERANCES_FIELD_NUMBER: _ClassVar[int]
    DECIDING_METRICS_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    QUALITY_GATE_FIELD_NUMBER: _ClassVar[int]
    delta: float
    alpha: float
    gamma: float
    tolerances: _containers.ScalarMap[str, float]
    deciding_metrics: _containers.RepeatedScalarFieldContainer[str]
    sessions: int
    quality_gate: QualityGate
    def __init__(self, delta: _Optional[float] = ..., alpha: _Optional[float] = ..., gamma: _Optional[float] = ..., tolerances: _Optional[_Mapping[str, float]] = ..., deciding_metrics: _Optional[_Iterable[str]] = ..., sessions: _Optional[int] = ..., quality_gate: _Optional[_Union[QualityGate, _Mapping]] = ...) -> None: ...

class GetBenchmarkVersionRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class UpdateBenchmarkVersionRequest(_message.Message):
    __slots__ = ("id", "changelog", "system_prompt", "prompt_template", "cases_public", "generation", "load_profile", "metrics", "test_cases", "policy", "migration_notes")
    ID_FIELD_NUMBER: _ClassVar[int]
    CHANGELOG_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_PROMPT_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    CASES_PUBLIC_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    LOAD_PROFILE_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    TEST_CASES_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    MIGRATION_NOTES_FIELD_NUMBER: _ClassVar[int]
    id: str
    changelog: str
    system_prompt: str
    prompt_template: str
    cases_public: bool
    generation: Generation
    load_profile: LoadProfile
    metrics: _containers.RepeatedCompositeFieldContainer[Metric]
    test_cases: _containers.RepeatedCompositeFieldContainer[TestCase]
    policy: PolicyDraft
    migration_notes: str
    def __init__(self, id: _Optional[str] = ..., changelog: _Optional[str] = ..., system_prompt: _Optional[str] = ..., prompt_template: _Optional[str] = ..., cases_public: _Optional[bool] = ..., generation: _Optional[_Union[Generation, _Mapping]] = ..., load_profile: _Optional[_Union[LoadProfile, _Mapping]] = ..., metrics: _Optional[_Iterable[_Union[Metric, _Mapping]]] = ..., test_cases: _Optional[_Iterable[_Union[TestCase, _Mapping]]] = ..., policy: _Optional[_Union[PolicyDraft, _Mapping]] = ..., migration_notes: _Optional[str] = ...) -> None: ...

class PublishBenchmarkVersionRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class AddVerificationPolicyRequest(_message.Message):
    __slots__ = ("version_id", "delta", "alpha", "gamma", "tolerances", "deciding_metrics", "sessions", "effective_at", "quality_gate")
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
    EFFECTIVE_AT_FIELD_NUMBER: _ClassVar[int]
    QUALITY_GATE_FIELD_NUMBER: _ClassVar[int]
    version_id: str
    delta: float
    alpha: float
    gamma: float
    tolerances: _containers.ScalarMap[str, float]
    deciding_metrics: _containers.RepeatedScalarFieldContainer[str]
    sessions: int
    effective_at: _timestamp_pb2.Timestamp
    quality_gate: QualityGate
    def __init__(self, version_id: _Optional[str] = ..., delta: _Optional[float] = ..., alpha: _Optional[float] = ..., gamma: _Optional[float] = ..., tolerances: _Optional[_Mapping[str, float]] = ..., deciding_metrics: _Optional[_Iterable[str]] = ..., sessions: _Optional[int] = ..., effective_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., quality_gate: _Optional[_Union[QualityGate, _Mapping]] = ...) -> None: ...

class ListVerificationPoliciesRequest(_message.Message):
    __slots__ = ("version_id", "page_size", "page_token")
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    version_id: str
    page_size: int
    page_token: str
    def __init__(self, version_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListVerificationPoliciesResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[VerificationPolicy]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[VerificationPolicy, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListTestCasesRequest(_message.Message):
    __slots__ = ("version_id", "page_size", "page_token")
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    version_id: str
    page_size: int
    page_token: str
    def __init__(self, version_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTestCasesResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[TestCase]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[TestCase, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
