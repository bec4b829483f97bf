"""A performance policy's quality gate: a speed counts only where the same deployment answers well enough."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from llm_benchmark.measure.fingerprint import CHOSEN

from .judgement import SLACK, Judgement, Reason, Verdict, because


class Gate(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    MISSING = "missing"


def gate_of(minimum: float, measured: float | None) -> Gate:
    """What a re-measured share (0 to 1) says of a gate; None where nothing was measured."""
    if measured is None:
        return Gate.MISSING
    return Gate.PASSED if measured >= minimum - SLACK else Gate.FAILED


def are_set_alike(one: Mapping[str, Any], other: Mapping[str, Any], *, fixed: Collection[str]) -> bool:
    """Whether two configurations choose the same wherever both kinds of benchmarks leave the choice.

    Args:
        fixed: names that the version of either fixes: no choice of the submitter's.
    """
    return all(one.get(name) == other.get(name) for name in CHOSEN if name not in fixed)


def through_gate(judgements: Sequence[Judgement], gate: Gate, **params: Any) -> list[Judgement]:
    """The judgements of a speed behind its gate: only a passed one lets deciding metrics speak for a claim.

    A refutation stands: what a claim says of speed does not become true where a gate is closed.
    """
    reason = because(f"quality_gate_{gate}", **params)
    return [_behind(judgement, gate, reason) for judgement in judgements]


def _behind(judgement: Judgement, gate: Gate, reason: Reason) -> Judgement:
    if not judgement.is_deciding or judgement.verdict == Verdict.REFUTED:
        return judgement
    if gate == Gate.PASSED:
        return replace(judgement, reasons=(*judgement.reasons, reason))
    steps = [step for step in judgement.reasons if step.code != "would_decide"]
    return replace(
        judgement,
        verdict=Verdict.INCONCLUSIVE,
        reasons=(reason, *steps),
        needed_count=None,
        needed_unit=None,
    )
