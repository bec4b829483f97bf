"""One object of a bucket, whole and hashed, in a temporary file."""

import logging
import tempfile
from contextlib import closing
from typing import Any, BinaryIO, cast

from botocore.exceptions import BotoCoreError

from .client import TRIES, refusals
from .interface import StoredObject
from .streams import CHUNK_BYTES, copy

log = logging.getLogger(__name__)


def spool() -> BinaryIO:
    """A temporary file, above 1 MiB on disk."""
    return cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=CHUNK_BYTES))


def fetch(client: Any, at: dict[str, str], *, limit: int | None = None) -> tuple[BinaryIO, StoredObject]:
    """A file from its beginning, which the caller closes, and what was read into it.

    Raises:
        EvidenceMissing, EvidenceUnavailable, and EvidenceTooLarge beyond `limit` bytes.
    """
    file = spool()
    try:
        found = _read(client, at, file, limit, TRIES)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file, found


def _read(client: Any, at: dict[str, str], file: BinaryIO, limit: int | None, tries: int) -> StoredObject:
    """boto3 tries again what has not begun; a body that breaks off is ours to ask for again."""
    file.seek(0)
    file.truncate()
    with refusals("get_object"):
        body = client.get_object(**at)["Body"]
        try:
            with closing(body):
                return copy(body.iter_chunks(CHUNK_BYTES), file, limit=limit)
        except BotoCoreError as error:
            if tries == 1:
                raise
            log.warning("evidence store: a body broke off: %s", error)
    return _read(client, at, file, limit, tries - 1)
