"""Where each row of a board stands, as far as its interval allows. Pure."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from llm_benchmark.measure import statistics

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Standing:
    """A row's place. `tie_group` numbers brackets of rows that cannot be told from their first one."""

    rank: int | None
    rank_low: int | None
    rank_high: int | None
    tie_group: int | None


@dataclass(frozen=True, slots=True)
class Measured:
    """A row's value and its interval; a side that is not known is None."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def interval(self) -> Interval:
        """Unbounded where a side is not known, so that the row is never called separable by it."""
        low = self.low if self.low is not None else -math.inf
        return low, self.high if self.high is not None else math.inf


def standings(rows: Sequence[Measured], *, higher_is_better: bool) -> list[Standing]:
    """For rows in board order (best first, unknown values last)."""
    ranks = statistics.competition_ranks([row.value for row in rows], higher_is_better=higher_is_better)
    known = [row for row in rows if row.value is not None]
    ranges = statistics.rank_ranges([row.interval for row in known], higher_is_better=higher_is_better)
    groups = _tie_groups([_oriented(row, higher_is_better) for row in known])
    missing = len(rows) - len(known)
    places = [*zip(ranges, groups, strict=True), *[((None, None), None)] * missing]
    return [
        Standing(rank, low, high, group) for rank, ((low, high), group) in zip(ranks, places, strict=True)
    ]


def separable_neighbours(rows: Sequence[Measured], *, higher_is_better: bool) -> int:
    """How many neighbouring pairs have intervals that do not touch."""
    intervals = [_oriented(row, higher_is_better) for row in rows if row.value is not None]
    return sum(upper[0] > lower[1] for upper, lower in itertools.pairwise(intervals))


def _oriented(row: Measured, higher_is_better: bool) -> Interval:  # noqa: FBT001  the metric's own word
    low, high = row.interval
    return (low, high) if higher_is_better else (-high, -low)


def _tie_groups(intervals: Sequence[Interval]) -> list[int | None]:
    """The first row not yet placed leads; rows after it whose upper end reaches its lower end join."""
    groups: list[int | None] = []
    number = start = 0
    while start < len(intervals):
        end = start + 1
        while end < len(intervals) and intervals[end][1] >= intervals[start][0]:
            end += 1
        tied = end - start > 1
        number += tied
        groups += [number if tied else None] * (end - start)
        start = end
    return groups
