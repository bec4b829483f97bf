"""What is claimed of each measurement: the truth, and lies that change whole items or whole factors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llm_benchmark.measure.metrics import CaseScore

HONEST, INFLATED, UNDERSTATED = "honest", "inflated", "understated"
FAST, SLOW = "3× too fast", "3× too slow"
HOLDS = frozenset({"confirmed", "consistent"})
EXPECTED = {
    HONEST: HOLDS,
    INFLATED: frozenset({"refuted"}),
    UNDERSTATED: frozenset({"understated"}),
    FAST: frozenset({"refuted"}),
    SLOW: frozenset({"understated"}),
}
NOT_REFUTED = HOLDS | {"understated", "inconclusive"}


@dataclass(frozen=True)
class Plan:
    """One claim to make. `items` is how many case results a lie turns round."""

    provider: str
    benchmark: str
    truth: str
    items: int = 0

    @property
    def expected(self) -> frozenset[str]:
        """A real machine is not still: an honest claim about it may stay open, but is never refuted."""
        return NOT_REFUTED if (self.provider, self.truth) == ("real", HONEST) else EXPECTED[self.truth]


PLANS = [
    Plan("simulated", "demo-general", HONEST),
    Plan("simulated", "demo-general", INFLATED, 6),
    Plan("simulated", "demo-general", UNDERSTATED, 6),
    Plan("simulated", "demo-arithmetic", HONEST),
    Plan("simulated", "demo-arithmetic", INFLATED, 20),
    Plan("simulated", "demo-arithmetic", UNDERSTATED, 20),
    Plan("simulated", "baseline-chat", HONEST),
    Plan("simulated", "baseline-chat", FAST),
    Plan("simulated", "baseline-chat", SLOW),
    Plan("simulated", "baseline-chat-72", HONEST),
    Plan("real", "demo-general", HONEST),
    Plan("real", "demo-general", INFLATED, 10),
    Plan("real", "demo-arithmetic", INFLATED, 30),
    Plan("real", "baseline-chat-short", HONEST),
]


class TooFewItems(Exception):
    """There are not enough items to lie about."""


def quality_claim(scores: Sequence[CaseScore], plan: Plan) -> dict[str, Any]:
    """`claims` and `cases` of a submission. Raises TooFewItems."""
    claimed = _turned_round(scores, plan)
    accuracy = sum(claimed.values()) / len(claimed)
    cases = [
        {"key": score.key, "score": claimed[score.key], "answer_digest": score.answer_sha256}
        for score in scores
    ]
    return {
        "claims": [{"name": "accuracy", "value": accuracy, "sample_count": len(claimed)}],
        "cases": cases,
    }


def _turned_round(scores: Sequence[CaseScore], plan: Plan) -> dict[str, float]:
    claimed = {score.key: score.score for score in scores}
    before, after = (0.0, 1.0) if plan.truth == INFLATED else (1.0, 0.0)
    candidates = [key for key, score in claimed.items() if score == before]
    if len(candidates) < plan.items:
        raise TooFewItems(f"only {len(candidates)} items could be turned round, {plan.items} are wanted")
    return claimed | dict.fromkeys(candidates[: plan.items], after)


def performance_claim(metrics: dict[str, float], plan: Plan, requests: int) -> dict[str, Any]:
    factor = {FAST: 1 / 3, SLOW: 3.0}.get(plan.truth, 1.0)
    return {
        "claims": [
            {"name": name, "value": _scaled(name, value, factor), "sample_count": requests}
            for name, value in metrics.items()
        ]
    }


def _scaled(name: str, value: float, factor: float) -> float:
    if name.startswith(("ttft", "request_latency", "itl")):
        return value * factor
    return value / factor if name.endswith("per_second") else value
