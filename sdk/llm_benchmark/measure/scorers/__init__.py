"""Deterministic scorers. A name carries its version: another rule gets another name."""

import math

from llm_benchmark.measure.plans import Question

from .exact_match import ExactMatch
from .multiple_choice import MultipleChoice
from .numeric import Numeric
from .result import Problem, Scored, Scorer

__all__ = ["SCORERS", "Problem", "Scored", "Scorer", "score", "validate_question"]

SCORERS: dict[str, Scorer] = {
    "exact_match_v1": ExactMatch(),
    "multiple_choice_v1": MultipleChoice(),
    "numeric_v1": Numeric(),
}


def score(question: Question, text: str | None) -> Scored:
    """Score one answer. Raises KeyError for a scorer that does not exist."""
    return SCORERS[question.scorer].score(question, text)


def validate_question(question: Question) -> list[Problem]:
    """Everything that keeps a question from being published; empty when it can be."""
    found = []
    if not question.prompt.strip():
        found.append(Problem("prompt", "empty_prompt", "The prompt is empty."))
    if not (math.isfinite(question.weight) and question.weight > 0):
        found.append(Problem("weight", "invalid_weight", "A weight is a number above 0."))
    if question.scorer not in SCORERS:
        return [*found, Problem("scorer", "unknown_scorer", f"Scorers are {', '.join(SCORERS)}.")]
    return found + SCORERS[question.scorer].problems(question)
