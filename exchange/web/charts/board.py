"""A board as drawn: one scale for all rows, an axis, the band of the marked row, tie groups."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exchange.core.quantities import is_share, plain, shown, shown_unit, tick_decimals

from .caliper import row_caliper
from .svg import Scale, el, lean, line, picture, readable, scale_around, text

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BoardScale:
    """The common scale of a board's rows.

    Attributes:
        reference: the entry whose interval is the band behind all rows; None draws no band.
    """

    scale: Scale
    ticks: Sequence[float]
    unit: str
    reference: Entry | None


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that stand together: a tie, a single row, or the claims without a rank."""

    rows: Sequence[Entry]
    is_ranked: bool

    @property
    def size(self) -> int:
        """How many rows."""
        return len(self.rows)

    @property
    def is_tie(self) -> bool:
        """Whether a bracket joins the rows."""
        return self.is_ranked and len(self.rows) > 1


def groups_of(entries: Sequence[Entry]) -> list[Group]:
    """Entries in their order, neighbours of one tie group together, claims without a rank last."""
    ranked = [entry for entry in entries if entry["rank"] is not None]
    claims = [entry for entry in entries if entry["rank"] is None]
    tied = groupby(
        ranked, key=lambda entry: (entry["tie_group"], entry["id"] if entry["tie_group"] is None else "")
    )
    found = [Group(rows=list(rows), is_ranked=True) for _key, rows in tied]
    return [*found, Group(rows=claims, is_ranked=False)] if claims else found


def board_scale(board: Mapping[str, Any], limit: int | None = None) -> BoardScale | None:
    """The scale that holds all values and claims of the first `limit` rows; None for an empty board."""
    entries = board["items"][:limit]
    names = ("value", "low", "high", "claimed_value")
    values = [entry[name] for entry in entries for name in names if entry[name] is not None]
    if not values:
        return None
    ceiling = 1.0 if is_share(board["unit"]) else math.inf
    scale, ticks = scale_around(values, floor=0.0, ceiling=ceiling)
    reference = next((entry for entry in entries if entry["rank"] is not None and has_interval(entry)), None)
    return BoardScale(scale, ticks, board["unit"], reference)


def has_interval(entry: Entry) -> bool:
    """Whether both ends are known."""
    return entry["low"] is not None and entry["high"] is not None


def board_axis(on: BoardScale) -> SafeString:
    """The ticks above the column of calipers; the unit on the last one only."""
    decimals = tick_decimals(shown(on.ticks[1] - on.ticks[0], on.unit))
    words = readable([label_of(tick, on, decimals) for tick in on.ticks])
    labels = [
        text(on.scale.at(tick), 14, word, lean(on.scale.share(tick)))
        for tick, word in zip(on.ticks, words, strict=True)
    ]
    ends = {"low": label_of(on.ticks[0], on, decimals), "high": label_of(on.ticks[-1], on, decimals)}
    return picture(_("Scale from %(low)s to %(high)s") % ends, *labels, height=18)


def label_of(tick: float, on: BoardScale, decimals: int) -> str:
    """A tick's number."""
    number = plain(shown(tick, on.unit), decimals)
    return f"{number}\u00a0{shown_unit(on.unit)}" if tick == on.ticks[-1] else number


def board_ground(on: BoardScale) -> SafeString:
    """Behind the calipers: the grid, and the reference band unbroken from row to row."""
    grid = [line(on.scale.at(tick), on.scale.at(tick), 0, 200, "ax") for tick in on.ticks]
    if on.reference:
        low, high = on.scale.share(on.reference["low"]), on.scale.share(on.reference["high"])
        low, high = max(0.0, low), min(100.0, high)
        grid.append(
            el(
                "rect",
                class_="ref",
                x=f"{low:.2f}%",
                width=f"{max(0.0, high - low):.2f}%",
                y="0",
                height="100%",
            )
        )
    return el("svg", *grid, class_="bg", aria_hidden="true")


def board_caliper(entry: Entry, on: BoardScale, height: float = 28) -> SafeString:
    """The caliper of a row on the board's scale."""
    return row_caliper(entry, on.scale, on.unit, height=height)


def rank_range(entry: Entry) -> str:
    """`3–11`, one number when both ends agree, a dash without a rank."""
    if entry["rank"] is None:
        return "–"
    low, high = entry["rank_low"], entry["rank_high"]
    if low is None or high is None:
        return str(entry["rank"])
    return f"{low}" if low == high else f"{low}–{high}"


def row_ends(entry: Entry, on: BoardScale) -> SafeString:
    """The ends of a row's interval in percent of the column, as attributes for the script."""
    if not has_interval(entry):
        return SafeString("")
    left, right = (min(100.0, max(0.0, on.scale.share(entry[end]))) for end in ("low", "high"))
    return format_html('data-left="{}" data-right="{}"', f"{left:.2f}", f"{right:.2f}")


@dataclass(frozen=True, slots=True)
class Standing:
    """Who is clearly better than a row, who cannot be told apart from it, who is clearly worse (names)."""

    better: list[str]
    same: list[str]
    worse: list[str]


def standing(entry: Entry, board: Mapping[str, Any]) -> Standing | None:
    """Where an entry stands among the board's other ranked rows; None unless all is known.

    A board that is paged does not tell, nor does a row without an interval.
    """
    ranked = [row for row in board["items"] if row["rank"] is not None]
    if not has_interval(entry) or len(ranked) != board["ranked_count"]:
        return None
    found = Standing([], [], [])
    for other in ranked:
        if other["id"] == entry["id"] or not has_interval(other):
            continue
        above, below = other["low"] > entry["high"], other["high"] < entry["low"]
        if board["direction"] == "lower_is_better":
            above, below = below, above
        side = found.better if above else found.worse if below else found.same
        side.append(other["model_name"])
    return found
