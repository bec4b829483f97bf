"""Production. A missing value stops the start; nothing falls back to a development default."""

import logging

from .base import *  # noqa: F403  settings are names of a module
from .base import EGRESS_ALLOW, EGRESS_REFUSE, ENV, SITE_URL, database, own_addresses
from .jobs import broker
from .static import *  # noqa: F403

ENV.require()
DEBUG = False
SECRET_KEY = ENV.text("EXCHANGE_SECRET_KEY")
ALLOWED_HOSTS = ENV.hosts("EXCHANGE_ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]
DATABASES = {"default": database(ENV.text("DATABASE_URL"))}
DATABASE_APP_ROLE = str(DATABASES["default"]["USER"])
if owner := ENV.text("DATABASE_OWNER_URL"):
    DATABASES["owner"] = database(owner)
globals().update(broker(ENV.text("REDIS_URL")))
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
SECURE_REDIRECT_EXEMPT = [r"^(live|ready|health|accepting|metrics)/?$"]  # from inside, over plain HTTP
SESSION_COOKIE_NAME = "__Host-session"
CSRF_COOKIE_NAME = "__Host-csrf"
SECURE_HSTS_SECONDS = 31_536_000
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # the domain's other hosts are not ours to bind
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
EGRESS_REFUSE |= own_addresses(SITE_URL)
if EGRESS_ALLOW:
    logging.getLogger(__name__).warning("EXCHANGE_EGRESS_ALLOW lets endpoints use %s", sorted(EGRESS_ALLOW))
