"""Pages that show boards: home, a benchmark, the models."""

from contextlib import suppress
from typing import Any

from django.shortcuts import render

from benchmarks import selectors as benchmarks
from benchmarks.api.serializers import BenchmarkSerializer, BenchmarkVersionSerializer, MetricSerializer
from benchmarks.errors import VersionNotFound
from benchmarks.web.lifecycle import lifecycle_of
from exchange.api.forms import parse, split_page
from exchange.api.shown import shown_page
from exchange.core.paging import page as page_of
from exchange.web.pages import asked, page
from leaderboards import history, selectors
from leaderboards.api.serializers import (
    GetLeaderboardRequestSerializer,
    LeaderboardEntrySerializer,
    shown_board,
    shown_row,
)
from leaderboards.api.shown import shown_measurements
from submissions import selectors as submissions
from submissions.api.serializers import SubmissionSerializer, VerificationSerializer
from submissions.endpoints import selectors as endpoints
from submissions.endpoints.api.serializers import LanguageModelSerializer, ListModelsRequestSerializer

HOME_BOARDS, HOME_ROWS, HOME_VERDICTS, MODEL_ROWS = 4, 5, 6, 50
TOP = {"size": HOME_ROWS, "token": ""}
HISTORY = {"size": 100, "token": ""}


@page
def home(request):
    decided = [_decided(row) for row in submissions.list_recent_verdicts(HOME_VERDICTS)]
    boards = [
        shown_board(board, TOP) for board in selectors.list_boards(actor=request.actor, limit=HOME_BOARDS)
    ]
    context = {
        "latest": _drawn(decided[0]) if decided else None,
        "decided": decided,
        "boards": boards,
        "verdict_counts": submissions.count_verdicts(),
        "is_demo": any(item["submission"]["is_demo"] for item in decided),
    }
    return render(request, "home.html", context)


def _decided(submission):
    return {
        "submission": SubmissionSerializer(submission).data,
        "verification": VerificationSerializer(submission.verification).data,
        "metrics": MetricSerializer(submission.version.metrics.all(), many=True).data,
    }


def _drawn(item):
    """The first deciding metric of a verdict, with what is needed to draw it."""
    judgement = next(j for j in item["verification"]["judgements"] if j["is_deciding"])
    metric = next(m for m in item["metrics"] if m["name"] == judgement["metric"])
    return {**item, "judgement": judgement, "metric": metric}


@page
def benchmark(request, slug):
    found = benchmarks.get_benchmark_by_slug(actor=request.actor, slug=slug)
    versions = benchmarks.list_versions(actor=request.actor, benchmark_id=found.pk)
    given = {**asked(request, GetLeaderboardRequestSerializer), "benchmark_id": found.pk}
    filters, paging = split_page(parse(GetLeaderboardRequestSerializer, given))
    context: dict[str, Any] = {
        "benchmark": BenchmarkSerializer(found).data,
        "versions": BenchmarkVersionSerializer(versions, many=True).data,
        "version": None,
        "board": None,
        "filters": filters,
        "lifecycle": lifecycle_of(request, found),
    }
    if found.current_version or filters["version"]:
        board = selectors.get_leaderboard(actor=request.actor, **filters)
        context |= _board(request, board, paging)
        shown = benchmarks.get_version(actor=request.actor, version_id=board.version.pk)
        context["version"] = BenchmarkVersionSerializer(shown).data
        context["gate_version"] = _gate_version(request, shown)
    return render(request, "leaderboards/benchmark.html", context)


def _gate_version(request, version):
    """What the policy's quality gate names, where the reader may know of it."""
    gate = version.policy and version.policy.quality_gate
    if not gate:
        return None
    with suppress(VersionNotFound):
        return benchmarks.get_version(actor=request.actor, version_id=gate["benchmark_version_id"])
    return None


def _board(request, board, paging):
    """The board, its filters' choices, and the row that the reader holds the others against."""
    shown = shown_board(board, paging)
    reference = selectors.find_row(board, request.GET.get("ref", ""))
    organizations = selectors.list_organizations_on(board)
    return {
        "board": shown,
        "next_page_token": shown["next_page_token"],
        "organizations": [{"id": str(one.pk), "name": one.name} for one in organizations],
        "reference": LeaderboardEntrySerializer(shown_row(board, reference)).data if reference else None,
    }


@page
def models(request):
    given = asked(request, ListModelsRequestSerializer)
    filters, paging = split_page(parse(ListModelsRequestSerializer, given))
    rows = endpoints.list_models(actor=request.actor, **filters)
    shown = shown_page(LanguageModelSerializer, rows, paging)
    context = {
        "models": shown["items"],
        "next_page_token": shown["next_page_token"],
        "query": filters["query"],
    }
    return render(request, "leaderboards/models.html", context)


@page
def model(request, model_id):
    found = endpoints.get_model(actor=request.actor, model_id=model_id)
    results = [
        {"board": shown, "entry": row}
        for board in selectors.list_boards_of_model(actor=request.actor, model_id=model_id)
        for shown in [shown_board(board, {"size": len(board.rows) or 1, "token": ""})]
        for row in shown["items"]
        if row["model_id"] == str(model_id)
    ]
    claims = submissions.list_submissions(actor=request.actor, model_id=model_id)
    measured = history.list_model_measurements(actor=request.actor, model_id=model_id)
    history_page = shown_measurements(measured, HISTORY)
    context = {
        "model": LanguageModelSerializer(found).data,
        "results": results,
        "submissions": SubmissionSerializer(page_of(claims, size=MODEL_ROWS).items, many=True).data,
        "measurements": history_page["items"],
        "has_older": bool(history_page["next_page_token"]),
        "is_demo": any(result["board"]["is_demo"] for result in results),
    }
    return render(request, "leaderboards/model.html", context)
