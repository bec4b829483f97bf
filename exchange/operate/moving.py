"""Evidence from one store to another: copied, read again there, and never deleted here."""

from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum

from exchange.core.failpoints import failpoint
from exchange.health.checks import NO_OBJECT
from exchange.storage import EvidenceDamaged, EvidenceMissing, EvidenceStore
from exchange.storage.streams import chunks_of


class Outcome(StrEnum):
    COPIED = "copied"
    PRESENT = "there already"
    MISSING = "missing"
    DAMAGED = "damaged"


FAILED = (Outcome.MISSING, Outcome.DAMAGED)


def move(
    digests: Iterable[str],
    *,
    source: EvidenceStore,
    target: EvidenceStore,
    report: Callable[[str, Outcome], None],
) -> Counter[Outcome]:
    """How many came to what end. What is whole at the target is not copied again, so that one may repeat it.

    Raises:
        EvidenceUnavailable: one of the stores does not answer.
    """
    target.exists(NO_OBJECT)  # where there is nothing to copy, it has to answer all the same
    counts: Counter[Outcome] = Counter()
    for sha256 in digests:
        outcome = _move_one(sha256, source, target)
        counts[outcome] += 1
        report(sha256, outcome)
    return counts


def _move_one(sha256: str, source: EvidenceStore, target: EvidenceStore) -> Outcome:
    if _state(sha256, target) == Outcome.PRESENT:
        return Outcome.PRESENT
    try:
        with source.open(sha256) as file:
            target.put_stream(chunks_of(file), expect=sha256)
    except EvidenceMissing:
        return Outcome.MISSING
    except EvidenceDamaged:
        return Outcome.DAMAGED
    failpoint("evidence_copied")
    found = _state(sha256, target)
    return Outcome.COPIED if found == Outcome.PRESENT else found


def _state(sha256: str, store: EvidenceStore) -> Outcome:
    """By reading all of its bytes."""
    try:
        store.open(sha256).close()
    except EvidenceMissing:
        return Outcome.MISSING
    except EvidenceDamaged:
        return Outcome.DAMAGED
    return Outcome.PRESENT
