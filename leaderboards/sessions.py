"""What the runs of one verification measured, together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from statistics import fmean
from typing import Any
from uuid import UUID

from benchmarks.models import BenchmarkKind
from llm_benchmark.measure import metrics as engine
from submissions.models import Verification
from submissions.runs.models import Run
from submissions.runs.selectors import case_scores, declared_kinds

from .cases import stored_cases

Asked = Sequence[Sequence[engine.CaseScore]]


def measured(runs: Sequence[Run], asked: Asked | None = None) -> dict[str, dict[str, Any]]:
    """Metric name -> value, interval and what that is about.

    One session's metrics are as scored. Of several, speed varies from session to session; quality is the
    mean of each question, and its interval stays about the questions.

    Args:
        asked: every case of each run; by default scored from the stored answers.
    """
    if not runs:
        return {}
    values = engine.across_sessions([session_values(run) for run in runs])
    if _averages_questions(runs):
        averaged = _of_questions(runs, asked or list(map(case_scores, runs)))
        values = {name: averaged.get(name, value) for name, value in values.items()}
    return {name: _shown(value) for name, value in values.items()}


def measured_together(verifications: Iterable[Verification]) -> dict[UUID, dict[str, dict[str, Any]]]:
    """`measured` of each, with the same few queries for any number of them. Runs come prefetched."""
    runs = {verification.pk: list(verification.runs.all()) for verification in verifications}
    stored = stored_cases([run for made in runs.values() if _averages_questions(made) for run in made])
    return {
        pk: measured(made, [stored[run.pk] for run in made if run.pk in stored] or None)
        for pk, made in runs.items()
    }


def _averages_questions(runs: Sequence[Run]) -> bool:
    return len(runs) > 1 and runs[0].kind == BenchmarkKind.QUALITY


def _shown(value: engine.MetricValue) -> dict[str, Any]:
    return {name: fact for name, fact in asdict(value).items() if name != "kind"}


def session_values(run: Run) -> dict[str, engine.MetricValue]:
    """One session's metrics by the latest scorer."""
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


def case_means(asked: Asked) -> dict[str, list[engine.CaseScore]]:
    """Metric name -> each question's mean over the sessions; a share of answered ones weighs all alike."""
    cases = list(zip(*asked, strict=True))
    read = [found for sessions in cases if (found := [case for case in sessions if case.evaluable])]
    return {
        "accuracy": [_mean(sessions) for sessions in cases],
        "answered_accuracy": [_mean(sessions) for sessions in read],
        "completion_rate": [_answered(sessions) for sessions in cases],
    }


def _of_questions(runs: Sequence[Run], asked: Asked) -> Mapping[str, engine.MetricValue]:
    kinds = declared_kinds(runs[0])
    return {name: _averaged(values, kinds.get(name)) for name, values in case_means(asked).items()}


def _mean(cases: Sequence[engine.CaseScore]) -> engine.CaseScore:
    return replace(cases[0], score=fmean(case.score for case in cases), answered=True, error=None)


def _answered(cases: Sequence[engine.CaseScore]) -> engine.CaseScore:
    return replace(_mean(cases), score=fmean(case.answered for case in cases), weight=1.0)


def _averaged(means: Sequence[engine.CaseScore], kind: engine.MetricKind | None) -> engine.MetricValue:
    kinds = {"accuracy": kind} if kind else None
    return engine.quality_metrics(means, kinds=kinds)["accuracy"]
