"""The keys that seal credentials, checked at the start rather than when the first one is needed."""

import base64
import binascii

from django.core.exceptions import ImproperlyConfigured

from .environment import Environment

KEY_BYTES = 32


def keyring(env: Environment) -> tuple[dict[str, str], str]:
    """Key id → base64 of 32 bytes, and the id that seals from now on: the first unless another is named."""
    ring = env.mapping("EXCHANGE_KEYRING")
    if not ring and env.has("EXCHANGE_KEYRING"):
        raise ImproperlyConfigured(
            "EXCHANGE_KEYRING has no key. How the first one is made says operating.md."
        )
    for key_id, key in ring.items():
        if not key_id or not _is_key(key):
            raise ImproperlyConfigured(
                f"EXCHANGE_KEYRING: the key {key_id!r} is not base64 of {KEY_BYTES} bytes."
            )
    active = env.text("EXCHANGE_KEYRING_ACTIVE") or next(iter(ring), "")
    if ring and active not in ring:
        raise ImproperlyConfigured(
            f"EXCHANGE_KEYRING_ACTIVE is {active!r}, which EXCHANGE_KEYRING does not have: {', '.join(ring)}."
        )
    return ring, active


def _is_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text, validate=True)) == KEY_BYTES
    except (binascii.Error, ValueError):
        return False
