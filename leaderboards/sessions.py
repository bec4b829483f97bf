"""What the runs of one verification measured, together."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from benchmarks.models import BenchmarkKind
from llm_benchmark.measure import metrics as engine
from submissions.runs.models import Run
from submissions.runs.selectors import case_scores


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
    kinds = {metric.name: engine.MetricKind(metric.kind) for metric in run.version.metrics.all()}
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
    questions = list(zip(*map(case_scores, runs), strict=True))
    return {
        "accuracy": _mean(questions, lambda case: case.score, weighted=True),
        "answered_accuracy": _mean(
            [found for asked in questions if (found := [case for case in asked if case.evaluable])],
            lambda case: case.score,
            weighted=True,
        ),
        "completion_rate": _mean(questions, lambda case: float(case.answered), weighted=False),
    }


def _mean(questions: Sequence[Sequence[engine.CaseScore]], of: Any, *, weighted: bool) -> engine.MetricValue:
    means = [
        engine.CaseScore(
            cases[0].key, fmean(map(of, cases)), answered=True, weight=cases[0].weight if weighted else 1.0
        )
        for cases in questions
    ]
    return engine.quality_metrics(means)["accuracy"]
