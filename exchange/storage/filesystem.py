"""Objects as files: `ab/ab12…`, written beside, synced and renamed, so a name never shows half a file."""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from .errors import DigestMismatch, EvidenceDamaged, EvidenceMissing
from .interface import DirectWay, StoredObject
from .streams import chunks_of, copy, is_digest, name_of


class FilesystemStore:
    """Keeps objects below `root`; only the owner may read them."""

    direct: DirectWay | None = None

    def __init__(self, root: Path) -> None:
        self._root = root

    def put_stream(
        self, chunks: Iterable[bytes], *, limit: int | None = None, expect: str = ""
    ) -> StoredObject:
        with self._temporary() as (file, path):
            stored = copy(chunks, file, limit=limit)
            if expect and stored.sha256 != expect:
                raise DigestMismatch.between(expect, stored.sha256)
            file.flush()
            os.fsync(file.fileno())
            self._publish(path, stored.sha256)
        return stored

    def put_file(self, path: Path) -> StoredObject:
        with path.open("rb") as file:
            return self.put_stream(chunks_of(file))

    def open(self, sha256: str) -> BinaryIO:
        try:
            file = self._path(sha256).open("rb")
        except FileNotFoundError as error:
            raise EvidenceMissing from error
        if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            file.close()
            raise EvidenceDamaged
        file.seek(0)
        return file

    def exists(self, sha256: str) -> bool:
        return is_digest(sha256) and self._path(sha256).is_file()

    def size(self, sha256: str) -> int:
        try:
            return self._path(sha256).stat().st_size
        except FileNotFoundError as error:
            raise EvidenceMissing from error

    def digests(self) -> Iterator[str]:
        return (path.name for path in self._root.glob("??/*") if is_digest(path.name))

    def _path(self, sha256: str) -> Path:
        return self._root / name_of(sha256)

    @contextmanager
    def _temporary(self) -> Iterator[tuple[BinaryIO, Path]]:
        """A private file that is gone afterwards unless it was renamed."""
        folder = self._root / "incoming"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file, Path(name)
        finally:
            Path(name).unlink(missing_ok=True)

    def _publish(self, written: Path, sha256: str) -> None:
        target = self._path(sha256)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        written.replace(target)
        sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Without this a rename may be lost with the power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
