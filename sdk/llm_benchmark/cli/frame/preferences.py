"""What `config set` keeps, and which of option, environment, file and default counts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from llm_benchmark.errors import NotConfigured
from llm_benchmark.settings import API_URL, DEFAULT_API_URL, DEFAULT_TIMEOUT_SECONDS, TIMEOUT, Settings

OUTPUTS = ("table", "json", "plain")


@dataclass(frozen=True, slots=True)
class Preference:
    """A setting by its name in the file.

    Args:
        checked: the value as it is used, or NotConfigured.
    """

    meaning: str
    variable: str
    default: str
    checked: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A setting's value, "" where there is none, and where it comes from."""

    value: str
    source: str


def choose(name: str, *, option: str | None, kept: Mapping[str, str]) -> Chosen:
    """An option wins over the environment, that over the file, that over the default.

    Raises:
        NotConfigured: the one that counts cannot be used.
    """
    preference = PREFERENCES[name]
    candidates = (
        (option, f"--{name.replace('_', '-')}"),
        (os.environ.get(preference.variable), preference.variable),
        (kept.get(name), "config set"),
    )
    for value, source in candidates:
        if value:
            return Chosen(_checked(preference, value, source), source)
    return Chosen(preference.default, "default")


def _checked(preference: Preference, value: str, source: str) -> str:
    try:
        return preference.checked(value)
    except NotConfigured as wrong:
        raise NotConfigured(f"{source}: {wrong}") from None


def _address(given: str) -> str:
    return Settings(api_url=given).api_url


def _output(given: str) -> str:
    if given not in OUTPUTS:
        raise NotConfigured(f"{given!r} is none of {', '.join(OUTPUTS)}.")
    return given


def _slug(given: str) -> str:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", given):
        raise NotConfigured(
            f"{given!r} is no organization's slug; that has lower-case letters, digits and -."
        )
    return given


def _timeout(given: str) -> str:
    try:
        Settings(timeout=float(given))
    except (ValueError, NotConfigured):
        raise NotConfigured(f"{given!r} is no number of seconds above 0.") from None
    return given


PREFERENCES = {
    "api_url": Preference("the exchange that is asked", API_URL, DEFAULT_API_URL, _address),
    "organization": Preference(
        "the organization you act for", "LLM_BENCHMARK_ORGANIZATION", "", _slug
    ),
    "output": Preference("table, json or plain", "LLM_BENCHMARK_OUTPUT", "", _output),
    "timeout": Preference(
        "seconds that one request may take", TIMEOUT, f"{DEFAULT_TIMEOUT_SECONDS:g}", _timeout
    ),
}  # fmt: skip
