"""What one call of the program was told, and what follows from it: the client, the colours, the output."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from llm_benchmark.settings import API_KEY, DEBUG, TOKEN, Settings, token_from

from . import home_files
from .preferences import Chosen, choose
from .secret_sources import read_token

if TYPE_CHECKING:
    from llm_benchmark.client import Client

KEPT = "auth login"


@dataclass
class Invocation:
    """Options of the whole program.

    Args:
        http: what sends the requests, for tests.
        program: as `Settings` have it.
    """

    output: str | None = None
    api_url: str | None = None
    token_source: str | None = None
    is_verbose: bool = False
    is_colorless: bool = False
    http: Any = None
    program: str = "cli"

    @cached_property
    def kept(self) -> dict[str, str]:
        return home_files.read_config()

    def preference(self, name: str) -> Chosen:
        """Raises NotConfigured where its value cannot be used."""
        return choose(name, option=getattr(self, name, None), kept=self.kept)

    @cached_property
    def settings(self) -> Settings:
        """Raises NotConfigured where the address or the token's source cannot be used."""
        return self.settings_with(self._token())

    def settings_with(self, token: str) -> Settings:
        """Raises NotConfigured where the token would travel unencrypted."""
        return Settings(
            api_url=self.preference("api_url").value,
            token=token,
            timeout=float(self.preference("timeout").value),
            program=self.program,
            debug=self.is_verbose or Settings.from_environment({DEBUG: os.environ.get(DEBUG, "")}).debug,
        )

    @cached_property
    def client(self) -> Client:
        return self.client_with(self.settings.token)

    def client_with(self, token: str) -> Client:
        from llm_benchmark.client import Client  # noqa: PLC0415  only commands that ask the exchange wait for it

        return Client(settings=self.settings_with(token), http=self.http)

    @property
    def shown_as(self) -> str:
        """table, json or plain."""
        return self.preference("output").value or ("table" if sys.stdout.isatty() else "plain")

    @property
    def has_color(self) -> bool:
        """Whether colours may be used where there is a terminal.

        See no-color.org: any value of NO_COLOR but the empty one turns them off.
        """
        return not (self.is_colorless or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb")

    @property
    def token_origin(self) -> str:
        """--token, a variable, or `auth login`; "" where there is no token."""
        if self.token_source:
            return f"--token {self.token_source}"
        named = next((name for name in (TOKEN, API_KEY) if os.environ.get(name)), "")
        return named or (KEPT if self.credentials else "")

    @property
    def credentials(self) -> dict[str, Any]:
        """What `auth login` kept for this very address."""
        return home_files.read_credentials().get(self.preference("api_url").value, {})

    def _token(self) -> str:
        """From --token, else the environment, else what was kept."""
        if self.token_source:
            return read_token(self.token_source)
        return token_from() or self.credentials.get("token", "")
