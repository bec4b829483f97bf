"""Questions without an answer: when they say nothing about the model, and when they end a run."""

from collections import Counter
from collections.abc import Iterable

from llm_benchmark.measure.faults import FAULTS
from llm_benchmark.measure.plans import Failure, Side

UNANSWERED_SHARE = 0.10


def is_unanswered(code: str) -> bool:
    """True for faults that say nothing about the model."""
    return code not in FAULTS or FAULTS[code].side is not Side.MODEL


def provider_failure(errors: Iterable[str | None], planned: int) -> Failure | None:
    """No measurement when more than 10 % of the planned questions have no answer for a fault that is not
    the model's. Give it the error (or None) of each answer, of all fences of a run."""
    codes = Counter(error for error in errors if error and is_unanswered(error))
    missing = codes.total()
    if missing <= UNANSWERED_SHARE * planned:
        return None
    kinds = ", ".join(f"{code}: {count}" for code, count in codes.most_common())
    return Failure(
        Side.PROVIDER, "too_many_unanswered", f"{missing} of {planned} questions unanswered ({kinds})."
    )
