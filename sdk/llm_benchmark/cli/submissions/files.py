"""Claims as people keep them: a file with the fields of a submission, and case results a line each.

A claim file may name things as people do: `benchmark = "mmlu"`, `organization = "acme"` and
`deployment = "gpt"`, and `cases = "results.jsonl"` for a file beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from llm_benchmark.cli.frame.documents import read_document
from llm_benchmark.cli.frame.row_files import RowForm, finite, read_rows
from llm_benchmark.errors import FieldError, InvalidInput

FIELDS = (
    "organization", "benchmark", "version", "model", "deployment", "claims", "cases", "configuration",
    "visibility", "notes",
)  # fmt: skip
_AS_IN_THE_API = {f"{name}_id": name for name in ("organization", "benchmark", "deployment")}


@dataclass(frozen=True)
class Cases:
    """Rows by case. `lines` says where each stands in the file, from 1; `name` is the API's list of them."""

    path: Path | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    name: str = "cases"

    def place_of(self, index: int) -> str:
        """`results.jsonl, line 14`, or the API's own path where the rows came from no file."""
        if self.path is None or index >= len(self.lines):
            return f"{self.name}[{index}]"
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
    return Cases(path, *read_rows(path, _FORM))


def located(refusal: InvalidInput, cases: Cases) -> InvalidInput:
    """The same refusal with the lines of the file instead of the API's `cases[12].score`."""
    refusal.errors = [replace(error, field=_located(error.field, cases)) for error in refusal.errors]
    return refusal


def _located(path: str, cases: Cases) -> str:
    head, bracket, rest = path.partition(f"{cases.name}[")
    index, closing, inside = rest.partition("]")
    if cases.path is None or head or not bracket or not closing or not index.isdecimal():
        return path
    return f"{cases.place_of(int(index))}, {inside.lstrip('.')}".rstrip(", ")


def _unknown_fields(path: Path, names: Sequence[str]) -> InvalidInput:
    message = f"A claim has no such field. It has: {', '.join(FIELDS)}."
    errors = [FieldError(name, "unknown_field", message) for name in names]
    return InvalidInput(f"{path} has unknown fields.", code="unknown_field", errors=errors)


def _score(cell: str) -> float:
    return finite(cell, f"A score is a number from 0 to 1, not {cell!r}.")


_FORM = RowForm(
    name="cases",
    what="case results",
    example='{"key": "q1", "score": 1}',
    required=("key", "score"),
    optional=("answer_digest",),
    read={"score": _score},
)
