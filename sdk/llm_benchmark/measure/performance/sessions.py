"""The metrics of a session, whatever its load was."""

from llm_benchmark.measure.metrics import MetricValue, performance_metrics
from llm_benchmark.measure.plans import Session

from .sweep import sweep_metrics


def session_metrics(session: Session) -> dict[str, MetricValue]:
    """Times in ms, rates per second; a sweep's are over all of its levels."""
    if session.levels:
        return sweep_metrics(session.levels)
    return performance_metrics(session.records, concurrency=session.concurrency, slo=session.slo)
