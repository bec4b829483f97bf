"""What is claimed of each measurement: the truth, and lies that change whole items or whole factors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from llm_benchmark.home import RunClaim

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


def claim_of(measured: RunClaim, plan: Plan) -> dict[str, Any]:
    """What a submission takes: what was measured, turned into the plan's truth. Raises TooFewItems."""
    body = {name: value for name, value in measured.body.items() if name != "benchmark_id"}
    if body["cases"]:
        body["cases"] = _turned_round(body["cases"], plan)
        accuracy = fmean(case["score"] for case in body["cases"])
        body["claims"] = [_restated(claim, accuracy) for claim in body["claims"]]
    else:
        factor = {FAST: 1 / 3, SLOW: 3.0}.get(plan.truth, 1.0)
        body["claims"] = [_scaled(claim, factor) for claim in body["claims"]]
    return body


def _turned_round(cases: Sequence[dict[str, Any]], plan: Plan) -> list[dict[str, Any]]:
    before, after = (0.0, 1.0) if plan.truth == INFLATED else (1.0, 0.0)
    candidates = [case["key"] for case in cases if case["score"] == before]
    if len(candidates) < plan.items:
        raise TooFewItems(f"only {len(candidates)} items could be turned round, {plan.items} are wanted")
    turned = frozenset(candidates[: plan.items])
    return [{**case, "score": after} if case["key"] in turned else case for case in cases]


def _restated(claim: dict[str, Any], accuracy: float) -> dict[str, Any]:
    return {**claim, "value": accuracy} if claim["name"] == "accuracy" else claim


def _scaled(claim: dict[str, Any], factor: float) -> dict[str, Any]:
    name, value = claim["name"], claim["value"]
    if name.startswith(("ttft", "request_latency", "itl")):
        return {**claim, "value": value * factor}
    return {**claim, "value": value / factor} if name.endswith("per_second") else claim
