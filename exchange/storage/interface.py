"""What any evidence store can do."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol


@dataclass(frozen=True, slots=True)
class StoredObject:
    """`sha256` is 64 lower-case hex digits, `size` bytes."""

    sha256: str
    size: int


class EvidenceStore(Protocol):
    def put_stream(
        self, chunks: Iterable[bytes], *, limit: int | None = None, expect: str = ""
    ) -> StoredObject:
        """Store bytes, hashed as they arrive; the same bytes twice are one object.

        Args:
            limit: the most bytes to take; None is off.
            expect: the SHA-256 they must have; "" takes any.

        Raises:
            EvidenceTooLarge, DigestMismatch: and nothing is stored.
        """

    def put_file(self, path: Path) -> StoredObject:
        """Store a copy of a file."""

    def open(self, sha256: str) -> BinaryIO:
        """The object from its beginning, read once before to check its digest. The caller closes it.

        Raises:
            EvidenceMissing: there is none, or the name is no digest.
            EvidenceDamaged: the bytes are not those that were stored.
        """

    def exists(self, sha256: str) -> bool:
        """Whether there is such an object; false for a name that is no digest."""

    def size(self, sha256: str) -> int:
        """In bytes. EvidenceMissing when there is none."""

    def digests(self) -> Iterator[str]:
        """The SHA-256 of every object, in no promised order."""
