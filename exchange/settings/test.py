"""Tests. `tests.servers` has started the databases and set their addresses."""

import base64
import hashlib
import tempfile
from os import environ
from pathlib import Path

from .base import *  # noqa: F403  settings are names of a module
from .base import BASE_DIR, database
from .jobs import broker

DEBUG = False
SECRET_KEY = "test-only"  # noqa: S105  it guards nothing
ALLOWED_HOSTS = ["*"]
DATABASES = {"default": database(environ["DATABASE_URL"])}
DATABASE_APP_ROLE = str(DATABASES["default"]["USER"])
DATABASES["default"]["CONN_MAX_AGE"] = 0
# A kept test database is used again only while no migration has changed.
_APPS = ("exchange", "benchmarks", "submissions", "leaderboards", "governance")
_migrations = sorted(path for app in _APPS for path in (BASE_DIR / app).glob("**/migrations/0*.py"))
_schema = hashlib.sha256(b"".join(path.read_bytes() for path in _migrations)).hexdigest()[:10]
DATABASES["default"]["TEST"] = {"NAME": f"test_exchange_{_schema}"}
DATABASE_OWNER = database(environ["DATABASE_OWNER_URL"])
globals().update(broker(environ["REDIS_URL"]))
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_USE_FINDERS = True
KEYRING = {"test": base64.b64encode(b"k" * 32).decode()}
KEYRING_ACTIVE = "test"
EVIDENCE_DIR = Path(environ.get("EVIDENCE_DIR") or tempfile.mkdtemp(prefix="exchange-evidence-"))
EGRESS_ALLOW = frozenset(filter(None, environ.get("EGRESS_ALLOW", "").split(",")))
RUN_LEASE_SECONDS = float(environ.get("RUN_LEASE_SECONDS", "2"))
MAIL_AT_ONCE = False  # tests ring for themselves
