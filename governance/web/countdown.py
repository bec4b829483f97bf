"""The time that is left, in three numbers; the page's script moves them on from there."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.utils.translation import ngettext

Words = Callable[[int], str]
DAY = 86400
SIZES: tuple[tuple[str, int, Words], ...] = (
    ("days", DAY, lambda n: ngettext("day", "days", n)),
    ("hours", 3600, lambda n: ngettext("hour", "hours", n)),
    ("minutes", 60, lambda n: ngettext("minute", "minutes", n)),
    ("seconds", 1, lambda n: ngettext("second", "seconds", n)),
)


def countdown(until: datetime | None, now: datetime) -> dict[str, Any] | None:
    """{until, now, parts: [{name, number, word, one, many}]}; None without an end or after it.

    The three largest units from days on; without days, from hours on.
    """
    if until is None or until <= now:
        return None
    left = int((until - now).total_seconds())
    sizes = SIZES[:3] if left >= DAY else SIZES[1:]
    parts = []
    for name, size, word in sizes:
        number, left = divmod(left, size)
        parts.append({"name": name, "number": number, "word": word(number), "one": word(1), "many": word(2)})
    return {"until": until.isoformat(), "now": now.isoformat(), "parts": parts}


def duration(seconds: int) -> str:
    """`7 days`, `1 hour 30 minutes`: a length of time without parts that are zero."""
    left, parts = seconds, []
    for _name, size, word in SIZES:
        number, left = divmod(left, size)
        if number:
            parts.append(f"{number}\u00a0{word(number)}")
    return " ".join(parts) or f"0\u00a0{SIZES[-1][2](0)}"
