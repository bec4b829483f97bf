"""Every request of a performance run as a dot on one strip, with median and 95th percentile marked."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exchange.core.quantities import plain, quantity, shown, shown_unit, tick_decimals

from .svg import Scale, el, figure, lean, line, numbers_table, picture, readable, scale_around, text

ROWS = 6
DOT_SHARE = 1.6  # a dot's width in percent of the strip
P95_FROM = 72


def percentile(ordered: Sequence[float], share: float) -> float:
    """Linear between order statistics (type 7 of Hyndman and Fan 1996)."""
    place = (len(ordered) - 1) * share
    under = math.floor(place)
    over = min(under + 1, len(ordered) - 1)
    return ordered[under] + (ordered[over] - ordered[under]) * (place - under)


def latency_strip(values: Sequence[float], metric: Mapping[str, Any]) -> SafeString:
    """The strip with its table; empty without values.

    Args:
        values: one per successful request, in the metric's unit.
        metric: `title` and `unit`.
    """
    if not values:
        return SafeString("")
    ordered = sorted(values)
    unit = metric["unit"]
    scale, ticks = scale_around([*ordered, ordered[0] * 0.98], floor=0.0)
    marks = [("p50", percentile(ordered, 0.5))]
    if len(ordered) >= P95_FROM:
        marks.append(("p95", percentile(ordered, 0.95)))
    drawing = picture(
        sentence(ordered, marks, metric),
        *axis(scale, ticks, unit),
        *dots(ordered, scale),
        *(mark(name, value, scale, unit) for name, value in marks),
        height=122,
        kind="strip",
    )
    return figure(drawing, strip_table(ordered, marks, unit))


def sentence(ordered: Sequence[float], marks: list[tuple[str, float]], metric: Mapping[str, Any]) -> str:
    """What the strip shows."""
    unit = metric["unit"]
    words = {
        "title": metric["title"],
        "count": len(ordered),
        "low": quantity(ordered[0], unit),
        "high": quantity(ordered[-1], unit),
        "median": quantity(marks[0][1], unit),
        "tail": quantity(marks[-1][1], unit),
    }
    if len(marks) == 1:
        return (
            _("%(title)s of %(count)s requests, %(low)s to %(high)s; half of them under %(median)s.") % words
        )
    return (
        _(
            "%(title)s of %(count)s requests, %(low)s to %(high)s; half of them under %(median)s,"
            " 95 of 100 under %(tail)s."
        )
        % words
    )


def axis(scale: Scale, ticks: Sequence[float], unit: str) -> list[SafeString]:
    """The line with its numbers; the unit on the last one only."""
    decimals = tick_decimals(shown(ticks[1] - ticks[0], unit))
    labels = [plain(shown(tick, unit), decimals) for tick in ticks]
    labels[-1] += f"\u00a0{shown_unit(unit)}"
    parts = [line("0%", "100%", 96, 96, "axis")]
    for at, (tick, label) in enumerate(zip(ticks, readable(labels), strict=True)):
        side = "" if not at else "end" if at == len(ticks) - 1 else "mid"
        parts.append(line(scale.at(tick), scale.at(tick), 96, 101, "axis"))
        parts.append(text(scale.at(tick), 117, label, side))
    return parts


def dots(ordered: Sequence[float], scale: Scale) -> list[SafeString]:
    """One dot a request, each on the lowest row where it touches no other; the last row may overlap."""
    ends = [-math.inf] * ROWS
    placed = []
    for value in ordered:
        share = scale.share(value)
        row = next((at for at, end in enumerate(ends) if share - end >= DOT_SHARE), ROWS - 1)
        ends[row] = share
        placed.append(el("circle", class_="dot", cx=scale.at(value), cy=f"{89 - 8 * row:g}", r="3.2"))
    return placed


def mark(name: str, value: float, scale: Scale, unit: str) -> SafeString:
    """A percentile: a line with its name and value."""
    side = lean(scale.share(value), 20)
    height = 10 if name == "p50" else 26
    label = text(
        scale.at(value), height, f"{name} {quantity(value, unit)}", f"{'m' if name == 'p50' else 'b'} {side}"
    )
    return el("g", line(scale.at(value), scale.at(value), height + 5, 96, name), label)


def strip_table(ordered: Sequence[float], marks: list[tuple[str, float]], unit: str) -> SafeString:
    """The numbers."""
    known = dict(marks)
    tail = (
        quantity(known["p95"], unit) if "p95" in known else _("too few requests: stated from %d") % P95_FROM
    )
    rows = [
        (_("Requests"), f"{len(ordered):,}"),
        (_("Fastest"), quantity(ordered[0], unit)),
        (_("Median (p50)"), quantity(known["p50"], unit)),
        (_("95th percentile (p95)"), tail),
        (_("Slowest"), quantity(ordered[-1], unit)),
    ]
    return numbers_table(_("The numbers"), ["", _("Value")], rows)
