"""From a run's row to the engine's plan."""

import math
from collections.abc import Mapping
from typing import Any

from django.db.models import Sum

from benchmarks.models import BenchmarkVersion
from benchmarks.selectors import plan_questions
from llm_benchmark.measure.plans import Generation, PerformancePlan, QualityPlan
from llm_benchmark.measure.sink import Purpose

from .models import AttemptStatus, Run

HARD_STOP = 1.2
CONCURRENCY = 4
_SHORTEST_WALL, _SECONDS_A_REQUEST = 600.0, 30.0
_SEED_MASK = 0x7FFF_FFFF


def snapshot_of(
    version: BenchmarkVersion,
    *,
    configuration: Mapping[str, Any],
    dialect: Mapping[str, Any],
    served_name: str,
) -> dict[str, Any]:
    """All that a measurement depends on, without URL or key. `configuration` is what the submitter chose."""
    return {
        "kind": version.benchmark.kind,
        "benchmark": version.benchmark.slug,
        "version": version.version,
        "content_hash": version.content_hash,
        "generation": version.generation,
        "load_profile": version.load_profile,
        "configuration": dict(configuration),
        "dialect": dict(dialect),
        "served_name": served_name,
        "hard_stop": HARD_STOP,
    }


def quality_plan(run: Run) -> QualityPlan:
    """Bounds are what is left of them after the questions that earlier fences settled.

    What a crash of ours wasted is not the submitter's: it stands in the ledger as lost and is limited by
    the number of tries.
    """
    requests, tokens = _spent(run)
    return QualityPlan(
        questions=plan_questions(run.version),
        generation=generation_of(run.version, _configuration(run)),
        system_prompt=run.version.system_prompt or _configuration(run).get("system_prompt") or "",
        concurrency=CONCURRENCY,
        order_seed=run.seed,
        request_bound=max(0, _stop(run.request_bound) - requests),
        token_bound=max(0, _stop(run.token_bound) - tokens),
    )


def performance_plan(run: Run) -> PerformancePlan:
    """A session cannot be continued, so the bounds hold for each one."""
    profile = run.version.load_profile or {}
    rounds = (profile["requests"] + profile["warmup_requests"]) / profile["concurrency"]
    return PerformancePlan(
        **profile,
        seed=run.seed & _SEED_MASK,
        request_bound=_stop(run.request_bound),
        token_bound=_stop(run.token_bound),
        wall_seconds=max(_SHORTEST_WALL, rounds * _SECONDS_A_REQUEST),
    )


def generation_of(version: BenchmarkVersion, configuration: Mapping[str, Any]) -> Generation:
    """The version's settings, and the submitter's where the version leaves them open."""
    chosen = {name: configuration.get(name) for name in ("temperature", "top_p", "max_tokens")}
    merged = {**_given(chosen), **_given(version.generation or {})}
    return Generation(**{**merged, "stop": tuple(merged.get("stop", ()))})


def _given(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}


def _configuration(run: Run) -> Mapping[str, Any]:
    return run.snapshot.get("configuration") or {}


def _stop(bound: int) -> int:
    return math.floor(HARD_STOP * bound)


def _spent(run: Run) -> tuple[int, int]:
    rows = run.attempts.filter(purpose=Purpose.QUESTION, status=AttemptStatus.SETTLED)
    tokens = rows.aggregate(read=Sum("input_tokens"), written=Sum("output_tokens"))
    return rows.count(), (tokens["read"] or 0) + (tokens["written"] or 0)
