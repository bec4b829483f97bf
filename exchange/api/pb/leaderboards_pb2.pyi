import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from exchange.api.pb import benchmarks_pb2 as _benchmarks_pb2
from exchange.api.pb import submissions_pb2 as _submissions_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LeaderboardMetric(_message.Message):
    __slots__ = ("name", "value", "low", "high", "sample_count", "is_stated", "covers")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    IS_STATED_FIELD_NUMBER: _ClassVar[int]
    COVERS_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: float
    low: float
    high: float
    sample_count: int
    is_stated: bool
    covers: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., sample_count: _Optional[int] = ..., is_stated: _Optional[bool] = ..., covers: _Optional[str] = ...) -> None: ...

class LeaderboardEntry(_message.Message):
    __slots__ = ("id", "rank", "rank_low", "rank_high", "tie_group", "submission_id", "verification_id", "model_id", "model_name", "model_publisher", "model_version", "deployment_id", "provider_name", "organization_name", "level", "verdict", "claim_refuted", "value", "low", "high", "confidence", "sample_count", "claimed_value", "metrics", "fingerprint", "is_simulated", "measured_at", "is_demo")
    ID_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    RANK_LOW_FIELD_NUMBER: _ClassVar[int]
    RANK_HIGH_FIELD_NUMBER: _ClassVar[int]
    TIE_GROUP_FIELD_NUMBER: _ClassVar[int]
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_PUBLISHER_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_NAME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    CLAIM_REFUTED_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_VALUE_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    IS_SIMULATED_FIELD_NUMBER: _ClassVar[int]
    MEASURED_AT_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    id: str
    rank: int
    rank_low: int
    rank_high: int
    tie_group: int
    submission_id: str
    verification_id: str
    model_id: str
    model_name: str
    model_publisher: str
    model_version: str
    deployment_id: str
    provider_name: str
    organization_name: str
    level: _submissions_pb2.VerificationLevel
    verdict: _submissions_pb2.Verdict
    claim_refuted: bool
    value: float
    low: float
    high: float
    confidence: float
    sample_count: int
    claimed_value: float
    metrics: _containers.RepeatedCompositeFieldContainer[LeaderboardMetric]
    fingerprint: str
    is_simulated: bool
    measured_at: _timestamp_pb2.Timestamp
    is_demo: bool
    def __init__(self, id: _Optional[str] = ..., rank: _Optional[int] = ..., rank_low: _Optional[int] = ..., rank_high: _Optional[int] = ..., tie_group: _Optional[int] = ..., submission_id: _Optional[str] = ..., verification_id: _Optional[str] = ..., model_id: _Optional[str] = ..., model_name: _Optional[str] = ..., model_publisher: _Optional[str] = ..., model_version: _Optional[str] = ..., deployment_id: _Optional[str] = ..., provider_name: _Optional[str] = ..., organization_name: _Optional[str] = ..., level: _Optional[_Union[_submissions_pb2.VerificationLevel, str]] = ..., verdict: _Optional[_Union[_submissions_pb2.Verdict, str]] = ..., claim_refuted: _Optional[bool] = ..., value: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., confidence: _Optional[float] = ..., sample_count: _Optional[int] = ..., claimed_value: _Optional[float] = ..., metrics: _Optional[_Iterable[_Union[LeaderboardMetric, _Mapping]]] = ..., fingerprint: _Optional[str] = ..., is_simulated: _Optional[bool] = ..., measured_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_demo: _Optional[bool] = ...) -> None: ...

class Leaderboard(_message.Message):
    __slots__ = ("benchmark_id", "benchmark_slug", "benchmark_name", "version_id", "version", "metric", "metric_title", "unit", "direction", "verified_only", "ranked_count", "unranked_count", "separable_neighbour_count", "is_demo", "items", "next_page_token", "updated_at")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_SLUG_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    METRIC_TITLE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_ONLY_FIELD_NUMBER: _ClassVar[int]
    RANKED_COUNT_FIELD_NUMBER: _ClassVar[int]
    UNRANKED_COUNT_FIELD_NUMBER: _ClassVar[int]
    SEPARABLE_NEIGHBOUR_COUNT_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: str
    version_id: str
    version: str
    metric: str
    metric_title: str
    unit: str
    direction: _benchmarks_pb2.MetricDirection
    verified_only: bool
    ranked_count: int
    unranked_count: int
    separable_neighbour_count: int
    is_demo: bool
    items: _containers.RepeatedCompositeFieldContainer[LeaderboardEntry]
    next_page_token: str
    updated_at: _timestamp_pb2.Timestamp
    def __init__(self, benchmark_id: _Optional[str] = ..., benchmark_slug: _Optional[str] = ..., benchmark_name: _Optional[str] = ..., version_id: _Optional[str] = ..., version: _Optional[str] = ..., metric: _Optional[str] = ..., metric_title: _Optional[str] = ..., unit: _Optional[str] = ..., direction: _Optional[_Union[_benchmarks_pb2.MetricDirection, str]] = ..., verified_only: _Optional[bool] = ..., ranked_count: _Optional[int] = ..., unranked_count: _Optional[int] = ..., separable_neighbour_count: _Optional[int] = ..., is_demo: _Optional[bool] = ..., items: _Optional[_Iterable[_Union[LeaderboardEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetLeaderboardRequest(_message.Message):
    __slots__ = ("benchmark_id", "version", "verified_only", "page_size", "page_token")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_ONLY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    version: str
    verified_only: bool
    page_size: int
    page_token: str
    def __init__(self, benchmark_id: _Optional[str] = ..., version: _Optional[str] = ..., verified_only: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...
