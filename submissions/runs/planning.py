"""From a run's row to the engine's plan."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.models import BenchmarkKind, BenchmarkVersion
from benchmarks.selectors import plan_questions
from llm_benchmark.measure import configuration, retries
from llm_benchmark.measure.configuration import CONCURRENCY
from llm_benchmark.measure.loads import input_tokens_of, levels
from llm_benchmark.measure.plans import Generation, PerformancePlan, QualityPlan
from llm_benchmark.measure.quality.budget import TEMPLATE_TOKENS
from llm_benchmark.measure.questions import seeded

from .models import AttemptStatus, Run

HARD_STOP = 1.2
CANARY_REQUESTS = 1
# A provider's tokenizer may need more tokens for AIPerf's prompts than o200k does.
PROMPT_SPREAD = 2
_LEFT_US = (AttemptStatus.SENT, AttemptStatus.SETTLED, AttemptStatus.LOST)
_SEED_MASK = 0x7FFF_FFFF


@dataclass(frozen=True, slots=True)
class SessionBound:
    """One run: counted items (`planned`), HTTP requests with warm-up and canary, tokens in and out."""

    planned: int
    requests: int
    tokens: int


def load_bound(version: BenchmarkVersion) -> SessionBound:
    """What a load may cost. A sweep is as many loads as it has levels."""
    profile = version.load_profile or {}
    loads = len(levels(profile))
    requests = loads * (profile["requests"] + profile.get("warmup_requests", 0) + CANARY_REQUESTS)
    each = PROMPT_SPREAD * input_tokens_of(profile) + TEMPLATE_TOKENS + profile["output_tokens"]
    return SessionBound(loads * profile["requests"], requests, requests * each)


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
        **_asking(version, configuration),
    }


def _asking(version: BenchmarkVersion, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """How questions are asked. Each has a seed of its own where the version gives one."""
    if version.benchmark.kind != BenchmarkKind.QUALITY:
        return {}
    generation = generation_of(version, chosen)
    return {
        "retry_policy": retries.QUESTION.name,
        "streaming": configuration.may_be_long(generation),
        "seeds": generation.seed is not None,
    }


def quality_plan(run: Run) -> QualityPlan:
    """Bounds are what is left of them after all that earlier fences sent, also what a crash of ours lost."""
    questions = plan_questions(run.version)
    if run.snapshot.get("seeds"):
        questions = seeded(questions, run.seed)
    generation = generation_of(run.version, _configuration(run))
    system_prompt = run.version.system_prompt or _configuration(run).get("system_prompt") or ""
    around = len(system_prompt.encode()) + TEMPLATE_TOKENS + (generation.max_tokens or 0)
    worst = {question.key: len(question.prompt.encode()) + around for question in questions}
    requests, tokens = _spent(run, worst, otherwise=TEMPLATE_TOKENS + around)
    return QualityPlan(
        questions=questions,
        generation=generation,
        system_prompt=system_prompt,
        concurrency=CONCURRENCY,
        order_seed=run.seed,
        retry_policy=run.snapshot.get("retry_policy", retries.QUESTION.name),
        streaming=run.snapshot.get("streaming", False),
        request_bound=max(0, _stop(run.request_bound) - requests),
        token_bound=max(0, _stop(run.token_bound) - tokens),
    )


def performance_plan(run: Run) -> PerformancePlan:
    """A session cannot be continued, so the bounds hold for each one."""
    profile = run.version.load_profile or {}
    return PerformancePlan(
        **profile,
        seed=run.seed & _SEED_MASK,
        request_bound=_stop(run.request_bound),
        token_bound=_stop(run.token_bound),
        wall_seconds=configuration.wall_seconds(profile),
    )


def generation_of(version: BenchmarkVersion, chosen: Mapping[str, Any]) -> Generation:
    """The version's settings, and the submitter's where the version leaves them open."""
    return configuration.generation_of(version.generation, chosen)


def _configuration(run: Run) -> Mapping[str, Any]:
    return run.snapshot.get("configuration") or {}


def _stop(bound: int) -> int:
    return math.floor(HARD_STOP * bound)


def _spent(run: Run, worst: Mapping[str, int], *, otherwise: int) -> tuple[int, int]:
    """Requests that left us, and their tokens; where nobody told a count, the most that it can have been."""
    rows = run.attempts.filter(status__in=_LEFT_US).values_list("key", "input_tokens", "output_tokens")
    costs = [
        worst.get(key, otherwise) if read is None or written is None else read + written
        for key, read, written in rows
    ]
    return len(costs), sum(costs)
