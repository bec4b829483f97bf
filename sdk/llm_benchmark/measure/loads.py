"""What a load profile asks of an endpoint, and the metrics that it can yield.

A profile is a mapping with the fields of the API; what it leaves open is None, empty or absent.
"""

from collections.abc import Mapping
from typing import Any

from .metrics import PERCENTILE_METRICS, RATE_METRICS

GOAL_METRICS = ("goodput", "good_request_fraction")
"""Requests that keep all goals (`slo`): a second, and as a share of all."""

SWEEP_METRICS = ("peak_output_tokens_per_second", "knee_concurrency", "knee_ttft_p50")
"""Over all levels of a sweep. What each level measured is in the evidence."""

INPUT_RATE = "input_tokens_per_second"
"""Of requests that generate nothing."""

THROUGHPUTS = (*RATE_METRICS, INPUT_RATE, "goodput", "peak_output_tokens_per_second")
RATIO_METRICS = (*PERCENTILE_METRICS, *THROUGHPUTS, "knee_ttft_p50")
"""Those that are judged, as re-run divided by claim."""

LOAD_METRICS = frozenset({*RATIO_METRICS, "error_rate", *GOAL_METRICS, *SWEEP_METRICS})
"""All that the engine measures under load."""

STREAMED = ("ttft_", "itl_", "knee_ttft_")
"""How the metrics begin that need answers in pieces."""


def given(profile: Mapping[str, Any]) -> dict[str, Any]:
    """A profile without what it leaves open: its canonical form, whichever fields the writer knew of."""
    said = {name: given(value) if isinstance(value, Mapping) else value for name, value in profile.items()}
    return {name: value for name, value in said.items() if value not in (None, [], {})}


def levels(profile: Mapping[str, Any]) -> tuple[int, ...]:
    """The numbers of requests in flight, one after another: those of a sweep, or the only one."""
    return tuple(profile.get("concurrencies") or (profile["concurrency"],))


def input_tokens_of(profile: Mapping[str, Any]) -> int:
    """Tokens in one request: all inputs of a batch, or a query with all its documents."""
    texts: int = profile.get("batch_size") or 1 + (profile.get("documents") or 0)
    return texts * int(profile["input_tokens"])


def is_sweep(profile: Mapping[str, Any]) -> bool:
    return bool(profile.get("concurrencies"))


def metrics_of(profile: Mapping[str, Any]) -> frozenset[str]:
    """The metrics that sessions of this profile have a value for."""
    if is_sweep(profile):
        found = {*SWEEP_METRICS, "error_rate"}
    else:
        found = {*PERCENTILE_METRICS, "requests_per_second", "error_rate"}
        found.add(INPUT_RATE if profile.get("protocol") else "output_tokens_per_second")
        found |= set(GOAL_METRICS if profile.get("slo") else ())
    if profile.get("protocol") or not profile["streaming"]:
        found = {name for name in found if not name.startswith(STREAMED)}
    return frozenset(found)
