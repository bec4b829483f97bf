"""Numbers as people type them, and as a form shows them."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any


def shown(value: Any) -> str:
    """Numbers to their last digit: 0.02, 1, 1e-07."""
    if value is None:
        return ""
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def number(text: str) -> Any:
    """The number that was typed; what is none stays text, for the form to refuse."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text.strip())
    return text


def numbers(values: Mapping[str, str], part: str, names: Iterable[str]) -> dict[str, Any]:
    """Those of a part's fields that say something."""
    return {name: number(values[f"{part}.{name}"]) for name in names if values[f"{part}.{name}"].strip()}
