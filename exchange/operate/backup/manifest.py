"""What a backup holds: written last, so that a folder with a manifest has a whole backup."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, get_origin, get_type_hints

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
    if not _is_complete(content):
        raise BackupDamaged(
            f"{path} does not say what a manifest says, or names files outside of the backup."
        )
    return Manifest(**{one.name: content[one.name] for one in fields(Manifest)})


def _is_complete(content: dict[str, Any]) -> bool:
    """All fields are there, of their kinds, and the files that are read are those that are checked."""
    kinds = {one.name: type(content.get(one.name)) for one in fields(Manifest)}
    if kinds != {name: get_origin(kind) or kind for name, kind in get_type_hints(Manifest).items()}:
        return False
    facts, named = content["files"], {content["database"], content["evidence"]}
    are_plain = all(name == Path(name).name for name in facts)
    return named <= set(facts) and are_plain and all(isinstance(one, dict) for one in facts.values())


def _text(content: dict[str, Any]) -> str:
    """With a digest over the rest, and in one spelling, so that no byte of it can be another."""
    return json.dumps({**content, "sha256": digest_of(content)}, indent=1, sort_keys=True) + "\n"


def _content(raw: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(raw)
        content.pop("sha256")
        is_ours = _text(content).encode() == raw and content["format"] == FORMAT
        return content if is_ours and isinstance(content["format_version"], int) else None
    except (ValueError, KeyError, AttributeError, TypeError):
        return None
