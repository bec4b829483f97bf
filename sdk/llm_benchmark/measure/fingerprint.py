"""Which configurations are the same: what the submitter chooses and the benchmark version leaves open."""

from collections.abc import Mapping
from typing import Any

from .canonical import digest

CHOSEN = (
    "temperature",
    "top_p",
    "max_tokens",
    "system_prompt",
    "chat_template",
    "tools",
    "reasoning_effort",
    "precision",
    "dialect",
)
CHOSEN_FOR_PERFORMANCE = ("concurrency", "streaming")


def chosen(configuration: Mapping[str, Any], *, fixed: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The part of `configuration` that the version's `fixed` settings leave open; unset fields are absent.

    Seed, URL, credential, time, host, calibration and tool versions are no part of it: the snapshot has them.
    """
    names = CHOSEN + CHOSEN_FOR_PERFORMANCE if kind == "performance" else CHOSEN
    open_names = [name for name in names if fixed.get(name) is None]
    return {name: configuration[name] for name in open_names if configuration.get(name) not in (None, "")}


def fingerprint(configuration: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical JSON of `chosen(…)`."""
    return digest(configuration)
