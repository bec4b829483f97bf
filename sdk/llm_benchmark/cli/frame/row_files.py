"""Rows that people keep in files: JSON lines, or CSV where the first character opens no object."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from llm_benchmark.errors import FieldError, InvalidInput

from .documents import read_text

_LISTED = 20
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RowForm:
    """What a file of rows looks like.

    Args:
        name: the API's list that the rows make.
        what: the rows, in words.
        required: columns that a CSV has to name.
        optional: columns that it may name; an empty cell leaves them out.
        read: what makes a value of a CSV's cell, by column; raises ValueError with a sentence.
    """

    name: str
    what: str
    example: str
    required: Sequence[str]
    optional: Sequence[str] = ()
    read: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)


def read_rows(path: Path, form: RowForm) -> tuple[list[Row], list[int]]:
    """The rows, and the line on which each stands.

    Raises:
        InvalidInput: naming each line that cannot be read.
    """
    text = read_text(path, field=form.name)
    is_json = text.lstrip()[:1] in {"{", "["}
    rows, lines, errors = [], [], []
    for number, row in _json_rows(text, form) if is_json else _csv_rows(text, form):
        if isinstance(row, str):
            errors.append(FieldError(f"{path}, line {number}", "unreadable_line", row))
        else:
            rows.append(row)
            lines.append(number)
    if errors:
        message = f"{path} cannot be read as {form.what}."
        raise InvalidInput(message, code="unreadable_line", errors=errors[:_LISTED])
    if not rows:
        raise InvalidInput.of(form.name, "empty", f"{path} holds no {form.what}.")
    return rows, lines


def _json_rows(text: str, form: RowForm) -> Iterator[tuple[int, Row | str]]:
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if line.strip():
            yield number, _json_row(line, form)


def _json_row(line: str, form: RowForm) -> Row | str:
    try:
        row = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        row = None
    return row if isinstance(row, dict) else f"This is not one JSON object such as {form.example}."


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _csv_rows(text: str, form: RowForm) -> Iterator[tuple[int, Row | str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    names: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if names:
                yield reader.line_num, _csv_row(names, cells, form)
                continue
            names = [cell.strip() for cell in cells]
            if complaint := _wrong_head(names, form):
                yield reader.line_num, complaint
                return
    except csv.Error as wrong:
        yield reader.line_num, f"This is no CSV: {wrong}."


def _wrong_head(names: list[str], form: RowForm) -> str:
    known = {*form.required, *form.optional}
    if {*form.required} <= {*names} <= known and len(set(names)) == len(names):
        return ""
    return (
        f"The first line of a CSV names the columns: {', '.join(form.required)}, and if wanted "
        f"{', '.join(form.optional)}; found: {', '.join(names)[:120]}."
    )


def finite(cell: str, otherwise: str) -> float:
    """The number of a cell. Raises ValueError with the sentence `otherwise`."""
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(otherwise)
    return number


def _csv_row(names: list[str], cells: list[str], form: RowForm) -> Row | str:
    if len(cells) != len(names):
        return f"This line has {len(cells)} cells; the first line names {len(names)} columns."
    given = {name: cell for name, cell in zip(names, cells, strict=True) if cell or name in form.required}
    try:
        return {name: form.read.get(name, str)(cell) for name, cell in given.items()}
    except ValueError as wrong:
        return str(wrong)
