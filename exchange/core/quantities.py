"""Numbers as people read them on pages: intervals, ticks, and which digits are certain.

Values come in the metric's own unit (quality 0 to 1) and are shown in the unit's format.
"""

import math
from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from llm_benchmark import quantities
from llm_benchmark.quantities import (
    MINUS,
    NO_BREAK,
    UNKNOWN,
    change,
    decimals_of,
    is_share,
    plain,
    points,
    quantity,
    shown,
    shown_unit,
)

__all__ = [
    "MINUS",
    "NO_BREAK",
    "UNKNOWN",
    "certain_length",
    "change",
    "decimals_of",
    "inner_half",
    "interval",
    "is_share",
    "plain",
    "points",
    "quantity",
    "shown",
    "shown_unit",
    "tick_decimals",
    "uncertain_digits",
    "wilson",
]

Z50, Z95 = 0.6744897501960817, 1.959963984540054


def tick_decimals(step: float) -> int:
    """How many decimals tell the ticks of an axis apart."""
    return next((places for places in range(4) if abs(round(step, places) - step) < step * 1e-6), 4)


def interval(low: float | None, high: float | None, unit: str) -> str:
    """`83.8 to 88.1 %` in the reader's language."""
    return quantities.interval(low, high, unit, translate=_)


def certain_length(text: str, half_width: float) -> int:
    """How many characters of a printed number have a place value above the half-width.

    >>> certain_length("93.1", 1.6)
    1
    """
    whole = len(text.partition(".")[0].replace(",", ""))
    place = whole - 1
    for at, character in enumerate(text):
        if not character.isdigit():
            continue
        if 10.0**place <= half_width:
            return at - 1 if at and text[at - 1] in ".," else at
        place -= 1
    return len(text)


def uncertain_digits(value: float | None, low: float | None, high: float | None, unit: str) -> SafeString:
    """The value with its uncertain digits lighter; complete for screen readers. The unit stands elsewhere."""
    if value is None:
        return format_html('<span class="dim">{}</span>', UNKNOWN)
    number = shown(value, unit)
    half = (shown(high, unit) - shown(low, unit)) / 2 if low is not None and high is not None else None
    text = plain(number, decimals_of(number, unit, half))
    split = len(text) if half is None else certain_length(text, half)
    if split == len(text):
        return format_html("{}", text)
    return format_html('{}<span class="u">{}</span>', text[:split], text[split:])


def wilson(value: float, count: int, z: float) -> tuple[float, float]:
    """Wilson's interval of a proportion (Wilson 1927, JASA 22:209)."""
    spread = 1 + z * z / count
    middle = (value + z * z / (2 * count)) / spread
    half = z * math.sqrt(max(0.0, value * (1 - value)) / count + z * z / (4 * count * count)) / spread
    return middle - half, middle + half


def inner_half(reading: Mapping[str, Any]) -> tuple[float, float] | None:
    """The 50 % interval of a reading, only where its 95 % interval is Wilson's and so tells it.

    Args:
        reading: `value`, `low`, `high`, `sample_count`, each may be None.
    """
    value, low, high, count = (reading.get(name) for name in ("value", "low", "high", "sample_count"))
    if value is None or low is None or high is None or not count or not 0 <= value <= 1:
        return None
    ours = wilson(value, count, Z95)
    same = math.isclose(ours[0], low, abs_tol=1e-4) and math.isclose(ours[1], high, abs_tol=1e-4)
    return wilson(value, count, Z50) if same else None
