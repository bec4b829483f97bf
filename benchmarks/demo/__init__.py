"""The benchmarks that come with the exchange. All are marked demo; their cases are public and our own."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from exchange.core.actors import Actor, OrganizationRole, Scope

from .arithmetic import items
from .metrics import INPUT_METRICS, PERFORMANCE_METRICS, QUALITY_METRICS, SWEEP_METRICS

ORGANIZATION_SLUG = "exchange-demo"
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Shipped:
    """The arguments of `create_benchmark` and of `create_version`."""

    benchmark: dict[str, Any]
    version: dict[str, Any]


def actor_for(organization_id: UUID) -> Actor:
    """Nobody in particular, acting for the demo organization."""
    roles = {organization_id: OrganizationRole.OWNER}
    scopes = frozenset({Scope.BENCHMARKS_READ, Scope.BENCHMARKS_WRITE})
    return Actor(user_id=UUID(int=0), organizations=roles, scopes=scopes)


def shipped() -> Iterator[Shipped]:
    general = json.loads((_HERE / "general.json").read_text(encoding="utf-8"))
    yield _quality(general["benchmark"], general["version"], general["test_cases"])
    arithmetic = json.loads((_HERE / "arithmetic.json").read_text(encoding="utf-8"))
    yield _quality(arithmetic["benchmark"], arithmetic["version"], items(seed=arithmetic["seed"]))
    for profile in json.loads((_HERE / "profiles.json").read_text(encoding="utf-8")):
        yield _performance(profile["benchmark"], profile["load_profile"])


def _quality(benchmark: dict[str, Any], version: dict[str, Any], cases: list[dict[str, Any]]) -> Shipped:
    about = {"kind": "quality", "license": "mit", **benchmark}
    blank = {"scorer_config": {}, "choices": {}, "weight": 1.0, "tags": []}
    whole = [{**blank, **case} for case in cases]
    content = {"version": "1.0.0", "cases_public": True, "metrics": QUALITY_METRICS, "test_cases": whole}
    return Shipped(about, {**content, **version})


def _performance(benchmark: dict[str, Any], load_profile: dict[str, Any]) -> Shipped:
    about = {"kind": "performance", "category": "performance", "license": "mit", **benchmark}
    version = {
        "version": "1.0.0",
        "cases_public": True,
        "metrics": _metrics_of(load_profile),
        "load_profile": load_profile,
    }
    return Shipped(about, version)


def _metrics_of(load_profile: dict[str, Any]) -> list[dict[str, Any]]:
    if "protocol" in load_profile:
        return INPUT_METRICS
    return SWEEP_METRICS if "concurrencies" in load_profile else PERFORMANCE_METRICS
