"""Files of a backup: under their names only when they are whole, and held to their SHA-256."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from exchange.embedded.locks import Lock
from exchange.storage.filesystem import sync_folder

from .errors import BackupDamaged, FolderInUse

Facts = dict[str, Any]
PART = ".part"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process at a time works on a folder."""
    lock = Lock.take(folder / ".lock")
    if lock is None:
        raise FolderInUse
    try:
        yield
    finally:
        lock.close()


def write(path: Path, chunks: Iterable[bytes]) -> Facts:
    """Its `sha256` and `size_bytes`. Only the owner reads it."""
    part, digest, size = path.with_name(path.name + PART), hashlib.sha256(), 0
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        for chunk in chunks:
            digest.update(chunk)
            size += len(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)
    return {"sha256": digest.hexdigest(), "size_bytes": size}


def check(path: Path, facts: Facts) -> None:
    """Raise BackupDamaged, naming the file, unless it is the one that was written."""
    try:
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == facts.get("sha256"):
                return
    except FileNotFoundError:
        raise BackupDamaged(f"{path} is missing.") from None
    except OSError as error:
        raise BackupDamaged(f"{path} cannot be read: {error.strerror}.") from error
    raise BackupDamaged(f"{path} is damaged: its bytes have another SHA-256 than the manifest says.")
