"""Keys in a file: AES-256-GCM under a key that scrypt makes of a passphrase (RFC 7914)."""

from __future__ import annotations

import hashlib
import os
from importlib.util import find_spec

from .errors import VaultShut

SCHEMA = "llm-benchmark-keys-v1"
SALT_BYTES = 16
COST = 2**17  # with r = 8 and p = 1: 128 MiB, and a third of a second
_NONCE_BYTES, _KEY_BYTES, _BLOCK = 12, 32, 8


def is_installed() -> bool:
    return find_spec("cryptography") is not None


def derive(passphrase: str, salt: bytes) -> bytes:
    """The key of the vault; part of the schema, so that a file cannot ask for a cheap or an endless one."""
    return hashlib.scrypt(
        passphrase.encode(), salt=salt, n=COST, r=_BLOCK, p=1, maxmem=256 * COST * _BLOCK, dklen=_KEY_BYTES
    )


def seal(vault_key: bytes, key: str, *, name: str, origin: str) -> bytes:
    """Nonce and ciphertext, bound to name and origin."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415  of the extra `keys`

    nonce = os.urandom(_NONCE_BYTES)
    return nonce + AESGCM(vault_key).encrypt(nonce, key.encode(), _bound_to(name, origin))


def open_sealed(vault_key: bytes, sealed: bytes, *, name: str, origin: str) -> str:
    """Raises VaultShut for another passphrase, name or origin, and for what was altered."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415  as above
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415  as above

    nonce, body = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
    try:
        return AESGCM(vault_key).decrypt(nonce, body, _bound_to(name, origin)).decode()
    except (InvalidTag, ValueError):
        raise VaultShut(f"The passphrase does not open {name}, or the vault was altered.") from None


def _bound_to(name: str, origin: str) -> bytes:
    return f"{SCHEMA}|{name}|{origin}".encode()
