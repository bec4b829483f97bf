"""Every read of boards."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet

from benchmarks import selectors as benchmarks
from benchmarks.models import (
    Benchmark,
    BenchmarkCategory,
    BenchmarkStatus,
    BenchmarkVersion,
    Metric,
    MetricDirection,
    VersionStatus,
    Visibility,
)
from exchange.accounts.models import Organization
from exchange.core import paging
from exchange.core.actors import Actor
from exchange.core.errors import FieldError
from submissions.models import Submission, SubmissionStatus, Verification, VerificationStatus

from . import ranking
from .errors import EntryNotFound
from .models import Entry

CATEGORIES = frozenset(BenchmarkCategory.values)
NOWHERE = ranking.Standing(None, None, None, None)
R = TypeVar("R", Entry, Submission)
COUNTS: Mapping[str, Any] = {"status": SubmissionStatus.ACCEPTED, "visibility": Visibility.PUBLIC}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a board: a measured entry with its standing, or a claim nobody has measured again."""

    submission: Submission
    entry: Entry | None
    standing: ranking.Standing
    claimed_value: float | None

    @property
    def key(self) -> UUID:
        """The row's id: the entry's, or the claim's while there is none."""
        return self.entry.pk if self.entry else self.submission.pk

    def is_chosen(self, level: str, organization_id: UUID | None, query: str) -> bool:
        """Whether a filter lets the row through; an empty one lets all."""
        submission, model = self.submission, self.submission.model
        named = f"{model.publisher} {model.name} {model.version}".casefold()
        return (
            level in {"", self.entry.level if self.entry else submission.level}
            and organization_id in {None, submission.organization_id}
            and query.casefold() in named
        )


@dataclass(frozen=True, slots=True)
class Board:
    """A version's board, best first; claims without a measurement come last, unranked.

    `rows` are those that were asked for, `whole` all of them: whatever is left out, ranks stay.
    """

    benchmark: Benchmark
    version: BenchmarkVersion
    metric: Metric
    verified_only: bool
    rows: Sequence[Row]
    whole: Sequence[Row]
    ranked_count: int
    unranked_count: int
    separable_neighbour_count: int
    updated_at: datetime | None


def get_leaderboard(
    *,
    actor: Actor,
    benchmark_id: UUID,
    version: str = "",
    verified_only: bool = True,
    level: str = "",
    organization_id: UUID | None = None,
    query: str = "",
) -> Board:
    """The board of one version (the current one when none is named).

    `level`, `organization_id` and `query` (in model and publisher) choose rows; ranks are those of the whole.
    """
    found = benchmarks.get_version_by_number(actor=actor, benchmark_id=benchmark_id, number=version)
    board = board_of(found, verified_only=verified_only)
    rows = [row for row in board.whole if row.is_chosen(level, organization_id, query)]
    return replace(board, rows=rows)


def board_of(version: BenchmarkVersion, *, verified_only: bool = True) -> Board:
    """The board of a version that the caller may see."""
    return boards_of([version], verified_only=verified_only)[0]


def boards_of(versions: Iterable[BenchmarkVersion], *, verified_only: bool = True) -> list[Board]:
    """The boards of versions that the caller may see, in the same few queries for any number of them."""
    versions = list(versions)
    metrics = {metric.version_id: metric for metric in _primary_metrics(versions)}
    entries = _by_version(_entries(versions))
    claims = unmeasured_claims(versions)
    waiting = {} if verified_only else _by_version(claims)
    counts = _counts_of(claims) if verified_only else {key: len(rows) for key, rows in waiting.items()}
    return [
        _board(
            version,
            metrics[version.pk],
            entries.get(version.pk, []),
            waiting=None if verified_only else waiting.get(version.pk, []),
            waiting_count=counts.get(version.pk, 0),
        )
        for version in versions
    ]


def _board(
    version: BenchmarkVersion,
    metric: Metric,
    entries: Sequence[Entry],
    *,
    waiting: Sequence[Submission] | None,
    waiting_count: int,
) -> Board:
    higher, entries = is_higher_better(metric), _in_board_order(entries, metric)
    measured = [ranking.Measured(entry.value, entry.low, entry.high) for entry in entries]
    places = ranking.standings(measured, higher_is_better=higher)
    rows = [*map(_measured_row, entries, places), *waiting_rows(waiting or (), metric)]
    return Board(
        benchmark=version.benchmark,
        version=version,
        metric=metric,
        verified_only=waiting is None,
        rows=rows,
        whole=rows,
        ranked_count=sum(place.rank is not None for place in places),
        unranked_count=waiting_count,
        separable_neighbour_count=ranking.separable_neighbours(measured, higher_is_better=higher),
        updated_at=max((entry.measured_at for entry in entries), default=None),
    )


def _in_board_order(entries: Iterable[Entry], metric: Metric) -> list[Entry]:
    higher = is_higher_better(metric)
    return sorted(entries, key=lambda entry: board_order(entry.value, entry.pk, higher_is_better=higher))


def _measured_row(entry: Entry, place: ranking.Standing) -> Row:
    return Row(entry.submission, entry, place, entry.claimed_value)


def is_higher_better(metric: Metric) -> bool:
    return metric.direction == MetricDirection.HIGHER_IS_BETTER


def board_order(value: float | None, key: UUID, *, higher_is_better: bool) -> tuple[bool, float, str]:
    """Best first, unknown values last, equal ones by id."""
    known = value or 0.0
    return value is None, -known if higher_is_better else known, str(key)


def find_row(board: Board, key: str) -> Row | None:
    """The measured row with this id, also where the filters left it out."""
    return next((row for row in board.whole if row.entry and str(row.key) == key), None)


def list_organizations_on(board: Board) -> list[Organization]:
    """Who has submitted the rows of a board, by name."""
    found = {row.submission.organization_id: row.submission.organization for row in board.whole}
    return sorted(found.values(), key=lambda organization: (organization.name, str(organization.pk)))


def rows_page(rows: Sequence[Row], *, size: int, token: str) -> tuple[Sequence[Row], str]:
    """The rows after the one that the token names, and the token of those after them."""
    start = _start(rows, token, size)
    shown = rows[start : start + size]
    return shown, paging.write_token([str(shown[-1].key)]) if start + size < len(rows) else ""


def list_boards(*, actor: Actor, limit: int) -> list[Board]:
    """The boards with the newest measurements."""
    return boards_of(_measured_versions(actor)[:limit])


def list_boards_of_model(*, actor: Actor, model_id: UUID) -> list[Board]:
    """The boards on which a model stands."""
    return boards_of(_measured_versions(actor, entries__model=model_id))


def list_category_boards(*, actor: Actor, category: str, verified_only: bool = True) -> list[Board]:
    """The present board of every active public benchmark of a category, by name."""
    rows = _active_versions(actor).filter(benchmark__category=category)
    return boards_of(rows.order_by("benchmark__name", "id"), verified_only=verified_only)


def count_boards_by_category(*, actor: Actor) -> dict[str, int]:
    """How many active public benchmarks each category has; every category is a key."""
    counted = _active_versions(actor).values_list("benchmark__category").annotate(n=Count("pk")).order_by()
    found = dict(counted)
    return {category: found.get(category, 0) for category in BenchmarkCategory.values}


def _active_versions(actor: Actor) -> QuerySet[BenchmarkVersion]:
    shown = benchmarks.visible_to(actor).filter(status=BenchmarkStatus.ACTIVE, visibility=Visibility.PUBLIC)
    rows = BenchmarkVersion.objects.filter(benchmark__in=shown, status=VersionStatus.PUBLISHED)
    return rows.select_related("benchmark")


def list_named_entries(
    *, actor: Actor, entry_ids: Sequence[UUID] = (), submission_ids: Sequence[UUID] = ()
) -> list[Entry]:
    """The rows with these ids, then those that these submissions stand for; each once, in that order.

    Raises:
        EntryNotFound: one is not there, or is not for the actor.
    """
    reachable = benchmarks.versions_reachable_by(actor)
    rows = _compared(Q(pk__in=entry_ids) | Q(submission__in=submission_ids), version__in=reachable)
    by_id = {row.pk: row for row in rows}
    by_submission = {row.submission_id: row for row in by_id.values()}
    found = {f"entry_ids[{at}]": by_id.get(key) for at, key in enumerate(entry_ids)}
    found |= {f"submission_ids[{at}]": by_submission.get(key) for at, key in enumerate(submission_ids)}
    return _all_of(found)


def list_best_entries(
    *, actor: Actor, benchmark_id: UUID, version: str = "", model_ids: Sequence[UUID]
) -> list[Entry]:
    """Each model's best-placed row on a board; each once, in that order.

    Raises:
        EntryNotFound: a model has no row there.
    """
    edition = benchmarks.get_version_by_number(actor=actor, benchmark_id=benchmark_id, number=version)
    [metric] = _primary_metrics([edition])
    worst_first = reversed(_in_board_order(_compared(version=edition, model__in=model_ids), metric))
    best = {row.model_id: row for row in worst_first}
    return _all_of({f"models[{at}]": best.get(key) for at, key in enumerate(model_ids)})


def _compared(*wanted: Q, **exactly: Any) -> QuerySet[Entry]:
    """Rows with what tells one from another."""
    rows = Entry.objects.filter(*wanted, **exactly)
    return rows.select_related("version__benchmark", "submission__model", "submission__deployment__endpoint")


def _all_of(found: Mapping[str, Entry | None]) -> list[Entry]:
    """The rows, each once, if every field of a request has named one."""
    missing = [field for field, row in found.items() if row is None]
    if missing:
        refusal = EntryNotFound()
        raise EntryNotFound(errors=[FieldError(field, refusal.code, str(refusal)) for field in missing])
    return list({row.pk: row for row in found.values() if row}.values())


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


def _primary_metrics(versions: Sequence[BenchmarkVersion]) -> QuerySet[Metric]:
    return Metric.objects.filter(version__in=_ids(versions), is_primary=True)


def _entries(versions: Sequence[BenchmarkVersion]) -> QuerySet[Entry]:
    return whole_entries(Entry.objects.filter(version__in=_ids(versions)))


def whole_entries(rows: QuerySet[Entry]) -> QuerySet[Entry]:
    """Rows with all that a board shows of them."""
    return rows.select_related(
        "submission__organization", "submission__model", "submission__deployment__endpoint"
    )


def unmeasured_claims(versions: Sequence[BenchmarkVersion]) -> QuerySet[Submission]:
    """Public claims without a verdict, newest first."""
    rows = Submission.objects.filter(**COUNTS, version__in=_ids(versions), verification=None)
    return whole_claims(rows).order_by("-created_at", "id")


def whole_claims(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """Claims with all that a board shows of them."""
    return rows.select_related("organization", "model", "deployment__endpoint").prefetch_related("claims")


def _ids(versions: Iterable[BenchmarkVersion]) -> list[UUID]:
    return [version.pk for version in versions]


def _counts_of(claims: QuerySet[Submission]) -> dict[UUID, int]:
    return dict(claims.values_list("version_id").annotate(n=Count("pk")).order_by())


def _by_version(rows: Iterable[R]) -> dict[UUID, list[R]]:
    found: dict[UUID, list[R]] = defaultdict(list)
    for row in rows:
        found[row.version_id].append(row)
    return found


def waiting_rows(claims: Iterable[Submission], metric: Metric) -> Iterator[Row]:
    """Claims as rows without a rank."""
    for submission in claims:
        values = [claim.value for claim in submission.claims.all() if claim.name == metric.name]
        yield Row(submission, None, NOWHERE, values[0] if values else None)


def _start(rows: Sequence[Row], token: str, size: int) -> int:
    """Boards are whole lists: a token names the row before by its id."""
    start = paging.read_token(token, size=size)
    if isinstance(start, int):
        return start
    ids = [[str(row.key)] for row in rows]
    if start not in ids:
        raise paging.invalid_token()
    return ids.index(start) + 1
