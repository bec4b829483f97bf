"""Boards are projections: each entry can be computed again from the decided verifications."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction

from exchange.core.events import Event
from llm_benchmark.measure import metrics as measured
from submissions.models import Submission
from submissions.runs.models import Run

from . import selectors
from .models import Entry


def follow_submission(event: Event) -> None:
    """A projection: after anything that may change which re-measurement counts, place the row again."""
    submission = selectors.submission_of(event.subject_id)
    if submission is not None:
        place(submission)


def follow_verification(event: Event) -> None:
    """A projection of `verification.decided`."""
    submission = selectors.submission_of_verification(event.subject_id)
    if submission is not None:
        place(submission)


@transaction.atomic
def place(submission: Submission) -> Entry | None:
    """The row that this submission belongs to: its latest decided re-measurement, or no row at all."""
    key = selectors.row_key(submission)
    latest = selectors.latest_decided(submission)
    if latest is None or latest.finished_at is None:
        Entry.objects.filter(**key).delete()
        return None
    values = _measured(latest.runs.all())
    primary = submission.version.metrics.get(is_primary=True).name
    claimed = latest.submission.claims.filter(name=primary).first()
    entry, _made = Entry.objects.update_or_create(
        **key,
        defaults={
            "model_id": submission.model_id,
            "submission_id": latest.submission_id,
            "verification": latest,
            "verdict": latest.verdict,
            "level": latest.submission.level,
            "claimed_value": claimed.value if claimed else None,
            "metrics": [{"name": name, **value} for name, value in values.items()],
            "measured_at": latest.finished_at,
            **_headline(values.get(primary)),
        },
    )
    return entry


def rebuild(version_id: UUID | None = None) -> int:
    """Place every row again; how many rows there are then."""
    rows = selectors.placeable(version_id)
    Entry.objects.filter(**({"version_id": version_id} if version_id else {})).delete()
    return len({entry.pk for submission in rows if (entry := place(submission))})


def _headline(value: dict[str, Any] | None) -> dict[str, Any]:
    names = ("value", "low", "high", "confidence", "sample_count")
    return {name: value[name] if value else None for name in names}


def _measured(runs: Iterable[Run]) -> dict[str, dict[str, Any]]:
    """The metrics of one session as scored, of several over sessions."""
    sessions = [_session(run) for run in runs]
    return {
        name: {
            "value": value.value,
            "low": value.low,
            "high": value.high,
            "confidence": value.confidence,
            "sample_count": value.sample_count,
            "is_stated": value.is_stated,
        }
        for name, value in (measured.across_sessions(sessions) if sessions else {}).items()
    }


def _session(run: Run) -> dict[str, measured.MetricValue]:
    kinds = {metric.name: measured.MetricKind(metric.kind) for metric in run.version.metrics.all()}
    return {
        score.metric: measured.MetricValue(
            value=score.value,
            sample_count=score.sample_count or 0,
            low=score.low,
            high=score.high,
            confidence=score.confidence or measured.CONFIDENCE,
            kind=kinds[score.metric],
            covers=measured.Covers(score.covers or measured.Covers.NOTHING),
            is_stated=score.is_stated,
        )
        for score in run.scores.order_by("created_at")
        if score.metric in kinds
    }
