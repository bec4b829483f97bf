"""A benchmark and an edition of it in one file, TOML or JSON, with the fields of the API.

`[benchmark]` holds what `benchmarks.create` takes and `[version]` what `create_version` takes; its
`test_cases` may be the name of a file beside it: JSON lines, or CSV.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from llm_benchmark.cli.frame.documents import read_document
from llm_benchmark.cli.frame.row_files import RowForm, finite, read_rows
from llm_benchmark.cli.submissions.files import Cases, located
from llm_benchmark.errors import FieldError, InvalidInput
from llm_benchmark.measure.questions import question
from llm_benchmark.measure.scorers import validate_question
from llm_benchmark.models import Citation, Generation, LoadProfile, Metric, Model, PolicyDraft, TestCase
from llm_benchmark.services.benchmarks import Benchmarks

_PARTS: dict[str, tuple[type[Model], bool]] = {
    "citation": (Citation, False), "generation": (Generation, False), "load_profile": (LoadProfile, False),
    "policy": (PolicyDraft, False), "metrics": (Metric, True), "test_cases": (TestCase, True),
}  # fmt: skip
_NOT_IN_FILES = {"organization_id", "benchmark", "return"}
_TEMPLATE = "{prompt}"


@dataclass(frozen=True, slots=True)
class BenchmarkFile:
    """What a file says. `version` has its test cases in place; `cases` says where they came from."""

    benchmark: dict[str, Any]
    version: dict[str, Any]
    cases: Cases


def is_benchmark(document: Mapping[str, Any]) -> bool:
    """Whether it describes a benchmark: in a claim, `benchmark` is a name."""
    return isinstance(document.get("benchmark"), dict)


def read_benchmark(path: Path) -> BenchmarkFile:
    """Raises InvalidInput naming all that is wrong in the file, without asking an exchange."""
    document = read_document(path)
    if not is_benchmark(document) or not isinstance(document.get("version", {}), dict):
        message = f"{path} describes no benchmark: it has no table [benchmark], or no [version]."
        raise InvalidInput.of("benchmark", "required", message)
    version = dict(document.get("version", {}))
    cases = Cases(name="test_cases")
    if isinstance(version.get("test_cases"), str):
        source = path.parent / version["test_cases"]
        cases = Cases(source, *read_rows(source, _CASES), "test_cases")
        version["test_cases"] = cases.rows
    found = BenchmarkFile(document["benchmark"], version, cases)
    if errors := [*_unknown(document), *_problems(found)]:
        wrong = f"{len(errors)} things are" if len(errors) > 1 else "One thing is"
        message = f"{path}: {wrong} wrong."
        raise located(InvalidInput(message, code="invalid_benchmark", errors=errors), cases)
    return found


def _unknown(document: Mapping[str, Any]) -> Iterator[FieldError]:
    for name in document.keys() - {"benchmark", "version"}:
        yield FieldError(name, "unknown_field", "A benchmark's file has [benchmark] and [version] alone.")


def _problems(found: BenchmarkFile) -> Iterator[FieldError]:
    yield from _shape(found.benchmark, Benchmarks.create, "benchmark.")
    if found.version:
        wrong = list(_shape(found.version, Benchmarks.create_version, ""))
        yield from wrong or _content(found)


def _shape(given: Mapping[str, Any], method: Callable[..., Any], prefix: str) -> Iterator[FieldError]:
    """Against what the client's method takes."""
    hints = {name: hint for name, hint in get_type_hints(method).items() if name not in _NOT_IN_FILES}
    for name in given.keys() - hints.keys():
        known = f"There is no such field. There are: {', '.join(hints)}."
        yield FieldError(prefix + name, "unknown_field", known)
    for name, hint in hints.items():
        if name in given:
            yield from _value(given[name], name, hint, prefix + name)
        elif msgspec.UnsetType not in get_args(hint):
            yield FieldError(prefix + name, "required", "This is required.")


def _value(value: Any, name: str, hint: Any, path: str) -> Iterator[FieldError]:
    part, is_list = _PARTS.get(name, (None, False))
    if part is None:
        yield from _converted(value, hint, path)
    elif not is_list:
        yield from _converted(value, _strict(part), path)
    elif not isinstance(value, list):
        yield FieldError(path, "not_a_list", "This is a list.")
    else:
        strict = _strict(part)
        for index, item in enumerate(value):
            yield from _converted(item, strict, f"{path}[{index}]")


def _converted(value: Any, kind: Any, path: str) -> Iterator[FieldError]:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as wrong:
        text, _dash, inside = str(wrong).partition(" - at `$")
        choices = [one for arm in get_args(kind) for one in get_args(arm) or [arm] if isinstance(one, str)]
        listed = f" It is one of {', '.join(choices)}." if choices else ""
        yield FieldError(path + inside.rstrip("`"), "wrong_form", f"{text.replace('`', '')}.{listed}")


def _strict(part: type[Model]) -> Any:
    """The same form, with no other fields."""
    return msgspec.defstruct(
        part.__name__, [], bases=(part,), frozen=True, kw_only=True, forbid_unknown_fields=True
    )


def _content(found: BenchmarkFile) -> Iterator[FieldError]:
    """What every edition needs, and each case as its scorer takes it."""
    metrics = found.version["metrics"]
    if sum(metric.get("is_primary", False) for metric in metrics) != 1:
        yield FieldError("metrics", "no_primary_metric", "Exactly one metric is the primary one.")
    template = found.version.get("prompt_template", _TEMPLATE)
    if _TEMPLATE not in template:
        yield FieldError("prompt_template", "prompt_placeholder_missing", "It must contain {prompt}.")
    cases = msgspec.convert(found.version.get("test_cases", []), list[TestCase])
    seen: set[str] = set()
    for index, case in enumerate(cases):
        if case.key in seen:
            yield FieldError(f"test_cases[{index}].key", "duplicate_case_key", "Another has this key.")
        seen.add(case.key)
        for problem in validate_question(question(template, msgspec.structs.asdict(case))):
            yield FieldError(f"test_cases[{index}].{problem.field}", problem.code, problem.message)


def _number(cell: str) -> float:
    return finite(cell, f"A weight is a number, not {cell!r}.")


def _json(cell: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        raise ValueError(f"This is no JSON object: {cell[:40]!r}.") from None


_CASES = RowForm(
    name="test_cases",
    what="test cases",
    example='{"key": "q1", "prompt": "2 + 3 = ?", "reference": "5", "scorer": "numeric_v1"}',
    required=("key", "prompt", "reference", "scorer"),
    optional=("weight", "tags", "group", "choices", "scorer_config"),
    read={
        "weight": _number,
        "tags": lambda cell: [tag.strip() for tag in cell.split(";")],
        "choices": _json,
        "scorer_config": _json,
    },
)
