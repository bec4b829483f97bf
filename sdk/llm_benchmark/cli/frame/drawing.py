"""A judgement in lines of text: claim and re-run above each other on one scale, then in words."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from llm_benchmark.quantities import UNKNOWN, change, interval, is_share, points, quantity

if TYPE_CHECKING:
    from llm_benchmark.measure.verdict import Judgement
    from llm_benchmark.models import MetricJudgement

    Judged: TypeAlias = Judgement | MetricJudgement

_ROOM = 0.08
_LEAST_WIDTH, _MOST_WIDTH = 24, 72
_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Glyphs:
    """What marks are made of."""

    claim: str
    measured: str
    left: str
    line: str
    right: str
    band: str


DRAWN = Glyphs("◇", "●", "├", "─", "┤", "░")
TYPED = Glyphs("o", "*", "|", "-", "|", ":")


def glyphs_of(encoding: str | None) -> Glyphs:
    """Drawn ones, or typed ones where the terminal has no others."""
    try:
        "".join(getattr(DRAWN, name) for name in Glyphs.__slots__).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return TYPED
    return DRAWN


def judgement_lines(
    judgement: Judged, *, title: str, unit: str, is_points: bool, width: int, glyphs: Glyphs | None = None
) -> list[str]:
    """The picture and the words of one metric.

    Args:
        unit: the metric's.
        is_points: whether tolerance and difference are in shares (quality), else ratios (speed).
        width: of the terminal, in characters.
    """
    glyphs = glyphs or glyphs_of(sys.stdout.encoding)
    room = max(_LEAST_WIDTH, min(width - len(_INDENT), _MOST_WIDTH))
    lines = _picture(judgement, unit, is_points=is_points, room=room, glyphs=glyphs)
    lines += _words(judgement, unit, glyphs)
    if judgement.difference is not None and judgement.tolerance:
        lines.append(f"{glyphs.band} {_difference(judgement, is_points=is_points)}")
    return [title, *(_INDENT + line for line in lines)]


def _words(judgement: Judged, unit: str, glyphs: Glyphs) -> list[str]:
    span = interval(judgement.measured_low, judgement.measured_high, unit)
    behind = "" if span == UNKNOWN else f" (95 %: {span})"
    return [
        f"{glyphs.claim} claimed        {quantity(judgement.claim, unit)}",
        f"{glyphs.measured} measured again {quantity(judgement.measured, unit)}{behind}",
    ]


def _difference(judgement: Judged, *, is_points: bool) -> str:
    say = points if is_points else change
    behind = " points" if is_points else ""
    tolerance = f"{100 * (judgement.tolerance or 0):g}{behind or ' %'}"
    low, high = judgement.difference_low, judgement.difference_high
    between = "" if low is None or high is None else f" ({say(low)} to {say(high)})"
    return f"tolerance ±{tolerance}; difference {say(judgement.difference)}{behind}{between}"


def _picture(judgement: Judged, unit: str, *, is_points: bool, room: int, glyphs: Glyphs) -> list[str]:
    if judgement.claim is None or judgement.measured is None:
        return []
    band = _band(judgement.claim, judgement.tolerance or 0.0, is_points=is_points)
    ends = [e for e in (judgement.measured_low, judgement.measured_high) if e is not None]
    most = 1.0 if is_share(unit) and max(judgement.claim, judgement.measured) <= 1 else math.inf
    shown = [min(most, value) for value in (judgement.claim, judgement.measured, *band, *ends)]
    scale = Scale.around(shown, unit, room)
    claimed = scale.row(band, glyphs.band)
    claimed[scale.at(judgement.claim)] = glyphs.claim
    measured = scale.whisker(judgement.measured_low, judgement.measured_high, glyphs)
    measured[scale.at(judgement.measured)] = glyphs.measured
    return ["".join(claimed).rstrip(), "".join(measured).rstrip(), scale.numbers(unit)]


def _band(claim: float, tolerance: float, *, is_points: bool) -> tuple[float, float]:
    """What a re-run may come to without speaking against the claim."""
    if is_points:
        return claim - tolerance, claim + tolerance
    return claim / (1 + tolerance), claim * (1 + tolerance)


@dataclass(frozen=True, slots=True)
class Scale:
    low: float
    high: float
    room: int

    @classmethod
    def around(cls, values: list[float], unit: str, room: int) -> Scale:
        """Somewhat more than the values; never below 0 where none of them is, and shares never above 1."""
        low, high = min(values), max(values)
        margin = (high - low) * _ROOM or abs(high) * _ROOM or 1.0
        ceiling = 1.0 if is_share(unit) and high <= 1 else math.inf
        return cls(max(0.0, low - margin) if low >= 0 else low - margin, min(ceiling, high + margin), room)

    def at(self, value: float) -> int:
        share = (value - self.low) / (self.high - self.low)
        return min(self.room - 1, max(0, round(share * (self.room - 1))))

    def row(self, ends: tuple[float, float] | None, glyph: str) -> list[str]:
        """A row of characters, filled from end to end."""
        first, last = (self.at(ends[0]), self.at(ends[1])) if ends else (0, -1)
        return [glyph if first <= at <= last else " " for at in range(self.room)]

    def whisker(self, low: float | None, high: float | None, glyphs: Glyphs) -> list[str]:
        """The interval; a side without an end runs to the edge of the picture."""
        if low is None and high is None:
            return self.row(None, glyphs.line)
        ends = self.low if low is None else low, self.high if high is None else high
        cells = self.row(ends, glyphs.line)
        if low is not None:
            cells[self.at(low)] = glyphs.left
        if high is not None:
            cells[self.at(high)] = glyphs.right
        return cells

    def numbers(self, unit: str) -> str:
        left, right = quantity(self.low, unit), quantity(self.high, unit)
        return f"{left}{right:>{self.room - len(left)}}"
