"""Whose client a call uses: over stdio the user's own, over HTTP that of whoever sent the request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import httpx

from llm_benchmark.client import Client
from llm_benchmark.errors import Unauthorized
from llm_benchmark.settings import Settings

# Callers share some threads: none may keep one waiting for long. Agents see when to ask again.
_PATIENCE_SECONDS = 2.0
_LONGEST_TOKEN = 512


class Clients(Protocol):
    def of(self, headers: Mapping[str, str] | None) -> Client:
        """The client for a call that came with these headers; None where the transport has none."""


class OwnClient:
    """One user, one client: the server was started by whom it serves."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def of(self, headers: Mapping[str, str] | None) -> Client:
        return self._client


class CallersClients:
    """A client for each call, with the token of that call alone; all share the connections, none a token.

    Whoever sends no token is nobody: a token that this machine keeps is never used for a caller.
    """

    def __init__(self, settings: Settings) -> None:
        nobody = replace(settings, token="", patience=_PATIENCE_SECONDS)
        self._nobody = Client(settings=nobody, http=httpx.HTTPTransport())

    def of(self, headers: Mapping[str, str] | None) -> Client:
        token = _token((headers or {}).get("authorization", ""))
        return self._nobody.with_token(token) if token else self._nobody

    def close(self) -> None:
        self._nobody.close()


def _token(header: str) -> str:
    if not header:
        return ""
    scheme, _space, token = header.partition(" ")
    token = token.strip()
    is_token = token.isascii() and token.isprintable() and " " not in token and len(token) <= _LONGEST_TOKEN
    if scheme.lower() != "bearer" or not token or not is_token:
        raise Unauthorized("Send `Authorization: Bearer <token>`.", code="unauthenticated")
    return token
