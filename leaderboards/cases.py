"""What each case brought in each run, as the workers stored it: one query for all runs."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import ExpressionWrapper, Q
from django.db.models.fields import BooleanField

from benchmarks.models import Case
from llm_benchmark.measure.metrics import CaseScore
from submissions.runs.models import Response, Run

_HAS_TEXT = ExpressionWrapper(Q(text__regex=r"\S"), output_field=BooleanField())
_COLUMNS = ("run_id", "key", "score", "error", "score_error", "has_text")


def stored_cases(runs: Collection[Run]) -> dict[UUID, list[CaseScore]]:
    """Run -> every case of its version in order; one without an answer has 0.

    A run of which no answer is stored is left out.
    """
    answers = _answers(runs)
    versions = {run.pk: run.version_id for run in runs if run.pk in answers and run.version_id}
    weights = _weights(set(versions.values()))
    return {
        run: [_scored(key, weight, answers[run].get(key)) for key, weight in weights[version]]
        for run, version in versions.items()
    }


def _answers(runs: Collection[Run]) -> dict[UUID, dict[str, CaseScore]]:
    rows = Response.objects.filter(run__in=[run.pk for run in runs], is_superseded=False)
    found: dict[UUID, dict[str, CaseScore]] = {}
    for run, key, score, error, score_error, has_text in rows.annotate(has_text=_HAS_TEXT).values_list(
        *_COLUMNS
    ):
        answered = not error and bool(has_text)
        case = CaseScore(key, score or 0.0, answered, error or score_error or None)
        found.setdefault(run, {})[key] = case
    return found


def _weights(versions: Collection[UUID]) -> dict[UUID, list[tuple[str, float]]]:
    rows = Case.objects.filter(version__in=versions).order_by("position", "id")
    found: dict[UUID, list[tuple[str, float]]] = {version: [] for version in versions}
    for version, key, weight in rows.values_list("version_id", "key", "weight"):
        found[version].append((key, weight))
    return found


def _scored(key: str, weight: float, stored: CaseScore | None) -> CaseScore:
    if stored is None:
        return CaseScore(key, 0.0, answered=False, error="not_asked", weight=weight)
    return CaseScore(key, stored.score, stored.answered, stored.error, weight)
