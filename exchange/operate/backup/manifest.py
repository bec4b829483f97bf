"""What a backup holds: written last, so that a folder with a manifest has a whole backup."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from llm_benchmark.measure.canonical import digest as digest_of

from . import files
from .errors import BackupDamaged, BackupNewer, BackupUnfinished

NAME = "manifest.json"
FORMAT, FORMAT_VERSION = "llm-benchmark-exchange-backup", 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`files`: name → `sha256` and `size_bytes`. `rows`: table → their number.

    `keys`: id → the beginning of a digest that tells the key from another; no key is in it.
    `missing`: objects that the database names and the evidence store did not have whole.
    """

    exchange_version: str
    made_at: str
    postgresql: int
    database: str
    evidence: str
    files: dict[str, files.Facts]
    migrations: list[str]
    rows: dict[str, int]
    objects: int
    object_bytes: int
    missing: list[str]
    keys: dict[str, str]
    format: str = FORMAT
    format_version: int = FORMAT_VERSION


def write(folder: Path, manifest: Manifest) -> None:
    files.write(folder / NAME, [_text(asdict(manifest)).encode()])


def read(folder: Path) -> Manifest:
    """Raises BackupUnfinished, BackupDamaged or BackupNewer."""
    path = folder / NAME
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise BackupUnfinished from None
    content = _content(raw)
    if content is None:
        raise BackupDamaged(f"{path} is damaged, or no manifest of a backup.")
    if content["format_version"] > FORMAT_VERSION:
        raise BackupNewer(
            f"{path} has the format {content['format_version']}; this version reads {FORMAT_VERSION}."
        )
    return Manifest(**{one.name: content[one.name] for one in fields(Manifest)})


def _text(content: dict[str, Any]) -> str:
    """With a digest over the rest, and in one spelling, so that no byte of it can be another."""
    return json.dumps({**content, "sha256": digest_of(content)}, indent=1, sort_keys=True) + "\n"


def _content(raw: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(raw)
        content.pop("sha256")
        return content if _text(content).encode() == raw and content["format"] == FORMAT else None
    except (ValueError, KeyError, AttributeError, TypeError):
        return None
