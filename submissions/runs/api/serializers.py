"""The one shape of runs and their bundles, for every door."""

from rest_framework import serializers

from benchmarks.models import BenchmarkKind
from exchange.api.fields import DecimalTextField, OptionalChoice, OptionalText
from llm_benchmark.measure.plans import Side
from submissions.runs.models import RunStatus
from submissions.runs.selectors import BUNDLE_PARTS, PUBLIC

SIDES = [side.value for side in Side]


class MeasuredMetricSerializer(serializers.Serializer):
    name = serializers.CharField(source="metric")
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    confidence = serializers.FloatField(allow_null=True)
    sample_count = serializers.IntegerField(allow_null=True)
    is_stated = serializers.BooleanField()
    covers = serializers.CharField()


class GroupScoreSerializer(serializers.Serializer):
    """Takes what `tallies.group_scores` gives, as the run's findings have it."""

    group = serializers.CharField()
    sample_count = serializers.IntegerField()
    accuracy = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    confidence = serializers.FloatField()
    answered_count = serializers.IntegerField()
    answered_accuracy = serializers.FloatField(allow_null=True)


class RunSerializer(serializers.Serializer):
    """Takes what `selectors.get_run` gives."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=BenchmarkKind.choices)
    status = serializers.ChoiceField(choices=RunStatus.choices)
    fence = serializers.IntegerField()
    attempt_count = serializers.IntegerField()
    planned_count = serializers.IntegerField()
    done_count = serializers.IntegerField()
    requests_settled = serializers.IntegerField()
    requests_lost = serializers.IntegerField()
    fault_side = OptionalChoice(choices=SIDES, allow_null=True)
    fault_code = OptionalText(allow_null=True)
    fault_message = OptionalText(allow_null=True)
    returned_model = OptionalText(allow_null=True)
    metrics = MeasuredMetricSerializer(many=True, source="scores.all")
    flags = serializers.ListField(child=serializers.CharField())
    snapshot = serializers.JSONField()
    fingerprint = serializers.CharField()
    bundle_sha256 = OptionalText(allow_null=True)
    public_bundle_sha256 = OptionalText(allow_null=True)
    bundle_size_bytes = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    findings = serializers.JSONField()
    groups = GroupScoreSerializer(many=True)
    input_tokens = serializers.IntegerField(allow_null=True)
    output_tokens = serializers.IntegerField(allow_null=True)
    cost_usd = DecimalTextField(allow_null=True)


class BundleSerializer(serializers.Serializer):
    run_id = serializers.UUIDField()
    sha256 = serializers.CharField()
    content = serializers.FileField()
    part = serializers.CharField()


class GetRunRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="run_id")


class DownloadBundleRequestSerializer(serializers.Serializer):
    run_id = serializers.UUIDField()
    part = serializers.ChoiceField(choices=BUNDLE_PARTS, default=PUBLIC)
