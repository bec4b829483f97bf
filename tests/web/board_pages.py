"""Pages that hold boards and rows against each other: made-up data and contexts."""

from tests.web import fixtures as fx


def measurement(number, value, count=200, **changes):
    """A model's measurement, `number` days after the first of November."""
    low, high = fx.wilson(value, count, fx.Z95)
    return {
        "verification_id": fx.uid(300 + number), "submission_id": fx.uid(200 + number),
        "benchmark_id": fx.uid(1), "benchmark_slug": "demo-arithmetic", "benchmark_name": "Demo Arithmetic",
        "version_id": fx.uid(3), "version": "1.0.0", "metric": "accuracy", "metric_title": "Accuracy",
        "unit": "ratio", "direction": "higher_is_better", "value": value, "low": low, "high": high,
        "confidence": 0.95, "sample_count": count, "claimed_value": 0.86, "verdict": "consistent",
        "level": "platform_verified",
        "submission_status": "accepted", "organization_name": "Exchange Demo", "deployment_id": fx.uid(501),
        "provider_name": "Demo Provider", "fingerprint": fx.DIGEST, "is_simulated": False, "is_demo": False,
        "is_current": False, "measured_at": f"2026-11-{1 + number:02d}T12:00:00Z", **changes,
    }  # fmt: skip


def measurements():
    """Newest first, on two benchmarks."""
    speed = {
        "benchmark_slug": "baseline-chat", "benchmark_name": "Baseline Chat", "version_id": fx.uid(4),
        "metric": "ttft_p50", "metric_title": "Time to first token, median", "unit": "ms",
        "direction": "lower_is_better", "claimed_value": None, "sample_count": 20,
    }  # fmt: skip
    return [
        measurement(28, 0.871, is_current=True),
        measurement(27, 0.5) | speed | {"value": 41.3, "low": 40.9, "high": None, "is_current": True},
        measurement(17, 0.79, verdict="refuted", submission_status="withdrawn"),
        measurement(9, 0.85),
        measurement(1, 0.82, is_simulated=True),
    ]


def pair(first, second, **changes):
    """How two board entries differ: 4.2 points, clearly."""
    return {
        "first_id": first["id"], "second_id": second["id"], "metric": "accuracy", "metric_title": "Accuracy",
        "unit": "ratio", "direction": "higher_is_better", "difference": 0.042, "low": 0.011, "high": 0.073,
        "percent": 4.7, "percent_low": None, "percent_high": None, "confidence": 0.95, "p_value": 0.0072,
        "p_adjusted": 0.0216, "method": "mcnemar_exact", "shared_count": 1000, "obstacle": None,
        "better_id": first["id"],
        "summary": "Kestrel 4 Large is better than Quillon 2 Max by 4.2 points (1.1 to 7.3 points).",
        **changes,
    }  # fmt: skip


def comparison(**changes):
    first, second, third = fx.ranked_entries()[:3]
    alike = {
        "difference": -0.004, "low": -0.021, "high": 0.013, "p_value": 0.61, "p_adjusted": 0.61,
        "better_id": None, "summary": "They cannot be told apart: −0.4 points (−2.1 to +1.3 points).",
    }  # fmt: skip
    speed = {
        "metric": "ttft_p50", "metric_title": "Time to first token, median", "unit": "ms",
        "direction": "lower_is_better",
        "difference": -9.4, "low": None, "high": None, "percent": -21.0, "percent_low": -26.1,
        "percent_high": -15.5, "method": "log_ratio_t", "shared_count": 5,
    }  # fmt: skip
    return {
        "benchmark_id": fx.uid(1), "benchmark_slug": "demo-arithmetic", "benchmark_name": "Demo Arithmetic",
        "version_id": fx.uid(3), "version": "1.0.0", "is_demo": True,
        "summary": "Of 3 pairs 2 can be told apart.", "entries": [first, second, third],
        "names": [entry["model_name"] for entry in (first, second, third)],
        "comparisons": [pair(first, second, **alike), pair(first, third), pair(second, third)],
        "other_comparisons": [
            pair(first, second, **speed),
            pair(first, third, **speed | {
                "percent_low": None, "percent_high": None, "p_value": None, "p_adjusted": None,
                "method": "none", "shared_count": None, "obstacle": "one_session", "better_id": None}),
        ],
        "subject_differences": [{"name": "precision", "values": ["bf16", "int4", "bf16"]}],
        "differing_case_count": 2,
        "differing_cases": [
            {"key": "q7", "scores": [1.0, 0.0, 0.5]}, {"key": "q9", "scores": [0.0, 1.0, 1.0]},
        ],
        **changes,
    }  # fmt: skip


def category():
    boards = [
        fx.leaderboard(),
        fx.performance_board() | {"benchmark_id": fx.uid(11), "version_id": fx.uid(13)},
    ]
    shared = ("submission_id", "rank", "rank_low", "rank_high", "value", "low", "high", "provider_name",
              "is_simulated", "verdict")  # fmt: skip
    cells = [
        {"benchmark_id": board["benchmark_id"], "version_id": board["version_id"], "entry_id": row["id"],
         **{name: row[name] for name in shared}}
        for board in boards for row in board["items"][:2]
    ]  # fmt: skip
    named = [
        {name: row[name] for name in ("model_id", "model_name", "model_publisher", "model_version")}
        for row in boards[0]["items"][:2]
    ]  # fmt: skip
    models = [{**named[0], "cells": cells[::2]}, {**named[1], "cells": [cells[1], cells[3], cells[3]]}]
    return {
        "category": "accuracy", "verified_only": True, "boards": boards, "models": models, "is_demo": True,
    }  # fmt: skip


def compare_context(**changes):
    shown = comparison()
    names = dict(zip([entry["id"] for entry in shown["entries"]], shown["names"], strict=True))
    return {"benchmark": fx.benchmark(), "comparison": shown, "names": names, "refused": [], **changes}


def category_context():
    shown = category()
    table = [
        {"model": model, "columns": [
            {"board": board,
             "cells": [cell for cell in model["cells"] if cell["benchmark_id"] == board["benchmark_id"]]}
            for board in shown["boards"]]}
        for model in shown["models"]
    ]  # fmt: skip
    return {"category": shown, "table": table, "is_demo": True}


PAGES = {
    "categories": ("leaderboards/categories.html", "/categories", {
        "counts": {"performance": 1, "accuracy": 12, "reliability": 0, "safety": 0, "cost": 0,
                   "capability": 0}}),
    "category": ("leaderboards/category.html", "/categories/accuracy", category_context()),
    "category-empty": ("leaderboards/category.html", "/categories/safety", {
        "category": category() | {"category": "safety", "boards": [], "models": []}, "table": [],
        "is_demo": False}),
    "compare": ("leaderboards/compare.html", "/compare", compare_context()),
    "compare-refused": ("leaderboards/compare.html", "/compare", compare_context(
        comparison=None, refusal="These rows were not measured alike.",
        refused=[{"field": "configuration.temperature", "code": "differs",
                  "message": "temperature: 0.0 for Lumen R1, 1.0 for Tarn 405B."}])),
    "compare-boards": ("leaderboards/choose.html", "/compare", {
        "board": None, "benchmarks": [fx.benchmark(), fx.benchmark(name="Baseline Chat", id=fx.uid(9))],
        "picked": frozenset()}),
    "compare-rows": ("leaderboards/choose.html", "/compare", {
        "board": fx.leaderboard(items=fx.ranked_entries()), "benchmarks": [],
        "picked": frozenset({fx.ranked_entries()[0]["id"]})}),
    "compare-nothing": ("leaderboards/choose.html", "/compare", {
        "board": None, "benchmarks": [], "picked": frozenset()}),
}  # fmt: skip
