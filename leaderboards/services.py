"""Boards are projections: each entry can be computed again from the decided verifications."""

import hashlib
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from exchange.core.events import Event
from submissions.models import Submission

from . import selectors, sessions
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
    _lock_row(key)
    values = computed_row(submission)
    if values is None:
        Entry.objects.filter(**key).delete()
        return None
    entry, _made = Entry.objects.update_or_create(**key, defaults=values)
    return entry


def computed_row(submission: Submission) -> dict[str, Any] | None:
    """What the row that this submission belongs to has to say; None when there should be no row."""
    latest = selectors.latest_decided(submission)
    if latest is None or latest.finished_at is None:
        return None
    values = sessions.measured(list(latest.runs.all()))
    primary = submission.version.metrics.get(is_primary=True).name
    claimed = latest.submission.claims.filter(name=primary).first()
    return {
        "model_id": submission.model_id,
        "submission_id": latest.submission_id,
        "verification_id": latest.pk,
        "verdict": latest.verdict,
        "level": latest.submission.level,
        "claimed_value": claimed.value if claimed else None,
        "metrics": [{"name": name, **value} for name, value in values.items()],
        "measured_at": latest.finished_at,
        **_headline(values.get(primary)),
    }


def _lock_row(key: Mapping[str, Any]) -> None:
    """Until the transaction ends, so that whoever comes second sees what the first has decided.

    The row itself may not be there yet, or be about to go; its key always is.
    """
    named = "|".join(f"{name}={value}" for name, value in sorted(key.items()))
    number = int.from_bytes(hashlib.sha256(f"board-row|{named}".encode()).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def rebuild(version_id: UUID | None = None) -> int:
    """Place every row again; how many rows there are then."""
    rows = selectors.placeable(version_id)
    Entry.objects.filter(**({"version_id": version_id} if version_id else {})).delete()
    return len({entry.pk for submission in rows if (entry := place(submission))})


def _headline(value: dict[str, Any] | None) -> dict[str, Any]:
    names = ("value", "low", "high", "confidence", "sample_count")
    return {name: value[name] if value else None for name in names}
