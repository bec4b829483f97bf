"""What the runs of one verification measured, together."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from statistics import fmean
from typing import Any

from benchmarks.models import BenchmarkKind
from llm_benchmark.measure import metrics as engine
from submissions.runs.models import Run
from submissions.runs.selectors import case_scores, declared_kinds


def measured(runs: Sequence[Run]) -> dict[str, dict[str, Any]]:
    """Metric name -> value, interval and what that is about.

    One session's metrics are as scored. Of several, speed varies from session to session; quality is the
    mean of each question, and its interval stays about the questions.
    """
    if not runs:
        return {}
    stored = [_session(run) for run in runs]
    values = engine.across_sessions(stored)
    if len(runs) > 1 and runs[0].kind == BenchmarkKind.QUALITY:
        averaged = _of_questions(runs)
        values = {name: averaged.get(name, value) for name, value in values.items()}
    return {name: _shown(value) for name, value in values.items()}


def _shown(value: engine.MetricValue) -> dict[str, Any]:
    return {name: fact for name, fact in asdict(value).items() if name != "kind"}


def _session(run: Run) -> dict[str, engine.MetricValue]:
    kinds = declared_kinds(run)
    latest = sorted(run.scores.all(), key=lambda score: score.created_at)
    return {
        score.metric: engine.MetricValue(
            value=score.value,
            sample_count=score.sample_count or 0,
            low=score.low,
            high=score.high,
            confidence=score.confidence or engine.CONFIDENCE,
            kind=kinds[score.metric],
            covers=engine.Covers(score.covers or engine.Covers.NOTHING),
            is_stated=score.is_stated,
        )
        for score in latest
        if score.metric in kinds
    }


def _of_questions(runs: Sequence[Run]) -> Mapping[str, engine.MetricValue]:
    """Each question's mean over the sessions, weighted as the version says."""
    asked = list(zip(*map(case_scores, runs), strict=True))
    read = [found for cases in asked if (found := [case for case in cases if case.evaluable])]
    means = {
        "accuracy": [_mean(cases) for cases in asked],
        "answered_accuracy": [_mean(cases) for cases in read],
        "completion_rate": [_answered(cases) for cases in asked],
    }
    kinds = declared_kinds(runs[0])
    return {name: _averaged(values, kinds.get(name)) for name, values in means.items()}


def _mean(cases: Sequence[engine.CaseScore]) -> engine.CaseScore:
    return replace(cases[0], score=fmean(case.score for case in cases), answered=True, error=None)


def _answered(cases: Sequence[engine.CaseScore]) -> engine.CaseScore:
    return replace(_mean(cases), score=fmean(case.answered for case in cases), weight=1.0)


def _averaged(means: Sequence[engine.CaseScore], kind: engine.MetricKind | None) -> engine.MetricValue:
    kinds = {"accuracy": kind} if kind else None
    return engine.quality_metrics(means, kinds=kinds)["accuracy"]
