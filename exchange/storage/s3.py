"""Objects in a bucket: each is one PUT of bytes whose digest is known, which the server checks."""

import base64
import logging
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, cast

from botocore.exceptions import BotoCoreError, ClientError

from .client import TRIES, code_of, refusals
from .errors import DigestMismatch, EvidenceDamaged, EvidenceMissing
from .interface import StoredObject
from .location import Bucket
from .streams import CHUNK_BYTES, chunks_of, copy, is_digest

log = logging.getLogger(__name__)
# Another upload of the same bytes has come first, or is under way.
_THERE_ALREADY = {"PreconditionFailed", "ConditionalRequestConflict"}


class S3Store:
    """Keeps objects below the bucket's prefix, under the names that they would have in a folder.

    What passes is held in a temporary file, above 1 MiB on disk. All may raise EvidenceUnavailable.
    """

    def __init__(self, bucket: Bucket, client: Any) -> None:
        self._bucket, self._client = bucket, client

    def put_stream(
        self, chunks: Iterable[bytes], *, limit: int | None = None, expect: str = ""
    ) -> StoredObject:
        with _spool() as file:
            stored = copy(chunks, file, limit=limit)
            if expect and stored.sha256 != expect:
                raise DigestMismatch.between(expect, stored.sha256)
            self._put(file, stored.sha256)
        return stored

    def put_file(self, path: Path) -> StoredObject:
        with path.open("rb") as file:
            return self.put_stream(chunks_of(file))

    def open(self, sha256: str) -> BinaryIO:
        key, file = self._key(sha256), _spool()
        try:
            if self._read(key, file).sha256 != sha256:
                raise EvidenceDamaged
        except BaseException:
            file.close()
            raise
        file.seek(0)
        return file

    def exists(self, sha256: str) -> bool:
        try:
            return self.size(sha256) >= 0
        except EvidenceMissing:
            return False

    def size(self, sha256: str) -> int:
        with refusals("head_object"):
            try:
                return int(self._client.head_object(**self._at(self._key(sha256)))["ContentLength"])
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
                self._client.put_object(
                    **self._at(self._key(sha256)), Body=file, ChecksumSHA256=checksum, **condition
                )
            except ClientError as error:
                if code_of(error) not in _THERE_ALREADY:
                    raise
                return False
        return True

    def _read(self, key: str, file: BinaryIO, *, tries: int = TRIES) -> StoredObject:
        """boto3 tries again what has not begun; a body that breaks off is ours to ask for again."""
        file.seek(0)
        file.truncate()
        with refusals("get_object"):
            body = self._client.get_object(**self._at(key))["Body"]
            try:
                with closing(body):
                    return copy(body.iter_chunks(CHUNK_BYTES), file)
            except BotoCoreError as error:
                if tries == 1:
                    raise
                log.warning("evidence store: a body broke off: %s", error)
        return self._read(key, file, tries=tries - 1)

    def _at(self, key: str) -> dict[str, str]:
        return {"Bucket": self._bucket.name, "Key": key}

    def _key(self, sha256: str) -> str:
        if not is_digest(sha256):
            raise EvidenceMissing
        return f"{self._bucket.prefix}{sha256[:2]}/{sha256}"


def _spool() -> BinaryIO:
    return cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=CHUNK_BYTES))
