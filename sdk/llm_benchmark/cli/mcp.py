"""`llm-benchmark mcp`."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import click

from llm_benchmark.errors import NotConfigured

from .frame.commands import Command
from .frame.failures import NotInstalled
from .frame.invocation import Invocation


@click.command("mcp", cls=Command, example="mcp\nmcp --transport http --port 8765")
@click.option(
    "--transport", type=click.Choice(["stdio", "http"]), default="stdio", show_default=True,
    help="For a program that starts it, or for many.",
)  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, with http.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any free.")
@click.option(
    "--known-as", multiple=True, metavar="HOST", help="Name that clients reach it by, behind a proxy."
)
@click.option("--allow-writes", is_flag=True, help="Offer the tools that change something, too.")
@click.pass_obj
def mcp(
    invocation: Invocation,
    *,
    transport: str,
    host: str,
    port: int,
    known_as: tuple[str, ...],
    allow_writes: bool,
) -> None:
    """Serve the exchange to agents (Model Context Protocol).

    Over stdio it asks with your token. Over http each request is answered with the bearer token it brings,
    and never with yours.
    """
    if find_spec("mcp") is None:
        raise NotInstalled("mcp", "mcp")
    from llm_benchmark.mcp import serving  # noqa: PLC0415  needs the extra

    invocation.program = "mcp"
    if transport == "stdio":
        _refuse_token_on_stdin(invocation)
        if sys.stdin.isatty():
            click.echo(
                "Waiting for an agent's client; most start this command themselves. Ctrl-C ends it.", err=True
            )
        serving.serve_stdio(invocation.client, allow_writes=allow_writes)
        return
    if not serving.is_loopback(host):
        click.echo("Tokens reach this server unencrypted: put a proxy with TLS before it.", err=True)
    serving.serve_http(
        invocation.settings, host=host, port=port, known_as=known_as, allow_writes=allow_writes,
        ready=lambda url: click.echo(f"ready {url}"),
    )  # fmt: skip


def _refuse_token_on_stdin(invocation: Invocation) -> None:
    if invocation.token_source == "-":  # noqa: S105
        raise NotConfigured("Standard input carries the protocol. Use --token @FILE, env:NAME, or log in.")
