"""What one call of the program was told, and what follows from it: the client, the colours, the output."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from llm_benchmark.settings import API_URL, DEFAULT_API_URL, Settings, token_from

from . import home_files
from .token_sources import read_token

if TYPE_CHECKING:
    from llm_benchmark.client import Client

OUTPUTS = ("table", "json", "plain")


@dataclass
class Invocation:
    """Options of the whole program. An option wins over the environment, that over what `config` keeps."""

    output: str | None = None
    api_url: str | None = None
    token_source: str | None = None
    is_verbose: bool = False
    is_colorless: bool = False

    @cached_property
    def kept(self) -> dict[str, str]:
        return home_files.read_config()

    @cached_property
    def settings(self) -> Settings:
        """Raises NotConfigured where the address or the token's source cannot be used."""
        given = Settings.from_environment({**os.environ, API_URL: self._address(), **self._no_token()})
        return Settings(
            api_url=given.api_url,
            token=self._token(given.api_url),
            timeout=given.timeout,
            debug=given.debug or self.is_verbose,
        )

    @cached_property
    def client(self) -> Client:
        from llm_benchmark.client import Client  # noqa: PLC0415  only commands that ask the exchange wait for it

        return Client(settings=self.settings)

    @property
    def shown_as(self) -> str:
        """table, json or plain."""
        fallback = "table" if sys.stdout.isatty() else "plain"
        return self.output or self.kept.get("output") or fallback

    @property
    def has_color(self) -> bool:
        """See no-color.org: any value of NO_COLOR but the empty one turns colours off."""
        off = self.is_colorless or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return not off and sys.stdout.isatty()

    def _address(self) -> str:
        return self.api_url or os.environ.get(API_URL) or self.kept.get("api_url") or DEFAULT_API_URL

    def _token(self, api_url: str) -> str:
        """From --token, else the environment, else what `auth login` kept for this very address."""
        if self.token_source:
            return read_token(self.token_source)
        return token_from() or home_files.read_credentials().get(api_url, {}).get("token", "")

    @staticmethod
    def _no_token() -> dict[str, str]:
        from llm_benchmark.settings import API_KEY, TOKEN  # noqa: PLC0415

        return {TOKEN: "", API_KEY: ""}
