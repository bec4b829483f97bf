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


def board_scale(
    board: Mapping[str, Any], limit: int | None = None, reference: Entry | None = None
) -> BoardScale | None:
    """The scale that holds all values and claims of the first `limit` rows; None for an empty board.

    `reference`: the row that the reader holds the others against; by default the first with an interval.
    """
    entries = board["items"][:limit]
    chosen = reference if reference and has_interval(reference) else None
    names = ("value", "low", "high", "claimed_value")
    held = [*entries, chosen] if chosen else entries
    values = [entry[name] for entry in held for name in names if entry[name] is not None]
    if not values:
        return None
    ceiling = 1.0 if is_share(board["unit"]) else math.inf
    scale, ticks = scale_around(values, floor=0.0, ceiling=ceiling)
    first = next((entry for entry in entries if entry["rank"] is not None and has_interval(entry)), None)
    return BoardScale(scale, ticks, board["unit"], chosen or first)


def row_relation(entry: Entry, reference: Entry | None, direction: str) -> str:
    """`better`, `same` or `worse` than the chosen row, as far as intervals tell; "" without a chosen one."""
    known = reference and has_interval(reference) and has_interval(entry) and entry["rank"] is not None
    if not reference or not known or entry["id"] == reference["id"]:
        return ""
    above, below = entry["low"] > reference["high"], entry["high"] < reference["low"]
    if direction == "lower_is_better":
        above, below = below, above
    return "better" if above else "worse" if below else "same"


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
    """How many rows are clearly better than a row, cannot be told apart from it, are clearly worse.

    Their names follow where all rows are at hand.
    """

    better_count: int
    same_count: int
    worse_count: int
    better: list[str]
    same: list[str]
    worse: list[str]


def is_whole(board: Mapping[str, Any]) -> bool:
    """Whether all ranked rows are at hand, and not a page of them or those that a filter lets through."""
    return sum(row["rank"] is not None for row in board["items"]) == board["ranked_count"]


def standing(entry: Entry, board: Mapping[str, Any]) -> Standing | None:
    """Where an entry stands among all ranked rows of the board; None for a row without an interval.

    The counts are those that its rank range says, so they hold for a board of which only a part is shown.
    """
    if not has_interval(entry) or entry["rank_low"] is None or entry["rank_high"] is None:
        return None
    better, worse = entry["rank_low"] - 1, board["ranked_count"] - entry["rank_high"]
    found: dict[str, list[str]] = {"better": [], "same": [], "worse": []}
    if is_whole(board):
        for other in board["items"]:
            if relation := row_relation(other, entry, board["direction"]):
                found[relation].append(other["model_name"])
    return Standing(better, board["ranked_count"] - 1 - better - worse, worse, **found)
