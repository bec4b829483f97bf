"""Settings every environment shares. The environment is read here and nowhere else."""

from os import environ
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from .environment import Environment
from .evidence import evidence_url
from .jobs import *  # noqa: F403  settings are names of a module
from .keyring import keyring
from .mail import mail
from .references import key_references
from .rest import *  # noqa: F403

BASE_DIR = Path(__file__).resolve().parents[2]
ENV = Environment(environ)
STATE_DIR = Path(ENV.text("EXCHANGE_STATE_DIR") or BASE_DIR / ".exchange")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "exchange.operate.apps.OperateConfig",
    "exchange.operate.apps.SiteConfig",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "allauth.account",
    "exchange.core",
    "exchange.accounts",
    "exchange.web",
    "benchmarks",
    "submissions.endpoints",
    "submissions.runs",
    "submissions.campaigns",
    "submissions",
    "leaderboards",
    "governance",
    "exchange",
]
MIDDLEWARE = [
    "exchange.web.middleware.RequestIdMiddleware",
    "exchange.web.access.AccessMiddleware",
    "exchange.web.middleware.NoStoreMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "exchange.health.middleware.InsideMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "exchange.web.middleware.ActorMiddleware",
    "exchange.web.middleware.LimitMiddleware",
    "exchange.web.middleware.LargeBodyMiddleware",
]
ROOT_URLCONF = "exchange.urls"
APPEND_SLASH = False
WSGI_APPLICATION = "exchange.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "exchange.web.context.site",
            ]
        },
    }
]

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
# Links in mails: how long they are good for. The accounts are our own; allauth keeps the addresses.
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 3
PASSWORD_RESET_TIMEOUT = 2 * 3600
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
SESSION_COOKIE_NAME = "exchange_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 24 * 3600
CSRF_COOKIE_HTTPONLY = True  # forms carry the token; no script reads it
CSRF_FAILURE_VIEW = "exchange.web.views.csrf_failure"
LOGIN_URL = "login"
DATA_UPLOAD_MAX_MEMORY_SIZE = 32 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}


# A server that vanished, such as at a fail-over, is given up within half a minute, not a quarter of an hour.
VANISHED = {
    "connect_timeout": 10,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,  # milliseconds
}


def database(url: str) -> dict[str, object]:
    """`url` may say other options than those of VANISHED: `?connect_timeout=2`."""
    parsed = dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True)
    return {**parsed, "OPTIONS": {**VANISHED, **parsed.get("OPTIONS", {})}}


def own_addresses(*urls: str) -> frozenset[str]:
    """`host:port` of the servers that the platform itself uses, and of its gRPC door."""
    usual = {"redis": 6379, "rediss": 6379, "http": 80, "https": 443}
    parts = [urlsplit(url) for url in urls if url]
    found = {f"{part.hostname}:{part.port or usual.get(part.scheme, 5432)}" for part in parts}
    return frozenset(found | {GRPC_ADDRESS})


GRPC_ADDRESS = ENV.text("EXCHANGE_GRPC_ADDRESS")
GRPC_TRUSTED_PROXIES = ENV.count("EXCHANGE_GRPC_TRUSTED_PROXIES")
GRPC_TLS_CERT, GRPC_TLS_KEY = ENV.text("EXCHANGE_GRPC_TLS_CERT"), ENV.text("EXCHANGE_GRPC_TLS_KEY")
GRPC_REFLECTION = ENV.flag("EXCHANGE_GRPC_REFLECTION")
# Non-public `host:port` pairs that endpoints may use all the same. Empty in normal operation.
EGRESS_ALLOW = ENV.addresses("EXCHANGE_EGRESS_ALLOW")
KEY_REFERENCES = key_references(ENV, environ)
DATABASE_ADMIN_URL = ENV.text("DATABASE_ADMIN_URL")  # for `migrate`
RUN_LEASE_SECONDS = ENV.number("EXCHANGE_RUN_LEASE_SECONDS", least=0.5)
# One measurement at a time on a small machine; see DECISIONS.md.
MEASURE_ALONE = ENV.flag("EXCHANGE_MEASURE_ALONE")
EVIDENCE_URL = evidence_url(ENV.text("EXCHANGE_EVIDENCE_URL") or (STATE_DIR / "evidence").resolve().as_uri())
OPERATE_PATH = ENV.text("EXCHANGE_OPERATE_PATH").strip("/") + "/"
WEB_THREADS = ENV.count("EXCHANGE_WEB_THREADS", least=1)  # of each of the web process's workers
REQUESTS_A_MINUTE = ENV.count("EXCHANGE_REQUESTS_A_MINUTE")
ANONYMOUS_REQUESTS_A_MINUTE = ENV.count("EXCHANGE_ANONYMOUS_REQUESTS_A_MINUTE")
LOGIN_TRIES, LOGIN_WINDOW_SECONDS = 10, 900
MAILS_AN_HOUR, INVITATIONS_A_DAY = 5, 100
ACCOUNTS_AN_HOUR = 50  # from one address, tries included
PROPOSALS_A_DAY, COMMENTS_AN_HOUR = 30, 60  # of one person
METRICS_TOKEN, METRICS_OPEN = ENV.text("EXCHANGE_METRICS_TOKEN"), False
# Where mails go (exchange/settings/mail.py), from whom, and the address that their links begin with.
globals().update(mail(ENV.text("EXCHANGE_EMAIL_URL"), folder=STATE_DIR / "mail"))
DEFAULT_FROM_EMAIL = ENV.text("EXCHANGE_MAIL_FROM")
SITE_URL = ENV.web_address("EXCHANGE_SITE_URL")
MAIL_AT_ONCE = True  # by the process that wrote the letter; beat sends what it could not
# Bounds of a vote's times, and what the first rules say: least, usual and most seconds.
GOVERNANCE = {
    "voting_seconds": ENV.bounds("EXCHANGE_GOVERNANCE_VOTING_SECONDS"),
    "timelock_seconds": ENV.bounds("EXCHANGE_GOVERNANCE_TIMELOCK_SECONDS"),
    "expiry_seconds": ENV.bounds("EXCHANGE_GOVERNANCE_EXPIRY_SECONDS"),
}
# How many of our own proxies append to X-Forwarded-For. With 0 the header is ignored.
TRUSTED_PROXIES = ENV.count("EXCHANGE_TRUSTED_PROXIES")
STATEMENT_SECONDS = ENV.number(
    "EXCHANGE_STATEMENT_SECONDS", least=0.01
)  # what PostgreSQL may take, in requests
# `host:port` pairs of the platform itself: refused even when allowed above.
EGRESS_REFUSE = ENV.addresses("EXCHANGE_EGRESS_REFUSE") | own_addresses(
    *map(ENV.text, ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL")),
    *(environ.get(name, "") for name in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")),  # boto3's own
)

KEYRING, KEYRING_ACTIVE = keyring(ENV)
SECRET_KEY_FALLBACKS = sorted(ENV.words("EXCHANGE_SECRET_KEY_FALLBACKS"))

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "exchange.core.logs.JsonLines"}},
    "filters": {"without_path": {"()": "exchange.core.logs.WithoutPath"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {
        "handlers": ["stderr"],
        "level": ENV.choice("EXCHANGE_LOG_LEVEL", "DEBUG", "INFO", "WARNING", "ERROR"),
    },
    "loggers": {
        "django.server": {"level": "WARNING"},
        # What is refused has its status in the line of the request.
        "django.request": {"level": "ERROR", "filters": ["without_path"]},
        "django.security.csrf": {"filters": ["without_path"]},
        "celery.worker.strategy": {"level": "WARNING"},  # each task has a line when it ends
        "botocore": {"level": "WARNING"},  # tells of every client where its key was found
    },
}
