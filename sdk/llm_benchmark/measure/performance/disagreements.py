"""Whether AIPerf's figures are what its raw export gives: each is computed again."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from llm_benchmark.measure.plans import RequestRecord, Usage
from llm_benchmark.measure.protocols import GENERATING, Protocol

from .exports import Exports, RawRequest
from .goals import good_count

_PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


def disagreements(exports: Exports, slo: Mapping[str, float] | None = None) -> list[str]:
    """The statistics of AIPerf's JSON that its raw export does not bear out; empty for an honest export."""
    good = [request for request in exports.counted if request.error is None]
    found = _record_disagreements(exports, good)
    for name, values in _series(exports.protocol, good).items():
        stated = exports.summary.get(name)
        if values or stated:
            found += [f"{name}.{key}" for key in _differing(_statistics(values), stated)]
    return found + _total_disagreements(exports, good, slo or {})


def _series(protocol: Protocol, good: Sequence[RawRequest]) -> dict[str, list[float]]:
    found = {
        "request_latency": _known(request.latency_ms for request in good),
        "input_sequence_length": _known(request.joined_input_tokens for request in good),
    }
    if protocol.name in GENERATING:
        found |= {
            "time_to_first_token": _known(request.ttft_ms for request in good),
            "inter_token_latency": _known(request.itl_ms for request in good),
            "output_sequence_length": _known(request.output_tokens for request in good),
        }
    return found


def _known(values: Iterable[float | None]) -> list[float]:
    return [float(value) for value in values if value is not None]


def _statistics(values: Sequence[float]) -> dict[str, float]:
    """AIPerf's statistics: percentiles by linear interpolation, the population's standard deviation."""
    if not values:
        return {}
    ordered, count = sorted(values), len(values)
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / count
    percentiles = {f"p{k}": _percentile(ordered, k) for k in _PERCENTILES}
    return {"avg": mean, "min": ordered[0], "max": ordered[-1], "std": math.sqrt(variance), **percentiles}


def _percentile(ordered: Sequence[float], k: int) -> float:
    place = k / 100 * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _differing(computed: Mapping[str, float], stated: Any) -> list[str]:
    if not isinstance(stated, Mapping):
        return ["missing"]
    scale = max((abs(value) for value in computed.values()), default=0.0)
    return [key for key, value in computed.items() if not _is_near(stated.get(key), value, scale, 1e-9)]


def _is_near(stated: Any, computed: float, scale: float, tolerance: float) -> bool:
    is_number = isinstance(stated, int | float) and not isinstance(stated, bool)
    return is_number and abs(stated - computed) <= tolerance * max(scale, 1e-3)


def _record_disagreements(exports: Exports, good: Sequence[RawRequest]) -> list[str]:
    if exports.records.keys() != {request.request_id for request in exports.raw}:
        return ["request ids"]
    found = []
    for request in good:
        metrics = exports.records[request.request_id].get("metrics") or {}
        computed = {
            "time_to_first_token": request.ttft_ms,
            "request_latency": request.latency_ms,
            "output_sequence_length": request.output_tokens,
            "input_sequence_length": request.joined_input_tokens,
        }
        for name, value in computed.items():
            stated = (metrics.get(name) or {}).get("value")
            if value is not None and not _is_near(stated, value, abs(value), 1e-9):
                found.append(f"{request.request_id}.{name}")
    return found


def _total_disagreements(exports: Exports, good: Sequence[RawRequest], slo: Mapping[str, float]) -> list[str]:
    counts = {"request_count": len(good), "completed_request_count": len(exports.counted)}
    rates = {"request_throughput": len(good)}
    if exports.protocol.name in GENERATING:
        tokens = sum(request.output_tokens or 0 for request in good)
        counts["total_osl"] = rates["output_token_throughput"] = tokens
    if slo:
        counts["good_request_count"] = rates["goodput"] = good_count([_timed(r) for r in good], slo)
    expected = {name: (float(count), 1e-9) for name, count in counts.items()}
    if slo:
        expected["good_request_fraction"] = (counts["good_request_count"] / len(exports.counted), 1e-9)
    if seconds := _phase_seconds(exports.summary):  # the phase's ends are rounded to a microsecond
        tolerance = 2e-6 / seconds + 1e-9
        expected |= {name: (count / seconds, tolerance) for name, count in rates.items()}
    found = []
    for name, (value, tolerance) in expected.items():
        stated = (exports.summary.get(name) or {}).get("avg")
        if not _is_near(stated, value, abs(value), tolerance):
            found.append(name)
    return found


def _timed(raw: RawRequest) -> RequestRecord:
    """The times alone."""
    return RequestRecord(
        raw.start_ns, raw.ttft_ms, raw.latency_ms, raw.itl_ms, None, None, Usage(), raw.error
    )


def _phase_seconds(summary: Mapping[str, Any]) -> float | None:
    try:
        start, end = (datetime.fromisoformat(summary[name]) for name in ("start_time", "end_time"))
    except (KeyError, TypeError, ValueError):
        return None
    return (end - start).total_seconds()
