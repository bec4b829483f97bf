"""Lines of CSV (RFC 4180) that a spreadsheet does not take for more than values."""

import csv
import io
from collections.abc import Iterable
from typing import Any

_STARTS_A_FORMULA = frozenset("=+-@\t\r\n\0＝＋－＠﹢﹣﹦﹫")
_INVISIBLE = "\u200b\u200e\u200f\u2060\ufeff"


def line(cells: Iterable[Any]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerow([cell(value) for value in cells])
    return out.getvalue().encode()


def cell(value: Any) -> Any:
    """Numbers as they are; a text that a spreadsheet could take for a formula gets an apostrophe in front."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    if isinstance(value, int | float):
        return value
    text = str(value)
    bare = text.lstrip(" \u00a0" + _INVISIBLE)
    return f"'{text}" if {text[:1], bare[:1]} & _STARTS_A_FORMULA else text
