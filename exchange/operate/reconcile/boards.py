"""Every row of every board, computed again."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from benchmarks.models import BenchmarkVersion
from exchange.operate.watch import Watch
from leaderboards import selectors
from leaderboards.models import Entry
from leaderboards.services import computed_row
from submissions.models import Submission


def rows(watch: Watch) -> Iterator[str]:
    for version_id in BenchmarkVersion.objects.order_by("pk").values_list("pk", flat=True).iterator():
        yield from _board(watch, version_id)


def _board(watch: Watch, version_id: UUID) -> Iterator[str]:
    """One board is in memory at a time."""
    stored = {entry.pk: entry for entry in Entry.objects.filter(version_id=version_id)}
    for submission in watch.each(selectors.placeable(version_id)):
        entry = Entry.objects.filter(**selectors.row_key(submission)).first()
        yield from _row(submission, entry)
        if entry is not None:
            stored.pop(entry.pk, None)
    for entry in stored.values():
        yield f"the row {entry.pk} stands for no claim"


def _row(submission: Submission, entry: Entry | None) -> Iterator[str]:
    computed = computed_row(submission)
    if entry is None and computed is not None:
        yield f"the claim {submission.pk} has a verdict and no row"
    elif entry is not None and computed is None:
        yield f"the row {entry.pk} stands for nothing that was decided"
    elif entry is not None and computed is not None:
        yield from _fields(entry, computed)


def _fields(entry: Entry, computed: dict[str, Any]) -> Iterator[str]:
    wrong = [name for name, value in computed.items() if getattr(entry, name) != value]
    if wrong:
        yield f"the row {entry.pk} has another {', '.join(wrong)} than its measurement"
