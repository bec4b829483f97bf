"""The submitter's choices, checked against what a version fixes, and the engine's plan that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from llm_benchmark.errors import FieldError, InvalidInput
from llm_benchmark.measure.configuration import (
    CONCURRENCY,
    UNMEASURABLE,
    fixed_settings,
    generation_of,
    may_be_long,
    wall_seconds,
)
from llm_benchmark.measure.fingerprint import CHOSEN, CHOSEN_FOR_PERFORMANCE, chosen
from llm_benchmark.measure.plans import PerformancePlan, QualityPlan
from llm_benchmark.measure.questions import sampled, seeded

from .editions import Edition


def fixed_by(edition: Edition) -> dict[str, Any]:
    return fixed_settings(
        edition.version.kind,
        generation=edition.generation,
        load_profile=edition.load_profile,
        system_prompt=edition.version.system_prompt,
    )


def configuration(edition: Edition, choices: Mapping[str, Any], *, dialect: str) -> dict[str, Any]:
    """What a claim from this run states: the choices that the version leaves open, and the dialect."""
    return chosen({**choices, "dialect": dialect}, fixed=fixed_by(edition), kind=edition.version.kind)


def stated(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value not in (None, "")}


def check_choices(edition: Edition, choices: Mapping[str, Any]) -> None:
    """Raise InvalidInput naming each choice that this benchmark or this engine has no place for."""
    given = stated(choices)
    found = [error for name, value in given.items() if (error := _problem(edition, name, value))]
    if found:
        raise InvalidInput(found[0].message, code=found[0].code, errors=found)


def _problem(edition: Edition, name: str, value: Any) -> FieldError | None:
    kind, fixed, field = edition.version.kind, fixed_by(edition), f"configuration.{name}"
    known = CHOSEN + CHOSEN_FOR_PERFORMANCE if edition.is_load else CHOSEN
    if name in UNMEASURABLE[kind]:
        return FieldError(field, "not_measurable", f"The engine cannot measure with this setting: {name}.")
    if name not in known:
        message = f"A {kind} benchmark has no such setting. It has: {', '.join(known)}."
        return FieldError(field, "unknown_setting", message)
    if name in fixed and fixed[name] != value:
        message = f"{edition.name} fixes {name} at {fixed[name]}; {value} was given. Leave it out."
        return FieldError(field, "fixed_by_version", message)
    return None


def check_limit(edition: Edition, limit: int | None) -> None:
    """Raise InvalidInput for a limit that leaves nothing to ask, or where nothing is asked."""
    if limit is None:
        return
    if edition.is_load:
        raise InvalidInput.of(
            "limit", "not_for_this_kind", f"{edition.name} asks no questions. Leave it out."
        )
    if limit < 1:
        raise InvalidInput.of("limit", "out_of_bounds", f"Ask 1 question or more, not {limit}.")


def quality_plan(
    edition: Edition, choices: Mapping[str, Any], *, seed: int, limit: int | None = None
) -> QualityPlan:
    """`limit`: only so many questions; the same ones for the same seed."""
    generation = generation_of(edition.generation, choices)
    questions = sampled(edition.questions, limit, seed)
    return QualityPlan(
        questions=questions if generation.seed is None else seeded(questions, seed),
        generation=generation,
        streaming=may_be_long(generation),
        system_prompt=edition.version.system_prompt or choices.get("system_prompt") or "",
        concurrency=CONCURRENCY,
        order_seed=seed,
    )


def performance_plan(edition: Edition, *, seed: int) -> PerformancePlan:
    profile = edition.load_profile or {}
    return PerformancePlan(**profile, seed=seed, wall_seconds=wall_seconds(profile))
