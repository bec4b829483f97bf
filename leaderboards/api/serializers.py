"""The one shape of a board, for every door."""

from typing import Any

from rest_framework import serializers

from benchmarks.models import MetricDirection
from exchange.api.forms import ListForm
from leaderboards import selectors
from leaderboards.selectors import Board, Row
from submissions.models import Verdict, VerificationLevel


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


class GetLeaderboardRequestSerializer(ListForm):
    benchmark_id = serializers.UUIDField()
    version = serializers.CharField(max_length=64, default="", allow_blank=True)
    verified_only = serializers.BooleanField(default=True)
    page_size = serializers.IntegerField(min_value=1, max_value=100, default=50)


def shown_board(board: Board, page: dict[str, Any]) -> dict[str, Any]:
    """A page of a board, as every door shows it."""
    rows, token = selectors.rows_page(board.rows, **page)
    facts = {
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
        "items": [{**_row(row), "is_demo": _is_demo(board, row)} for row in rows],
        "next_page_token": token,
        "updated_at": board.updated_at,
    }
    return dict(LeaderboardSerializer(facts).data)


def _is_demo(board: Board, row: Row) -> bool:
    return board.benchmark.is_demo or row.submission.organization.is_demo


def _row(row: Row) -> dict[str, Any]:
    submission, entry = row.submission, row.entry
    endpoint = submission.deployment.endpoint if submission.deployment else None
    return {
        "id": entry.pk if entry else submission.pk,
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
