"""Every variable that operators set. docs/configuration.md shows this table."""

from __future__ import annotations

from dataclasses import dataclass

PREFIX = "EXCHANGE_"
FILE = "_FILE"


@dataclass(frozen=True)
class Variable:
    """`needed`: production does not start without it. `secret`: `NAME_FILE` may name a file with the value.
    `schemes`: what the address of a server begins with."""

    name: str
    help: str
    default: str = ""
    needed: bool = False
    secret: bool = False
    schemes: tuple[str, ...] = ()


POSTGRESQL, REDIS, SMTP = ("postgresql", "postgres"), ("redis", "rediss"), ("smtp", "smtp+tls", "smtps")


VARIABLES = (
    Variable("DATABASE_URL", "PostgreSQL as the application's role: `postgresql://user:password@host:5432/name`", needed=True, secret=True, schemes=POSTGRESQL),
    Variable("DATABASE_OWNER_URL", "the same database as the role that owns its tables; for `migrate` and the operator's commands alone", secret=True, schemes=POSTGRESQL),
    Variable("DATABASE_ADMIN_URL", "an administrator of PostgreSQL, for `migrate` alone: it makes the database and both roles where they are missing, with the passwords above", secret=True, schemes=POSTGRESQL),
    Variable("REDIS_URL", "Redis or Valkey, the doorbell between processes; it may be wiped at any moment", needed=True, secret=True, schemes=REDIS),
    Variable("EXCHANGE_SECRET_KEY", "signs sessions and the links in mails: 50 random characters and more", needed=True, secret=True),
    Variable("EXCHANGE_SECRET_KEY_FALLBACKS", "earlier values of it, by commas: what they signed is still good", secret=True),
    Variable("EXCHANGE_KEYRING", "JSON of key id → base64 of 32 random bytes; seals the keys of endpoints", needed=True, secret=True),
    Variable("EXCHANGE_KEYRING_ACTIVE", "the key id that seals from now on; all of the ring open. Default: the first"),
    Variable("EXCHANGE_ALLOWED_HOSTS", "host names under which the site is reached, by commas", needed=True),
    Variable("EXCHANGE_SITE_URL", "what links in mails begin with", "http://127.0.0.1:8000", needed=True),
    Variable("EXCHANGE_EMAIL_URL", "`smtp+tls://user:password@host:587` (`smtp` plain, `smtps` TLS from the first byte). Outside production, without it, mails are files in `mail/` of the state directory", needed=True, secret=True, schemes=SMTP),
    Variable("EXCHANGE_MAIL_FROM", "the sender of mails", "LLM Benchmark Exchange <exchange@localhost>", needed=True),
    Variable("EXCHANGE_EVIDENCE_URL", "where evidence is kept: `file:///folder`, or `s3://bucket/prefix` with boto3's own `AWS_…` variables (see operating.md). Outside production: `evidence/` of the state directory", needed=True),
    Variable("EXCHANGE_STATE_DIR", "a folder for what a process writes while it works; in one-machine use, for all data. Default: `.exchange` of the checkout"),
    Variable("EXCHANGE_WEB_ADDRESS", "where the web process listens", "127.0.0.1:8000"),
    Variable("EXCHANGE_WEB_WORKERS", "processes of the web process", "2"),
    Variable("EXCHANGE_WEB_THREADS", "threads of each of them; every thread keeps a connection to PostgreSQL", "6"),
    Variable("EXCHANGE_GRPC_ADDRESS", "where the gRPC process listens", "127.0.0.1:50051"),
    Variable("EXCHANGE_GRPC_TLS_CERT", "path of a PEM certificate: gRPC over TLS and nothing else. Both or neither"),
    Variable("EXCHANGE_GRPC_TLS_KEY", "path of its key, without a password"),
    Variable("EXCHANGE_GRPC_REFLECTION", "`1`: tools may ask for the contract. On in development", "0"),
    Variable("EXCHANGE_TRUSTED_PROXIES", "how many of your own proxies append to `X-Forwarded-For` before the website; 0 ignores the header", "0"),
    Variable("EXCHANGE_GRPC_TRUSTED_PROXIES", "the same before gRPC", "0"),
    Variable("EXCHANGE_REQUESTS_A_MINUTE", "how many requests one person makes in a minute, at all doors together; 0 counts none", "1200"),
    Variable("EXCHANGE_ANONYMOUS_REQUESTS_A_MINUTE", "the same of one address (of IPv6: one /64) where nobody has logged in", "600"),
    Variable("EXCHANGE_STATEMENT_SECONDS", "the longest that PostgreSQL works at one statement of a request", "30"),
    Variable("EXCHANGE_EGRESS_ALLOW", "exact `host:port` pairs, by commas, that endpoints may use although they are not public"),
    Variable("EXCHANGE_EGRESS_REFUSE", "exact pairs that they may never use; the platform's own servers are refused anyway"),
    Variable("EXCHANGE_KEY_REFERENCES", "exact `organization/VARIABLE@https://host:port` triples, by commas: endpoints of this organization may give `env:VARIABLE` as their key, which is sent to this address alone (see operating.md)"),
    Variable("EXCHANGE_RUN_LEASE_SECONDS", "after how long without a sign of life another worker takes a run over", "30"),
    Variable("EXCHANGE_MEASURE_ALONE", "`1`: on fewer than four cores, speed and quality are not measured at once", "1"),
    Variable("EXCHANGE_OPERATE_PATH", "where administrators find their pages", "operate/"),
    Variable("EXCHANGE_GOVERNANCE_VOTING_SECONDS", "`least,usual,most` of a vote; the usual one becomes the first rule when the database is made", "259200,604800,2592000"),
    Variable("EXCHANGE_GOVERNANCE_TIMELOCK_SECONDS", "the same of the wait before a decision is carried out", "3600,86400,2592000"),
    Variable("EXCHANGE_GOVERNANCE_EXPIRY_SECONDS", "the same of the time until a decision expires", "86400,2592000,7776000"),
    Variable("EXCHANGE_METRICS_TOKEN", "who may read `/metrics`, as `Authorization: Bearer …`. Without it nobody may; in development everybody", secret=True),
    Variable("EXCHANGE_LOG_LEVEL", "`DEBUG`, `INFO`, `WARNING` or `ERROR`", "INFO"),
    Variable("EXCHANGE_ADMIN_PASSWORD", "for `create_admin`, which asks when it is not set", secret=True),
    Variable("EXCHANGE_DEBUG", "`1`: Django's debug pages; read in development alone", "0"),
)  # fmt: skip
# Ignoring these without their prefix would be unsafe rather than a nuisance.
UNSAFE_WITHOUT_PREFIX = (
    "EGRESS_ALLOW",
    "EGRESS_REFUSE",
    "KEYRING",
    "KEY_REFERENCES",
    "TRUSTED_PROXIES",
    "GRPC_TRUSTED_PROXIES",
)
