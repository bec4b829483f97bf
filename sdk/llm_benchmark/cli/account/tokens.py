"""`llm-benchmark auth token`."""

from __future__ import annotations

from typing import get_args

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Group
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, say, show_facts, show_rows
from llm_benchmark.errors import InvalidInput, NotFound
from llm_benchmark.models import ApiToken
from llm_benchmark.models.choices import Scope

from .auth import keep_token

_COLUMNS = [
    Column("Name", lambda token: token.name),
    Column("Begins with", lambda token: token.prefix),
    Column("State", lambda token: "revoked" if token.revoked_at else "open"),
    Column("Expires", lambda token: token.expires_at or "never"),
    Column("Last used", lambda token: token.last_used_at, is_spare=True),
    Column("Scopes", lambda token: token.scopes, is_spare=True),
    Column("ID", lambda token: token.id, is_spare=True),
]


@click.group(cls=Group, example="auth token create ci --scope submissions:write")
def token() -> None:
    """Make, list and revoke API tokens: for programs, with only the rights they need."""


@token.command("create", example="auth token create ci --scope submissions:write --expires-in-days 30")
@click.argument("name")
@click.option(
    "-s", "--scope", "scopes", multiple=True, required=True, type=click.Choice(get_args(Scope)),
    metavar="SCOPE", help=f"What it may do; several times. One of {', '.join(get_args(Scope))}.",
)  # fmt: skip
@click.option(
    "--expires-in-days",
    type=click.IntRange(1, 365),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="When it ends.",
)
@click.option("--save", is_flag=True, help="Keep it for this exchange instead of showing it.")
@click.pass_obj
def create_token(
    invocation: Invocation, name: str, scopes: tuple[Scope, ...], expires_in_days: int, *, save: bool
) -> None:
    """Make an API token. It is shown once."""
    account = invocation.client.account
    made = account.create_token(name=name, scopes=scopes, expires_in_days=expires_in_days)
    if save:
        keep_token(invocation, made.secret, account.profile().username)
        show_facts(invocation, made.token, _facts(made.token))
        say(invocation, f"Kept: from now on you act with it at {invocation.settings.api_url}.")
    else:
        show_facts(invocation, made, [("Secret", made.secret), *_facts(made.token)])
        say(invocation, "Put the secret where your program reads it; it is not shown again.")


@token.command("list", example="auth token list")
@click.pass_obj
def list_tokens(invocation: Invocation) -> None:
    """List your API tokens."""
    found = list(invocation.client.account.tokens())
    show_rows(invocation, found, _COLUMNS, empty=f"No token. Make one: {PROGRAM} auth token create NAME")


@token.command("revoke", example="auth token revoke ci")
@click.argument("name", metavar="NAME|ID")
@click.pass_obj
def revoke_token(invocation: Invocation, name: str) -> None:
    """End an API token, for good."""
    account = invocation.client.account
    ended = account.revoke_token(_the(list(account.tokens()), name).id)
    show_facts(invocation, ended, _facts(ended))


def _the(known: list[ApiToken], name: str) -> ApiToken:
    """The open one of that name, or the one of that id."""
    found = [one for one in known if name == one.id or (name == one.name and not one.revoked_at)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(f"{one.id} ({one.prefix}…)" for one in found)
        raise InvalidInput.of(
            "NAME", "ambiguous", f"Several open tokens are called {name}. Name an id: {ids}."
        )
    names = ", ".join(one.name for one in known if not one.revoked_at) or "none"
    raise NotFound(f"You have no open token {name}. There is: {names}.", code="token_not_found")


def _facts(token: object) -> list[tuple[str, object]]:
    return [(column.title, column.value(token)) for column in _COLUMNS]
