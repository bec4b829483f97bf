"""How S3 is asked: with time-outs, again where it fails for a moment, and what its answers mean here."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from .errors import EvidenceMissing, EvidenceUnavailable

log = logging.getLogger(__name__)
CONNECT_SECONDS, READ_SECONDS, TRIES = 3, 10, 3
RETRY_AFTER_SECONDS = 30


def connect(
    endpoint: str = "", *, connect_seconds: float = CONNECT_SECONDS, read_seconds: float = READ_SECONDS
) -> Any:
    """A client of S3 at `endpoint`. Its default, and who asks, say boto3's own AWS_… variables and files.

    Raises:
        EvidenceUnavailable: they make no sense.
    """
    config = Config(
        connect_timeout=connect_seconds,
        read_timeout=read_seconds,
        retries={"mode": "standard", "total_max_attempts": TRIES},
        signature_version="s3v4",
        # The SHA-256 is ours to send and to check; other checksums would be computed for nobody.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    with refusals("connect", ValueError):  # for an address that is none
        return boto3.session.Session().client("s3", config=config, endpoint_url=endpoint or None)


@contextmanager
def refusals(operation: str, *also: type[Exception]) -> Iterator[None]:
    """Says in our own words what boto3 raises; the reason is for the log."""
    try:
        yield
    except (BotoCoreError, ClientError, *also) as error:
        if code_of(error) == "NoSuchKey":
            raise EvidenceMissing from error
        log.error("evidence store: %s failed: %s", operation, error)
        raise EvidenceUnavailable(retry_after_seconds=RETRY_AFTER_SECONDS) from error


def code_of(error: Exception) -> str:
    """S3's own code; "" where S3 has not answered. A HEAD has no words: there it is the status."""
    return error.response["Error"].get("Code", "") if isinstance(error, ClientError) else ""
