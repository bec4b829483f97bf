"""Claims as people keep them: a file with the fields of a submission, and case results a line each.

A claim file may name things as people do: `benchmark = "mmlu"`, `organization = "acme"` and
`deployment = "gpt"`, and `cases = "results.jsonl"` for a file beside it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from llm_benchmark.errors import FieldError, InvalidInput

from .documents import read_document, read_text

FIELDS = (
    "organization", "benchmark", "version", "model", "deployment", "claims", "cases", "configuration",
    "visibility", "notes",
)  # fmt: skip
_AS_IN_THE_API = {f"{name}_id": name for name in ("organization", "benchmark", "deployment")}
REQUIRED_COLUMNS = ("key", "score")
COLUMNS = (*REQUIRED_COLUMNS, "answer_digest")
_LISTED = 20


@dataclass(frozen=True)
class Cases:
    """Case results. `lines` says where each row stands in the file, from 1."""

    path: Path | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def place_of(self, index: int) -> str:
        """`results.jsonl, line 14`, or the API's own path where the rows came from no file."""
        if self.path is None or index >= len(self.lines):
            return f"cases[{index}]"
        return f"{self.path}, line {self.lines[index]}"


def read_claim(path: Path) -> tuple[dict[str, Any], Cases]:
    """What a claim file says, by the names in FIELDS, and its cases apart.

    Raises:
        InvalidInput: naming the line that cannot be read, or each unknown field.
    """
    found = read_document(path)
    claim = {_AS_IN_THE_API.get(name, name): value for name, value in found.items()}
    if unknown := sorted({*claim} - {*FIELDS}):
        raise _unknown_fields(path, unknown)
    cases = claim.pop("cases", [])
    if isinstance(cases, str):
        return claim, read_cases(path.parent / cases)
    if not isinstance(cases, list):
        message = f"{path}: cases is a list of results, or the name of a file with them."
        raise InvalidInput.of("cases", "no_list", message)
    return claim, Cases(rows=cases)


def read_cases(path: Path) -> Cases:
    """Rows from JSON lines, or from CSV where the first character opens no object.

    Raises:
        InvalidInput: naming each line that cannot be read.
    """
    text = read_text(path, field="cases")
    is_json = text.lstrip()[:1] in {"{", "["}
    rows, lines, errors = [], [], []
    for number, row in _json_rows(text) if is_json else _csv_rows(text):
        if isinstance(row, str):
            errors.append(FieldError(f"{path}, line {number}", "unreadable_line", row))
        else:
            rows.append(row)
            lines.append(number)
    if errors:
        message = f"{path} cannot be read as case results."
        raise InvalidInput(message, code="unreadable_line", errors=errors[:_LISTED])
    if not rows:
        raise InvalidInput.of("cases", "empty", f"{path} holds no case result.")
    return Cases(path, rows, lines)


def located(refusal: InvalidInput, cases: Cases) -> InvalidInput:
    """The same refusal with the lines of the file instead of the API's `cases[12].score`."""
    refusal.errors = [replace(error, field=_located(error.field, cases)) for error in refusal.errors]
    return refusal


def _located(path: str, cases: Cases) -> str:
    head, bracket, rest = path.partition("cases[")
    index, closing, inside = rest.partition("]")
    if head or not bracket or not closing or not index.isdecimal():
        return path
    place = cases.place_of(int(index))
    return place + inside if place.startswith("cases[") else f"{place}, {inside.lstrip('.')}".rstrip(", ")


def _unknown_fields(path: Path, names: Sequence[str]) -> InvalidInput:
    message = f"A claim has no such field. It has: {', '.join(FIELDS)}."
    errors = [FieldError(name, "unknown_field", message) for name in names]
    return InvalidInput(f"{path} has unknown fields.", code="unknown_field", errors=errors)


def _json_rows(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if line.strip():
            yield number, _json_row(line)


def _json_row(line: str) -> dict[str, Any] | str:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    return row if isinstance(row, dict) else 'This is not one JSON object such as {"key": "q1", "score": 1}.'


def _csv_rows(text: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    names: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if names:
                yield reader.line_num, _csv_row(names, cells)
                continue
            names = [cell.strip() for cell in cells]
            if complaint := _wrong_head(names):
                yield reader.line_num, complaint
                return
    except csv.Error as wrong:
        yield reader.line_num, f"This is no CSV: {wrong}."


def _wrong_head(names: list[str]) -> str:
    is_known = {*REQUIRED_COLUMNS} <= {*names} <= {*COLUMNS} and len(set(names)) == len(names)
    if is_known:
        return ""
    return (
        f"The first line of a CSV names the columns: {', '.join(REQUIRED_COLUMNS)}, and {COLUMNS[-1]} if "
        f"there is one; found: {', '.join(names)[:120]}."
    )


def _csv_row(names: list[str], cells: list[str]) -> dict[str, Any] | str:
    if len(cells) != len(names):
        return f"This line has {len(cells)} cells; the first line names {len(names)} columns."
    row: dict[str, Any] = dict(zip(names, cells, strict=True))
    try:
        row["score"] = float(row["score"])
    except ValueError:
        return f"A score is a number from 0 to 1, not {row['score']!r}."
    return {name: value for name, value in row.items() if name != COLUMNS[-1] or value}
