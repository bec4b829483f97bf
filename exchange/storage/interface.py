"""What any evidence store can do."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol


@dataclass(frozen=True, slots=True)
class StoredObject:
    """`sha256` is 64 lower-case hex digits, `size` bytes."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class DirectUpload:
    """A file that a client sends straight to the store: one PUT to each of `urls`, in their order, of
    `part_size` bytes (the last: of what is left). By `handle` the store knows it again."""

    handle: str
    part_size: int
    urls: list[str]


class DirectWay(Protocol):
    """How clients and the store reach each other. All may raise EvidenceUnavailable."""

    def begin_upload(self, size: int, *, seconds: int) -> DirectUpload:
        """Let a client send so many bytes within the time."""

    def open_upload(self, handle: str, *, size: int, sha256: str) -> BinaryIO:
        """What a client has sent, from its beginning, read once before to check it. The caller closes it.

        Raises:
            EvidenceMissing: it is not there, or no longer.
            DigestMismatch: these are other bytes; they are gone.
        """

    def discard_upload(self, handle: str) -> None:
        """Nothing of it is left, however far it came."""

    def forget_uploads(self, *, before: datetime) -> int:
        """Discard those begun before; how many there were."""

    def download_url(self, sha256: str, *, filename: str, seconds: int) -> str:
        """Where anybody gets the object within the time. The bytes are not read before."""


class EvidenceStore(Protocol):
    direct: DirectWay | None
    """None where clients do not reach the store."""

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
