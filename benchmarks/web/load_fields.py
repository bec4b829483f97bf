"""A load profile, between the editor's fields and the API. One field takes a concurrency or a sweep."""

import re
from collections.abc import Mapping
from typing import Any

from benchmarks.loads import GOALS

from .typed_numbers import number, numbers, shown

PART = "load_profile"
COUNTS = ("input_tokens", "output_tokens", "requests", "warmup_requests", "documents", "batch_size")
STREAMING, PROTOCOL, CONCURRENCY = (f"{PART}.{name}" for name in ("streaming", "protocol", "concurrency"))
NAMES = (
    *(f"{PART}.{name}" for name in COUNTS),
    *(f"{PART}.slo.{name}" for name in GOALS),
    STREAMING,
    PROTOCOL,
    CONCURRENCY,
)
SHOWN_ELSEWHERE = {f"{PART}.concurrencies": CONCURRENCY}
_BETWEEN = re.compile(r"[,;\s]+")


def blank() -> dict[str, str]:
    return {STREAMING: "on", f"{PART}.warmup_requests": "2", CONCURRENCY: "1"}


def fields_of(profile: Mapping[str, Any] | None) -> dict[str, str]:
    """What the fields show of a stored profile (LoadProfileSerializer's data)."""
    if profile is None:
        return {STREAMING: "on"}
    levels = profile["concurrencies"] or [profile["concurrency"]]
    goals = profile["slo"] or {}
    return {
        **{f"{PART}.{name}": shown(profile[name]) for name in COUNTS},
        f"{PART}.output_tokens": shown(profile["output_tokens"] or None),
        **{f"{PART}.slo.{name}": shown(goals.get(name)) for name in GOALS},
        STREAMING: "on" if profile["streaming"] else "",
        PROTOCOL: profile["protocol"] or "",
        CONCURRENCY: ", ".join(map(str, levels)),
    }


def profile_of(values: Mapping[str, str]) -> dict[str, Any]:
    """What the fields ask of the API. Whether answers are streamed is asked of text alone."""
    profile = {**numbers(values, PART, COUNTS), **_concurrency(values[CONCURRENCY])}
    if goals := numbers(values, f"{PART}.slo", GOALS):
        profile["slo"] = goals
    if protocol := values[PROTOCOL]:
        return {**profile, "protocol": protocol}
    return {**profile, "streaming": bool(values[STREAMING])}


def _concurrency(text: str) -> dict[str, Any]:
    levels = [number(each) for each in _BETWEEN.split(text.strip()) if each]
    if len(levels) > 1:
        return {"concurrencies": levels}
    return {"concurrency": levels[0]} if levels else {}
