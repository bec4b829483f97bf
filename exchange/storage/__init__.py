"""Evidence by its content: bytes are kept under their SHA-256 and never change."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.conf import settings

from .errors import DigestMismatch, EvidenceDamaged, EvidenceMissing, EvidenceTooLarge
from .filesystem import FilesystemStore
from .interface import EvidenceStore, StoredObject

__all__ = [
    "DigestMismatch",
    "EvidenceDamaged",
    "EvidenceMissing",
    "EvidenceStore",
    "EvidenceTooLarge",
    "FilesystemStore",
    "StoredObject",
    "get_store",
]


def get_store() -> EvidenceStore:
    """The store that the settings name."""
    return FilesystemStore(Path(unquote(urlsplit(settings.EVIDENCE_URL).path)))
