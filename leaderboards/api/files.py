"""A board as a file, piece by piece: CSV (RFC 4180) or JSON, with what the API shows and nothing else."""

import json
from collections.abc import Iterator
from typing import Any

from rest_framework.utils.encoders import JSONEncoder

from exchange.core.spreadsheets import line
from leaderboards.exports import Export

from . import serializers as s

MEDIA_TYPES = {"csv": "text/csv; charset=utf-8; header=present", "json": "application/json"}
CONTEXT = ("benchmark_slug", "benchmark_name", "version", "metric", "unit")
FIELDS = [str(name) for name in s.LeaderboardEntrySerializer().fields if name != "metrics"]
METRIC_FIELDS = ("value", "low", "high", "sample_count")


def file_name(export: Export) -> str:
    return f"{export.board.benchmark.slug}-{export.board.version.version}-leaderboard.{export.format}"


def content(export: Export) -> Iterator[bytes]:
    """The file's bytes, a row at a time."""
    return _csv(export) if export.format == "csv" else _json(export)


def _entries(export: Export) -> Iterator[dict[str, Any]]:
    for row in export.rows:
        yield s.LeaderboardEntrySerializer(s.shown_row(export.board, row)).data


def _csv(export: Export) -> Iterator[bytes]:
    columns = [f"{name}.{field}" for name in export.metric_names for field in METRIC_FIELDS]
    yield line([*CONTEXT, *FIELDS, *columns])
    facts = s.board_facts(export.board)
    context = [facts[name] for name in CONTEXT]
    for entry in _entries(export):
        yield line([*context, *(entry[name] for name in FIELDS), *_metrics(export, entry)])


def _metrics(export: Export, entry: dict[str, Any]) -> Iterator[Any]:
    known = {metric["name"]: metric for metric in entry["metrics"]}
    for name in export.metric_names:
        yield from (known.get(name, {}).get(field) for field in METRIC_FIELDS)


def _json(export: Export) -> Iterator[bytes]:
    """The board as REST answers it, all rows in one list."""
    facts = {**s.board_facts(export.board), "items": [], "next_page_token": ""}
    head = dict(s.LeaderboardSerializer(facts).data)
    del head["items"], head["next_page_token"]
    yield _dumped(head)[:-1] + b',"items":['
    for number, entry in enumerate(_entries(export)):
        yield (b"," if number else b"") + _dumped(entry)
    yield b"]}"


def _dumped(data: Any) -> bytes:
    text = json.dumps(data, cls=JSONEncoder, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()
