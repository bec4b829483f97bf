"""Files between clients and a bucket, not through us. What came that way is read by us before it counts."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO
from uuid import uuid4

from botocore.exceptions import ClientError

from .client import code_of, refusals
from .errors import DigestMismatch, EvidenceTooLarge
from .interface import DirectUpload
from .location import Bucket
from .reading import fetch
from .streams import name_of

PART_BYTES = 16 * 1024 * 1024
_FOLDER = "incoming/"


class DirectBucket:
    """Uploads lie apart under names of their own, so that no address that a client has writes an object.

    Args:
        public: signs for the address under which clients reach the bucket; `client` is our own.
    """

    def __init__(self, bucket: Bucket, client: Any, public: Any) -> None:
        self._bucket, self._client, self._public = bucket, client, public

    def begin_upload(self, size: int, *, seconds: int) -> DirectUpload:
        at = self._bucket.at(f"{_FOLDER}{uuid4().hex}")
        with refusals("create_multipart_upload"):
            upload_id = self._client.create_multipart_upload(**at)["UploadId"]
        urls = [
            self._url(
                "upload_part", seconds, **at, UploadId=upload_id, PartNumber=number, ContentLength=length
            )
            for number, length in enumerate(_lengths(size), start=1)
        ]
        return DirectUpload(f"{at['Key']}?{upload_id}", PART_BYTES, urls)

    def open_upload(self, handle: str, *, size: int, sha256: str) -> BinaryIO:
        if not self._complete(handle, size):
            self.discard_upload(handle)
            raise DigestMismatch
        try:
            file, found = fetch(self._client, self._of(handle)[0], limit=size)
        except EvidenceTooLarge:  # a part was sent again after it was measured
            self.discard_upload(handle)
            raise
        if (found.sha256, found.size) != (sha256, size):
            file.close()
            self.discard_upload(handle)
            raise DigestMismatch.between(sha256, found.sha256)
        return file

    def discard_upload(self, handle: str) -> None:
        at, upload_id = self._of(handle)
        with refusals("abort_multipart_upload"):
            try:
                self._client.abort_multipart_upload(**at, UploadId=upload_id)
            except ClientError as error:
                if code_of(error) != "NoSuchUpload":
                    raise
        with refusals("delete_object"):
            self._client.delete_object(**at)

    def forget_uploads(self, *, before: datetime) -> int:
        with refusals("list uploads"):
            old = [*self._begun(before), *self._completed(before)]
        for handle in old:
            self.discard_upload(handle)
        return len(old)

    def download_url(self, sha256: str, *, filename: str, seconds: int) -> str:
        disposition = f'attachment; filename="{filename}"'
        at = self._bucket.at(name_of(sha256))
        return self._url("get_object", seconds, **at, ResponseContentDisposition=disposition)

    def _url(self, operation: str, seconds: int, **params: Any) -> str:
        with refusals(operation):
            return str(self._public.generate_presigned_url(operation, Params=params, ExpiresIn=seconds))

    def _complete(self, handle: str, size: int) -> bool:
        """Put the parts together, unless they have been; false when they are not of the size announced.

        They are measured before, so that nobody makes us read more than was announced.
        """
        at, upload_id = self._of(handle)
        with refusals("complete_multipart_upload"):
            try:
                parts = self._parts(at, upload_id)
                if not parts or sum(part["Size"] for part in parts.values()) != size:
                    return False
                listed = [{"PartNumber": number, "ETag": parts[number]["ETag"]} for number in sorted(parts)]
                self._client.complete_multipart_upload(
                    **at, UploadId=upload_id, MultipartUpload={"Parts": listed}
                )
            except ClientError as error:
                if code_of(error) != "NoSuchUpload":
                    raise
        return True

    def _parts(self, at: dict[str, str], upload_id: str) -> dict[int, dict[str, Any]]:
        """By their numbers; of one that was sent twice some servers list both."""
        pages = self._client.get_paginator("list_parts").paginate(**at, UploadId=upload_id)
        parts = (part for page in pages for part in page.get("Parts", ()))
        return {part["PartNumber"]: part for part in sorted(parts, key=lambda part: part["LastModified"])}

    def _begun(self, before: datetime) -> Iterator[str]:
        for page in self._pages("list_multipart_uploads"):
            for upload in page.get("Uploads", ()):
                if upload["Initiated"] < before:
                    yield f"{upload['Key']}?{upload['UploadId']}"

    def _completed(self, before: datetime) -> Iterator[str]:
        for page in self._pages("list_objects_v2"):
            for item in page.get("Contents", ()):
                if item["LastModified"] < before:
                    yield f"{item['Key']}?completed"

    def _pages(self, operation: str) -> Any:
        pages = self._client.get_paginator(operation)
        return pages.paginate(Bucket=self._bucket.name, Prefix=self._bucket.prefix + _FOLDER)

    def _of(self, handle: str) -> tuple[dict[str, str], str]:
        key, _, upload_id = handle.rpartition("?")
        return {"Bucket": self._bucket.name, "Key": key}, upload_id


def _lengths(size: int) -> list[int]:
    """Of the parts: all of PART_BYTES but the last, and one of 0 for an empty file."""
    whole, rest = divmod(size, PART_BYTES)
    return [PART_BYTES] * whole + ([rest] if rest or not whole else [])
