"""The one shape of benchmarks, their versions and test cases, for every door."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from benchmarks.content import LONGEST_CHOICE, RANGES
from benchmarks.models import (
    BenchmarkCategory,
    BenchmarkKind,
    BenchmarkStatus,
    MetricDirection,
    MetricKind,
    VersionStatus,
    Visibility,
)
from benchmarks.semver import LONGEST
from exchange.accounts.models import slug_form
from exchange.api.fields import FiniteFloatField
from exchange.api.forms import ListForm

_SMALLEST_INT64, _LARGEST_INT64 = -(2**63), 2**63 - 1


def _within(name: str, **options: Any) -> serializers.IntegerField:
    low, high = RANGES[name]
    return serializers.IntegerField(min_value=low, max_value=high, **options)


def _tags() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=50), max_length=20, required=False, default=list
    )


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
    license = serializers.CharField()
    organization_id = serializers.UUIDField()
    organization_name = serializers.CharField(source="organization.name")
    is_demo = serializers.BooleanField()
    current_version = serializers.CharField(allow_null=True)
    current_version_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class MetricSerializer(serializers.Serializer):
    name = serializers.RegexField(
        r"^[a-z][a-z0-9_]*\Z",
        max_length=64,
        error_messages={"invalid": _("Use lower-case letters, digits and _, starting with a letter.")},
    )
    title = serializers.CharField(max_length=160)
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


class LoadProfileSerializer(serializers.Serializer):
    input_tokens = _within("input_tokens")
    output_tokens = _within("output_tokens")
    requests = _within("requests")
    warmup_requests = _within("warmup_requests", default=2)
    concurrency = _within("concurrency", default=1)
    streaming = serializers.BooleanField(default=True)


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


class BenchmarkVersionSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    benchmark_id = serializers.UUIDField()
    version = serializers.CharField()
    kind = serializers.ChoiceField(choices=BenchmarkKind.choices, source="benchmark.kind")
    status = serializers.ChoiceField(choices=VersionStatus.choices)
    content_hash = serializers.CharField(allow_null=True)
    changelog = serializers.CharField()
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
    tags = _tags()


class ListBenchmarksRequestSerializer(ListForm):
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices, default="")
    kind = serializers.ChoiceField(choices=BenchmarkKind.choices, default="")
    status = serializers.ChoiceField(choices=BenchmarkStatus.choices, default="")
    query = serializers.CharField(max_length=200, default="", allow_blank=True)


class CreateBenchmarkRequestSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    slug = serializers.CharField(max_length=80, validators=[slug_form])
    name = serializers.CharField(max_length=160)
    description = serializers.CharField(max_length=4000, default="", allow_blank=True)
    kind = serializers.ChoiceField(choices=BenchmarkKind.choices)
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices)
    visibility = serializers.ChoiceField(choices=Visibility.choices, default=Visibility.PUBLIC)
    tags = _tags()
    license = serializers.CharField(max_length=128, default="", allow_blank=True)


class GetBenchmarkRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="benchmark_id")


class GetBenchmarkBySlugRequestSerializer(serializers.Serializer):
    slug = serializers.CharField(max_length=80)


class UpdateBenchmarkRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="benchmark_id")
    name = serializers.CharField(max_length=160, required=False)
    description = serializers.CharField(max_length=4000, allow_blank=True, required=False)
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices, required=False)
    visibility = serializers.ChoiceField(choices=Visibility.choices, required=False)
    tags = serializers.ListField(child=serializers.CharField(max_length=50), max_length=20, required=False)
    license = serializers.CharField(max_length=128, allow_blank=True, required=False)


class ListBenchmarkVersionsRequestSerializer(ListForm):
    benchmark_id = serializers.UUIDField()


class CreateBenchmarkVersionRequestSerializer(serializers.Serializer):
    benchmark_id = serializers.UUIDField()
    version = serializers.CharField(max_length=LONGEST)
    changelog = serializers.CharField(max_length=4000, default="", allow_blank=True)
    system_prompt = serializers.CharField(max_length=4000, default="", allow_blank=True)
    prompt_template = serializers.CharField(max_length=12_000, default="{prompt}", trim_whitespace=False)
    cases_public = serializers.BooleanField(default=False)
    generation = GenerationSerializer(allow_null=True, default=None)
    load_profile = LoadProfileSerializer(allow_null=True, default=None)
    metrics = MetricSerializer(many=True)
    test_cases = TestCaseSerializer(many=True, required=False, default=list)
    policy = PolicyDraftSerializer(allow_null=True, default=None)


class GetBenchmarkVersionRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="version_id")


class UpdateBenchmarkVersionRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="version_id")
    changelog = serializers.CharField(max_length=4000, allow_blank=True, required=False)
    system_prompt = serializers.CharField(max_length=4000, allow_blank=True, required=False)
    prompt_template = serializers.CharField(max_length=12_000, trim_whitespace=False, required=False)
    cases_public = serializers.BooleanField(required=False)
    generation = GenerationSerializer(allow_null=True, required=False)
    load_profile = LoadProfileSerializer(allow_null=True, required=False)
    metrics = MetricSerializer(many=True, required=False)
    test_cases = TestCaseSerializer(many=True, required=False)
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
