"""exact_match_v1: the same words, apart from spacing and (unless asked otherwise) case."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from llm_benchmark.measure.plans import Question

from .result import Problem, Scored, flag_problems

_FLAGS = {"case_sensitive", "collapse_whitespace"}


class ExactMatch:
    """Options: `case_sensitive` (false), `collapse_whitespace` (true)."""

    def score(self, question: Question, text: str | None) -> Scored:
        given = _normal(text or "", question.scorer_config)
        if not given:
            return Scored(0.0, error="empty_response")
        return Scored(float(given == _normal(question.reference, question.scorer_config)), given)

    def problems(self, question: Question) -> list[Problem]:
        found = flag_problems(question.scorer_config, _FLAGS)
        if not question.reference.strip():
            found.append(Problem("reference", "invalid_reference_answer", "The reference answer is empty."))
        return found


def _normal(text: str, config: Mapping[str, Any]) -> str:
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").strip()
    if config.get("collapse_whitespace", True):
        text = " ".join(text.split())
    return text if config.get("case_sensitive", False) else text.casefold()
