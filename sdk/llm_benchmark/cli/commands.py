"""Groups whose commands are imported when they run, and the options that every command takes."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import click

from .invocation import OUTPUTS, Invocation

AFTER_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Command(click.Command):
    """A command that also takes the options of the whole program, so that they may stand at its end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _program_options(is_hidden=True)


class Group(click.Group):
    """A group of commands.

    Args:
        lazy: command → (module and name of its command, what it does, in a few words).
        aliases: other spelling → command.
    """

    command_class = Command

    def __init__(
        self,
        *args: Any,
        lazy: Mapping[str, tuple[str, str]] | None = None,
        aliases: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.lazy, self.aliases = dict(lazy or {}), dict(aliases or {})
        self.params += _program_options(is_hidden=True)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self.aliases.get(cmd_name, cmd_name)
        if name not in self.lazy:
            return super().get_command(ctx, name)
        module, attribute = self.lazy[name][0].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Usage lines show a command's own name, whatever its alias."""
        _name, command, rest = super().resolve_command(ctx, args)
        return command.name if command else None, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the table, so that the list does not import every command."""
        rows = [(self._spelled(name), summary) for name, (_where, summary) in self.lazy.items()]
        for name in super().list_commands(ctx):
            command = super().get_command(ctx, name)
            if command and not command.hidden:
                rows.append((self._spelled(name), command.get_short_help_str(limit=80)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _spelled(self, name: str) -> str:
        others = [alias for alias, command in self.aliases.items() if command == name]
        return ", ".join([name, *others])


def _keep(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def keep(context: click.Context, _parameter: click.Parameter, value: Any) -> None:
        if value is not None:
            setattr(context.ensure_object(Invocation), name, value)

    return keep


def _program_options(*, is_hidden: bool) -> list[click.Parameter]:
    def option(*names: str, keep: str, **more: Any) -> click.Option:
        return click.Option(names, expose_value=False, callback=_keep(keep), hidden=is_hidden, **more)

    return [
        option(
            "-o", "--output", keep="output", type=click.Choice(OUTPUTS),
            help="How to show results; table on a terminal, plain in pipes.",
        ),
        option("--api-url", keep="api_url", metavar="URL", help="The exchange [LLM_BENCHMARK_API_URL]."),
        option(
            "--token", keep="token_source", metavar="SOURCE",
            help="Where the token is read: - for standard input, @FILE, or env:NAME [LLM_BENCHMARK_TOKEN].",
        ),
        option("-v", "--verbose", keep="is_verbose", is_flag=True, default=None, help="Log each request."),
        option(
            "--no-color", keep="is_colorless", is_flag=True, default=None, help="No colours [NO_COLOR]."
        ),
    ]  # fmt: skip


def show_program_options(group: Group) -> Group:
    """The root lists the options of the whole program in its help; commands only take them."""
    for parameter in group.params:
        if isinstance(parameter, click.Option):
            parameter.hidden = False
    return group
