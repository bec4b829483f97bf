"""A model's measurements on one version over time: point and interval, the claim as a diamond."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exchange.core.quantities import interval, is_share, plain, quantity, shown, shown_unit, tick_decimals
from exchange.web.words import VERDICTS, word

from .caliper import diamond, reading_sentence
from .svg import Scale, el, figure, line, numbers_table, picture, scale_around, text

Measured = Mapping[str, Any]
TOP, BOTTOM = 16.0, 176.0
LEFT, RIGHT = 12.0, 96.0  # percent of the width, between the labels of the axis and the edge
TICK, JAW = 1.3, 0.7  # half widths in percent
DAY = 86_400.0
APART = 6.0  # pixels from which a diamond is not hidden by the tick


def by_version(items: Sequence[Measured]) -> list[list[Measured]]:
    """Measurements of one version together, in the order in which versions first occur."""
    found: dict[str, list[Measured]] = {}
    for item in items:
        found.setdefault(item["version_id"], []).append(item)
    return list(found.values())


def history_chart(items: Sequence[Measured]) -> SafeString:
    """The chart of one version's measurements with its table; empty without a value."""
    known = sorted((item for item in items if item["value"] is not None), key=moment)
    if not known:
        return SafeString("")
    unit = known[0]["unit"]
    height, ticks = value_scale(known, unit)
    across = time_scale(known)
    parts = [*value_axis(height, ticks, unit), *time_axis(known), *threads(known, across, height)]
    parts += [mark(item, place(item, across), height) for item in known]
    return figure(picture(sentence(known), *parts, height=BOTTOM + 26, kind="cal times"), table(items))


def value_scale(known: Sequence[Measured], unit: str) -> tuple[Scale, Sequence[float]]:
    names = ("value", "low", "high", "claimed_value")
    values = [item[name] for item in known for name in names if item[name] is not None]
    return scale_around(values, floor=0.0, **({"ceiling": 1.0} if is_share(unit) else {}))


def time_scale(known: Sequence[Measured]) -> Scale:
    """From the first to the last; where that is less than a day, they stand in its middle."""
    first, last = moment(known[0]), moment(known[-1])
    return Scale(first, last) if last - first >= DAY else Scale(first - DAY, first + DAY)


def moment(item: Measured) -> float:
    """Seconds since 1970."""
    return when_of(item).timestamp()


def when_of(item: Measured) -> datetime:
    given = item["measured_at"]
    found = parse_datetime(given) if isinstance(given, str) else given
    return found.astimezone(UTC) if found else datetime.fromtimestamp(0, UTC)


def down(scale: Scale, value: float) -> float:
    """The height of a value, held inside the picture."""
    share = min(100.0, max(0.0, scale.share(value)))
    return round(BOTTOM - (BOTTOM - TOP) * share / 100, 2)


def place(item: Measured, across: Scale) -> float:
    """Percent of the width."""
    share = across.share(moment(item))
    return LEFT + (RIGHT - LEFT) * share / 100


def at(share: float) -> str:
    return f"{share:.2f}%"


def value_axis(scale: Scale, ticks: Sequence[float], unit: str) -> list[SafeString]:
    """Grid lines with their numbers; the unit on the highest one."""
    decimals = tick_decimals(shown(ticks[1] - ticks[0], unit))
    parts = []
    for tick in ticks:
        y = down(scale, tick)
        label = plain(shown(tick, unit), decimals)
        if tick == ticks[-1]:
            label += f"\u00a0{shown_unit(unit)}"
        parts += [line(at(0), at(100), y, y, "grid"), text("0%", y - 4, label)]
    return parts


def time_axis(known: Sequence[Measured]) -> list[SafeString]:
    """The first and the last day; one alone where they are the same."""
    first, last = when_of(known[0]), when_of(known[-1])
    if (last - first).total_seconds() < DAY:
        return [text(at((LEFT + RIGHT) / 2), BOTTOM + 20, date_format(first, "j M Y"), "mid")]
    return [
        text(at(LEFT), BOTTOM + 20, date_format(first, "j M Y"), "mid"),
        text(at(100), BOTTOM + 20, date_format(last, "j M Y"), "end"),
    ]


def threads(known: Sequence[Measured], across: Scale, scale: Scale) -> list[SafeString]:
    """A thin line from each measurement to the next of the same row."""
    rows: dict[tuple[Any, Any], list[Measured]] = {}
    for item in known:
        rows.setdefault((item["deployment_id"], item["fingerprint"]), []).append(item)
    return [
        line(
            at(place(a, across)),
            at(place(b, across)),
            down(scale, a["value"]),
            down(scale, b["value"]),
            "thread",
        )
        for row in rows.values()
        for a, b in pairwise(row)
    ]


def mark(item: Measured, x: float, scale: Scale) -> SafeString:
    """Point, interval with jaws, and the claim where it is apart."""
    y = down(scale, item["value"])
    parts = [el("title", reading_sentence(item, item["unit"]))]
    low, high = item["low"], item["high"]
    if low is not None or high is not None:
        ends = [BOTTOM if low is None else down(scale, low), TOP if high is None else down(scale, high)]
        parts.append(line(at(x), at(x), ends[0], ends[1], "w"))
        jaws = [end for end, known in zip(ends, (low, high), strict=True) if known is not None]
        parts += [line(at(x - JAW), at(x + JAW), end, end, "jaw") for end in jaws]
    parts.append(line(at(x - TICK), at(x + TICK), y, y, "pt"))
    claim = item["claimed_value"]
    if claim is not None and abs(down(scale, claim) - y) > APART:
        parts.append(el("g", diamond(at(x), down(scale, claim), 5), class_="c"))
    return el("g", *parts)


def sentence(known: Sequence[Measured]) -> str:
    """What the chart shows."""
    words = {
        "count": len(known),
        "title": known[-1]["metric_title"],
        "first": quantity(known[0]["value"], known[0]["unit"]),
        "last": quantity(known[-1]["value"], known[-1]["unit"]),
    }
    if len(known) == 1:
        return _("%(title)s measured once: %(last)s.") % words
    return _("%(title)s measured %(count)s times: %(first)s at first, %(last)s at last.") % words


def table(items: Sequence[Measured]) -> SafeString:
    """The numbers, newest first."""
    head = [_("Measured"), _("Value"), _("95 % interval"), _("Claimed"), _("Claim")]
    rows = [
        (
            date_format(when_of(item), "j M Y H:i"),
            quantity(item["value"], item["unit"]),
            interval(item["low"], item["high"], item["unit"]),
            quantity(item["claimed_value"], item["unit"]),
            word(VERDICTS, item["verdict"]),
        )
        for item in sorted(items, key=moment, reverse=True)
    ]
    return numbers_table(_("The numbers"), head, rows)
