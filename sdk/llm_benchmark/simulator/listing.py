"""The list of models, in the forms that providers use and in some that nobody should."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

import orjson

from .config import SimulatorConfig, is_status
from .wording import refusal, whole

ENDLESS_PAGE = 100
HUGE_PAGE = 3 * 1024 * 1024
CURSORS = ("after_id", "after")  # Anthropic's and OpenAI's


def page(config: SimulatorConfig, query: str, key: str) -> bytes:
    """The response to `GET /v1/models?…`; `key` is the caller's credential."""
    if is_status(config.listing):
        return refusal(int(config.listing), "This failure is simulated.", "simulated")
    if config.listing == "html":
        return whole(200, b"<!doctype html><h1>Simulated</h1>", content_type="text/html")
    if config.listing == "huge":
        return whole(200, b'{"data": []}' + b" " * HUGE_PAGE)
    return whole(200, orjson.dumps(_content(config, _cursor(query), key)))


def _content(config: SimulatorConfig, cursor: str | None, key: str) -> Any:
    entries = [
        _entry(name, behaviour.metadata) for name, behaviour in config.models.items() if behaviour.is_listed
    ]
    if config.listing == "looping":
        return _paged(entries, has_more=True)
    if config.listing == "endless":
        start = int(cursor.rpartition("-")[2]) + 1 if cursor else 0
        made_up = itertools.islice(itertools.count(start), ENDLESS_PAGE)
        return _paged([_entry(f"endless-{number}", {}) for number in made_up], has_more=True)
    if config.listing == "echo_key":
        entries.append(_entry(f"model-{key}", {}))
    if config.page_size is not None:
        return _page_after(entries, cursor, config.page_size)
    forms: Mapping[str, Any] = {
        "models": {"models": entries},
        "bare": entries,
        "strings": {"data": [entry["id"] for entry in entries]},
    }
    return forms.get(config.listing, {"object": "list", "data": entries})


def _page_after(entries: Sequence[Mapping[str, Any]], cursor: str | None, size: int) -> dict[str, Any]:
    ids = [entry["id"] for entry in entries]
    start = ids.index(cursor) + 1 if cursor in ids else 0
    return _paged(entries[start : start + size], has_more=start + size < len(entries))


def _paged(entries: Sequence[Mapping[str, Any]], *, has_more: bool) -> dict[str, Any]:
    ends = {"first_id": entries[0]["id"], "last_id": entries[-1]["id"]} if entries else {}
    return {"object": "list", "data": entries, "has_more": has_more, **ends}


def _entry(name: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "simulated", **metadata}


def _cursor(query: str) -> str | None:
    given = parse_qs(query)
    return next((given[name][0] for name in CURSORS if name in given), None)
