"""Bytes on their way: in pieces, counted and hashed as they pass."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from .errors import EvidenceMissing, EvidenceTooLarge
from .interface import StoredObject

CHUNK_BYTES = 1024 * 1024
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


def is_digest(name: str) -> bool:
    return bool(_DIGEST.fullmatch(name))


def name_of(sha256: str) -> str:
    """What the object is called below its store's beginning. EvidenceMissing for what is no digest."""
    if not is_digest(sha256):
        raise EvidenceMissing
    return f"{sha256[:2]}/{sha256}"


def chunks_of(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK_BYTES):
        yield chunk


def copy(chunks: Iterable[bytes], file: BinaryIO, *, limit: int | None = None) -> StoredObject:
    """Write all to the file. EvidenceTooLarge as soon as there are more than `limit` bytes."""
    digest, size = hashlib.sha256(), 0
    for chunk in chunks:
        size += len(chunk)
        if limit is not None and size > limit:
            raise EvidenceTooLarge
        digest.update(chunk)
        file.write(chunk)
    return StoredObject(digest.hexdigest(), size)
