"""`llm-benchmark auth`."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame import home_files
from llm_benchmark.cli.frame.commands import Group
from llm_benchmark.cli.frame.invocation import KEPT, Invocation
from llm_benchmark.cli.frame.output import say, show_facts
from llm_benchmark.cli.frame.secret_sources import ask_secret, read_secret, read_token
from llm_benchmark.errors import NotConfigured, NotReached, Unauthorized

if TYPE_CHECKING:
    from llm_benchmark.client import Client
    from llm_benchmark.models import User


@click.group(
    cls=Group,
    aliases={"whoami": "status"},
    lazy={"token": (f"{__package__}.tokens:token", "Make, list and revoke API tokens.")},
    example="auth login --username ada\nauth login --token @token.txt",
)
def auth() -> None:
    """Log in, see who you are, log out."""


@auth.command("login", example="auth login --username ada\nauth login --token @token.txt")
@click.option("--username", metavar="NAME", help="Your user name or e-mail address; asked for if missing.")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@click.pass_obj
def log_in(invocation: Invocation, username: str | None, *, password_stdin: bool) -> None:
    """Log in, and keep the session; or check and keep the API token that --token names."""
    if invocation.token_source:
        kept, user = _with_token(invocation, invocation.token_source)
    else:
        kept, user = _with_password(invocation, username, is_piped=password_stdin)
    _keep(invocation, kept)
    _show(invocation, user, kept)
    if invocation.token_origin not in {KEPT, f"--token {invocation.token_source}"}:
        say(invocation, f"{invocation.token_origin} is set, and wins over this log-in.")


@auth.command("status", example="auth status")
@click.pass_obj
def status(invocation: Invocation) -> None:
    """Show who you are at this exchange."""
    if not invocation.settings.token:
        raise Unauthorized(f"You are not logged in at {invocation.settings.api_url}.", code="not_logged_in")
    is_kept = invocation.token_origin == KEPT
    _show(invocation, invocation.client.account.profile(), invocation.credentials if is_kept else {})


@auth.command("logout", example="auth logout")
@click.option("--local", is_flag=True, help="Only forget the session here, without telling the exchange.")
@click.pass_obj
def log_out(invocation: Invocation, *, local: bool) -> None:
    """End the session at the exchange, and forget it here."""
    kept, api_url = invocation.credentials, invocation.settings.api_url
    if not kept:
        say(invocation, f"Nobody is logged in at {api_url}.")
        return
    if not local and kept.get("expires_at"):
        _end(invocation.client_with(kept["token"]))
    home_files.keep_credential(api_url, None)
    say(invocation, f"Logged out of {api_url}.")
    if not kept.get("expires_at"):
        say(invocation, f"The API token still works elsewhere; end it with: {PROGRAM} auth token revoke NAME")


def keep_token(invocation: Invocation, token: str, username: str) -> None:
    """An API token instead of a session, for this exchange."""
    _keep(invocation, {"token": token, "username": username})


def _with_token(invocation: Invocation, source: str) -> tuple[dict[str, Any], User]:
    token = read_token(source)
    user = invocation.client_with(token).account.profile()
    return {"token": token, "username": user.username}, user


def _with_password(
    invocation: Invocation, username: str | None, *, is_piped: bool
) -> tuple[dict[str, Any], User]:
    invocation.settings_with("session")  # refuses an address to which secrets would travel unencrypted
    name = username or _asked_name()
    password = read_secret("-", option="--password-stdin") if is_piped else _asked_password()
    session = invocation.client_with("").account.log_in(name, password)
    expires_at = session.expires_at.isoformat(timespec="seconds")
    return {
        "token": session.access_token, "username": session.user.username, "expires_at": expires_at,
    }, session.user  # fmt: skip


def _asked_name() -> str:
    if not sys.stdin.isatty():
        raise NotConfigured("Say who logs in: --username NAME.")
    typed: str = click.prompt("User name or e-mail address", err=True)
    return typed


def _asked_password() -> str:
    return ask_secret("Password", instead="Use --password-stdin, or --token SOURCE with an API token.")


def _end(client: Client) -> None:
    try:
        client.account.log_out()
    except Unauthorized:
        return  # it has ended already
    except NotReached as error:
        error.next_steps = [f"To forget the session here all the same: {PROGRAM} auth logout --local"]
        raise


def _keep(invocation: Invocation, kept: dict[str, Any]) -> None:
    home_files.keep_credential(invocation.preference("api_url").value, kept)


def _show(invocation: Invocation, user: User, kept: dict[str, Any]) -> None:
    organizations = [f"{one.organization_slug} ({one.role})" for one in user.organizations]
    facts = [
        ("User", user.username), ("Exchange", invocation.preference("api_url").value), ("Role", user.role),
        ("Organizations", organizations), ("Token", invocation.token_origin),
        ("Session until", _time(kept.get("expires_at"))),
    ]  # fmt: skip
    show_facts(invocation, user, facts)


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
