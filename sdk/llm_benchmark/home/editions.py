"""A benchmark's version with all that is asked, from the exchange or with cases from a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from llm_benchmark.errors import InvalidInput
from llm_benchmark.measure.contents import content_hash
from llm_benchmark.measure.loads import given
from llm_benchmark.measure.metrics import MetricKind
from llm_benchmark.measure.plans import Question
from llm_benchmark.measure.questions import question
from llm_benchmark.models import BenchmarkVersion, TestCase

from .errors import CasesArePrivate, CasesDiffer

MEASURED_KINDS = ("quality", "performance")


@dataclass(frozen=True)
class Edition:
    """A published version that can be measured at home. `cases` are in the version's order."""

    benchmark: str
    version: BenchmarkVersion
    cases: Sequence[Mapping[str, Any]] = ()

    @property
    def name(self) -> str:
        return f"{self.benchmark} {self.version.version}"

    @property
    def is_load(self) -> bool:
        return self.version.kind == "performance"

    @cached_property
    def questions(self) -> list[Question]:
        return [question(self.version.prompt_template, case) for case in self.cases]

    @property
    def generation(self) -> dict[str, Any] | None:
        return self.version.generation.as_dict() if self.version.generation else None

    @property
    def load_profile(self) -> dict[str, Any] | None:
        return given(self.version.load_profile.as_dict()) if self.version.load_profile else None

    @property
    def metric_kinds(self) -> dict[str, MetricKind]:
        """What the version says that each metric is; it decides the interval."""
        return {metric.name: MetricKind(metric.kind) for metric in self.version.metrics}


def edition(benchmark: str, version: BenchmarkVersion, cases: Iterable[TestCase] | None = None) -> Edition:
    """What `measure` takes.

    Args:
        benchmark: the slug.
        cases: all of the version's, in its order, from the API or from `read_cases`; None where they are not
            to be had.

    Raises:
        CasesArePrivate: a quality benchmark without cases.
        CasesDiffer: these cases do not have the version's content hash.
        InvalidInput: the version is a draft, or of a kind that is measured elsewhere.
    """
    if version.kind not in MEASURED_KINDS:
        message = f"{benchmark} is measured by an outside harness, not by this engine. Submit its results."
        raise InvalidInput.of("benchmark", "not_measured_here", message)
    if version.content_hash is None:
        message = f"{benchmark} {version.version} is a draft and may still change. Publish it first."
        raise InvalidInput.of("version", "version_not_published", message)
    if version.kind == "performance":
        return Edition(benchmark, version)
    if cases is None:
        raise CasesArePrivate(f"{benchmark} {version.version}")
    whole = Edition(benchmark, version, [case.as_dict() for case in cases])
    _check_content(whole)
    return whole


def _check_content(edition: Edition) -> None:
    version = edition.version
    found = content_hash(
        kind=version.kind,
        system_prompt=version.system_prompt,
        prompt_template=version.prompt_template,
        generation=edition.generation,
        load_profile=edition.load_profile,
        metrics=[metric.as_dict() for metric in version.metrics],
        cases=edition.cases,
    )
    if found != version.content_hash:
        raise CasesDiffer(
            f"These {len(edition.cases)} cases are not those of {edition.name}, which has "
            f"{version.test_case_count}: the content hash would be {found[:12]}…, and published is "
            f"{str(version.content_hash)[:12]}…. Every case is needed, unchanged and in the published order."
        )


def read_cases(path: Path) -> list[TestCase]:
    """Cases from a file: each line one, as JSON with the API's fields; what is left out has its default.

    Raises:
        InvalidInput: naming the line.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # a prompt may hold other ends of lines
    except (OSError, UnicodeDecodeError) as wrong:
        raise InvalidInput.of("cases", "unreadable", f"{path} cannot be read: {wrong}.") from None
    return [_read_case(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _read_case(path: Path, number: int, line: str) -> TestCase:
    defaults = {"scorer_config": {}, "choices": {}, "weight": 1.0, "tags": []}
    try:
        return msgspec.convert({**defaults, **json.loads(line)}, TestCase)
    except (ValueError, TypeError) as wrong:
        message = f"Line {number} of {path} is no test case: {wrong}."
        raise InvalidInput.of(f"cases[{number - 1}]", "malformed", message) from None
