"""`NAME=VALUE`, as repeatable options take it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from llm_benchmark.errors import InvalidInput


def assignment(text: str, *, option: str, example: str) -> tuple[str, str]:
    """Name and value apart. Raises InvalidInput of the option."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise InvalidInput.of(option, "malformed", f"{text!r} is not NAME=VALUE, such as {example}.")
    return name, value


def assignments(texts: Iterable[str], *, option: str, example: str) -> dict[str, Any]:
    """The values as JSON where they are some, else as text: `sessions=3` is a number."""
    pairs = [assignment(text, option=option, example=example) for text in texts]
    return {name: _read(value) for name, value in pairs}


def _read(value: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
