"""The caliper: a tick for the point, a thick bar for 50 %, a thin line with jaws for 95 %.

A hollow diamond is a claim. An interval that is open on one side runs to the edge without a jaw; where there
is no interval none is invented.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exchange.core.quantities import inner_half, interval, quantity

from .svg import Scale, el, join, line, picture

Reading = Mapping[str, Any]
APART = 3.0  # percent of the width from which a diamond is not hidden by the tick


def diamond(x: str, y: float, size: float = 6) -> SafeString:
    """The mark of a claim."""
    path = el("path", class_="cl", d=f"M0-{size:g}L{size:g} 0 0 {size:g}-{size:g} 0z")
    return el("svg", path, x=x, y=f"{y:g}", overflow="visible")


def whisker(
    scale: Scale, low: float | None, high: float | None, y: float, jaw: float
) -> Iterator[SafeString]:
    """The thin line with a jaw at each end that lies on the scale."""
    if low is None and high is None:
        return
    left = scale.at(low) if low is not None else "0%"
    right = scale.at(high) if high is not None else "100%"
    yield line(left, right, y, y, "w")
    for end in (low, high):
        if end is not None and scale.holds(end):
            yield line(scale.at(end), scale.at(end), y - jaw, y + jaw, "jaw")


def caliper_marks(scale: Scale, reading: Reading, y: float, *, size: float = 9) -> SafeString:
    """Interval, inner half and point of a reading, around the height y."""
    parts = list(whisker(scale, reading.get("low"), reading.get("high"), y, size * 0.45))
    if core := inner_half(reading):
        parts.append(line(scale.at(core[0]), scale.at(core[1]), y, y, "core"))
    if (value := reading.get("value")) is not None:
        parts.append(line(scale.at(value), scale.at(value), y - size, y + size, "pt"))
    return join(parts)


def reading_sentence(reading: Reading, unit: str) -> str:
    """What a caliper says, for those who do not see it."""
    value, low, high = reading.get("value"), reading.get("low"), reading.get("high")
    claim = reading.get("claimed_value")
    if value is None:
        return _("Claimed %(claim)s, not measured again.") % {"claim": quantity(claim, unit)}
    words = {
        "value": quantity(value, unit),
        "interval": interval(low, high, unit),
        "claim": quantity(claim, unit),
    }
    if low is None and high is None:
        return _("Measured %(value)s; no interval yet.") % words
    if claim is None:
        return _("Measured %(value)s, 95 %% interval %(interval)s.") % words
    return _("Measured %(value)s, 95 %% interval %(interval)s; claimed %(claim)s.") % words


def row_caliper(reading: Reading, scale: Scale, unit: str, *, height: float = 28) -> SafeString:
    """The caliper of one row: the reading, and the claim as a diamond where the two are apart.

    Args:
        reading: `value`, `low`, `high`, `sample_count`, `claimed_value`, each may be None.
    """
    y = height / 2
    parts = [caliper_marks(scale, reading, y)]
    claim, value = reading.get("claimed_value"), reading.get("value")
    apart = value is None or claim is None or abs(scale.share(claim) - scale.share(value)) > APART
    if claim is not None and apart:
        parts.append(el("g", diamond(scale.at(claim), y, 5), class_="c"))
    return picture(reading_sentence(reading, unit), *parts, height=height, kind="cal")
