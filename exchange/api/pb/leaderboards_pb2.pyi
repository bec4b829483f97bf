import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from exchange.api.pb import benchmarks_pb2 as _benchmarks_pb2
from exchange.api.pb import submissions_pb2 as _submissions_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ComparisonMethod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPARISON_METHOD_UNSPECIFIED: _ClassVar[ComparisonMethod]
    COMPARISON_METHOD_MCNEMAR_EXACT: _ClassVar[ComparisonMethod]
    COMPARISON_METHOD_PAIRED_T: _ClassVar[ComparisonMethod]
    COMPARISON_METHOD_SIGN_FLIPS: _ClassVar[ComparisonMethod]
    COMPARISON_METHOD_TWO_PROPORTIONS: _ClassVar[ComparisonMethod]
    COMPARISON_METHOD_WELCH_T: _ClassVar[ComparisonMethod]
    COMPARISON_METHOD_LOG_RATIO_T: _ClassVar[ComparisonMethod]
    COMPARISON_METHOD_INTERVALS: _ClassVar[ComparisonMethod]
    COMPARISON_METHOD_NONE: _ClassVar[ComparisonMethod]
COMPARISON_METHOD_UNSPECIFIED: ComparisonMethod
COMPARISON_METHOD_MCNEMAR_EXACT: ComparisonMethod
COMPARISON_METHOD_PAIRED_T: ComparisonMethod
COMPARISON_METHOD_SIGN_FLIPS: ComparisonMethod
COMPARISON_METHOD_TWO_PROPORTIONS: ComparisonMethod
COMPARISON_METHOD_WELCH_T: ComparisonMethod
COMPARISON_METHOD_LOG_RATIO_T: ComparisonMethod
COMPARISON_METHOD_INTERVALS: ComparisonMethod
COMPARISON_METHOD_NONE: ComparisonMethod

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
    __slots__ = ("id", "rank", "rank_low", "rank_high", "tie_group", "submission_id", "verification_id", "model_id", "model_name", "model_publisher", "model_version", "deployment_id", "provider_name", "organization_name", "level", "verdict", "claim_refuted", "value", "low", "high", "confidence", "sample_count", "claimed_value", "metrics", "fingerprint", "is_simulated", "measured_at", "is_demo", "organization_id")
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
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
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
    organization_id: str
    def __init__(self, id: _Optional[str] = ..., rank: _Optional[int] = ..., rank_low: _Optional[int] = ..., rank_high: _Optional[int] = ..., tie_group: _Optional[int] = ..., submission_id: _Optional[str] = ..., verification_id: _Optional[str] = ..., model_id: _Optional[str] = ..., model_name: _Optional[str] = ..., model_publisher: _Optional[str] = ..., model_version: _Optional[str] = ..., deployment_id: _Optional[str] = ..., provider_name: _Optional[str] = ..., organization_name: _Optional[str] = ..., level: _Optional[_Union[_submissions_pb2.VerificationLevel, str]] = ..., verdict: _Optional[_Union[_submissions_pb2.Verdict, str]] = ..., claim_refuted: _Optional[bool] = ..., value: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., confidence: _Optional[float] = ..., sample_count: _Optional[int] = ..., claimed_value: _Optional[float] = ..., metrics: _Optional[_Iterable[_Union[LeaderboardMetric, _Mapping]]] = ..., fingerprint: _Optional[str] = ..., is_simulated: _Optional[bool] = ..., measured_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_demo: _Optional[bool] = ..., organization_id: _Optional[str] = ...) -> None: ...

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
    __slots__ = ("benchmark_id", "version", "verified_only", "page_size", "page_token", "level", "organization_id", "query")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_ONLY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    version: str
    verified_only: bool
    page_size: int
    page_token: str
    level: _submissions_pb2.VerificationLevel
    organization_id: str
    query: str
    def __init__(self, benchmark_id: _Optional[str] = ..., version: _Optional[str] = ..., verified_only: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., level: _Optional[_Union[_submissions_pb2.VerificationLevel, str]] = ..., organization_id: _Optional[str] = ..., query: _Optional[str] = ...) -> None: ...

class CategoryCell(_message.Message):
    __slots__ = ("benchmark_id", "version_id", "entry_id", "submission_id", "rank", "rank_low", "rank_high", "value", "low", "high", "provider_name", "is_simulated", "verdict")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    ENTRY_ID_FIELD_NUMBER: _ClassVar[int]
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    RANK_LOW_FIELD_NUMBER: _ClassVar[int]
    RANK_HIGH_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    IS_SIMULATED_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    version_id: str
    entry_id: str
    submission_id: str
    rank: int
    rank_low: int
    rank_high: int
    value: float
    low: float
    high: float
    provider_name: str
    is_simulated: bool
    verdict: _submissions_pb2.Verdict
    def __init__(self, benchmark_id: _Optional[str] = ..., version_id: _Optional[str] = ..., entry_id: _Optional[str] = ..., submission_id: _Optional[str] = ..., rank: _Optional[int] = ..., rank_low: _Optional[int] = ..., rank_high: _Optional[int] = ..., value: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., provider_name: _Optional[str] = ..., is_simulated: _Optional[bool] = ..., verdict: _Optional[_Union[_submissions_pb2.Verdict, str]] = ...) -> None: ...

class CategoryModel(_message.Message):
    __slots__ = ("model_id", "model_name", "model_publisher", "model_version", "cells")
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    MODEL_PUBLISHER_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    CELLS_FIELD_NUMBER: _ClassVar[int]
    model_id: str
    model_name: str
    model_publisher: str
    model_version: str
    cells: _containers.RepeatedCompositeFieldContainer[CategoryCell]
    def __init__(self, model_id: _Optional[str] = ..., model_name: _Optional[str] = ..., model_publisher: _Optional[str] = ..., model_version: _Optional[str] = ..., cells: _Optional[_Iterable[_Union[CategoryCell, _Mapping]]] = ...) -> None: ...

class CategoryLeaderboard(_message.Message):
    __slots__ = ("category", "verified_only", "boards", "models", "is_demo")
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_ONLY_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    category: _benchmarks_pb2.BenchmarkCategory
    verified_only: bool
    boards: _containers.RepeatedCompositeFieldContainer[Leaderboard]
    models: _containers.RepeatedCompositeFieldContainer[CategoryModel]
    is_demo: bool
    def __init__(self, category: _Optional[_Union[_benchmarks_pb2.BenchmarkCategory, str]] = ..., verified_only: _Optional[bool] = ..., boards: _Optional[_Iterable[_Union[Leaderboard, _Mapping]]] = ..., models: _Optional[_Iterable[_Union[CategoryModel, _Mapping]]] = ..., is_demo: _Optional[bool] = ...) -> None: ...

class GetCategoryLeaderboardRequest(_message.Message):
    __slots__ = ("category", "verified_only", "page_size")
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_ONLY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    category: _benchmarks_pb2.BenchmarkCategory
    verified_only: bool
    page_size: int
    def __init__(self, category: _Optional[_Union[_benchmarks_pb2.BenchmarkCategory, str]] = ..., verified_only: _Optional[bool] = ..., page_size: _Optional[int] = ...) -> None: ...

class ModelComparison(_message.Message):
    __slots__ = ("first_id", "second_id", "metric", "metric_title", "unit", "direction", "difference", "low", "high", "percent", "percent_low", "percent_high", "confidence", "p_value", "p_adjusted", "method", "shared_count", "obstacle", "better_id", "summary")
    FIRST_ID_FIELD_NUMBER: _ClassVar[int]
    SECOND_ID_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    METRIC_TITLE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    PERCENT_FIELD_NUMBER: _ClassVar[int]
    PERCENT_LOW_FIELD_NUMBER: _ClassVar[int]
    PERCENT_HIGH_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    P_VALUE_FIELD_NUMBER: _ClassVar[int]
    P_ADJUSTED_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    SHARED_COUNT_FIELD_NUMBER: _ClassVar[int]
    OBSTACLE_FIELD_NUMBER: _ClassVar[int]
    BETTER_ID_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    first_id: str
    second_id: str
    metric: str
    metric_title: str
    unit: str
    direction: _benchmarks_pb2.MetricDirection
    difference: float
    low: float
    high: float
    percent: float
    percent_low: float
    percent_high: float
    confidence: float
    p_value: float
    p_adjusted: float
    method: ComparisonMethod
    shared_count: int
    obstacle: str
    better_id: str
    summary: str
    def __init__(self, first_id: _Optional[str] = ..., second_id: _Optional[str] = ..., metric: _Optional[str] = ..., metric_title: _Optional[str] = ..., unit: _Optional[str] = ..., direction: _Optional[_Union[_benchmarks_pb2.MetricDirection, str]] = ..., difference: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., percent: _Optional[float] = ..., percent_low: _Optional[float] = ..., percent_high: _Optional[float] = ..., confidence: _Optional[float] = ..., p_value: _Optional[float] = ..., p_adjusted: _Optional[float] = ..., method: _Optional[_Union[ComparisonMethod, str]] = ..., shared_count: _Optional[int] = ..., obstacle: _Optional[str] = ..., better_id: _Optional[str] = ..., summary: _Optional[str] = ...) -> None: ...

class SubjectDifference(_message.Message):
    __slots__ = ("name", "values")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    name: str
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class ComparedCase(_message.Message):
    __slots__ = ("key", "scores")
    KEY_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    key: str
    scores: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, key: _Optional[str] = ..., scores: _Optional[_Iterable[float]] = ...) -> None: ...

class Comparison(_message.Message):
    __slots__ = ("benchmark_id", "benchmark_slug", "benchmark_name", "version_id", "version", "is_demo", "summary", "entries", "comparisons", "other_comparisons", "subject_differences", "differing_case_count", "differing_cases", "names")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_SLUG_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    COMPARISONS_FIELD_NUMBER: _ClassVar[int]
    OTHER_COMPARISONS_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    DIFFERING_CASE_COUNT_FIELD_NUMBER: _ClassVar[int]
    DIFFERING_CASES_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: str
    version_id: str
    version: str
    is_demo: bool
    summary: str
    entries: _containers.RepeatedCompositeFieldContainer[LeaderboardEntry]
    comparisons: _containers.RepeatedCompositeFieldContainer[ModelComparison]
    other_comparisons: _containers.RepeatedCompositeFieldContainer[ModelComparison]
    subject_differences: _containers.RepeatedCompositeFieldContainer[SubjectDifference]
    differing_case_count: int
    differing_cases: _containers.RepeatedCompositeFieldContainer[ComparedCase]
    names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, benchmark_id: _Optional[str] = ..., benchmark_slug: _Optional[str] = ..., benchmark_name: _Optional[str] = ..., version_id: _Optional[str] = ..., version: _Optional[str] = ..., is_demo: _Optional[bool] = ..., summary: _Optional[str] = ..., entries: _Optional[_Iterable[_Union[LeaderboardEntry, _Mapping]]] = ..., comparisons: _Optional[_Iterable[_Union[ModelComparison, _Mapping]]] = ..., other_comparisons: _Optional[_Iterable[_Union[ModelComparison, _Mapping]]] = ..., subject_differences: _Optional[_Iterable[_Union[SubjectDifference, _Mapping]]] = ..., differing_case_count: _Optional[int] = ..., differing_cases: _Optional[_Iterable[_Union[ComparedCase, _Mapping]]] = ..., names: _Optional[_Iterable[str]] = ...) -> None: ...

class CompareModelsRequest(_message.Message):
    __slots__ = ("benchmark_id", "version", "entry_ids", "submission_ids", "models")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ENTRY_IDS_FIELD_NUMBER: _ClassVar[int]
    SUBMISSION_IDS_FIELD_NUMBER: _ClassVar[int]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    version: str
    entry_ids: _containers.RepeatedScalarFieldContainer[str]
    submission_ids: _containers.RepeatedScalarFieldContainer[str]
    models: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, benchmark_id: _Optional[str] = ..., version: _Optional[str] = ..., entry_ids: _Optional[_Iterable[str]] = ..., submission_ids: _Optional[_Iterable[str]] = ..., models: _Optional[_Iterable[str]] = ...) -> None: ...

class ModelMeasurement(_message.Message):
    __slots__ = ("verification_id", "submission_id", "benchmark_id", "benchmark_slug", "benchmark_name", "version_id", "version", "metric", "metric_title", "unit", "direction", "value", "low", "high", "confidence", "sample_count", "claimed_value", "verdict", "level", "submission_status", "organization_name", "deployment_id", "provider_name", "fingerprint", "is_simulated", "is_demo", "is_current", "measured_at")
    VERIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    SUBMISSION_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_SLUG_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    METRIC_TITLE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_VALUE_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    SUBMISSION_STATUS_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_NAME_FIELD_NUMBER: _ClassVar[int]
    DEPLOYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_NAME_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    IS_SIMULATED_FIELD_NUMBER: _ClassVar[int]
    IS_DEMO_FIELD_NUMBER: _ClassVar[int]
    IS_CURRENT_FIELD_NUMBER: _ClassVar[int]
    MEASURED_AT_FIELD_NUMBER: _ClassVar[int]
    verification_id: str
    submission_id: str
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: str
    version_id: str
    version: str
    metric: str
    metric_title: str
    unit: str
    direction: _benchmarks_pb2.MetricDirection
    value: float
    low: float
    high: float
    confidence: float
    sample_count: int
    claimed_value: float
    verdict: _submissions_pb2.Verdict
    level: _submissions_pb2.VerificationLevel
    submission_status: _submissions_pb2.SubmissionStatus
    organization_name: str
    deployment_id: str
    provider_name: str
    fingerprint: str
    is_simulated: bool
    is_demo: bool
    is_current: bool
    measured_at: _timestamp_pb2.Timestamp
    def __init__(self, verification_id: _Optional[str] = ..., submission_id: _Optional[str] = ..., benchmark_id: _Optional[str] = ..., benchmark_slug: _Optional[str] = ..., benchmark_name: _Optional[str] = ..., version_id: _Optional[str] = ..., version: _Optional[str] = ..., metric: _Optional[str] = ..., metric_title: _Optional[str] = ..., unit: _Optional[str] = ..., direction: _Optional[_Union[_benchmarks_pb2.MetricDirection, str]] = ..., value: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ..., confidence: _Optional[float] = ..., sample_count: _Optional[int] = ..., claimed_value: _Optional[float] = ..., verdict: _Optional[_Union[_submissions_pb2.Verdict, str]] = ..., level: _Optional[_Union[_submissions_pb2.VerificationLevel, str]] = ..., submission_status: _Optional[_Union[_submissions_pb2.SubmissionStatus, str]] = ..., organization_name: _Optional[str] = ..., deployment_id: _Optional[str] = ..., provider_name: _Optional[str] = ..., fingerprint: _Optional[str] = ..., is_simulated: _Optional[bool] = ..., is_demo: _Optional[bool] = ..., is_current: _Optional[bool] = ..., measured_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListModelMeasurementsRequest(_message.Message):
    __slots__ = ("model_id", "benchmark_id", "page_size", "page_token")
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    model_id: str
    benchmark_id: str
    page_size: int
    page_token: str
    def __init__(self, model_id: _Optional[str] = ..., benchmark_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListModelMeasurementsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ModelMeasurement]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[ModelMeasurement, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class LeaderboardExport(_message.Message):
    __slots__ = ("benchmark_id", "version_id", "name", "media_type", "content")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    version_id: str
    name: str
    media_type: str
    content: bytes
    def __init__(self, benchmark_id: _Optional[str] = ..., version_id: _Optional[str] = ..., name: _Optional[str] = ..., media_type: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class ExportLeaderboardRequest(_message.Message):
    __slots__ = ("benchmark_id", "version", "verified_only", "level", "organization_id", "query", "format")
    BENCHMARK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_ONLY_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    benchmark_id: str
    version: str
    verified_only: bool
    level: _submissions_pb2.VerificationLevel
    organization_id: str
    query: str
    format: str
    def __init__(self, benchmark_id: _Optional[str] = ..., version: _Optional[str] = ..., verified_only: _Optional[bool] = ..., level: _Optional[_Union[_submissions_pb2.VerificationLevel, str]] = ..., organization_id: _Optional[str] = ..., query: _Optional[str] = ..., format: _Optional[str] = ...) -> None: ...
