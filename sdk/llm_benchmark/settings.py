"""Where the exchange is and who asks: from arguments, else from the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from .errors import NotConfigured

DEFAULT_API_URL = "http://127.0.0.1:8000"
DEFAULT_TIMEOUT_SECONDS = 30.0
API_URL, TOKEN, API_KEY = "LLM_BENCHMARK_API_URL", "LLM_BENCHMARK_TOKEN", "LLM_BENCHMARK_API_KEY"
TIMEOUT, DEBUG = "LLM_BENCHMARK_TIMEOUT", "LLM_BENCHMARK_DEBUG"
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_TOKEN_FORM = re.compile(r"[!-~]*")
_TRUE = {"1", "true", "yes", "on"}


@dataclass(frozen=True, slots=True)
class Settings:
    """How to reach one exchange.

    Args:
        api_url: origin of the exchange, such as `https://exchange.example`; `/api/v1` may be left out.
        token: an API token (`lbx_pat_…`) or a session's token (`lbx_ses_…`); "" asks as anybody.
        timeout: seconds to wait for the exchange: to connect, or for the next bytes.
        patience: seconds that the exchange may ask to wait before another try; asked for more, the
            refusal is raised at once.
        debug: log each request's method, path, status and time to the logger `llm_benchmark`.
        program: what the client is a part of, `cli` or `mcp`; the exchange is told by the user agent.

    Raises:
        NotConfigured: the URL is none, or would carry the token unencrypted to another machine.
    """

    api_url: str = DEFAULT_API_URL
    token: str = field(default="", repr=False)
    timeout: float = DEFAULT_TIMEOUT_SECONDS
    patience: float = 60.0
    debug: bool = False
    program: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "api_url", _origin(self.api_url))
        if not 0 < self.timeout < float("inf"):
            raise NotConfigured(f"A time-out is a number of seconds above 0; {TIMEOUT} is {self.timeout}.")
        if not _TOKEN_FORM.fullmatch(self.token):
            raise NotConfigured(f"{TOKEN} holds what no token holds. Copy it again: lbx_…, without spaces.")
        if self.token and not self.is_local and self.api_url.startswith("http:"):
            raise NotConfigured(
                f"A token would travel unencrypted to {self.api_url}. Use https:// in {API_URL} or --api-url."
            )

    @property
    def is_local(self) -> bool:
        """Whether the exchange is on this machine."""
        return urlsplit(self.api_url).hostname in _LOOPBACK

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Settings:
        """`LLM_BENCHMARK_API_URL`, `_TOKEN` or `_API_KEY`, `_TIMEOUT` and `_DEBUG`."""
        return cls(
            api_url=environ.get(API_URL) or DEFAULT_API_URL,
            token=token_from(environ),
            timeout=_seconds(environ.get(TIMEOUT, "")),
            debug=environ.get(DEBUG, "").lower() in _TRUE,
        )


def token_from(environ: Mapping[str, str] = os.environ) -> str:
    """The token that the environment names; "" where it names none."""
    return (environ.get(TOKEN) or environ.get(API_KEY) or "").strip()


def _seconds(given: str) -> float:
    try:
        return float(given) if given else DEFAULT_TIMEOUT_SECONDS
    except ValueError:
        raise NotConfigured(f"{TIMEOUT} is a number of seconds, not {given!r}.") from None


def _origin(given: str) -> str:
    """`https://exchange.example/api/v1/` → `https://exchange.example`."""
    url = given.strip().rstrip("/").removesuffix("/api/v1").rstrip("/")
    if "@" in url:
        raise NotConfigured(f"Leave user and password out of {API_URL}; log in, or use {TOKEN}.")
    if not _is_address(url):
        raise NotConfigured(f"{given!r} is no address of an exchange, such as https://exchange.example.")
    parts = urlsplit(url)
    return parts._replace(scheme=parts.scheme.lower(), netloc=parts.netloc.lower()).geturl()


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    is_plain = url.isprintable() and not {" ", "\\", "?", "#"} & set(url)
    return has_host and parts.scheme in {"http", "https"} and is_plain
