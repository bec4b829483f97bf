"""The client of one exchange."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from typing import Any, Self

from .services.account import Account
from .services.benchmarks import Benchmarks
from .services.campaigns import Campaigns
from .services.endpoints import Endpoints
from .services.governance import Governance
from .services.leaderboards import Leaderboards
from .services.organizations import Organizations
from .services.submissions import Submissions
from .services.verifications import Verifications
from .settings import Settings
from .transport import Transport


class Client:
    """Everything that an exchange offers, as typed methods.

        with Client() as client:
            for benchmark in client.benchmarks.list(query="arithmetic"):
                print(benchmark.name)

    Args:
        api_url, token, timeout: as in `Settings`; what is None comes from the environment
            (`LLM_BENCHMARK_API_URL`, `LLM_BENCHMARK_TOKEN` or `_API_KEY`, `_TIMEOUT`, `_DEBUG`).
        settings: all of these at once, instead of the environment.
        http: what sends the requests (an `httpx.BaseTransport`), for proxies and tests.

    Raises:
        NotConfigured: by the constructor, where a setting cannot be used.
        SdkError: by every method; `is_retryable` says whether another try may help. What is safe to try
            again was tried again already.
    """

    def __init__(
        self,
        api_url: str | None = None,
        token: str | None = None,
        *,
        timeout: float | None = None,
        settings: Settings | None = None,
        http: Any = None,
    ) -> None:
        base = settings or Settings.from_environment()
        given: dict[str, Any] = {"api_url": api_url, "token": token, "timeout": timeout}
        self.settings = replace(base, **{name: value for name, value in given.items() if value is not None})
        if self.settings.debug:
            _log_to_stderr()
        self._http = http
        self._transport = Transport(self.settings, http=http)
        self.account = Account(self._transport)
        self.benchmarks = Benchmarks(self._transport)
        self.campaigns = Campaigns(self._transport)
        self.endpoints = Endpoints(self._transport)
        self.governance = Governance(self._transport)
        self.leaderboards = Leaderboards(self._transport)
        self.organizations = Organizations(self._transport)
        self.submissions = Submissions(self._transport)
        self.verifications = Verifications(self._transport)

    def with_token(self, token: str) -> Client:
        """Another client of the same exchange, which asks as the token's owner. Close both."""
        return Client(settings=replace(self.settings, token=token), http=self._http)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _log_to_stderr() -> None:
    log = logging.getLogger("llm_benchmark")
    if not log.handlers:
        log.addHandler(logging.StreamHandler(sys.stderr))
    log.setLevel(logging.INFO)
