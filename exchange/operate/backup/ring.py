"""The keyring beside a backup: by what it is recognised, and how it is kept apart from the data."""

import hashlib
import json
from pathlib import Path

from django.conf import settings

from . import files

SHOWN = 16


def fingerprints() -> dict[str, str]:
    """Key id → the beginning of a digest, which says nothing of 32 random bytes."""
    return {key_id: _fingerprint(key) for key_id, key in settings.KEYRING.items()}


def save(path: Path) -> None:
    """The ring as EXCHANGE_KEYRING_FILE reads it, for its owner alone."""
    files.write(path, [json.dumps(settings.KEYRING).encode()])


def differing(kept: dict[str, str]) -> dict[str, str]:
    """Key id → what is wrong with it here, of the keys that a backup was made with."""
    here = fingerprints()
    return {
        key_id: "is another key here" if key_id in here else "is not in the ring"
        for key_id, fingerprint in kept.items()
        if here.get(key_id) != fingerprint
    }


def _fingerprint(key: str) -> str:
    return hashlib.sha256(f"exchange-keyring|{key}".encode()).hexdigest()[:SHOWN]
