"""Ask an endpoint what it serves."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import orjson

from llm_benchmark.measure.faults import failure
from llm_benchmark.measure.plans import JSON, Target
from llm_benchmark.measure.redaction import is_echoed
from llm_benchmark.measure.wire import MIB, Response

from .caller import Caller, EndpointFault, raise_for
from .capability import METADATA_KEYS

PAGE_LIMIT = 2 * MIB
MOST_PAGES = 100
MOST_MODELS = 10_000
NAME_LIMIT = 200
KEPT = (*METADATA_KEYS, "owned_by", "context_length")

_LISTS = ("data", "models")
_NAMES = ("id", "name")


@dataclass(frozen=True, slots=True)
class DiscoveredModel:
    """One model as the endpoint lists it. `metadata` are short scalars, as `Known` takes them."""

    id: str
    owned_by: str | None = None
    metadata: Mapping[str, JSON] = field(default_factory=dict)


def discover(target: Target, *, seconds: float = 30.0, within: float = 60.0) -> list[DiscoveredModel]:
    """The models at `GET …/models`, in the endpoint's order; `target.model` does not matter.

    At most 100 pages of 2 MiB and 10,000 names; unreadable or repeated names are left out.

    Args:
        seconds: the most for one page.
        within: the most for all of them.
    Raises:
        EndpointFault: codes of `measure.faults` and of EgressRefused, too_many_models, discovery_loop,
            credential_echoed.
    """
    caller = Caller(target, seconds=seconds, within=within)
    found: dict[str, DiscoveredModel] = {}
    listed = 0
    for entries in _pages(caller, target):
        listed += len(entries)
        if listed > MOST_MODELS:
            raise EndpointFault.of("too_many_models", f"The endpoint lists more than {MOST_MODELS} models.")
        for entry in entries:
            _add(found, entry)
    return list(found.values())


def _pages(caller: Caller, target: Target) -> Iterator[list[Any]]:
    """The entries of each page; a cursor seen before ends it."""
    seen: set[str] = set()
    query = ""
    while True:
        response = caller.list_models(query, limit=PAGE_LIMIT)
        raise_for(response)
        if is_echoed(response.body, target.api_key):
            raise EndpointFault(failure("credential_echoed"))
        data = _parsed(response)
        entries = _entries(data)
        yield entries
        if not isinstance(data, dict) or data.get("has_more") is not True:
            return
        query = _query_of(data, entries)
        if query in seen:
            raise EndpointFault.of("discovery_loop", "The endpoint's list of models leads back to itself.")
        seen.add(query)
        if len(seen) >= MOST_PAGES:
            message = f"The endpoint lists its models on more than {MOST_PAGES} pages."
            raise EndpointFault.of("too_many_models", message)


def _parsed(response: Response) -> Any:
    try:
        return orjson.loads(response.body)
    except orjson.JSONDecodeError:
        return None


def _entries(data: Any) -> list[Any]:
    """A bare list, or one that is called `data` or `models`."""
    lists = (data.get(name) for name in _LISTS) if isinstance(data, dict) else (data,)
    found = next((entries for entries in lists if isinstance(entries, list)), None)
    if found is None:
        raise EndpointFault.of("invalid_response", "The endpoint does not list models in a known form.")
    return found


def _query_of(data: Mapping[str, Any], entries: list[Any]) -> str:
    """What asks for the page behind this one: OpenAI's lists say `after`, Anthropic's `after_id`."""
    told = data.get("last_id")
    cursor = told if isinstance(told, str) else _name_of(entries[-1]) if entries else None
    if not cursor or len(cursor) > NAME_LIMIT:
        raise EndpointFault.of("invalid_response", "The endpoint does not say where its list goes on.")
    return f"{'after' if data.get('object') == 'list' else 'after_id'}={quote(cursor, safe='')}"


def _add(found: dict[str, DiscoveredModel], entry: Any) -> None:
    name = _name_of(entry)
    if name is None:
        return
    metadata = _metadata(entry) if isinstance(entry, dict) else {}
    owner = metadata.get("owned_by")
    found.setdefault(name, DiscoveredModel(name, owner if isinstance(owner, str) else None, metadata))


def _name_of(entry: Any) -> str | None:
    """An object's id, or the text itself."""
    fields = entry if isinstance(entry, dict) else {"id": entry}
    name = next((fields[key] for key in _NAMES if fields.get(key) is not None), None)
    return name if _is_short_text(name) and name else None


def _metadata(entry: Mapping[str, Any]) -> dict[str, JSON]:
    return {name: entry[name] for name in KEPT if _is_scalar(entry.get(name))}


def _is_scalar(value: Any) -> bool:
    if isinstance(value, int | float):
        return math.isfinite(value) and abs(value) < 2**53
    return _is_short_text(value)


def _is_short_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= NAME_LIMIT and value.isprintable()
