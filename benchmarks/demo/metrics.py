"""The metrics of the shipped benchmarks. Times are milliseconds, rates per second, shares 0 to 1."""

from typing import Any


def _metric(name: str, title: str, unit: str, kind: str, *, primary: bool = False) -> dict[str, Any]:
    higher = kind in {"proportion", "rate"}
    return {
        "name": name,
        "title": title,
        "unit": unit,
        "direction": "higher_is_better" if higher else "lower_is_better",
        "kind": kind,
        "minimum": 0.0,
        "maximum": 1.0 if kind in {"proportion", "error_rate"} else None,
        "is_primary": primary,
    }


QUALITY_METRICS = [
    _metric("accuracy", "Accuracy", "", "proportion", primary=True),
    _metric("completion_rate", "Completion rate", "", "proportion"),
]
_LATENCIES = [
    _metric("request_latency_p50", "Request latency, median", "ms", "percentile"),
    _metric("request_latency_p95", "Request latency, p95", "ms", "percentile"),
    _metric("request_latency_p99", "Request latency, p99", "ms", "percentile"),
]
_REQUESTS = _metric("requests_per_second", "Requests per second", "requests/s", "rate")
_ERRORS = _metric("error_rate", "Share of failed requests", "", "error_rate")
PERFORMANCE_METRICS = [
    _metric("ttft_p50", "Time to first token, median", "ms", "percentile", primary=True),
    _metric("ttft_p95", "Time to first token, p95", "ms", "percentile"),
    _metric("ttft_p99", "Time to first token, p99", "ms", "percentile"),
    *_LATENCIES,
    _metric("itl_p50", "Time between tokens, median", "ms", "percentile"),
    _metric("output_tokens_per_second", "Output tokens per second", "tokens/s", "rate"),
    _REQUESTS,
    _ERRORS,
]
INPUT_METRICS = [
    {**_LATENCIES[0], "is_primary": True},
    *_LATENCIES[1:],
    _metric("input_tokens_per_second", "Input tokens per second", "tokens/s", "rate"),
    _REQUESTS,
    _ERRORS,
]
"""Of requests that generate nothing."""

SWEEP_METRICS = [
    _metric(
        "peak_output_tokens_per_second",
        "Output tokens per second, at the best level",
        "tokens/s",
        "rate",
        primary=True,
    ),
    _metric("knee_concurrency", "Requests in flight at the knee", "requests", "rate"),
    _metric("knee_ttft_p50", "Time to first token at the knee, median", "ms", "percentile"),
    _ERRORS,
]
