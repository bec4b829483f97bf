"""Differences of pairs of rows around zero, all on one scale: in points, or as a change in percent."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exchange.core.quantities import NO_BREAK, is_share, plain, tick_decimals

from .caliper import whisker
from .svg import Scale, lean, line, picture, readable, scale_around, text

Compared = Mapping[str, Any]
SMALLEST_P = 0.001


def drawn_numbers(compared: Compared) -> tuple[float | None, float | None, float | None]:
    """What is drawn of a comparison: value, low, high; shares in points, all else as a change in percent."""
    if not is_share(compared["unit"]):
        return compared["percent"], compared["percent_low"], compared["percent_high"]
    value, low, high = (compared[name] for name in ("difference", "low", "high"))
    return tuple(None if number is None else 100 * number for number in (value, low, high))  # type: ignore[return-value]


def difference_scale(comparisons: Sequence[Compared]) -> tuple[Scale, Sequence[float]] | None:
    """The scale that holds all of them and zero, with its ticks; None without anything to draw."""
    found = [number for one in comparisons for number in drawn_numbers(one) if number is not None]
    return scale_around([*found, 0.0]) if found else None


def difference_axis(comparisons: Sequence[Compared]) -> SafeString:
    """The ticks above the calipers; the unit on the last one only."""
    scaled = difference_scale(comparisons)
    if scaled is None:
        return SafeString("")
    scale, ticks = scaled
    decimals = tick_decimals(ticks[1] - ticks[0])
    words = [signed(tick, decimals) for tick in ticks]
    last = f"{words[-1]}{NO_BREAK}{unit_of(comparisons[0])}"
    labels = [
        text(scale.at(tick), 14, word, lean(scale.share(tick), 12))
        for tick, word in zip(ticks, readable([*words[:-1], last]), strict=True)
    ]
    ends = {"low": words[0], "high": last}
    return picture(_("Scale from %(low)s to %(high)s") % ends, *labels, height=18)


def unit_of(compared: Compared) -> str:
    """The word behind drawn numbers."""
    return _("points") if is_share(compared["unit"]) else "%"


def signed(number: float, decimals: int = 1) -> str:
    """A difference with its sign; zero has none."""
    return plain(number, decimals, signed=True) if round(number, decimals) else plain(0, decimals)


def difference_caliper(compared: Compared, comparisons: Sequence[Compared]) -> SafeString:
    """One pair's difference on the scale of all, with the line of zero unbroken behind it."""
    scaled = difference_scale(comparisons)
    if scaled is None:
        return SafeString("")
    scale, ticks = scaled
    value, low, high = drawn_numbers(compared)
    marks = [line(scale.at(tick), scale.at(tick), 0, 34, "zero" if not tick else "grid") for tick in ticks]
    if low is not None or high is not None:
        marks += whisker(scale, low, high, 17, 5)
    if value is not None:
        marks.append(line(scale.at(value), scale.at(value), 7, 27, "pt"))
    return picture(compared["summary"], *marks, height=34, kind="cal diff")


def difference_words(compared: Compared) -> str:
    """`+4.2 points (+1.1 to +7.3)`, as drawn."""
    value, low, high = drawn_numbers(compared)
    if value is None:
        return "–"
    unit = unit_of(compared)
    shown = f"{signed(value)}{NO_BREAK}{unit}"
    if low is None or high is None:
        return shown
    return _("%(value)s (%(low)s to %(high)s)") % {"value": shown, "low": signed(low), "high": signed(high)}


def p_words(p: float | None) -> str:
    """A p-value as people read it; unknown is a dash."""
    if p is None:
        return "–"
    return "< 0.001" if p < SMALLEST_P else f"{p:.3f}"
