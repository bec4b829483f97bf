"""Tests. `tests.servers` has started the databases and set their addresses."""

import base64
import hashlib
import tempfile
from pathlib import Path

from .base import *  # noqa: F403  settings are names of a module
from .base import BASE_DIR, ENV, database
from .jobs import broker

DEBUG = False
SECRET_KEY = "test-only"  # noqa: S105  it guards nothing
ALLOWED_HOSTS = ["*"]
DATABASES = {"default": database(ENV.text("DATABASE_URL"))}
DATABASE_APP_ROLE = str(DATABASES["default"]["USER"])
DATABASES["default"]["CONN_MAX_AGE"] = 0
# A kept test database is used again only while no migration has changed.
_APPS = ("exchange", "benchmarks", "submissions", "leaderboards", "governance")
_migrations = sorted(path for app in _APPS for path in (BASE_DIR / app).glob("**/migrations/0*.py"))
_schema = hashlib.sha256(b"".join(path.read_bytes() for path in _migrations)).hexdigest()[:10]
DATABASES["default"]["TEST"] = {"NAME": f"test_exchange_{_schema}"}
DATABASE_OWNER = database(ENV.text("DATABASE_OWNER_URL"))
globals().update(broker(ENV.text("REDIS_URL")))
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_USE_FINDERS = True
KEYRING = {"test": base64.b64encode(b"k" * 32).decode()}
KEYRING_ACTIVE = "test"
EVIDENCE_URL = Path(tempfile.mkdtemp(prefix="exchange-evidence-")).as_uri()
RUN_LEASE_SECONDS = 2.0
REQUESTS_A_MINUTE = ANONYMOUS_REQUESTS_A_MINUTE = 0  # tests that limit set what they need
MAIL_AT_ONCE = False  # tests ring for themselves
