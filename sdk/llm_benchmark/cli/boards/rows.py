"""Rows of a board in a terminal: rank ranges, values, and intervals drawn on one scale."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.drawing import Glyphs, Scale, glyphs_of
from llm_benchmark.cli.frame.output import MOST_ROWS, NONE, Column
from llm_benchmark.quantities import interval, quantity

if TYPE_CHECKING:
    from llm_benchmark.models import Leaderboard, LeaderboardEntry

_BAR_WIDTH = 15
_LEVELS = {"community_verified": "community", "platform_verified": "platform", "audited": "audited"}


@dataclass(frozen=True, slots=True)
class Reading:
    """The metric that is shown of each row.

    Args:
        name: of another metric than the one that ranks; "" for that.
    """

    title: str
    unit: str
    name: str = ""

    def of(self, entry: LeaderboardEntry) -> Any:
        """What has `value`, `low` and `high`; None where the row has no such metric."""
        if not self.name:
            return entry
        return next((metric for metric in entry.metrics if metric.name == self.name), None)


def board_columns(entries: Sequence[LeaderboardEntry], reading: Reading) -> list[Column]:
    """Spare ones leave a narrow table from the right."""
    part = _part(reading)
    return [
        Column("Rank", rank_range, justify="right", plain=lambda entry: entry.rank),
        Column("Rank low", lambda entry: entry.rank_low, only="plain"),
        Column("Rank high", lambda entry: entry.rank_high, only="plain"),
        Column("Model", _model, plain=model_name),
        Column("Version", lambda entry: entry.model_version, only="plain"),
        Column("Provider", lambda entry: entry.provider_name, is_spare=True),
        Column(reading.title, lambda entry: _value(entry, reading), justify="right", only="table"),
        Column("Value", part("value"), only="plain"),
        Column("Low", part("low"), only="plain"),
        Column("High", part("high"), only="plain"),
        Column("Claimed", lambda entry: entry.claimed_value, only="plain"),
        *_bars(entries, reading),
        Column("Claim", verdict_of, is_spare=True),
        Column("Verified", _level, is_spare=True, plain=lambda entry: entry.level),
        Column("95 %", lambda entry: _interval(entry, reading), is_spare=True, only="table"),
        Column("Simulated", lambda entry: entry.is_simulated, only="plain"),
        Column("Sample", lambda entry: entry.sample_count, only="plain"),
        Column("Entry id", lambda entry: entry.id, only="plain"),
        Column("Submission id", lambda entry: entry.submission_id, only="plain"),
    ]  # fmt: skip


def heading(board: Leaderboard, reading: Reading) -> str:
    """`Baseline chat 1.0.0 · TTFT, p50 (lower is better)`."""
    about = f"{board.benchmark_name} {board.version} · ranked by {board.metric_title}"
    shown = f"; shown: {reading.title}" if reading.name else ""
    return f"{about} ({board.direction.replace('_', ' ')}){shown}{' · demo data' if board.is_demo else ''}"


def remarks(board: Leaderboard) -> list[str]:
    """What a reader of ranks has to know."""
    shown = len(board.items)
    total = board.ranked_count if board.verified_only else board.ranked_count + board.unranked_count
    lines = [_separable(board)]
    if any(entry.rank is None for entry in board.items):
        lines.append("In brackets: claimed, not measured again; such rows have no rank.")
    if board.verified_only and board.unranked_count:
        lines.append(f"{board.unranked_count} more claimed only: --all shows them.")
    if shown < total and board.next_page_token:
        way = f"--limit {total} shows" if total <= MOST_ROWS else f"{PROGRAM} export writes"
        lines.append(f"{shown} of {total} rows: {way} all.")
    return [line for line in lines if line]


def rank_range(entry: Any) -> str | None:
    """`3–11`, one number when both ends agree."""
    if entry.rank is None:
        return None
    low, high = entry.rank_low or entry.rank, entry.rank_high or entry.rank
    return f"{low}" if low == high else f"{low}–{high}"


def model_name(entry: Any) -> str:
    """`publisher/name`, as `compare` takes it."""
    return f"{entry.model_publisher}/{entry.model_name}" if entry.model_publisher else str(entry.model_name)


def verdict_of(entry: LeaderboardEntry) -> str | None:
    """What became of the claim."""
    return "refuted" if entry.claim_refuted else entry.verdict


def _level(entry: LeaderboardEntry) -> str:
    return _LEVELS.get(entry.level, NONE)


def _model(entry: LeaderboardEntry) -> str:
    version = f" {entry.model_version}" if entry.model_version else ""
    return f"{entry.model_name}{version}{' (simulated)' if entry.is_simulated else ''}"


def _part(reading: Reading) -> Callable[[str], Callable[[LeaderboardEntry], float | None]]:
    return lambda name: lambda entry: getattr(reading.of(entry), name, None)


def _value(entry: LeaderboardEntry, reading: Reading) -> str | None:
    measured = reading.of(entry)
    if measured is not None and measured.value is not None:
        return quantity(measured.value, reading.unit)
    if reading.name or entry.claimed_value is None:
        return None
    return f"({quantity(entry.claimed_value, reading.unit)})"


def _interval(entry: LeaderboardEntry, reading: Reading) -> str | None:
    measured = reading.of(entry)
    return None if measured is None else interval(measured.low, measured.high, reading.unit)


def _bars(entries: Sequence[LeaderboardEntry], reading: Reading) -> list[Column]:
    """Nothing to draw where no row has an interval."""
    measured = [one for entry in entries if (one := reading.of(entry))]
    ends = {end for one in measured for end in (one.low, one.value, one.high)} - {None}
    if all(one.low is None and one.high is None for one in measured) or not ends:
        return []
    scale, glyphs = Scale.around(list(ends), reading.unit, _BAR_WIDTH), glyphs_of(sys.stdout.encoding)
    return [
        Column("Interval", lambda entry: _bar(reading.of(entry), scale, glyphs), is_spare=True, only="table")
    ]


def _bar(measured: Any, scale: Scale, glyphs: Glyphs) -> str:
    if measured is None or measured.value is None:
        return NONE
    cells = scale.whisker(measured.low, measured.high, glyphs)
    cells[scale.at(measured.value)] = glyphs.measured
    return "".join(cells)


def _separable(board: Leaderboard) -> str:
    pairs, apart = board.ranked_count - 1, board.separable_neighbour_count
    if pairs > 1:
        only = "only " if apart == 1 else ""
        return f"Of {pairs} neighbouring pairs {only}{apart} can be told apart, so ranks are ranges."
    if pairs == 1:
        return f"The two measured rows {'can' if apart else 'cannot'} be told apart."
    return "One row has been measured; there is nothing yet to compare it with." if pairs == 0 else ""
