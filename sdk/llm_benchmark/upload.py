"""A file on its way to the exchange: read piece by piece, and from its beginning on each try."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from .errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PIECE_BYTES = 64 * 1024
Progress: TypeAlias = Callable[[int, int | None], None]
"""Called with the bytes so far and, where known, their total."""


@contextmanager
def form_of(
    path: Path, *, name: str | None = None, progress: Progress | None = None
) -> Iterator[dict[str, Any]]:
    """The multipart form of one file, with its SHA-256, as `Transport.write` takes it.

    Raises:
        InvalidInput: the file cannot be read.
    """
    with opened(path, progress) as file:
        shown = name or path.name
        yield {
            "files": {"file": (shown, file, "application/octet-stream")},
            "data": {"sha256": file.sha256, "name": shown},
        }


def opened(path: Path, progress: Progress | None = None) -> WatchedFile:
    """A file to be sent. InvalidInput when it cannot be read."""
    try:
        return WatchedFile(path, progress)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.", code="unreadable_file") from error


class WatchedFile(io.FileIO):
    """Tells how much was read of it. (Hashing reads in another way, and is not told.)"""

    def __init__(self, path: Path, progress: Progress | None) -> None:
        super().__init__(path, "rb")
        self._progress = progress
        self.size = os.fstat(self.fileno()).st_size
        self.sha256 = hashlib.file_digest(self, "sha256").hexdigest()

    def read(self, size: int | None = -1, /) -> Any:
        piece = super().read(-1 if size is None else size)
        if piece and self._progress:
            self._progress(self.tell(), self.size)
        return piece

    def piece(self, start: int, length: int) -> Iterator[bytes]:
        """So many bytes from `start` on, or those that there are."""
        self.seek(start)
        while length > 0 and (piece := self.read(min(length, _PIECE_BYTES))):
            length -= len(piece)
            yield piece
