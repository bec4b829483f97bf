"""Goals that a good request keeps (SLOs): goodput after DistServe (Zhong et al., 2024)."""

from collections.abc import Mapping, Sequence

from llm_benchmark.measure.plans import RequestRecord

_MEASURED = {"ttft_ms": "ttft_ms", "itl_ms": "itl_ms", "request_latency_ms": "latency_ms"}

AIPERF_GOALS = {
    "ttft_ms": "time_to_first_token",
    "itl_ms": "inter_token_latency",
    "request_latency_ms": "request_latency",
}
"""What AIPerf calls the goals (`--goodput`)."""


def is_good(record: RequestRecord, slo: Mapping[str, float]) -> bool:
    """Answered, and at most at each goal; what has no such time (one token has no gaps) keeps no goal."""
    if record.error is not None:
        return False
    times = {name: getattr(record, _MEASURED[name]) for name in slo}
    return all(time is not None and time <= slo[name] for name, time in times.items())


def good_count(records: Sequence[RequestRecord], slo: Mapping[str, float]) -> int:
    return sum(is_good(record, slo) for record in records)
