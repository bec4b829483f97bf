"""What a version fixes and a submitter chooses, and how both set the engine: on the platform and at home."""

from collections.abc import Mapping
from typing import Any

from .fingerprint import CHOSEN_FOR_PERFORMANCE
from .loads import levels
from .plans import Generation

GENERATION = ("temperature", "top_p", "max_tokens")
CONCURRENCY = 4
"""Questions in flight at once."""

LONG_ANSWER_TOKENS = 1024

UNMEASURABLE: Mapping[str, tuple[str, ...]] = {
    "quality": ("chat_template", "tools", "reasoning_effort"),
    "performance": ("top_p", "system_prompt", "chat_template", "tools", "reasoning_effort"),
}
"""By kind, what the question runner and AIPerf cannot pass on to an endpoint."""

_AIPERF_TEMPERATURE = 0.0
_SHORTEST_WALL_SECONDS, _SECONDS_A_REQUEST = 600.0, 30.0


def fixed_settings(
    kind: str,
    *,
    generation: Mapping[str, Any] | None,
    load_profile: Mapping[str, Any] | None,
    system_prompt: str,
) -> dict[str, Any]:
    """The settings that a version does not leave open."""
    if kind == "performance":
        profile = load_profile or {}
        fixed = {name: profile.get(name) for name in CHOSEN_FOR_PERFORMANCE}
        fixed["concurrency"] = profile.get("concurrencies") or profile.get("concurrency")
        fixed |= {"temperature": _AIPERF_TEMPERATURE, "max_tokens": profile.get("output_tokens")}
    else:
        fixed = {name: (generation or {}).get(name) for name in GENERATION}
        fixed |= {"system_prompt": system_prompt or None}
    return _given(fixed)


def generation_of(fixed: Mapping[str, Any] | None, chosen: Mapping[str, Any]) -> Generation:
    """The version's settings, and the submitter's where the version leaves them open."""
    merged = {**_given({name: chosen.get(name) for name in GENERATION}), **_given(fixed or {})}
    return Generation(**{**merged, "stop": tuple(merged.get("stop", ()))})


def may_be_long(generation: Generation) -> bool:
    """Whether answers may take longer than anybody waits in silence, so that they are streamed."""
    return generation.max_tokens is None or generation.max_tokens > LONG_ANSWER_TOKENS


def wall_seconds(load_profile: Mapping[str, Any]) -> float:
    """How long a session may last, all levels of a sweep together."""
    requests: int = load_profile["requests"] + load_profile["warmup_requests"]
    rounds = (requests / level for level in levels(load_profile))
    return sum(max(_SHORTEST_WALL_SECONDS, each * _SECONDS_A_REQUEST) for each in rounds)


def _given(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}
