"""`llm-benchmark key`, and how other commands find a key that is kept."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame import home_files
from llm_benchmark.cli.frame.commands import Group
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, say, show_facts, show_rows
from llm_benchmark.cli.frame.secret_sources import ask_secret, read_token
from llm_benchmark.errors import NotConfigured

if TYPE_CHECKING:
    from llm_benchmark.credentials import KeptKey, Keys

PASSPHRASE = "LLM_BENCHMARK_VAULT_PASSPHRASE"  # noqa: S105  a variable's name
SHORTEST_PASSPHRASE = 8
_PLACES = {
    "keyring": "keyring of the system",
    "vault": "encrypted vault",
    "environment": "variable {}",
}


def _place(kept: KeptKey) -> str:
    return _PLACES[kept.place].format(kept.variable)


_KEYS = [
    Column("Name", lambda k: k.name),
    Column("For", lambda k: k.origin),
    Column("Kept in", _place),
]


@click.group(
    cls=Group, example="key set acme --for https://api.example.com/v1\nrun demo-general --key acme …"
)
def key() -> None:
    """Keys of providers that this machine keeps.

    In the keyring of the system; where there is none, in a vault that a passphrase opens.
    A key is sent to the one address that it was kept for.
    """


@key.command("set", example="key set acme --for https://api.example.com/v1")
@click.argument("name")
@click.option("--for", "url", metavar="URL", help="The address it is for; default: https://NAME.")
@click.option("--env", "variable", metavar="VARIABLE", help="Keep no key, but the name of a variable.")
@click.pass_obj
def set_key(invocation: Invocation, name: str, url: str | None, variable: str | None) -> None:
    """Keep a key, typed unseen or from standard input.

    One that is kept as NAME is replaced.
    """
    url = url or _address_of(name)
    keys = kept_keys()
    kept = (
        keys.refer(name, url, variable) if variable else keys.keep(name, url, read_token("-", option="key"))
    )
    facts = [("Name", kept.name), ("For", kept.origin), ("Kept in", _place(kept))]
    show_facts(invocation, kept, facts)


@key.command("list", example="key list")
@click.pass_obj
def list_keys(invocation: Invocation) -> None:
    """List the names of the keys, never a key."""
    show_rows(
        invocation, kept_keys().listed(), _KEYS,
        empty=f"No key is kept. Keep one: {PROGRAM} key set NAME --for URL",
    )  # fmt: skip


@key.command("remove", example="key remove acme")
@click.argument("name")
@click.pass_obj
def remove_key(invocation: Invocation, name: str) -> None:
    """Forget a key."""
    removed = kept_keys().remove(name)
    say(invocation, f"{removed.name} is forgotten.")


def kept_keys() -> Keys:
    from llm_benchmark.credentials import Keys  # noqa: PLC0415  `--help` does not wait for it

    return Keys(home_files.directory() / "keys", passphrase=_passphrase)


def _address_of(name: str) -> str:
    if "." not in name:
        raise NotConfigured("Say which address the key is for: --for https://…")
    return f"https://{name}"


def _passphrase(*, is_new: bool) -> str:
    """Of the vault: from the variable, else typed unseen, a new one twice. Raises NotConfigured."""
    given = os.environ.get(PASSPHRASE) or _typed("The vault’s passphrase" if not is_new else "A passphrase")
    if is_new and len(given) < SHORTEST_PASSPHRASE:
        raise NotConfigured(f"A passphrase for the vault has at least {SHORTEST_PASSPHRASE} characters.")
    if is_new and PASSPHRASE not in os.environ and _typed("The same again") != given:
        raise NotConfigured("The two are not the same. Nothing was kept.")
    return given


def _typed(label: str) -> str:
    return ask_secret(label, instead=f"Put the passphrase of the vault into {PASSPHRASE}.")
