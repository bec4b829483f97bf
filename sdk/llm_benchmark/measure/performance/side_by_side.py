"""What AIPerf, the gateway and the provider say of the same requests, side by side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from llm_benchmark.measure.gateway import JournalEntry

from .exports import RawRequest


@dataclass(frozen=True, slots=True)
class Pair:
    """One request seen from both sides."""

    raw: RawRequest
    entry: JournalEntry

    @property
    def is_good(self) -> bool:
        return self.raw.error is None


def compare_times(good: Sequence[Pair]) -> dict[str, float | None]:
    """p50 of each time, as AIPerf and as the gateway measured it, in ms."""
    return {
        "ttft_p50_aiperf": _p50(pair.raw.ttft_ms for pair in good),
        "ttft_p50_gateway": _p50(
            _ms(pair.entry.first_content_after_ns) for pair in good if pair.raw.ttft_ms is not None
        ),
        "latency_p50_aiperf": _p50(pair.raw.latency_ms for pair in good),
        "latency_p50_gateway": _p50(
            _ms(pair.entry.last_content_after_ns or pair.entry.end_after_ns) for pair in good
        ),
    }


def gaps_above(times: Mapping[str, float | None], *, slack_ms: float, share: float) -> dict[str, float]:
    """How far apart the two p50 of `ttft` and of `latency` are, in ms, where that is more than the slack and
    more than this share of the gateway's."""
    found = {}
    for name in ("ttft", "latency"):
        ours, theirs = times[f"{name}_p50_gateway"], times[f"{name}_p50_aiperf"]
        if ours is not None and theirs is not None and abs(theirs - ours) > max(slack_ms, share * ours):
            found[name] = abs(theirs - ours)
    return found


def gateway_share_of(pairs: Sequence[Pair], calibration: Mapping[str, float]) -> float | None:
    """The share of the gateway's calibrated chunk rate that the session used."""
    capacity = calibration.get("chunks_per_second")
    starts = [pair.entry.start_ns for pair in pairs]
    ends = [pair.entry.start_ns + pair.entry.end_after_ns for pair in pairs]
    seconds = (max(ends) - min(starts)) / 1e9
    if not capacity or seconds <= 0:
        return None
    return sum(pair.entry.event_count for pair in pairs) / seconds / capacity


def credit_of(summary: Mapping[str, Any]) -> dict[str, float | None]:
    stated = summary.get("credit_to_start_latency") or {}
    return {key: stated.get(key) for key in ("p50", "p99")}


def lengths_of(good: Sequence[Pair]) -> dict[str, float | None]:
    return {
        "usage_output_tokens_mean": _mean(pair.entry.usage.output_tokens for pair in good),
        "usage_input_tokens_mean": _mean(pair.entry.usage.input_tokens for pair in good),
        "o200k_output_tokens_mean": _mean(pair.raw.output_tokens for pair in good),
        "o200k_input_tokens_mean": _mean(pair.raw.input_tokens for pair in good),
        "content_chunks_mean": _mean(pair.raw.content_count for pair in good),
        "finished_by_length_share": _mean(float(pair.raw.finish_reason == "length") for pair in good),
    }


def usage_of(good: Sequence[Pair], lengths: Mapping[str, float | None]) -> dict[str, float | None]:
    """The provider's count beside ours, and what it says that it had cached."""
    cached = [pair.entry.usage.cached_tokens for pair in good]
    return {
        "input_difference": _apart(lengths["usage_input_tokens_mean"], lengths["o200k_input_tokens_mean"]),
        "output_difference": _apart(lengths["usage_output_tokens_mean"], lengths["o200k_output_tokens_mean"]),
        "cached_tokens": None if not cached or None in cached else sum(count or 0 for count in cached),
        "cached_requests": sum(bool(count) for count in cached),
    }


def _apart(told: float | None, ours: float | None) -> float | None:
    return told / ours - 1 if told is not None and ours else None


def _p50(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _ms(nanoseconds: int | None) -> float | None:
    return None if nanoseconds is None else nanoseconds / 1e6
