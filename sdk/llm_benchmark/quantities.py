"""Numbers as people read them, the same on pages and in a terminal.

Values come in the metric's own unit (quality 0 to 1) and are shown in the unit's format.
"""

import math
from collections.abc import Callable

Translate = Callable[[str], str]
SHARES = frozenset({"", "1", "ratio", "fraction", "proportion", "share"})
NO_BREAK = "\u00a0"
MINUS = "\u2212"
UNKNOWN = "–"


def gettext_noop(text: str) -> str:
    """Marks a text for translation by whoever shows it."""
    return text


def is_share(unit: str) -> bool:
    """Whether values of the unit are parts of one, shown as percent."""
    return unit in SHARES


def shown_unit(unit: str) -> str:
    """The unit as it stands behind a number."""
    return "%" if is_share(unit) else unit


def shown(value: float, unit: str) -> float:
    """The value in the unit that is shown."""
    return 100 * value if is_share(unit) else value


def decimals_of(number: float, unit: str, half_width: float | None = None) -> int:
    """How many decimals to print: three digits, one for percent, at most one below the half-width."""
    digits = 2 - math.floor(math.log10(abs(number))) if number else 0
    wanted = 1 if is_share(unit) else min(3, max(0, digits))
    if half_width:
        wanted = min(wanted, max(0, -math.floor(math.log10(half_width))) + 1)
    return wanted


def plain(number: float, decimals: int, *, signed: bool = False) -> str:
    """A number with grouped thousands and a true minus sign."""
    text = f"{number:{'+' if signed else ''},.{decimals}f}"
    return text.replace("-", MINUS)


def quantity(value: float | None, unit: str) -> str:
    """`86.0 %`, `52.4 ms`; unknown is a dash, never 0."""
    if value is None:
        return UNKNOWN
    number = shown(value, unit)
    return f"{plain(number, decimals_of(number, unit))}{NO_BREAK}{shown_unit(unit)}"


AT_MOST, AT_LEAST = gettext_noop("at most %(high)s"), gettext_noop("at least %(low)s")
BETWEEN = gettext_noop("%(low)s to %(high)s")


def interval(low: float | None, high: float | None, unit: str, *, translate: Translate = str) -> str:
    """`83.8 to 88.1 %`; an open side is said in words; no interval is a dash."""
    if low is None and high is None:
        return UNKNOWN
    if low is None:
        return translate(AT_MOST) % {"high": quantity(high, unit)}
    if high is None:
        return translate(AT_LEAST) % {"low": quantity(low, unit)}
    bare = quantity(low, unit).rsplit(NO_BREAK, 1)[0]
    return translate(BETWEEN) % {"low": bare, "high": quantity(high, unit)}


def points(difference: float | None) -> str:
    """A difference of two shares, in points: `+0.1`."""
    return UNKNOWN if difference is None else plain(100 * difference, 1, signed=True)


def change(ratio: float | None) -> str:
    """A ratio as a change: 1.13 is `+13.0 %`."""
    return UNKNOWN if ratio is None else plain(100 * (ratio - 1), 1, signed=True) + NO_BREAK + "%"
