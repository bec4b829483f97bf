"""The database first, then its evidence: evidence is never deleted, so all that the dump names is there."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper

from exchange.core import clock
from exchange.core.failpoints import failpoint
from exchange.operate.named import named_digests
from exchange.operate.watch import Watch
from exchange.storage import EvidenceDamaged, EvidenceMissing, EvidenceStore, FilesystemStore, get_store
from exchange.storage.streams import chunks_of
from llm_benchmark import __version__

from . import database, files, programs, ring
from .manifest import NAME, Manifest
from .manifest import write as write_manifest

EVIDENCE = "evidence"
_STAMP = r"\d{8}T\d{12}Z"
_OURS = re.compile(
    rf"(database-{_STAMP}\.dump|evidence-{_STAMP}\.txt|{re.escape(NAME)})({re.escape(files.PART)})?", re.ASCII
)


def save(folder: Path) -> Manifest:
    """Make a backup, or bring the folder's up to date; the earlier one holds until the new one is whole."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with files.alone(folder):
        made_at = clock.now()
        manifest = _saved(folder, database.owner(), made_at, f"{made_at:%Y%m%dT%H%M%S%fZ}")
        write_manifest(folder, manifest)
        _clear(folder, keep={NAME, *manifest.files})
    return manifest


def _saved(folder: Path, connection: BaseDatabaseWrapper, made_at: datetime, stamp: str) -> Manifest:
    dumped, listed = f"database-{stamp}.dump", f"evidence-{stamp}.txt"
    with database.snapshot(connection) as snapshot:
        chunks = programs.dump(connection, snapshot=snapshot, may_bypass=database.may_bypass(connection))
        found = {dumped: files.write(folder / dumped, Watch("database, MiB").each(chunks))}
        found[listed] = files.write(folder / listed, _lines(connection.alias))
        rows, migrations = database.rows(connection), database.migrations(connection)
    failpoint("backup_dumped")
    sizes, missing = _copy_all(folder, listed)
    return Manifest(
        exchange_version=__version__,
        made_at=made_at.isoformat(),
        postgresql=programs.major_of(connection),
        database=dumped,
        evidence=listed,
        files=found,
        migrations=migrations,
        rows=rows,
        objects=sizes[0],
        object_bytes=sizes[1],
        missing=missing,
        keys=ring.fingerprints(),
    )


def _lines(alias: str) -> Iterator[bytes]:
    return (f"{sha256}\n".encode() for sha256 in named_digests(using=alias))


def listed_digests(path: Path) -> Iterator[str]:
    with path.open(encoding="ascii") as lines:
        yield from map(str.strip, lines)


def _copy_all(folder: Path, listed: str) -> tuple[tuple[int, int], list[str]]:
    """(objects, their bytes), and what the store could not give."""
    source, target = get_store(), FilesystemStore(folder / EVIDENCE)
    count = size = 0
    missing = []
    for sha256 in Watch("evidence").each(listed_digests(folder / listed)):
        try:
            keep(sha256, source=source, target=target)
        except (EvidenceMissing, EvidenceDamaged):
            missing.append(sha256)
            continue
        count, size = count + 1, size + target.size(sha256)
        failpoint("backup_copied")
    return (count, size), missing


def keep(sha256: str, *, source: EvidenceStore, target: EvidenceStore) -> None:
    """The object whole at the target: what is there is read and hashed, and mended when it is damaged."""
    try:
        target.open(sha256).close()
    except (EvidenceMissing, EvidenceDamaged):
        with source.open(sha256) as file:
            target.put_stream(chunks_of(file), expect=sha256)
        target.open(sha256).close()


def _clear(folder: Path, *, keep: set[str]) -> None:
    """Dumps of earlier backups, and what interrupted ones left. Whatever else lies there is not ours."""
    for path in folder.iterdir():
        if _OURS.fullmatch(path.name) and path.name not in keep:
            path.unlink()
