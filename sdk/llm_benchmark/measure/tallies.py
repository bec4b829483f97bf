"""What the answers of a quality run add up to beside its metrics: scores by group, and tokens."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .metrics import CONFIDENCE, CaseScore, quality_metrics, score_answers
from .plans import UNGROUPED, Answer, Question


@dataclass(frozen=True, slots=True)
class GroupScore:
    """One group's part of the planned questions; scores are 0 to 1.

    Args:
        sample_count: planned questions; one without an answer is a wrong one.
        accuracy: of all planned; its interval is Wilson's where each is right or wrong and counts the same.
        answered_count, answered_accuracy: of those with a readable answer; None where there is none.
    """

    group: str
    sample_count: int
    accuracy: float
    low: float | None
    high: float | None
    confidence: float
    answered_count: int
    answered_accuracy: float | None


def group_scores(questions: Sequence[Question], answers: Iterable[Answer]) -> list[GroupScore]:
    """The parts of a partition, in the order of their first questions; none where no question has a group."""
    groups = {question.key: question.group for question in questions}
    return scores_by_group(groups, score_answers(questions, answers))


def scores_by_group(groups: Mapping[str, str], cases: Sequence[CaseScore]) -> list[GroupScore]:
    """As `group_scores`, from a case's key → its group and scores that are there already."""
    parts: dict[str, list[CaseScore]] = {}
    for case in cases:
        parts.setdefault(groups[case.key], []).append(case)
    return [] if set(parts) <= {UNGROUPED} else [_group_score(*part) for part in parts.items()]


def _group_score(group: str, cases: Sequence[CaseScore]) -> GroupScore:
    found = quality_metrics(cases)
    whole, answered = found["accuracy"], found["answered_accuracy"]
    return GroupScore(
        group=group,
        sample_count=whole.sample_count,
        accuracy=whole.value or 0.0,
        low=whole.low,
        high=whole.high,
        confidence=CONFIDENCE,
        answered_count=answered.sample_count,
        answered_accuracy=answered.value,
    )


@dataclass(frozen=True, slots=True)
class Totals:
    """Tokens by the provider's own count; None unless every answer tells it."""

    input_tokens: int | None
    output_tokens: int | None


def totals(answers: Iterable[Answer]) -> Totals:
    usages = [answer.usage for answer in answers]
    return Totals(
        _sum_of_all(usage.input_tokens for usage in usages),
        _sum_of_all(usage.output_tokens for usage in usages),
    )


def _sum_of_all(counts: Iterable[int | None]) -> int | None:
    told = list(counts)
    known = [count for count in told if count is not None]
    return sum(known) if known and len(known) == len(told) else None
