"""Evidence by its content: bytes are kept under their SHA-256 and never change."""

from functools import cache

from django.conf import settings

from . import location
from .errors import DigestMismatch, EvidenceDamaged, EvidenceMissing, EvidenceTooLarge, EvidenceUnavailable
from .filesystem import FilesystemStore
from .interface import DirectUpload, DirectWay, EvidenceStore, StoredObject

__all__ = [
    "DigestMismatch",
    "DirectUpload",
    "DirectWay",
    "EvidenceDamaged",
    "EvidenceMissing",
    "EvidenceStore",
    "EvidenceTooLarge",
    "EvidenceUnavailable",
    "FilesystemStore",
    "StoredObject",
    "get_store",
    "store_at",
]


def get_store() -> EvidenceStore:
    """The store that the settings name."""
    return store_at(settings.EVIDENCE_URL)


@cache  # a client of S3 takes a while to make, and threads may share one
def store_at(url: str) -> EvidenceStore:
    """The one at `file:///folder` or `s3://bucket/prefix`; ValueError for any other address."""
    place = location.parse(url)
    if isinstance(place, location.Folder):
        return FilesystemStore(place.path)
    from .client import connect  # noqa: PLC0415  boto3 is large, and a folder needs none of it
    from .s3 import S3Store  # noqa: PLC0415

    return S3Store(place, connect(), public=connect(place.public) if place.public else None)
