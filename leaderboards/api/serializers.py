"""The one shape of a board, for every door."""

from typing import Any

from rest_framework import serializers

from benchmarks.models import BenchmarkCategory, MetricDirection
from exchange.api.forms import ListForm
from leaderboards import selectors
from leaderboards.differences import Method
from leaderboards.selectors import Board, Row
from submissions.models import SubmissionStatus, Verdict, VerificationLevel

from .forms import BoardRowsForm

METHODS = [(method.value, method.value) for method in Method]


class LeaderboardMetricSerializer(serializers.Serializer):
    name = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    sample_count = serializers.IntegerField(allow_null=True)
    is_stated = serializers.BooleanField()
    covers = serializers.CharField()


class LeaderboardEntrySerializer(serializers.Serializer):
    id = serializers.UUIDField()
    rank = serializers.IntegerField(allow_null=True)
    rank_low = serializers.IntegerField(allow_null=True)
    rank_high = serializers.IntegerField(allow_null=True)
    tie_group = serializers.IntegerField(allow_null=True)
    submission_id = serializers.UUIDField()
    verification_id = serializers.UUIDField(allow_null=True)
    model_id = serializers.UUIDField()
    model_name = serializers.CharField()
    model_publisher = serializers.CharField()
    model_version = serializers.CharField()
    deployment_id = serializers.UUIDField(allow_null=True)
    provider_name = serializers.CharField(allow_null=True)
    organization_id = serializers.UUIDField()
    organization_name = serializers.CharField()
    level = serializers.ChoiceField(choices=VerificationLevel.choices)
    verdict = serializers.ChoiceField(choices=Verdict.choices, allow_null=True)
    claim_refuted = serializers.BooleanField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    confidence = serializers.FloatField(allow_null=True)
    sample_count = serializers.IntegerField(allow_null=True)
    claimed_value = serializers.FloatField(allow_null=True)
    metrics = LeaderboardMetricSerializer(many=True)
    fingerprint = serializers.CharField()
    is_simulated = serializers.BooleanField()
    measured_at = serializers.DateTimeField(allow_null=True)
    is_demo = serializers.BooleanField()


class LeaderboardSerializer(serializers.Serializer):
    benchmark_id = serializers.UUIDField()
    benchmark_slug = serializers.CharField()
    benchmark_name = serializers.CharField()
    version_id = serializers.UUIDField()
    version = serializers.CharField()
    metric = serializers.CharField()
    metric_title = serializers.CharField()
    unit = serializers.CharField()
    direction = serializers.ChoiceField(choices=MetricDirection.choices)
    verified_only = serializers.BooleanField()
    ranked_count = serializers.IntegerField()
    unranked_count = serializers.IntegerField()
    separable_neighbour_count = serializers.IntegerField()
    is_demo = serializers.BooleanField()
    items = LeaderboardEntrySerializer(many=True)
    next_page_token = serializers.CharField()
    updated_at = serializers.DateTimeField(allow_null=True)


class GetLeaderboardRequestSerializer(ListForm, BoardRowsForm):
    page_size = serializers.IntegerField(min_value=1, max_value=100, default=50)


class ExportLeaderboardRequestSerializer(BoardRowsForm):
    format = serializers.ChoiceField(choices=["csv", "json"], default="csv")


class LeaderboardExportSerializer(serializers.Serializer):
    benchmark_id = serializers.UUIDField()
    version_id = serializers.UUIDField()
    name = serializers.CharField()
    media_type = serializers.CharField()
    content = serializers.FileField()


class CategoryCellSerializer(serializers.Serializer):
    benchmark_id = serializers.UUIDField()
    version_id = serializers.UUIDField()
    entry_id = serializers.UUIDField()
    submission_id = serializers.UUIDField()
    rank = serializers.IntegerField(allow_null=True)
    rank_low = serializers.IntegerField(allow_null=True)
    rank_high = serializers.IntegerField(allow_null=True)
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    provider_name = serializers.CharField(allow_null=True)
    is_simulated = serializers.BooleanField()
    verdict = serializers.ChoiceField(choices=Verdict.choices, allow_null=True)


class CategoryModelSerializer(serializers.Serializer):
    model_id = serializers.UUIDField()
    model_name = serializers.CharField()
    model_publisher = serializers.CharField()
    model_version = serializers.CharField()
    cells = CategoryCellSerializer(many=True)


class CategoryLeaderboardSerializer(serializers.Serializer):
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices)
    verified_only = serializers.BooleanField()
    boards = LeaderboardSerializer(many=True)
    models = CategoryModelSerializer(many=True)
    is_demo = serializers.BooleanField()


class GetCategoryLeaderboardRequestSerializer(serializers.Serializer):
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices)
    verified_only = serializers.BooleanField(default=True)
    page_size = serializers.IntegerField(min_value=1, max_value=50, default=10)


class ModelComparisonSerializer(serializers.Serializer):
    first_id = serializers.UUIDField(source="first.key")
    second_id = serializers.UUIDField(source="second.key")
    metric = serializers.CharField(source="metric.name")
    metric_title = serializers.CharField(source="metric.title")
    unit = serializers.CharField(source="metric.unit")
    direction = serializers.ChoiceField(choices=MetricDirection.choices, source="metric.direction")
    difference = serializers.FloatField(allow_null=True, source="difference.difference")
    low = serializers.FloatField(allow_null=True, source="difference.low")
    high = serializers.FloatField(allow_null=True, source="difference.high")
    percent = serializers.FloatField(allow_null=True, source="difference.percent")
    percent_low = serializers.FloatField(allow_null=True, source="difference.percent_low")
    percent_high = serializers.FloatField(allow_null=True, source="difference.percent_high")
    confidence = serializers.FloatField(source="difference.confidence")
    p_value = serializers.FloatField(allow_null=True, source="difference.p_value")
    p_adjusted = serializers.FloatField(allow_null=True, source="difference.p_adjusted")
    method = serializers.ChoiceField(choices=METHODS, source="difference.method")
    shared_count = serializers.IntegerField(allow_null=True, source="difference.shared_count")
    obstacle = serializers.CharField(allow_null=True, source="difference.obstacle")
    better_id = serializers.UUIDField(allow_null=True, source="better.key", default=None)
    summary = serializers.CharField()


class SubjectDifferenceSerializer(serializers.Serializer):
    name = serializers.CharField()
    values = serializers.ListField(child=serializers.CharField())


class ComparedCaseSerializer(serializers.Serializer):
    key = serializers.CharField()
    scores = serializers.ListField(child=serializers.FloatField())


class ComparisonSerializer(serializers.Serializer):
    benchmark_id = serializers.UUIDField()
    benchmark_slug = serializers.CharField()
    benchmark_name = serializers.CharField()
    version_id = serializers.UUIDField()
    version = serializers.CharField()
    is_demo = serializers.BooleanField()
    summary = serializers.CharField()
    entries = LeaderboardEntrySerializer(many=True)
    names = serializers.ListField(child=serializers.CharField())
    comparisons = ModelComparisonSerializer(many=True)
    other_comparisons = ModelComparisonSerializer(many=True)
    subject_differences = SubjectDifferenceSerializer(many=True)
    differing_case_count = serializers.IntegerField(allow_null=True)
    differing_cases = ComparedCaseSerializer(many=True)


class IdsField(serializers.ListField):
    """Ids as a list, or as REST's query has them: one text with commas between."""

    child = serializers.UUIDField()

    def to_internal_value(self, data: Any) -> list[Any]:
        given = [part.strip() for part in data.split(",") if part.strip()] if isinstance(data, str) else data
        return super().to_internal_value(given)


class CompareModelsRequestSerializer(serializers.Serializer):
    benchmark_id = serializers.UUIDField()
    version = serializers.CharField(max_length=64, default="", allow_blank=True)
    entry_ids = IdsField(max_length=10, default=list)
    submission_ids = IdsField(max_length=10, default=list)
    models = IdsField(max_length=10, default=list, source="model_ids")


class ModelMeasurementSerializer(serializers.Serializer):
    verification_id = serializers.UUIDField()
    submission_id = serializers.UUIDField()
    benchmark_id = serializers.UUIDField()
    benchmark_slug = serializers.CharField()
    benchmark_name = serializers.CharField()
    version_id = serializers.UUIDField()
    version = serializers.CharField()
    metric = serializers.CharField()
    metric_title = serializers.CharField()
    unit = serializers.CharField()
    direction = serializers.ChoiceField(choices=MetricDirection.choices)
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    confidence = serializers.FloatField(allow_null=True)
    sample_count = serializers.IntegerField(allow_null=True)
    claimed_value = serializers.FloatField(allow_null=True)
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    level = serializers.ChoiceField(choices=VerificationLevel.choices)
    submission_status = serializers.ChoiceField(choices=SubmissionStatus.choices)
    organization_name = serializers.CharField()
    deployment_id = serializers.UUIDField(allow_null=True)
    provider_name = serializers.CharField(allow_null=True)
    fingerprint = serializers.CharField()
    is_simulated = serializers.BooleanField()
    is_demo = serializers.BooleanField()
    is_current = serializers.BooleanField()
    measured_at = serializers.DateTimeField()


class ListModelMeasurementsRequestSerializer(ListForm):
    model_id = serializers.UUIDField()
    benchmark_id = serializers.UUIDField(default=None, allow_null=True)


def shown_board(board: Board, page: dict[str, Any]) -> dict[str, Any]:
    """A page of a board, as every door shows it."""
    rows, token = selectors.rows_page(board.rows, **page)
    items = [shown_row(board, row) for row in rows]
    return dict(LeaderboardSerializer({**board_facts(board), "items": items, "next_page_token": token}).data)


def board_facts(board: Board) -> dict[str, Any]:
    """What stands above the rows."""
    return {
        "benchmark_id": board.benchmark.pk,
        "benchmark_slug": board.benchmark.slug,
        "benchmark_name": board.benchmark.name,
        "version_id": board.version.pk,
        "version": board.version.version,
        "metric": board.metric.name,
        "metric_title": board.metric.title,
        "unit": board.metric.unit,
        "direction": board.metric.direction,
        "verified_only": board.verified_only,
        "ranked_count": board.ranked_count,
        "unranked_count": board.unranked_count,
        "separable_neighbour_count": board.separable_neighbour_count,
        "is_demo": board.benchmark.is_demo,
        "updated_at": board.updated_at,
    }


def shown_row(board: Board, row: Row) -> dict[str, Any]:
    """One row, as `LeaderboardEntrySerializer` takes it."""
    is_demo = board.benchmark.is_demo or row.submission.organization.is_demo
    return {**_row(row), "is_demo": is_demo}


def _row(row: Row) -> dict[str, Any]:
    submission = row.submission
    endpoint = submission.deployment.endpoint if submission.deployment else None
    return {
        "id": row.key,
        "rank": row.standing.rank,
        "rank_low": row.standing.rank_low,
        "rank_high": row.standing.rank_high,
        "tie_group": row.standing.tie_group,
        "submission_id": submission.pk,
        "model_id": submission.model_id,
        "model_name": submission.model.name,
        "model_publisher": submission.model.publisher,
        "model_version": submission.model.version,
        "deployment_id": submission.deployment_id,
        "provider_name": endpoint.provider_name if endpoint else None,
        "organization_id": submission.organization_id,
        "organization_name": submission.organization.name,
        "fingerprint": submission.fingerprint,
        "is_simulated": submission.is_simulated,
        "claimed_value": row.claimed_value,
        **_measurement(row),
    }


def _measurement(row: Row) -> dict[str, Any]:
    entry = row.entry
    names = ("value", "low", "high", "confidence", "sample_count", "measured_at")
    return {
        **{name: getattr(entry, name) if entry else None for name in names},
        "verification_id": entry.verification_id if entry else None,
        "level": entry.level if entry else row.submission.level,
        "verdict": entry.verdict if entry else None,
        "claim_refuted": bool(entry and entry.verdict == Verdict.REFUTED),
        "metrics": entry.metrics if entry else [],
    }
