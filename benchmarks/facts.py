"""How facts about benchmarks are told to the rest of the exchange."""

from typing import Any

from exchange.core import events
from exchange.core.actors import Actor

from .models import Benchmark, BenchmarkVersion


def publish(
    kind: str, actor: Actor, benchmark: Benchmark, row: BenchmarkVersion | None = None, /, **facts: Any
) -> None:
    """A fact about a version, or about the benchmark itself."""
    if row is not None:
        facts["benchmark_id"] = str(benchmark.pk)
    events.publish(
        kind,
        actor=actor,
        subject_id=(row or benchmark).pk,
        organization_id=benchmark.organization_id,
        **facts,
    )
