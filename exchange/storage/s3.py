"""Objects in a bucket: each is one PUT of bytes whose digest is known, which the server checks."""

import base64
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from botocore.exceptions import ClientError

from .client import code_of, refusals
from .direct import DirectBucket
from .errors import DigestMismatch, EvidenceDamaged, EvidenceMissing
from .interface import DirectWay, StoredObject
from .location import Bucket
from .reading import fetch, spool
from .streams import chunks_of, copy, is_digest, name_of

# Another upload of the same bytes has come first, or is under way.
_THERE_ALREADY = {"PreconditionFailed", "ConditionalRequestConflict"}


class S3Store:
    """Keeps objects below the bucket's prefix, under the names that they would have in a folder.

    What passes is held in a temporary file, above 1 MiB on disk. All may raise EvidenceUnavailable.
    """

    def __init__(self, bucket: Bucket, client: Any, *, public: Any = None) -> None:
        """`public` is a client of the address under which others reach the bucket; None where they do not."""
        self._bucket, self._client = bucket, client
        self.direct: DirectWay | None = DirectBucket(bucket, client, public) if public else None

    def put_stream(
        self, chunks: Iterable[bytes], *, limit: int | None = None, expect: str = ""
    ) -> StoredObject:
        with spool() as file:
            stored = copy(chunks, file, limit=limit)
            if expect and stored.sha256 != expect:
                raise DigestMismatch.between(expect, stored.sha256)
            self._put(file, stored.sha256)
        return stored

    def put_file(self, path: Path) -> StoredObject:
        with path.open("rb") as file:
            return self.put_stream(chunks_of(file))

    def open(self, sha256: str) -> BinaryIO:
        file, found = fetch(self._client, self._at(sha256))
        if found.sha256 != sha256:
            file.close()
            raise EvidenceDamaged
        return file

    def exists(self, sha256: str) -> bool:
        try:
            return self.size(sha256) >= 0
        except EvidenceMissing:
            return False

    def size(self, sha256: str) -> int:
        with refusals("head_object"):
            try:
                return int(self._client.head_object(**self._at(sha256))["ContentLength"])
            except ClientError as error:
                if code_of(error) != "404":
                    raise
            self._client.head_bucket(Bucket=self._bucket.name)  # or is it the bucket that is not there?
        raise EvidenceMissing

    def digests(self) -> Iterator[str]:
        with refusals("list_objects_v2"):
            pages = self._client.get_paginator("list_objects_v2")
            for page in pages.paginate(Bucket=self._bucket.name, Prefix=self._bucket.prefix):
                names = (
                    item["Key"].removeprefix(self._bucket.prefix)[3:] for item in page.get("Contents", ())
                )
                yield from filter(is_digest, names)

    def _put(self, file: BinaryIO, sha256: str) -> None:
        """An object that is there stays as it is, unless it is damaged."""
        if self._send(file, sha256, IfNoneMatch="*"):
            return
        try:
            self.open(sha256).close()
        except (EvidenceDamaged, EvidenceMissing):
            self._send(file, sha256)

    def _send(self, file: BinaryIO, sha256: str, **condition: str) -> bool:
        """False when the condition does not hold."""
        file.seek(0)
        checksum = base64.b64encode(bytes.fromhex(sha256)).decode()
        with refusals("put_object"):
            try:
                self._client.put_object(**self._at(sha256), Body=file, ChecksumSHA256=checksum, **condition)
            except ClientError as error:
                if code_of(error) not in _THERE_ALREADY:
                    raise
                return False
        return True

    def _at(self, sha256: str) -> dict[str, str]:
        return self._bucket.at(name_of(sha256))
