"""A whole board, row by row: of all but the rows at hand only ids and ranks are in memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar
from uuid import UUID

from benchmarks import selectors as benchmarks
from benchmarks.models import Metric
from exchange.core.actors import Actor
from exchange.core.tenancy import acting_for
from submissions.models import Submission

from . import ranking, selectors
from .models import Entry
from .selectors import Board, Row

AT_ONCE = 200
T = TypeVar("T")
Places = Sequence[tuple[UUID, ranking.Standing]]


@dataclass(frozen=True, slots=True)
class Export:
    """`rows` reads on as it is walked, a short transaction for each few of them."""

    board: Board
    metric_names: Sequence[str]
    format: str
    rows: Iterator[Row]


def get_export(
    *,
    actor: Actor,
    benchmark_id: UUID,
    version: str = "",
    verified_only: bool = True,
    level: str = "",
    organization_id: UUID | None = None,
    query: str = "",
    format: str = "csv",
) -> Export:
    """The rows that `get_leaderboard` gives, all of them, to be written as `format`."""
    found = benchmarks.get_version_by_number(actor=actor, benchmark_id=benchmark_id, number=version)
    metrics = benchmarks.list_metrics(found)
    primary = next(metric for metric in metrics if metric.is_primary)
    light = list(Entry.objects.filter(version=found).values_list("pk", "value", "low", "high", "measured_at"))
    places, separable = _places(light, primary)
    claims = list(selectors.unmeasured_claims([found]).values_list("pk", flat=True))
    board = Board(
        benchmark=found.benchmark,
        version=found,
        metric=primary,
        verified_only=verified_only,
        rows=(),
        whole=(),
        ranked_count=sum(standing.rank is not None for _id, standing in places),
        unranked_count=len(claims),
        separable_neighbour_count=separable,
        updated_at=max((row[-1] for row in light), default=None),
    )
    rows = chain(_measured(actor, places), () if verified_only else _claimed(actor, claims, primary))
    chosen = (row for row in rows if row.is_chosen(level, organization_id, query))
    return Export(board, [metric.name for metric in metrics], format, chosen)


def _places(light: Sequence[tuple[Any, ...]], metric: Metric) -> tuple[Places, int]:
    """Ids with their standings, best first, and how many neighbours can be told apart."""
    higher = selectors.is_higher_better(metric)
    ordered = sorted(light, key=lambda row: selectors.board_order(row[1], row[0], higher_is_better=higher))
    measured = [ranking.Measured(value, low, high) for _id, value, low, high, _at in ordered]
    standings = ranking.standings(measured, higher_is_better=higher)
    places = [(row[0], standing) for row, standing in zip(ordered, standings, strict=True)]
    return places, ranking.separable_neighbours(measured, higher_is_better=higher)


def _measured(actor: Actor, places: Places) -> Iterator[Row]:
    for some in _chunks(places):
        with acting_for(actor):
            found = selectors.whole_entries(
                Entry.objects.filter(pk__in=[key for key, _standing in some])
            ).in_bulk()
        for key, standing in some:
            if entry := found.get(key):  # one that was placed anew meanwhile is gone
                yield Row(entry.submission, entry, standing, entry.claimed_value)


def _claimed(actor: Actor, claims: Sequence[UUID], metric: Metric) -> Iterator[Row]:
    for some in _chunks(claims):
        with acting_for(actor):
            found = selectors.whole_claims(Submission.objects.filter(pk__in=some)).in_bulk()
        yield from selectors.waiting_rows([found[key] for key in some if key in found], metric)


def _chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    return (items[start : start + AT_ONCE] for start in range(0, len(items), AT_ONCE))
