"""The digest of everything that a benchmark version consists of: who has the cases can compute it again.

A field that came later is part of it only where it says something, so that earlier digests stand.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .canonical import digest
from .loads import given

METRIC_FIELDS = ("name", "title", "unit", "direction", "kind", "minimum", "maximum", "is_primary")
CASE_FIELDS = ("key", "prompt", "reference", "scorer", "scorer_config", "choices", "weight", "tags")
LATER_CASE_FIELDS = ("group",)


def content_hash(
    *,
    kind: str,
    system_prompt: str,
    prompt_template: str,
    generation: Mapping[str, Any] | None,
    load_profile: Mapping[str, Any] | None,
    metrics: Sequence[Mapping[str, Any]],
    cases: Sequence[Mapping[str, Any]],
) -> str:
    """SHA-256 over the canonical JSON; metrics and cases with the API's fields, in the version's order."""
    content = {
        "kind": kind,
        "system_prompt": system_prompt,
        "prompt_template": prompt_template,
        "generation": generation,
        "load_profile": load_profile and given(load_profile),
        "metrics": [{name: metric[name] for name in METRIC_FIELDS} for metric in metrics],
        "cases": [_case(case) for case in cases],
    }
    return digest(_spelled(content))


def _case(case: Mapping[str, Any]) -> dict[str, Any]:
    later = {name: case[name] for name in LATER_CASE_FIELDS if case.get(name) is not None}
    return {name: case[name] for name in CASE_FIELDS} | later


def _spelled(value: Any) -> Any:
    """1.0 and 1 are one number, whichever door it came through."""
    if isinstance(value, Mapping):
        return {str(key): _spelled(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
