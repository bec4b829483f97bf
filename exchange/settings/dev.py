"""One machine: the embedded servers' addresses come from the environment or from the running stack."""

import base64
import hashlib
import os
import sys
from contextlib import suppress

from exchange.embedded import running

from .base import *  # noqa: F403  settings are names of a module
from .base import EGRESS_REFUSE, ENV, KEYRING, STATE_DIR, database, own_addresses
from .jobs import broker

DEBUG = ENV.flag("EXCHANGE_DEBUG")
GRPC_REFLECTION = ENV.flag("EXCHANGE_GRPC_REFLECTION", default="1")
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", "testserver"]
WHITENOISE_USE_FINDERS = True
METRICS_OPEN = True

_SERVERS = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL")
_given = {name: ENV.text(name) for name in _SERVERS if ENV.has(name)}
_urls = _given if "DATABASE_URL" in _given else running(STATE_DIR) or {}
if "DATABASE_URL" not in _urls or "REDIS_URL" not in _urls:
    sys.exit("No servers: start them with `make up`, or set both DATABASE_URL and REDIS_URL.")
DATABASES = {"default": database(_urls["DATABASE_URL"])}
DATABASE_APP_ROLE = str(DATABASES["default"]["USER"])
if owner := _urls.get("DATABASE_OWNER_URL"):
    DATABASES["owner"] = database(owner)
globals().update(broker(_urls["REDIS_URL"]))
EGRESS_REFUSE |= own_addresses(*(_urls.get(name, "") for name in _SERVERS))


def _local_secret(purpose: str) -> bytes:
    """32 bytes that stay the same on this machine, from a file only we can read."""
    path = STATE_DIR / "secret"
    STATE_DIR.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(os.urandom(32))
    return hashlib.sha256(purpose.encode() + path.read_bytes()).digest()


SECRET_KEY = ENV.text("EXCHANGE_SECRET_KEY") or _local_secret("django").hex()
if not KEYRING:
    KEYRING["local"] = base64.b64encode(_local_secret("keyring")).decode()
    KEYRING_ACTIVE = "local"
if not ENV.has("EXCHANGE_EMAIL_URL"):
    (STATE_DIR / "mail").mkdir(mode=0o700, parents=True, exist_ok=True)  # its links are for one reader each
