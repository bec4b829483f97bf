"""The list of models, in the forms that providers use and in some that nobody should."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

import orjson

from .config import SimulatorConfig, is_status
from .wording import refusal, whole

ENDLESS_PAGE = 50
HUGE_PAGE = 3 * 1024 * 1024


def page(config: SimulatorConfig, query: str, key: str) -> bytes:
    """The response to `GET /v1/models?…`; `key` is the caller's credential."""
    if is_status(config.listing):
        return refusal(int(config.listing), "This failure is simulated.", "simulated")
    if config.listing == "html":
        return whole(200, b"<!doctype html><h1>Simulated</h1>", content_type="text/html")
    if config.listing == "huge":
        return whole(200, b'{"data": []}' + b" " * HUGE_PAGE)
    cursor = parse_qs(query).get("after_id" if config.listing == "anthropic" else "after", [None])[0]
    return whole(200, orjson.dumps(_content(config, cursor, key)))


def _content(config: SimulatorConfig, cursor: str | None, key: str) -> Any:
    entries = _entries(config, key)
    if config.listing == "looping":
        return _page(entries, has_more=True)
    if config.listing == "endless":
        start = int(cursor.rpartition("-")[2]) + 1 if cursor else 0
        made_up = range(start, start + ENDLESS_PAGE)
        return _page([_entry(f"endless-{number}") for number in made_up], has_more=True)
    if config.page_size is not None:
        part, has_more = _after(entries, cursor, config.page_size)
        return _page(part, has_more=has_more, is_openai=config.listing != "anthropic")
    forms: Mapping[str, Any] = {
        "anthropic": _page(entries, has_more=False, is_openai=False),
        "models": {"models": entries},
        "bare": entries,
        "strings": {"data": [entry["id"] for entry in entries]},
    }
    return forms.get(config.listing, {"object": "list", "data": entries})


def _entries(config: SimulatorConfig, key: str) -> list[dict[str, Any]]:
    listed = [(name, behaviour) for name, behaviour in config.models.items() if behaviour.is_listed]
    if config.listing == "anthropic":
        return [{"type": "model", "id": name, "display_name": name} for name, _ in listed]
    odd = [_entry(f"model-{key}")] if config.listing == "echo_key" else []
    return [*(_entry(name, behaviour.metadata) for name, behaviour in listed), *odd]


def _after(entries: list[Any], cursor: str | None, size: int) -> tuple[list[Any], bool]:
    """One page behind the cursor, and whether there are more."""
    ids = [entry["id"] for entry in entries]
    start = ids.index(cursor) + 1 if cursor in ids else 0
    return entries[start : start + size], start + size < len(entries)


def _page(entries: Sequence[Mapping[str, Any]], *, has_more: bool, is_openai: bool = True) -> dict[str, Any]:
    ends = {"first_id": entries[0]["id"], "last_id": entries[-1]["id"]} if entries else {}
    kind = {"object": "list"} if is_openai else {}
    return {**kind, "data": entries, "has_more": has_more, **ends}


def _entry(name: str, metadata: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "simulated", **(metadata or {})}
