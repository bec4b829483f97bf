"""Measuring at home, with the engine that the platform uses: where the demo's claims come from."""

from __future__ import annotations

import secrets
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llm_benchmark.measure.endpoints import probe_dialect
from llm_benchmark.measure.home import HomeSink
from llm_benchmark.measure.metrics import CaseScore, performance_metrics, score_answers
from llm_benchmark.measure.performance import run_performance
from llm_benchmark.measure.plans import (
    EgressRules,
    Failure,
    Generation,
    PerformancePlan,
    QualityPlan,
    Question,
    Side,
    Target,
)
from llm_benchmark.measure.quality import run_quality

from .providers import Provider

CONCURRENCY = 4
TRIES = 3


class NotMeasured(Exception):
    """The home measurement failed."""

    def __init__(self, failure: Failure | None) -> None:
        super().__init__(f"{failure.code}: {failure.message}" if failure else "cancelled")


@dataclass(frozen=True)
class QualityResult:
    scores: Sequence[CaseScore]


def target_of(provider: Provider) -> Target:
    host = provider.base_url.split("//", 1)[1].split("/", 1)[0]
    plain = Target(
        provider.base_url, provider.model, provider.api_key, egress=EgressRules(allow=frozenset({host}))
    )
    return Target(plain.base_url, plain.model, plain.api_key, probe_dialect(plain), plain.egress)


def measure_quality(
    target: Target, version: dict[str, Any], questions: Sequence[Question], folder: Path
) -> QualityResult:
    given = version["generation"] or {}
    generation = Generation(**{**given, "stop": tuple(given.get("stop") or ())})
    plan = QualityPlan(
        questions=questions,
        generation=generation,
        system_prompt=version["system_prompt"],
        concurrency=CONCURRENCY,
        order_seed=secrets.randbits(31),
    )
    with HomeSink(_emptied(folder)) as sink:
        outcome = run_quality(plan, target, sink, threading.Event())
    if outcome.failure or outcome.cancelled:
        raise NotMeasured(outcome.failure)
    return QualityResult(score_answers(questions, outcome.answers))


def measure_performance(target: Target, version: dict[str, Any], folder: Path) -> dict[str, float]:
    """The version's metrics, as far as one session states them. On a busy machine it may take another try."""
    plan = PerformancePlan(**version["load_profile"], seed=secrets.randbits(31))
    for _try in range(TRIES):
        with HomeSink(_emptied(folder)) as sink:
            workdir = _emptied(folder / "aiperf")
            outcome = run_performance(plan, target, sink, threading.Event(), workdir=workdir)
        if not outcome.failure or outcome.failure.side != Side.PLATFORM:
            break
    if outcome.failure or outcome.cancelled:
        raise NotMeasured(outcome.failure)
    wanted = {metric["name"] for metric in version["metrics"]}
    values = performance_metrics(outcome.records, concurrency=plan.concurrency)
    return {
        name: metric.value
        for name, metric in values.items()
        if name in wanted and metric.is_stated and metric.value is not None
    }


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
