"""Pages that hold boards and rows against each other: categories and comparisons."""

from typing import Any

from django.http import Http404
from django.shortcuts import render

from benchmarks import selectors as benchmarks
from benchmarks.api.serializers import BenchmarkSerializer
from exchange.api.forms import parse
from exchange.core.paging import page as page_of
from exchange.web.pages import asked, page, refused_fields
from leaderboards import comparing, selectors
from leaderboards.api.serializers import (
    CompareModelsRequestSerializer,
    GetCategoryLeaderboardRequestSerializer,
    shown_board,
)
from leaderboards.api.shown import shown_category, shown_comparison
from leaderboards.errors import NotComparable

CATEGORY_ROWS, CHOICES, LISTED_ROWS = 5, 100, 100


@page
def categories(request):
    counts = selectors.count_boards_by_category(actor=request.actor)
    return render(request, "leaderboards/categories.html", {"counts": counts})


@page
def category(request, category):
    if category not in selectors.CATEGORIES:
        raise Http404
    given = {**asked(request, GetCategoryLeaderboardRequestSerializer), "category": category}
    form = parse(GetCategoryLeaderboardRequestSerializer, {"page_size": CATEGORY_ROWS, **given})
    filters = {name: value for name, value in form.items() if name != "page_size"}
    shown = shown_category(selectors.list_category_boards(actor=request.actor, **filters), form)
    context = {"category": shown, "table": _table(shown), "is_demo": shown["is_demo"]}
    return render(request, "leaderboards/category.html", context)


def _table(shown):
    """Each model with its cells under each board, several where it has several rows."""
    for model in shown["models"]:
        cells: dict[str, list[Any]] = {board["benchmark_id"]: [] for board in shown["boards"]}
        for cell in model["cells"]:
            cells[cell["benchmark_id"]].append(cell)
        columns = [{"board": board, "cells": cells[board["benchmark_id"]]} for board in shown["boards"]]
        yield {"model": model, "columns": columns}


@page
def compare(request):
    """What a board's checkboxes sent; without two of them, the choice."""
    chosen = ",".join(request.GET.getlist("entry_ids"))
    given = asked(request, CompareModelsRequestSerializer)
    named = chosen or given.get("submission_ids") or given.get("models")
    if not named or "benchmark_id" not in given:
        return _choice(request, given)
    form = parse(CompareModelsRequestSerializer, {**given, **({"entry_ids": chosen} if chosen else {})})
    if len({*form["entry_ids"], *form["submission_ids"]}) == 1:
        return _choice(request, given, picked={str(key) for key in form["entry_ids"]})
    benchmark = benchmarks.get_benchmark(actor=request.actor, benchmark_id=form["benchmark_id"])
    context: dict[str, Any] = {"benchmark": BenchmarkSerializer(benchmark).data, "refused": []}
    try:
        shown = shown_comparison(comparing.compare_models(actor=request.actor, **form))
    except NotComparable as refusal:
        context |= {"comparison": None, "refused": refused_fields(refusal), "refusal": str(refusal)}
        return render(request, "leaderboards/compare.html", context, status=refusal.http)
    context |= {"comparison": shown, "names": _names(shown), "is_demo": shown["is_demo"]}
    return render(request, "leaderboards/compare.html", context)


def _names(shown):
    """What each row is called, by id."""
    return {entry["id"]: name for entry, name in zip(shown["entries"], shown["names"], strict=True)}


def _choice(request, given, picked=frozenset()):
    """First a board, then its rows."""
    context: dict[str, Any] = {"board": None, "benchmarks": [], "picked": picked}
    if benchmark_id := given.get("benchmark_id"):
        form = parse(CompareModelsRequestSerializer, {"benchmark_id": benchmark_id})
        board = selectors.get_leaderboard(
            actor=request.actor, benchmark_id=form["benchmark_id"], version=given.get("version", "")
        )
        context["board"] = shown_board(board, {"size": LISTED_ROWS, "token": ""})
    else:
        rows = benchmarks.list_benchmarks(actor=request.actor, status="active")
        context["benchmarks"] = BenchmarkSerializer(page_of(rows, size=CHOICES).items, many=True).data
    return render(request, "leaderboards/choose.html", context)
