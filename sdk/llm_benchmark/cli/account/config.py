"""`llm-benchmark config`."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame import home_files
from llm_benchmark.cli.frame.commands import Group
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, say, show_json, show_rows
from llm_benchmark.cli.frame.preferences import PREFERENCES, choose
from llm_benchmark.errors import NotConfigured

_NAME = click.Choice(list(PREFERENCES))


@dataclass(frozen=True, slots=True)
class _Shown:
    name: str
    value: str
    source: str
    meaning: str


_COLUMNS = [
    Column("Name", lambda shown: shown.name),
    Column("Value", lambda shown: shown.value),
    Column("From", lambda shown: shown.source),
    Column("Meaning", lambda shown: shown.meaning, is_spare=True),
]


@click.group(cls=Group, example="config set api_url https://exchange.example")
def config() -> None:
    """Keep settings between calls. Options and the environment win over what is kept."""


@config.command("show", example="config show")
@click.pass_obj
def show_config(invocation: Invocation) -> None:
    """Show each setting in effect, and where it comes from."""
    shown = [_Shown(name, *_chosen(invocation, name), p.meaning) for name, p in PREFERENCES.items()]
    show_rows(invocation, shown, _COLUMNS, empty="", data=[asdict(one) for one in shown])
    say(invocation, f"\nKept in {home_files.directory()}")


@config.command("get", example="config get api_url")
@click.argument("name", type=_NAME, metavar="NAME")
@click.pass_obj
def get_config(invocation: Invocation, name: str) -> None:
    """Print a setting in effect."""
    value, _source = _chosen(invocation, name)
    if not value:
        raise NotConfigured(f"{name} is not set. Set it with: {PROGRAM} config set {name} VALUE")
    if invocation.shown_as == "json":
        show_json(value)
    else:
        click.echo(value)


@config.command("set", example="config set organization acme")
@click.argument("name", type=_NAME, metavar="NAME")
@click.argument("value")
@click.pass_obj
def set_config(invocation: Invocation, name: str, value: str) -> None:
    """Keep a setting."""
    checked = choose(name, option=value, kept={}).value
    home_files.write_config({**invocation.kept, name: checked})
    say(invocation, f"{name} is {checked} from now on.")
    in_effect, source = _chosen(invocation, name)
    if source == PREFERENCES[name].variable and in_effect != checked:
        say(invocation, f"In this shell {source} wins over it: {in_effect}.")


@config.command("reset", example="config reset organization")
@click.argument("name", type=_NAME, metavar="NAME", required=False)
@click.pass_obj
def reset_config(invocation: Invocation, name: str | None) -> None:
    """Forget a setting, or all of them; you stay logged in."""
    kept = {other: value for other, value in invocation.kept.items() if name and other != name}
    home_files.write_config(kept)
    say(invocation, f"{name or 'All settings'} forgotten.")


def _chosen(invocation: Invocation, name: str) -> tuple[str, str]:
    chosen = invocation.preference(name)
    return chosen.value, chosen.source
