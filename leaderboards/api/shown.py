"""From comparisons, categories and histories to the data of their serializers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from exchange.core import paging
from leaderboards import sessions
from leaderboards.comparing import CASES_LISTED, Comparison
from leaderboards.selectors import Board, Row
from submissions.models import Verification

from . import serializers as s


def shown_category(boards: Sequence[Board], form: Mapping[str, Any]) -> dict[str, Any]:
    """Each board with its first `page_size` rows, and the models of these with all their rows."""
    size = form["page_size"]
    shown = [s.shown_board(board, {"size": size, "token": ""}) for board in boards]
    listed = {row.submission.model_id for board in boards for row in board.rows[:size] if row.entry}
    facts = {
        "category": form["category"],
        "verified_only": form["verified_only"],
        "boards": shown,
        "models": _models(boards, listed),
        "is_demo": any(board.benchmark.is_demo for board in boards),
    }
    return dict(s.CategoryLeaderboardSerializer(facts).data)


def _models(boards: Iterable[Board], listed: set[Any]) -> list[dict[str, Any]]:
    """By name: nothing is added up, so there is no order over boards."""
    found: dict[Any, dict[str, Any]] = {}
    for board in boards:
        for row in board.rows:
            model = row.submission.model
            if row.entry and model.pk in listed:
                known = found.setdefault(model.pk, {**_named(model), "cells": []})
                known["cells"].append(_cell(board, row))
    return sorted(found.values(), key=lambda model: (model["model_name"].casefold(), str(model["model_id"])))


def _named(model: Any) -> dict[str, Any]:
    return {
        "model_id": model.pk,
        "model_name": model.name,
        "model_publisher": model.publisher,
        "model_version": model.version,
    }


def _cell(board: Board, row: Row) -> dict[str, Any]:
    entry = s.shown_row(board, row)
    names = ("submission_id", "rank", "rank_low", "rank_high", "value", "low", "high", "verdict")
    return {
        **{name: entry[name] for name in names},
        "benchmark_id": board.benchmark.pk,
        "version_id": board.version.pk,
        "entry_id": entry["id"],
        "provider_name": entry["provider_name"],
        "is_simulated": entry["is_simulated"],
    }


def shown_comparison(comparison: Comparison) -> dict[str, Any]:
    board, cases = comparison.board, comparison.differing_cases
    facts = {
        **s.board_facts(board),
        "summary": comparison.summary,
        "entries": [s.shown_row(board, row) for row in comparison.rows],
        "names": comparison.names,
        "comparisons": comparison.pairs,
        "other_comparisons": comparison.other_pairs,
        "subject_differences": [
            {"name": name, "values": values} for name, values in comparison.subject_differences.items()
        ],
        "differing_case_count": None if cases is None else len(cases),
        "differing_cases": (cases or [])[:CASES_LISTED],
    }
    return dict(s.ComparisonSerializer(facts).data)


def shown_measurements(rows: QuerySet[Verification], page: Mapping[str, Any]) -> dict[str, Any]:
    """One page of a model's history in the envelope every list uses."""
    found = paging.page(rows, **page)
    values = sessions.measured_together(found.items)
    items = [_measurement(row, values[row.pk]) for row in found.items]
    return {
        "items": s.ModelMeasurementSerializer(items, many=True).data,
        "next_page_token": found.next_page_token,
    }


def _measurement(row: Verification, values: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    submission = row.submission
    version, deployment = submission.version, submission.deployment
    metric = next(metric for metric in version.metrics.all() if metric.is_primary)
    claims = [claim.value for claim in submission.claims.all() if claim.name == metric.name]
    names = ("value", "low", "high", "confidence", "sample_count")
    return {
        "verification_id": row.pk,
        "submission_id": submission.pk,
        "benchmark_id": version.benchmark_id,
        "benchmark_slug": version.benchmark.slug,
        "benchmark_name": version.benchmark.name,
        "version_id": version.pk,
        "version": version.version,
        "metric": metric.name,
        "metric_title": metric.title,
        "unit": metric.unit,
        "direction": metric.direction,
        **{name: values.get(metric.name, {}).get(name) for name in names},
        "claimed_value": claims[0] if claims else None,
        "verdict": row.verdict,
        "level": submission.level,
        "submission_status": submission.status,
        "organization_name": submission.organization.name,
        "deployment_id": submission.deployment_id,
        "provider_name": deployment.endpoint.provider_name if deployment else None,
        "fingerprint": submission.fingerprint,
        "is_simulated": submission.is_simulated,
        "is_demo": version.benchmark.is_demo or submission.organization.is_demo,
        "is_current": row.is_current,  # type: ignore[attr-defined]  # annotated by the selector
        "measured_at": row.finished_at,
    }
