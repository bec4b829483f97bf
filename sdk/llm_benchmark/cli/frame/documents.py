"""Files that people write: JSON, or TOML where the name ends in `.toml`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from llm_benchmark.errors import InvalidInput


def read_text(path: Path, *, field: str) -> str:
    """A text file without its byte order mark. Raises InvalidInput of `field`."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as wrong:
        message = f"{path} cannot be read: {wrong.strerror or wrong}."
        raise InvalidInput.of(field, "unreadable", message) from None
    except UnicodeDecodeError as wrong:
        line = wrong.object.count(b"\n", 0, wrong.start) + 1
        raise InvalidInput.of(field, "not_text", f"{path}, line {line}: this is not UTF-8 text.") from None


def read_document(path: Path, *, field: str = "file") -> dict[str, Any]:
    """The object that a file holds.

    Raises:
        InvalidInput: of `field`, naming the line where the file cannot be read.
    """
    text = read_text(path, field=field)
    found = _toml(text, path, field) if path.suffix.lower() == ".toml" else _json(text, path, field)
    if not isinstance(found, dict):
        message = f"{path} holds no object: it begins with {{ and ends with }}, or is TOML in a .toml file."
        raise InvalidInput.of(field, "no_object", message)
    return _as_json_has_it(found, path, field)


def _as_json_has_it(found: dict[str, Any], path: Path, field: str) -> dict[str, Any]:
    """TOML's dates become text; what JSON has no number for is refused."""
    try:
        plain: dict[str, Any] = json.loads(json.dumps(found, allow_nan=False, default=str))
    except ValueError:
        message = f"{path} holds a number that is not finite: nan or inf."
        raise InvalidInput.of(field, "not_finite", message) from None
    return plain


def _json(text: str, path: Path, field: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as wrong:
        message = f"{path}, line {wrong.lineno}, column {wrong.colno}: this is no JSON ({wrong.msg})."
        raise InvalidInput.of(field, "not_json", message) from None
    except RecursionError:
        raise InvalidInput.of(field, "not_json", f"{path} is nested too deeply.") from None


def _toml(text: str, path: Path, field: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise InvalidInput.of(field, "not_toml", f"{path} is no TOML: {wrong}.") from None
    except RecursionError:
        raise InvalidInput.of(field, "not_toml", f"{path} is nested too deeply.") from None
