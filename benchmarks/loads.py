"""What a load profile may say, and which metrics it can yield. Pure functions.

A profile is a mapping with the fields of the API; what it leaves open is null, empty or absent.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from exchange.core.errors import FieldError
from llm_benchmark.measure.loads import (
    GOAL_METRICS,
    LOAD_METRICS,
    STREAMED,
    SWEEP_METRICS,
    given,
    is_sweep,
    levels,
    metrics_of,
)
from llm_benchmark.measure.metrics import direction_of

from .models import LoadProtocol

Item = Mapping[str, Any]

RANGES = {
    "input_tokens": (1, 32_768),
    "output_tokens": (1, 16_384),
    "requests": (1, 10_000),
    "warmup_requests": (0, 1_000),
    "concurrency": (1, 64),
    "documents": (1, 200),
    "batch_size": (1, 256),
}
"""The load profiles that the platform runs."""
FEWEST_LEVELS, MOST_LEVELS = 2, 8
LONGEST_GOAL_MS = 600_000
GOALS = ("ttft_ms", "itl_ms", "request_latency_ms")
_COUNTS = {
    None: ("output_tokens",),
    LoadProtocol.EMBEDDINGS: ("batch_size",),
    LoadProtocol.RERANK: ("documents",),
}
"""What is counted in one request, by protocol."""


def settled(profile: Item) -> dict[str, Any]:
    """The profile as it is stored: without what it leaves open, and with what follows from the rest."""
    said = given(profile)
    follows: dict[str, Any] = {"warmup_requests": 2, "output_tokens": 0, "streaming": "protocol" not in said}
    if said.get("protocol") == LoadProtocol.EMBEDDINGS:
        follows["batch_size"] = 1
    if not is_sweep(said):
        follows["concurrency"] = 1
    return {**follows, **said}


def problems(profile: Item, metrics: Sequence[Item]) -> Iterator[FieldError]:
    """What is wrong with a settled profile, and with metrics that it cannot yield."""
    protocol = profile.get("protocol")
    for name in ("input_tokens", "requests", "warmup_requests", *_COUNTS[protocol]):
        yield from _count_problems(profile, name)
    yield from _misplaced(profile)
    yield from _sweep_problems(profile) if is_sweep(profile) else _count_problems(profile, "concurrency")
    if max(levels(profile)) > profile["requests"]:
        name = "concurrencies" if is_sweep(profile) else "concurrency"
        yield _problem(name, "out_of_range", _("There are fewer requests than the concurrency needs."))
    yield from _goal_problems(profile)
    for index, metric in enumerate(metrics):
        yield from _metric_problems(metric, f"metrics[{index}]", profile)


def _problem(name: str, code: str, text: str) -> FieldError:
    return FieldError(f"load_profile.{name}", code, text)


def _count_problems(profile: Item, name: str) -> Iterator[FieldError]:
    if not profile.get(name) and name in ("documents", "output_tokens"):
        yield _problem(name, "required", _("Say how many of them a request has."))
    elif not _is_within(name, profile[name]):
        yield _out_of_range(name, name)


def _is_within(name: str, value: int) -> bool:
    low, high = RANGES[name]
    return low <= value <= high


def _out_of_range(path: str, name: str) -> FieldError:
    low, high = RANGES[name]
    text = _("This is a whole number from %(low)d to %(high)d.") % {"low": low, "high": high}
    return _problem(path, "out_of_range", text)


def _misplaced(profile: Item) -> Iterator[FieldError]:
    protocol = profile.get("protocol")
    for other in _COUNTS.keys() - {protocol}:
        for name in _COUNTS[other]:
            if profile.get(name):
                yield _elsewhere(name)
    for name in ("streaming", "concurrencies"):
        if protocol and profile.get(name):
            yield _elsewhere(name)


def _elsewhere(name: str) -> FieldError:
    return _problem(name, "not_for_this_protocol", _("Requests of this kind have no such thing."))


def _sweep_problems(profile: Item) -> Iterator[FieldError]:
    found = levels(profile)
    if "concurrency" in profile:
        text = _("A sweep has its levels instead of one concurrency. Leave this out.")
        yield _problem("concurrency", "beside_a_sweep", text)
    if not FEWEST_LEVELS <= len(found) <= MOST_LEVELS:
        text = _("A sweep has %(low)d to %(high)d levels.") % {"low": FEWEST_LEVELS, "high": MOST_LEVELS}
        yield _problem("concurrencies", "out_of_range", text)
    for index, level in enumerate(found):
        if not _is_within("concurrency", level):
            yield _out_of_range(f"concurrencies[{index}]", "concurrency")
        if index and level <= found[index - 1]:
            text = _("Each level of a sweep is above the one before.")
            yield _problem(f"concurrencies[{index}]", "not_growing", text)


def _goal_problems(profile: Item) -> Iterator[FieldError]:
    for name, goal in profile.get("slo", {}).items():
        if not 0 < goal <= LONGEST_GOAL_MS or not math.isfinite(goal):
            text = _("A goal is a time above 0 and at most %d ms.") % LONGEST_GOAL_MS
            yield _problem(f"slo.{name}", "out_of_range", text)
        if name.startswith(STREAMED) and not profile["streaming"]:
            text = _("This can only be measured when answers are streamed.")
            yield _problem(f"slo.{name}", "needs_streaming", text)


def _metric_problems(metric: Item, path: str, profile: Item) -> Iterator[FieldError]:
    """What AIPerf measures has a meaning that an author cannot turn around, and not every load yields it."""
    name = metric["name"]
    if name not in LOAD_METRICS:
        return
    if metric["direction"] != direction_of(name).value:
        text = _("For this metric it is the other way round.")
        yield FieldError(f"{path}.direction", "contradicts_the_measurement", text)
    if name not in metrics_of(profile):
        code, text = _why_not(name, profile)
        yield FieldError(f"{path}.name", code, text)


def _why_not(name: str, profile: Item) -> tuple[str, str]:
    if name in SWEEP_METRICS and not is_sweep(profile):
        return "needs_a_sweep", _("This is measured by a sweep over several concurrencies.")
    if is_sweep(profile) and name not in SWEEP_METRICS:
        return "not_of_a_sweep", _("A sweep has this at each level, in its evidence, and not as one number.")
    if name in GOAL_METRICS and not profile.get("slo"):
        return "needs_goals", _("This needs goals (slo) in the load profile.")
    if name.startswith(STREAMED) and not profile.get("protocol"):
        return "needs_streaming", _("This can only be measured when answers are streamed.")
    return "not_for_this_protocol", _("Requests of this kind do not have this metric.")
