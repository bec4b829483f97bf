"""The one shape of benchmarks, their versions and test cases, for every door."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from benchmarks.content import LONGEST_CHOICE, MOST_CASES, MOST_METRICS
from benchmarks.filters import DEFAULT_ORDER, ORDERS
from benchmarks.loads import MOST_LEVELS, RANGES
from benchmarks.metadata import FIRST_YEAR, MOST_TAGS
from benchmarks.models import (
    BenchmarkCategory,
    BenchmarkKind,
    BenchmarkStatus,
    LicenseType,
    LoadProtocol,
    MetricDirection,
    MetricKind,
    VersionStatus,
    Visibility,
)
from benchmarks.moves import LONGEST_REASON, SHORTEST_REASON
from benchmarks.semver import LONGEST
from exchange.accounts.models import slug_form
from exchange.api.fields import FiniteFloatField, NameField
from exchange.api.forms import ListForm

_SMALLEST_INT64, _LARGEST_INT64 = -(2**63), 2**63 - 1


def _within(name: str, **options: Any) -> serializers.IntegerField:
    low, high = RANGES[name]
    return serializers.IntegerField(min_value=low, max_value=high, **options)


def _tags(of: type[serializers.CharField] = NameField, **options: Any) -> serializers.ListField:
    return serializers.ListField(child=of(max_length=50), max_length=MOST_TAGS, required=False, **options)


def _people(**options: Any) -> serializers.ListField:
    """User names."""
    return serializers.ListField(
        child=serializers.CharField(max_length=50), max_length=50, required=False, **options
    )


def _text(longest: int, **options: Any) -> serializers.CharField:
    return serializers.CharField(max_length=longest, allow_blank=True, **options)


class CitationSerializer(serializers.Serializer):
    title = _text(300, default="")
    authors = serializers.ListField(child=serializers.CharField(max_length=200), max_length=200, default=list)
    venue = _text(300, default="")
    year = serializers.IntegerField(min_value=FIRST_YEAR, max_value=9999, allow_null=True, default=None)
    doi = _text(200, default="")
    bibtex = _text(8000, default="")


class BenchmarkSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    kind = serializers.ChoiceField(choices=BenchmarkKind.choices)
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices)
    status = serializers.ChoiceField(choices=BenchmarkStatus.choices)
    visibility = serializers.ChoiceField(choices=Visibility.choices)
    tags = serializers.ListField(child=serializers.CharField())
    long_description = serializers.CharField()
    license = serializers.ChoiceField(choices=LicenseType.choices, allow_null=True)
    custom_license = serializers.CharField()
    citation = CitationSerializer(allow_null=True)
    documentation_url = serializers.CharField()
    source_url = serializers.CharField()
    maintainers = serializers.ListField(child=serializers.CharField())
    is_endorsed = serializers.BooleanField()
    organization_id = serializers.UUIDField()
    organization_name = serializers.CharField(source="organization.name")
    is_demo = serializers.BooleanField()
    current_version = serializers.CharField(allow_null=True)
    current_version_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class BenchmarkStatusChangeSerializer(serializers.Serializer):
    """A move. Nobody's name: the system made it, for a proposal that passed or for an operator."""

    from_status = serializers.ChoiceField(choices=BenchmarkStatus.choices)
    to_status = serializers.ChoiceField(choices=BenchmarkStatus.choices)
    changed_by_id = serializers.UUIDField(source="changed_by", allow_null=True)
    changed_by_name = serializers.CharField(allow_null=True)
    reason = serializers.CharField()
    changed_at = serializers.DateTimeField(source="created_at")


class MetricSerializer(serializers.Serializer):
    name = serializers.RegexField(
        r"^[a-z][a-z0-9_]*\Z",
        max_length=64,
        error_messages={"invalid": _("Use lower-case letters, digits and _, starting with a letter.")},
    )
    title = NameField(max_length=160)
    unit = serializers.CharField(max_length=32, default="", allow_blank=True)
    direction = serializers.ChoiceField(
        choices=MetricDirection.choices,
        error_messages={"required": _("Say which is better: higher_is_better or lower_is_better.")},
    )
    kind = serializers.ChoiceField(
        choices=MetricKind.choices,
        error_messages={"required": _("Say what kind of number this is; it decides the interval.")},
    )
    minimum = FiniteFloatField(allow_null=True, default=None)
    maximum = FiniteFloatField(allow_null=True, default=None)
    is_primary = serializers.BooleanField(default=False)


class GenerationSerializer(serializers.Serializer):
    temperature = FiniteFloatField(min_value=0, max_value=2, allow_null=True, default=None)
    top_p = FiniteFloatField(min_value=0, max_value=1, allow_null=True, default=None)
    max_tokens = serializers.IntegerField(min_value=1, max_value=32_768, allow_null=True, default=None)
    seed = serializers.IntegerField(
        min_value=_SMALLEST_INT64, max_value=_LARGEST_INT64, allow_null=True, default=None
    )
    stop = serializers.ListField(
        child=serializers.CharField(max_length=64, trim_whitespace=False), max_length=4, default=list
    )


class SloSerializer(serializers.Serializer):
    """Goals of one request in ms."""

    ttft_ms = FiniteFloatField(allow_null=True, default=None)
    itl_ms = FiniteFloatField(allow_null=True, default=None)
    request_latency_ms = FiniteFloatField(allow_null=True, default=None)


class LoadProfileSerializer(serializers.Serializer):
    """What is null or empty is left open; `benchmarks.loads` says what follows then."""

    input_tokens = _within("input_tokens")
    output_tokens = serializers.IntegerField(min_value=0, max_value=RANGES["output_tokens"][1], default=0)
    requests = _within("requests")
    warmup_requests = _within("warmup_requests", default=2)
    concurrency = _within("concurrency", allow_null=True, default=None)
    streaming = serializers.BooleanField(allow_null=True, default=None)
    protocol = serializers.ChoiceField(choices=LoadProtocol.choices, allow_null=True, default=None)
    concurrencies = serializers.ListField(child=_within("concurrency"), max_length=MOST_LEVELS, default=list)
    slo = SloSerializer(allow_null=True, default=None)
    documents = _within("documents", allow_null=True, default=None)
    batch_size = _within("batch_size", allow_null=True, default=None)


class QualityGateSerializer(serializers.Serializer):
    """A speed counts only where the same deployment, set alike, reaches `minimum` (a share) in `metric`."""

    benchmark_version_id = serializers.UUIDField()
    metric = serializers.CharField(max_length=64)
    minimum = FiniteFloatField()


class VerificationPolicySerializer(serializers.Serializer):
    number = serializers.IntegerField()
    delta = serializers.FloatField()
    alpha = serializers.FloatField()
    gamma = serializers.FloatField()
    tolerances = serializers.DictField(child=serializers.FloatField())
    deciding_metrics = serializers.ListField(child=serializers.CharField())
    sessions = serializers.IntegerField()
    decided_by = serializers.CharField()
    digest = serializers.CharField()
    effective_at = serializers.DateTimeField()
    quality_gate = QualityGateSerializer(allow_null=True)


class PolicyDraftSerializer(serializers.Serializer):
    """The author's rule; what is left out gets the default of the benchmark's kind."""

    delta = FiniteFloatField(allow_null=True, default=None)
    alpha = FiniteFloatField(allow_null=True, default=None)
    gamma = FiniteFloatField(allow_null=True, default=None)
    tolerances = serializers.DictField(child=FiniteFloatField(), default=dict)
    deciding_metrics = serializers.ListField(
        child=serializers.CharField(max_length=64), max_length=50, default=list
    )
    sessions = serializers.IntegerField(allow_null=True, default=None)
    quality_gate = QualityGateSerializer(allow_null=True, default=None)


class BenchmarkVersionSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    benchmark_id = serializers.UUIDField()
    version = serializers.CharField()
    kind = serializers.ChoiceField(choices=BenchmarkKind.choices, source="benchmark.kind")
    status = serializers.ChoiceField(choices=VersionStatus.choices)
    content_hash = serializers.CharField(allow_null=True)
    changelog = serializers.CharField()
    migration_notes = serializers.CharField()
    parent_version = serializers.CharField(source="parent.version", allow_null=True, default=None)
    is_compatible = serializers.BooleanField(allow_null=True)
    system_prompt = serializers.CharField()
    prompt_template = serializers.CharField()
    cases_public = serializers.BooleanField()
    generation = GenerationSerializer(allow_null=True)
    load_profile = LoadProfileSerializer(allow_null=True)
    metrics = MetricSerializer(many=True)
    test_case_count = serializers.IntegerField()
    policy = VerificationPolicySerializer(allow_null=True)
    published_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class TestCaseSerializer(serializers.Serializer):
    key = serializers.RegexField(
        r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z",
        max_length=128,
        error_messages={"invalid": _("Use letters, digits, dots, - and _, starting with a letter or digit.")},
    )
    prompt = serializers.CharField(max_length=20_000, trim_whitespace=False)
    reference = serializers.CharField(max_length=4000, trim_whitespace=False)
    scorer = serializers.CharField(max_length=64)
    scorer_config = serializers.DictField(default=dict)
    choices = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_CHOICE, trim_whitespace=False), default=dict
    )
    weight = FiniteFloatField(default=1.0, max_value=1000)
    tags = _tags(of=serializers.CharField, default=list)
    group = NameField(max_length=128, allow_null=True, default=None)


def _metrics(**options: Any) -> "serializers.ListSerializer[Any]":
    """Counted before any of them is looked at."""
    return serializers.ListSerializer(child=MetricSerializer(), max_length=MOST_METRICS, **options)


def _test_cases(**options: Any) -> "serializers.ListSerializer[Any]":
    return serializers.ListSerializer(child=TestCaseSerializer(), max_length=MOST_CASES, **options)


class _SplitField(serializers.ListField):
    """A list, or one text with commas, as a query says it."""

    def to_internal_value(self, data: Any) -> list[Any]:
        parts = [part for part in data.split(",") if part.strip()] if isinstance(data, str) else data
        return list(super().to_internal_value(parts))


class ListBenchmarksRequestSerializer(ListForm):
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices, default="")
    kind = serializers.ChoiceField(choices=BenchmarkKind.choices, default="")
    status = serializers.ChoiceField(choices=BenchmarkStatus.choices, default="")
    tags = _SplitField(child=serializers.CharField(max_length=50), max_length=MOST_TAGS, default=list)
    organization = _text(80, default="")
    license = serializers.ChoiceField(choices=LicenseType.choices, default="")
    endorsed = serializers.BooleanField(allow_null=True, default=None)
    query = _text(200, default="")
    ordering = serializers.ChoiceField(choices=ORDERS, default=DEFAULT_ORDER)


class CreateBenchmarkRequestSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    slug = serializers.CharField(max_length=80, validators=[slug_form])
    name = NameField(max_length=160)
    description = _text(4000, default="")
    long_description = _text(20_000, default="")
    kind = serializers.ChoiceField(choices=BenchmarkKind.choices)
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices)
    visibility = serializers.ChoiceField(choices=Visibility.choices, default=Visibility.PUBLIC)
    tags = _tags(default=list)
    license = serializers.ChoiceField(choices=LicenseType.choices, allow_null=True, default=None)
    custom_license = _text(4000, default="")
    citation = CitationSerializer(allow_null=True, default=None)
    documentation_url = _text(2000, default="")
    source_url = _text(2000, default="")
    maintainers = _people(default=list)


class GetBenchmarkRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="benchmark_id")


class GetBenchmarkBySlugRequestSerializer(serializers.Serializer):
    slug = serializers.CharField(max_length=80)


class UpdateBenchmarkRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="benchmark_id")
    name = NameField(max_length=160, required=False)
    description = _text(4000, required=False)
    long_description = _text(20_000, required=False)
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices, required=False)
    visibility = serializers.ChoiceField(choices=Visibility.choices, required=False)
    tags = _tags()
    license = serializers.ChoiceField(choices=LicenseType.choices, required=False)
    custom_license = _text(4000, required=False)
    citation = CitationSerializer(required=False)
    documentation_url = _text(2000, required=False)
    source_url = _text(2000, required=False)
    maintainers = _people()


class SubmitForReviewRequestSerializer(serializers.Serializer):
    """`expected_status`: refuse if it is another one by now."""

    id = serializers.UUIDField(source="benchmark_id")
    expected_status = serializers.ChoiceField(choices=BenchmarkStatus.choices, default="")


class ApproveBenchmarkRequestSerializer(SubmitForReviewRequestSerializer):
    reason = _text(LONGEST_REASON, default="")


class RejectBenchmarkRequestSerializer(SubmitForReviewRequestSerializer):
    reason = serializers.CharField(min_length=SHORTEST_REASON, max_length=LONGEST_REASON)


class TakeBackFromReviewRequestSerializer(ApproveBenchmarkRequestSerializer):
    pass


class DeprecateBenchmarkRequestSerializer(RejectBenchmarkRequestSerializer):
    pass


class ReactivateBenchmarkRequestSerializer(ApproveBenchmarkRequestSerializer):
    pass


class ArchiveBenchmarkRequestSerializer(ApproveBenchmarkRequestSerializer):
    pass


class ListBenchmarkStatusChangesRequestSerializer(ListForm):
    benchmark_id = serializers.UUIDField()


class ListBenchmarkVersionsRequestSerializer(ListForm):
    benchmark_id = serializers.UUIDField()


class CreateBenchmarkVersionRequestSerializer(serializers.Serializer):
    benchmark_id = serializers.UUIDField()
    version = serializers.CharField(max_length=LONGEST)
    changelog = _text(4000, default="")
    migration_notes = _text(4000, default="")
    system_prompt = serializers.CharField(max_length=4000, default="", allow_blank=True)
    prompt_template = serializers.CharField(max_length=12_000, default="{prompt}", trim_whitespace=False)
    cases_public = serializers.BooleanField(default=False)
    generation = GenerationSerializer(allow_null=True, default=None)
    load_profile = LoadProfileSerializer(allow_null=True, default=None)
    metrics = _metrics()
    test_cases = _test_cases(default=list)
    policy = PolicyDraftSerializer(allow_null=True, default=None)


class GetBenchmarkVersionRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="version_id")


class UpdateBenchmarkVersionRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="version_id")
    changelog = _text(4000, required=False)
    migration_notes = _text(4000, required=False)
    system_prompt = serializers.CharField(max_length=4000, allow_blank=True, required=False)
    prompt_template = serializers.CharField(max_length=12_000, trim_whitespace=False, required=False)
    cases_public = serializers.BooleanField(required=False)
    generation = GenerationSerializer(allow_null=True, required=False)
    load_profile = LoadProfileSerializer(allow_null=True, required=False)
    metrics = _metrics(required=False)
    test_cases = _test_cases(required=False)
    policy = PolicyDraftSerializer(allow_null=True, required=False)


class PublishBenchmarkVersionRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="version_id")


class AddVerificationPolicyRequestSerializer(PolicyDraftSerializer):
    version_id = serializers.UUIDField()
    effective_at = serializers.DateTimeField(allow_null=True, default=None)


class ListVerificationPoliciesRequestSerializer(ListForm):
    version_id = serializers.UUIDField()


class ListTestCasesRequestSerializer(ListForm):
    version_id = serializers.UUIDField()
