"""AIPerf's exports as all may read them: without our addresses and paths, and without a provider's words."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from llm_benchmark.measure.performance.aiperf import STATIC_CONFIG

SUMMARY, RECORDS = "profile_export_aiperf.json", "profile_export.jsonl"
"""Last in the names of AIPerf's files; a sweep has them of each level."""

_ERRORS = b'"error'


def shown_exports(files: Mapping[str, Path | bytes]) -> dict[str, bytes]:
    """The public copies of the summary and of the records, where they differ from the files.

    Args:
        files: by name in the bundle.
    """
    originals = {name: _bytes(content) for name, content in files.items() if is_shown(name)}
    places = dict(place for name in originals if _is(name, SUMMARY) for place in _places(originals[name]))
    copies = {
        name: _replaced(_without_words(content, by_line=_is(name, RECORDS)), places)
        for name, content in originals.items()
    }
    return {name: copy for name, copy in copies.items() if copy != originals[name]}


def is_shown(name: str) -> bool:
    """Whether all may read the file, or its copy."""
    return _is(name, SUMMARY) or _is(name, RECORDS)


def _is(name: str, last: str) -> bool:
    return name.startswith("aiperf/") and name.rpartition("/")[2] == last


def _bytes(content: Path | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()


def _places(summary: bytes) -> Iterator[tuple[str, str]]:
    """What stands for our machine in an export, and what is shown instead."""
    yield str(STATIC_CONFIG), STATIC_CONFIG.name
    asked = _parsed(summary).get("input_config")
    endpoint, artifacts = (_part(asked, name) for name in ("endpoint", "artifacts"))
    for url in endpoint.get("urls") or []:
        yield str(url), "http://endpoint.invalid"
    if artifacts.get("dir"):
        yield str(artifacts["dir"]), "artifacts"


def _replaced(content: bytes, places: Mapping[str, str]) -> bytes:
    for place, shown in places.items():
        content = content.replace(place.encode(), shown.encode())
    return content


def _without_words(content: bytes, *, by_line: bool) -> bytes:
    """An error's message quotes the provider's raw answer."""
    if _ERRORS not in content:
        return content
    if not by_line:
        return _silenced(content)
    return b"\n".join(_silenced(line) if _ERRORS in line else line for line in content.split(b"\n"))


def _silenced(document: bytes) -> bytes:
    found = _parsed(document)
    summary = found.get("error_summary")
    entries = [found, *(entry for entry in summary or [] if isinstance(entry, dict))]
    errors = [details for entry in entries for details in _details(entry)]
    for details in errors:
        details.update({name: "<restricted>" for name in ("message", "cause", "details") if name in details})
    return orjson.dumps(found) if errors else document


def _details(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [found for name in ("error", "error_details") if isinstance(found := entry.get(name), dict)]


def _parsed(document: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(document)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _part(parent: Any, name: str) -> dict[str, Any]:
    found = parent.get(name) if isinstance(parent, dict) else None
    return found if isinstance(found, dict) else {}
