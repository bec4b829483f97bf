"""Secrets at rest: AES-256-GCM, one data key per record, wrapped by a key of the keyring.

The associated data binds a secret to its row, so that a copy moved to another row does not open.
"""

import base64
import json
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from exchange.settings.keyring import KEY_BYTES

_NONCE = 12


class CannotOpen(Exception):
    """The envelope was made for another row, by an unknown key, or was altered."""


def seal(secret: bytes, *, bound_to: str) -> bytes:
    """An envelope only `open_sealed` with the same `bound_to` opens."""
    key_id, key = settings.KEYRING_ACTIVE, _key(settings.KEYRING_ACTIVE)
    data_key = AESGCM.generate_key(256)
    envelope = {
        "key_id": key_id,
        "wrapped": _encrypt(key, data_key, f"{key_id}|{bound_to}"),
        "body": _encrypt(data_key, secret, bound_to),
    }
    return json.dumps(envelope).encode()


def open_sealed(envelope: bytes, *, bound_to: str) -> bytes:
    """The secret, or CannotOpen."""
    try:
        parts = json.loads(bytes(envelope))
        key_id = parts["key_id"]
        data_key = _decrypt(_key(key_id), parts["wrapped"], f"{key_id}|{bound_to}")
        return _decrypt(data_key, parts["body"], bound_to)
    except (InvalidTag, KeyError, ValueError) as error:
        raise CannotOpen from error


def key_of(envelope: bytes) -> str:
    """The id of the key that sealed it. Raises CannotOpen for what is no envelope."""
    try:
        return str(json.loads(bytes(envelope))["key_id"])
    except (ValueError, TypeError, KeyError) as error:
        raise CannotOpen from error


def new_key() -> str:
    """A key for the ring: base64 of random bytes."""
    return base64.b64encode(AESGCM.generate_key(8 * KEY_BYTES)).decode()


def _key(key_id: str) -> bytes:
    return base64.b64decode(settings.KEYRING[key_id])


def _encrypt(key: bytes, plain: bytes, bound_to: str) -> str:
    nonce = os.urandom(_NONCE)
    return base64.b64encode(nonce + AESGCM(key).encrypt(nonce, plain, bound_to.encode())).decode()


def _decrypt(key: bytes, text: str, bound_to: str) -> bytes:
    raw = base64.b64decode(text)
    return AESGCM(key).decrypt(raw[:_NONCE], raw[_NONCE:], bound_to.encode())
