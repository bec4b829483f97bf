"""The server over standard input and output, or over HTTP."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from ipaddress import ip_address

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from llm_benchmark.client import Client
from llm_benchmark.errors import NotConfigured
from llm_benchmark.settings import Settings

from .clients import CallersClients, OwnClient
from .server import build

PATH = "/mcp"
LARGEST_REQUEST_BYTES = 64 * 1024
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def serve_stdio(client: Client, *, allow_writes: bool) -> None:
    """Until the other side closes. Standard output carries the protocol alone."""
    build(OwnClient(client), allow_writes=allow_writes).run("stdio")


def serve_http(
    settings: Settings,
    *,
    host: str,
    port: int,
    allow_writes: bool,
    known_as: Sequence[str] = (),
    ready: Callable[[str], None] = lambda _url: None,
) -> None:
    """Until interrupted. Requests are independent of each other; each is answered with its own token.

    Args:
        settings: where the exchange is; their token is not used.
        known_as: names that clients reach it by, besides the address it listens on.
        ready: is called with the server's URL once it listens.

    Raises:
        NotConfigured: it cannot listen there, or nobody could reach it there.
    """
    allowed = allowed_hosts(host, known_as)
    listening = _listen(host, port)
    clients = CallersClients(settings)
    app = build(clients, allow_writes=allow_writes).streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=LARGEST_REQUEST_BYTES,
        transport_security=TransportSecuritySettings(
            allowed_hosts=allowed,
            allowed_origins=[f"{scheme}://{name}" for name in allowed for scheme in ("http", "https")],
        ),
    )
    shown = f"[{host}]" if ":" in host else host
    try:
        ready(f"http://{shown}:{listening.getsockname()[1]}{PATH}")
        uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listening])
    finally:
        clients.close()


def allowed_hosts(host: str, known_as: Sequence[str]) -> list[str]:
    """Values of `Host` that are answered: a page that rebinds its own name to this address gets nothing."""
    if _is_any(host) and not known_as:
        raise NotConfigured(
            f"{host} is every address of this machine: name the hosts that clients use, with --known-as."
        )
    literal = f"[{host}]" if ":" in host else host
    names = [*(_LOOPBACK if is_loopback(host) else [literal]), *known_as]
    return [spelled for name in names for spelled in (name, f"{name}:*")]


def is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def _is_any(host: str) -> bool:
    return _is_address(host) and ip_address(host).is_unspecified


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise NotConfigured(
            f"It cannot listen on {host}:{port}: {error.strerror}. Name another one with --host and --port."
        ) from None
