"""Settings every environment shares. The environment is read here and nowhere else."""

import json
from os import environ
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from .grpc import *  # noqa: F403  settings are names of a module
from .grpc import GRPC_ADDRESS
from .jobs import *  # noqa: F403
from .mail import mail

BASE_DIR = Path(__file__).resolve().parents[2]
STATE_DIR = Path(environ.get("EXCHANGE_STATE_DIR", BASE_DIR / ".exchange"))
VERSION = "0.1.0"

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
    "submissions",
    "leaderboards",
    "governance",
    "exchange",
]
MIDDLEWARE = [
    "exchange.web.middleware.RequestIdMiddleware",
    "exchange.web.middleware.NoStoreMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "exchange.web.middleware.ActorMiddleware",
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

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["exchange.api.authentication.HeaderOrSession"],
    "DEFAULT_PERMISSION_CLASSES": [],  # services authorise; doors only authenticate
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["exchange.api.parsers.JsonParser"],
    "DEFAULT_SCHEMA_CLASS": "exchange.api.schema.Schema",
    "EXCEPTION_HANDLER": "exchange.api.refusals.as_response",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,  # `format` is an unknown field like any other
    "SCHEMA_COERCE_PATH_PK": False,  # the API page reads a parameter's type from its route
}
SPECTACULAR_SETTINGS = {
    "TITLE": "LLM Benchmark Exchange",
    "DESCRIPTION": "Benchmarks, claims, measurements and boards, by the same rules as gRPC and the website.",
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "DEFAULT_GENERATOR_CLASS": "exchange.api.openapi.Generator",
    "SORT_OPERATIONS": False,  # in the order of the routes; the first to an operation has its name
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,  # each form says itself what may be left out
    "PREPROCESSING_HOOKS": ["exchange.api.openapi.of_viewsets"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "exchange.api.openapi.distinct_ids",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_NAME_OVERRIDES": {
        "ActionKind": "governance.models.ActionKind",
        "BenchmarkKind": "benchmarks.models.BenchmarkKind",
        "BenchmarkStatus": "benchmarks.models.BenchmarkStatus",
        "CommentKind": "governance.models.CommentKind",
        "MetricKind": "benchmarks.models.MetricKind",
        "InvitationStatus": "exchange.accounts.models.InvitationStatus",
        "OrganizationRole": "exchange.accounts.models.OrganizationRole",
        "OrganizationType": "exchange.accounts.models.OrganizationType",
        "ProposalStatus": "governance.models.ProposalStatus",
        "ProposalType": "governance.models.ProposalType",
        "SubmissionStatus": "submissions.models.SubmissionStatus",
        "UserRole": "exchange.accounts.api.serializers.ROLES",
    },
}


def database(url: str) -> dict[str, object]:
    return dict(dj_database_url.parse(url, conn_max_age=600, conn_health_checks=True))


def split(name: str) -> frozenset[str]:
    """A comma-separated variable as a set."""
    return frozenset(filter(None, environ.get(name, "").split(",")))


def seconds(name: str, bounds: str) -> tuple[int, int, int]:
    """A variable of three numbers, least, usual and most, in that order."""
    least, usual, most = map(int, environ.get(name, bounds).split(","))
    if not 0 <= least <= usual <= most:
        raise ValueError(f"{name}: least, usual and most seconds, such as {bounds}")
    return least, usual, most


def own_addresses(*urls: str) -> frozenset[str]:
    """`host:port` of the servers that the platform itself uses, and of its gRPC door."""
    usual = {"redis": 6379, "rediss": 6379}
    parts = [urlsplit(url) for url in urls if url]
    found = {f"{part.hostname}:{part.port or usual.get(part.scheme, 5432)}" for part in parts}
    return frozenset(found | {GRPC_ADDRESS})


# Non-public `host:port` pairs that endpoints may use all the same. Empty in normal operation.
EGRESS_ALLOW = split("EGRESS_ALLOW")
RUN_LEASE_SECONDS = float(environ.get("RUN_LEASE_SECONDS", "30"))
# One measurement at a time on a small machine; see DECISIONS.md.
MEASURE_ALONE = environ.get("MEASURE_ALONE", "1") == "1"
EVIDENCE_DIR = Path(environ.get("EVIDENCE_DIR", STATE_DIR / "evidence"))
OPERATE_PATH = environ.get("OPERATE_PATH", "operate/").strip("/") + "/"
LOGIN_TRIES, LOGIN_WINDOW_SECONDS = 10, 900
MAILS_AN_HOUR, INVITATIONS_A_DAY = 5, 100
ACCOUNTS_AN_HOUR = 50  # from one address, tries included
PROPOSALS_A_DAY, COMMENTS_AN_HOUR = 30, 60  # of one person
# Where mails go (exchange/settings/mail.py), from whom, and the address that their links begin with.
globals().update(mail(environ.get("EMAIL_URL", ""), folder=STATE_DIR / "mail"))
DEFAULT_FROM_EMAIL = environ.get("MAIL_FROM", "LLM Benchmark Exchange <exchange@localhost>")
SITE_URL = environ.get("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
MAIL_AT_ONCE = True  # by the process that wrote the letter; beat sends what it could not
# Bounds of a vote's times, and what the first rules say: least, usual and most seconds.
GOVERNANCE = {
    "voting_seconds": seconds("GOVERNANCE_VOTING_SECONDS", "259200,604800,2592000"),
    "timelock_seconds": seconds("GOVERNANCE_TIMELOCK_SECONDS", "3600,86400,2592000"),
    "expiry_seconds": seconds("GOVERNANCE_EXPIRY_SECONDS", "86400,2592000,7776000"),
}
# How many of our own proxies append to X-Forwarded-For. With 0 the header is ignored.
TRUSTED_PROXIES = int(environ.get("TRUSTED_PROXIES", "0"))
STATEMENT_SECONDS = float(environ.get("STATEMENT_SECONDS", "30"))  # what PostgreSQL may take, in requests
# `host:port` pairs of the platform itself: refused even when allowed above.
EGRESS_REFUSE = split("EGRESS_REFUSE") | own_addresses(
    environ.get("DATABASE_URL", ""), environ.get("DATABASE_OWNER_URL", ""), environ.get("REDIS_URL", "")
)

# key id -> base64 of 32 bytes; KEYRING_ACTIVE seals, all open.
KEYRING: dict[str, str] = json.loads(environ.get("KEYRING", "{}"))
KEYRING_ACTIVE = environ.get("KEYRING_ACTIVE", next(iter(KEYRING), ""))

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "exchange.core.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": environ.get("LOG_LEVEL", "INFO")},
    "loggers": {"django.server": {"level": "WARNING"}},
}
