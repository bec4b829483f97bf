"""What a version consists of: what keeps it from being published, and its digest. Pure functions.

Metrics and cases are mappings with the fields of the API. A problem names its field by a path such as
`metrics[0].direction` or `test_cases[3].reference`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from string import ascii_uppercase
from typing import Any

from django.utils.translation import gettext as _

from exchange.core.errors import FieldError
from llm_benchmark.measure.contents import content_hash
from llm_benchmark.measure.plans import UNGROUPED
from llm_benchmark.measure.questions import question
from llm_benchmark.measure.scorers import validate_question

from . import loads
from .models import BenchmarkKind, MetricDirection, MetricKind

Item = Mapping[str, Any]

MOST_CASES = 20_000
MOST_METRICS = 50
MOST_PROBLEMS = 100
LONGEST_CHOICE = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Everything that the content hash covers."""

    kind: str
    system_prompt: str = ""
    prompt_template: str = "{prompt}"
    generation: Item | None = None
    load_profile: Item | None = None
    metrics: Sequence[Item] = ()
    cases: Sequence[Item] = ()


def digest(content: Content) -> str:
    """The version's content hash. Its number, changelog and policy are no part of it."""
    return content_hash(**{field.name: getattr(content, field.name) for field in fields(content)})


def problems(content: Content) -> list[FieldError]:
    """All that keeps the content from being published; after 100, `too_many_issues`."""
    found = list(islice(_all_problems(content), MOST_PROBLEMS + 1))
    if len(found) > MOST_PROBLEMS:
        text = _("There are more problems than these. Mend them and send it again.")
        found[MOST_PROBLEMS] = FieldError("", "too_many_issues", text)
    return found


def _all_problems(content: Content) -> Iterator[FieldError]:
    yield from _metric_problems(content.metrics)
    if content.kind == BenchmarkKind.QUALITY:
        yield from _quality_problems(content)
        yield from _case_problems(content)
    else:
        yield from _misplaced(content)
    if content.kind == BenchmarkKind.PERFORMANCE:
        yield from _load_problems(content)


def _metric_problems(metrics: Sequence[Item]) -> Iterator[FieldError]:
    primary = [metric for metric in metrics if metric["is_primary"]]
    if len(primary) != 1:
        code = "several_primary_metrics" if primary else "no_primary_metric"
        yield FieldError("metrics", code, _("Exactly one metric is the primary one."))
    if len(metrics) > MOST_METRICS:
        yield FieldError("metrics", "too_many", _("At most %d metrics.") % MOST_METRICS)
    seen: set[str] = set()
    for index, metric in enumerate(metrics):
        if metric["name"] in seen:
            path = f"metrics[{index}].name"
            yield FieldError(path, "duplicate_metric_name", _("Another metric has this name."))
        seen.add(metric["name"])
        yield from _one_metric(metric, f"metrics[{index}]")


def _one_metric(metric: Item, path: str) -> Iterator[FieldError]:
    if metric["direction"] not in MetricDirection.values:
        yield FieldError(f"{path}.direction", "required", _("Say which direction is better."))
    if metric["kind"] not in MetricKind.values:
        yield FieldError(f"{path}.kind", "required", _("Say what kind of number this is."))
    low, high = metric["minimum"], metric["maximum"]
    for name, bound in (("minimum", low), ("maximum", high)):
        if bound is not None and not math.isfinite(bound):
            yield FieldError(f"{path}.{name}", "not_finite", _("This must be a finite number."))
    if low is not None and high is not None and low > high:
        yield FieldError(f"{path}.maximum", "bounds_reversed", _("The maximum is below the minimum."))


def _misplaced(content: Content) -> Iterator[FieldError]:
    if content.cases:
        yield FieldError("test_cases", "not_for_this_kind", _("Only quality benchmarks have test cases."))
    if content.load_profile is not None and content.kind != BenchmarkKind.PERFORMANCE:
        text = _("Only performance benchmarks have a load profile.")
        yield FieldError("load_profile", "not_for_this_kind", text)


def _quality_problems(content: Content) -> Iterator[FieldError]:
    if content.load_profile is not None:
        text = _("Only performance benchmarks have a load profile.")
        yield FieldError("load_profile", "not_for_this_kind", text)
    if "{prompt}" not in content.prompt_template:
        text = _("The template must contain {prompt}.")
        yield FieldError("prompt_template", "prompt_placeholder_missing", text)
    if not content.cases:
        yield FieldError("test_cases", "no_test_cases", _("A quality benchmark needs test cases."))
    if len(content.cases) > MOST_CASES:
        yield FieldError("test_cases", "too_many", _("At most %d test cases.") % MOST_CASES)


def _case_problems(content: Content) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, case in enumerate(content.cases[:MOST_CASES]):
        path = f"test_cases[{index}]"
        if case["key"] in seen:
            yield FieldError(f"{path}.key", "duplicate_case_key", _("Another test case has this key."))
        seen.add(case["key"])
        if case.get("group") == UNGROUPED:
            text = _("This names the cases without a group. Choose another name.")
            yield FieldError(f"{path}.group", "reserved", text)
        if not _are_choices(case["choices"]):
            text = _("Choices are two to 26 texts, each under one letter A to Z.")
            yield FieldError(f"{path}.choices", "invalid_choices_config", text)
            continue
        for problem in validate_question(question(content.prompt_template, case)):
            yield FieldError(f"{path}.{problem.field}", problem.code, problem.message)


def _are_choices(choices: Mapping[str, str]) -> bool:
    lettered = all(len(key) == 1 and key in ascii_uppercase for key in choices)
    return lettered and len(choices) != 1 and all(len(text) <= LONGEST_CHOICE for text in choices.values())


def _load_problems(content: Content) -> Iterator[FieldError]:
    if content.load_profile is None:
        text = _("A performance benchmark needs a load profile.")
        yield FieldError("load_profile", "required", text)
    else:
        yield from loads.problems(content.load_profile, content.metrics)
