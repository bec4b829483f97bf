"""From a benchmark's cases to what is asked: the same prompt on the platform and at home."""

import re
from collections.abc import Mapping
from typing import Any

from .plans import Question

UNGROUPED = "__ungrouped__"
"""The group of all cases that name none."""

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
    )


def rendered(template: str, case: Mapping[str, Any]) -> str:
    """The template filled in; where it has no place for the choices, they follow the prompt."""
    lines = "\n".join(f"{letter}. {text}" for letter, text in sorted((case["choices"] or {}).items()))
    prompt = case["prompt"]
    if lines and "{choices}" not in template:
        prompt = f"{prompt}\n{lines}"
    return _PLACE.sub(lambda place: prompt if place[1] == "prompt" else lines, template)
