"""From a benchmark's cases to what is asked: the same prompt on the platform and at home."""

import hashlib
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .plans import UNGROUPED, Question

_PLACE = re.compile(r"\{(prompt|choices)\}")


def question(template: str, case: Mapping[str, Any]) -> Question:
    """A case (the API's `test_case`) as the engine asks it, its prompt rendered."""
    return Question(
        key=case["key"],
        prompt=rendered(template, case),
        reference=case["reference"],
        scorer=case["scorer"],
        scorer_config=case["scorer_config"],
        choices=case["choices"] or None,
        weight=case["weight"],
        group=case.get("group") or UNGROUPED,
    )


def in_order(questions: Sequence[Question], seed: int) -> list[Question]:
    """As a run asks them: the same seed gives the same order."""
    order = list(questions)
    random.Random(seed).shuffle(order)  # noqa: S311  (an order, not a secret)
    return order


def sampled(questions: Sequence[Question], limit: int | None, seed: int) -> list[Question]:
    """The first `limit` that the seed's order asks, in the version's order; None: all."""
    if limit is None:
        return list(questions)
    keys = {question.key for question in in_order(questions, seed)[:limit]}
    return [question for question in questions if question.key in keys]


def seeded(questions: Sequence[Question], seed: int) -> list[Question]:
    """Each with a generation seed of its own: 31 bits of SHA-256 of the run's seed and the question's key."""
    return [replace(question, seed=_seed_of(seed, question.key)) for question in questions]


def _seed_of(seed: int, key: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}/{key}".encode()).digest()[:4], "big") >> 1


def rendered(template: str, case: Mapping[str, Any]) -> str:
    """The template filled in; where it has no place for the choices, they follow the prompt."""
    lines = "\n".join(f"{letter}. {text}" for letter, text in sorted((case["choices"] or {}).items()))
    prompt = case["prompt"]
    if lines and "{choices}" not in template:
        prompt = f"{prompt}\n{lines}"
    return _PLACE.sub(lambda place: prompt if place[1] == "prompt" else lines, template)
