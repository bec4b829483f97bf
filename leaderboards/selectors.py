"""Every read of boards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Max, QuerySet

from benchmarks import selectors as benchmarks
from benchmarks.models import Benchmark, BenchmarkVersion, Metric, MetricDirection, VersionStatus, Visibility
from exchange.core import paging
from exchange.core.actors import Actor
from submissions.models import Submission, SubmissionStatus, Verification, VerificationStatus

from . import ranking
from .models import Entry

COUNTS = {"status": SubmissionStatus.ACCEPTED, "visibility": Visibility.PUBLIC}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a board: a measured entry with its standing, or a claim nobody has measured again."""

    submission: Submission
    entry: Entry | None
    standing: ranking.Standing
    claimed_value: float | None


@dataclass(frozen=True, slots=True)
class Board:
    """A version's board, best first; claims without a measurement come last, unranked."""

    benchmark: Benchmark
    version: BenchmarkVersion
    metric: Metric
    verified_only: bool
    rows: Sequence[Row]
    ranked_count: int
    unranked_count: int
    separable_neighbour_count: int
    updated_at: datetime | None


def get_leaderboard(
    *, actor: Actor, benchmark_id: UUID, version: str = "", verified_only: bool = True
) -> Board:
    """The whole board of one version (the current one when none is named)."""
    found = benchmarks.get_version_by_number(actor=actor, benchmark_id=benchmark_id, number=version)
    return board_of(found, verified_only=verified_only)


def board_of(version: BenchmarkVersion, *, verified_only: bool = True) -> Board:
    """The board of a version that the caller may see."""
    metric = version.metrics.get(is_primary=True)
    higher = metric.direction == MetricDirection.HIGHER_IS_BETTER
    entries = sorted(_entries(version), key=lambda entry: _order(entry, higher))
    measured = [ranking.Measured(entry.value, entry.low, entry.high) for entry in entries]
    places = ranking.standings(measured, higher_is_better=higher)
    rows = [
        Row(entry.submission, entry, place, entry.claimed_value)
        for entry, place in zip(entries, places, strict=True)
    ]
    claims = _unmeasured(version)
    waiting = [] if verified_only else list(_waiting(claims, metric))
    count = claims.count() if verified_only else len(waiting)
    return Board(
        benchmark=version.benchmark,
        version=version,
        metric=metric,
        verified_only=verified_only,
        rows=[*rows, *waiting],
        ranked_count=sum(place.rank is not None for place in places),
        unranked_count=count,
        separable_neighbour_count=ranking.separable_neighbours(measured, higher_is_better=higher),
        updated_at=max((entry.measured_at for entry in entries), default=None),
    )


def rows_page(rows: Sequence[Row], *, size: int, token: str) -> tuple[Sequence[Row], str]:
    """The rows after the one that the token names, and the token of those after them."""
    start = _start(rows, token, size)
    shown = rows[start : start + size]
    return shown, paging.write_token([_row_id(shown[-1])]) if start + size < len(rows) else ""


def list_boards(*, actor: Actor, limit: int) -> list[Board]:
    """The boards with the newest measurements."""
    return [board_of(version) for version in _measured_versions(actor)[:limit]]


def list_boards_of_model(*, actor: Actor, model_id: UUID) -> list[Board]:
    """The boards on which a model stands."""
    return [board_of(version) for version in _measured_versions(actor, entries__model=model_id)]


def _measured_versions(actor: Actor, **wanted: Any) -> QuerySet[BenchmarkVersion]:
    return (
        BenchmarkVersion.objects.filter(benchmark__in=benchmarks.visible_to(actor), **wanted)
        .exclude(status__in=[VersionStatus.DRAFT, VersionStatus.VOIDED])
        .select_related("benchmark")
        .annotate(measured_at=Max("entries__measured_at"))
        .filter(measured_at__isnull=False)
        .order_by("-measured_at", "id")
    )


def submission_of(submission_id: UUID | None) -> Submission | None:
    return _placeable().filter(pk=submission_id).first() if submission_id else None


def submission_of_verification(verification_id: UUID | None) -> Submission | None:
    return _placeable().filter(verifications=verification_id).first()


def placeable(version_id: UUID | None = None) -> Iterable[Submission]:
    """Submissions that could be on a board, one for each row."""
    rows = _placeable().filter(**({"version_id": version_id} if version_id else {}))
    return {tuple(row_key(row).values()): row for row in rows.order_by("created_at")}.values()


def row_key(submission: Submission) -> dict[str, Any]:
    """What makes two claims one row: version, subject and configuration."""
    performance = submission.version.benchmark.kind == "performance"
    subject: dict[str, Any] = (
        {"deployment_id": submission.deployment_id}
        if performance
        else {"model_id": submission.model_id, "deployment": None}
    )
    return {"version_id": submission.version_id, "fingerprint": submission.fingerprint, **subject}


def latest_decided(submission: Submission) -> Verification | None:
    """The latest decided verification among all public claims of the same row."""
    key = row_key(submission)
    key.pop("deployment", None)
    claims = Submission.objects.filter(**COUNTS, **key)
    return (
        Verification.objects.filter(submission__in=claims, status=VerificationStatus.DECIDED)
        .select_related("submission")
        .prefetch_related("runs__scores", "runs__version__metrics", "submission__claims")
        .order_by("-finished_at", "-id")
        .first()
    )


def _placeable() -> QuerySet[Submission]:
    return Submission.objects.select_related("version__benchmark")


def _entries(version: BenchmarkVersion) -> QuerySet[Entry]:
    return Entry.objects.filter(version=version).select_related(
        "submission__organization", "submission__model", "submission__deployment__endpoint"
    )


def _unmeasured(version: BenchmarkVersion) -> QuerySet[Submission]:
    return (
        Submission.objects.filter(**COUNTS, version=version, verification=None)
        .select_related("organization", "model", "deployment__endpoint")
        .prefetch_related("claims")
        .order_by("-created_at", "id")
    )


def _waiting(claims: Iterable[Submission], metric: Metric) -> Iterable[Row]:
    nowhere = ranking.Standing(None, None, None, None)
    for submission in claims:
        values = [claim.value for claim in submission.claims.all() if claim.name == metric.name]
        yield Row(submission, None, nowhere, values[0] if values else None)


def _order(entry: Entry, higher_is_better: bool) -> tuple[bool, float, str]:  # noqa: FBT001  the metric's own word
    value = entry.value or 0.0
    return entry.value is None, -value if higher_is_better else value, str(entry.pk)


def _row_id(row: Row) -> str:
    return str(row.entry.pk if row.entry else row.submission.pk)


def _start(rows: Sequence[Row], token: str, size: int) -> int:
    """Boards are whole lists: a token names the row before by its id."""
    start = paging.read_token(token, size=size)
    if isinstance(start, int):
        return start
    ids = [[_row_id(row)] for row in rows]
    if start not in ids:
        raise paging.invalid_token()
    return ids.index(start) + 1
