"""A backup into a fresh place: all of it is looked at first, and the database comes last, at once.

A restore that was killed is started again: until it is done the database is marked, and only then left alone.
"""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from exchange.core.failpoints import failpoint
from exchange.database import rights, roles
from exchange.operate.watch import Watch
from exchange.storage import EvidenceDamaged, EvidenceMissing, FilesystemStore, get_store
from exchange.storage.streams import chunks_of

from . import database, files, programs, ring
from .errors import BackupDamaged, BackupNewer
from .manifest import Manifest
from .manifest import read as read_manifest
from .saving import EVIDENCE, keep, listed_digests


@dataclass(frozen=True, slots=True)
class Restored:
    """`differing_keys`: key id → what is wrong with it here. `migrated`: it was older than this version."""

    manifest: Manifest
    differing_keys: dict[str, str]
    migrated: bool


def restore(folder: Path) -> Restored:
    """The backup in the database and the evidence store of the settings. Raises what `errors` says."""
    manifest = check(folder)
    if settings.DATABASE_ADMIN_URL:
        roles.prepare_as(settings.DATABASE_ADMIN_URL, rights.layout())
    connection = database.owner()
    _refuse_newer(manifest, connection)
    database.make_room(connection)
    _fill_store(folder, manifest)
    failpoint("restore_evidence_done")
    _fill_database(folder, manifest, connection)
    migrated = _migrate(manifest, connection)
    database.finish(connection)
    return Restored(manifest, ring.differing(manifest.keys), migrated)


def check(folder: Path) -> Manifest:
    """The manifest of a backup of which every byte was read and is as it was written."""
    manifest = read_manifest(folder)
    for name, facts in manifest.files.items():
        files.check(folder / name, facts)
    store, missing = FilesystemStore(folder / EVIDENCE), set(manifest.missing)
    for sha256 in Watch("reading the backup").each(listed_digests(folder / manifest.evidence)):
        if sha256 not in missing:
            _check_object(folder, store, sha256)
    return manifest


def _check_object(folder: Path, store: FilesystemStore, sha256: str) -> None:
    path = folder / EVIDENCE / sha256[:2] / sha256
    try:
        store.open(sha256).close()
    except EvidenceMissing:
        raise BackupDamaged(f"{path} is missing.") from None
    except EvidenceDamaged:
        raise BackupDamaged(f"{path} is damaged: its bytes have another SHA-256 than its name.") from None


def _refuse_newer(manifest: Manifest, connection: BaseDatabaseWrapper) -> None:
    if unknown := sorted(set(manifest.migrations) - _known_migrations()):
        raise BackupNewer(
            f"The backup is of version {manifest.exchange_version} and has {', '.join(unknown)}, which this "
            "version does not know. Restore it with that version or a newer one."
        )
    if (major := programs.major_of(connection)) < manifest.postgresql:
        raise BackupNewer(
            f"The backup is of PostgreSQL {manifest.postgresql}, and this server is {major}. Restore it "
            f"into {manifest.postgresql} or newer."
        )


def _fill_store(folder: Path, manifest: Manifest) -> None:
    source, target, missing = FilesystemStore(folder / EVIDENCE), get_store(), set(manifest.missing)
    for sha256 in Watch("evidence").each(listed_digests(folder / manifest.evidence)):
        if sha256 not in missing:
            keep(sha256, source=source, target=target)
            failpoint("restore_copied")


def _fill_database(folder: Path, manifest: Manifest, connection: BaseDatabaseWrapper) -> None:
    with (folder / manifest.database).open("rb") as file:
        programs.load(connection, Watch("database, MiB").each(chunks_of(file)))
    failpoint("restore_loaded")
    database.grant(connection)
    found = database.rows_now(connection)
    wrong = [name for name, count in manifest.rows.items() if found.get(name) != count]
    if wrong:
        raise BackupDamaged(f"Restored tables with another number of rows: {', '.join(wrong)}.")


def _migrate(manifest: Manifest, connection: BaseDatabaseWrapper) -> bool:
    """Whether the backup was older than this version."""
    if not _known_migrations() - set(manifest.migrations):
        return False
    call_command("migrate", database=connection.alias, interactive=False)
    return True


def _known_migrations() -> set[str]:
    return {".".join(key) for key in MigrationLoader(None).disk_migrations}
