"""The form of token secrets: `lbx_pat_` or `lbx_ses_`, 43 random base62 characters, 6 of checksum.

The checksum (CRC-32, as GitHub's tokens have one) lets a scanner, and us, tell a mistyped token from a
foreign one without asking the database. A digest without a salt is enough for 256 random bits.
"""

import hashlib
import secrets
import string
import zlib
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

_DIGITS = string.digits + string.ascii_letters
_RANDOM, _CHECK, _PREFIX = 43, 6, 8
_LINK = 48  # 192 bits


def new_secret(kind: str) -> str:
    body = "".join(secrets.choice(_DIGITS) for _ in range(_RANDOM))
    return f"lbx_{kind}_{body}{_checksum(body)}"


def is_well_formed(secret: str) -> bool:
    prefix, body, check = secret[:_PREFIX], secret[_PREFIX:-_CHECK], secret[-_CHECK:]
    return prefix in {"lbx_pat_", "lbx_ses_"} and len(body) == _RANDOM and check == _checksum(body)


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def shown_prefix(secret: str) -> str:
    """Enough to tell one's tokens apart."""
    return secret[: _PREFIX + 4]


def invitation_secret(invitation_id: UUID, *, digest: str = "") -> str:
    """The secret in an invitation's link: made again for each mail, so that it need not be stored.

    With the digest of the one made first it is that one, also after the site's secret key was changed.
    """
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    secrets_made = [_invitation_secret(invitation_id, key) for key in keys]
    return next((secret for secret in secrets_made if digest_of(secret) == digest), secrets_made[0])


def _invitation_secret(invitation_id: UUID, key: str) -> str:
    salt = "exchange.accounts.invitation"
    made = salted_hmac(salt, str(invitation_id), secret=key, algorithm="sha256")
    return str(made.hexdigest()[:_LINK])


def _checksum(body: str) -> str:
    number, text = zlib.crc32(body.encode()), ""
    for _ in range(_CHECK):
        number, digit = divmod(number, len(_DIGITS))
        text = _DIGITS[digit] + text
    return text
