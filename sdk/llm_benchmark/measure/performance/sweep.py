"""A sweep: the same load at growing concurrency, its curve and its knee."""

from collections.abc import Sequence
from typing import Any

from llm_benchmark.measure.metrics import CONFIDENCE, Covers, MetricKind, MetricValue, performance_metrics
from llm_benchmark.measure.plans import Failure, RequestRecord, Session

from .goals import good_count

_SHOWN = (
    "requests_per_second",
    "output_tokens_per_second",
    "ttft_p50",
    "itl_p50",
    "request_latency_p50",
    "error_rate",
)


def findings(levels: Sequence[Session], stopped: tuple[int, Failure] | None = None) -> dict[str, Any]:
    """A sweep for people, as JSON. It stands in a run's findings as `sweep`.

    Returns:
        levels: lowest first; each has `concurrency`, `requests`, `errors`, `flags`, `is_knee`, `is_peak`,
            `power` (see `power`), `good_requests` (null without goals), and the metrics
            `requests_per_second`, `output_tokens_per_second`, `ttft_p50`, `itl_p50`, `request_latency_p50`
            (ms), `error_rate` (0 to 1); null where there is none.
        knee: the concurrency of the knee, null where no level has a throughput.
        peak: the concurrency of the greatest output rate, null where there is none.
        stopped: null, or the level that the provider would not serve: `concurrency`, `code`, `message`.
            The levels below it stand.
    """
    knee, peak = knee_of(levels), _peak_of(levels)
    rows = [_row(level, is_knee=level is knee, is_peak=level is peak) for level in levels]
    end = stopped and {"concurrency": stopped[0], "code": stopped[1].code, "message": stopped[1].message}
    return {
        "levels": rows,
        "knee": knee and knee.concurrency,
        "peak": peak and peak.concurrency,
        "stopped": end,
    }


def sweep_metrics(levels: Sequence[Session]) -> dict[str, MetricValue]:
    """Over all levels: `peak_output_tokens_per_second`, `knee_concurrency`, `knee_ttft_p50`, `error_rate`."""
    everything = [record for level in levels for record in level.records]
    knee, peak = knee_of(levels), _peak_of(levels)
    rate = _throughput(peak) if peak else None
    ttft = _metrics(knee)["ttft_p50"].value if knee else None
    error_rate = performance_metrics(everything, concurrency=levels[-1].concurrency)["error_rate"]
    return {
        "peak_output_tokens_per_second": _value(rate, everything),
        "knee_concurrency": _value(float(knee.concurrency) if knee else None, everything),
        "knee_ttft_p50": _value(ttft, everything),
        "error_rate": error_rate,
    }


def knee_of(levels: Sequence[Session]) -> Session | None:
    """The level of the greatest power: more requests in flight cost more latency than they bring throughput.

    Kleinrock (1979), “Power and deterministic rules of thumb for probabilistic problems in computer
    communications”: power is throughput over response time, and the knee is where it is greatest.
    """
    known = [level for level in levels if power(level) is not None]
    return max(known, key=lambda level: power(level) or 0.0, default=None)


def power(level: Session) -> float | None:
    """Throughput X over response time R, in requests/s². By Little's law R is C/X for C in flight: X²/C."""
    rate = _metrics(level)["requests_per_second"].value
    return None if rate is None else rate * rate / level.concurrency


def _peak_of(levels: Sequence[Session]) -> Session | None:
    known = [level for level in levels if _throughput(level) is not None]
    return max(known, key=lambda level: _throughput(level) or 0.0, default=None)


def _throughput(level: Session) -> float | None:
    return _metrics(level)["output_tokens_per_second"].value


def _row(level: Session, *, is_knee: bool, is_peak: bool) -> dict[str, Any]:
    found = _metrics(level)
    return {
        "concurrency": level.concurrency,
        "requests": len(level.records),
        "errors": sum(record.error is not None for record in level.records),
        "good_requests": good_count(level.records, level.slo) if level.slo else None,
        "flags": sorted(level.flags),
        "is_knee": is_knee,
        "is_peak": is_peak,
        "power": power(level),
        **{name: found[name].value for name in _SHOWN},
    }


def _metrics(level: Session) -> dict[str, MetricValue]:
    return performance_metrics(level.records, concurrency=level.concurrency)


def _value(value: float | None, records: Sequence[RequestRecord]) -> MetricValue:
    """One sweep says nothing about the spread between sweeps, so there is no interval."""
    good = sum(record.error is None for record in records)
    return MetricValue(value, good, None, None, CONFIDENCE, MetricKind.RATE, Covers.NOTHING)
