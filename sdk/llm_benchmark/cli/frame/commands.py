"""Groups whose commands are imported when they run, and the options that every command takes."""

from __future__ import annotations

import importlib
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args

import click
from click.shell_completion import CompletionItem

from llm_benchmark.cli import PROGRAM

from .invocation import Invocation
from .output import MOST_ROWS
from .preferences import OUTPUTS
from .secret_sources import SOURCE, SOURCE_HELP

C = TypeVar("C", bound=Callable[..., Any])
AFTER_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Command(click.Command):
    """A command that also takes the options of the whole program, so that they may stand at its end.

    Args:
        example: how it is typed, without the program's name; a line each.
    """

    def __init__(self, *args: Any, example: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.params += _program_options(is_hidden=True)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_examples(formatter, self.example)
        super().format_epilog(ctx, formatter)
        _point_to_program_options(formatter)


class Group(click.Group):
    """A group of commands.

    Args:
        lazy: command → (module and name of its command, what it does, in a few words).
        aliases: other spelling → command.
        default: the command that is meant where none is named, as in `leaderboard mmlu`.
        example: as a `Command` has it.
    """

    command_class = Command
    group_class = type

    def __init__(
        self,
        *args: Any,
        lazy: Mapping[str, tuple[str, str]] | None = None,
        aliases: Mapping[str, str] | None = None,
        default: str = "",
        example: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.lazy, self.aliases = dict(lazy or {}), dict(aliases or {})
        self.default, self.example = default, example
        self.params += _program_options(is_hidden=True)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they were written."""
        return [*self.commands, *self.lazy]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self.aliases.get(cmd_name, cmd_name)
        if name not in self.lazy:
            return super().get_command(ctx, name)
        module, attribute = self.lazy[name][0].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """An option that only the default command has names that command."""
        if self.default and args and args[0].startswith("-") and not self._takes(ctx, args[0]):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def _takes(self, ctx: click.Context, option: str) -> bool:
        own = [name for parameter in self.get_params(ctx) for name in parameter.opts]
        return option.partition("=")[0] in own or option[:2] in own

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Usage lines show a command's own name, whatever its alias."""
        command = self.get_command(ctx, args[0])
        if command is None and self.default:
            args = [self.default, *args]
            command = self.get_command(ctx, self.default)
        if command is None:
            raise click.UsageError(self._unknown(ctx, args[0]), ctx)
        return command.name, command, args[1:]

    def _unknown(self, ctx: click.Context, name: str) -> str:
        from difflib import get_close_matches  # noqa: PLC0415  only where a name is wrong

        above = ctx.command_path.split(" ")[1:]
        near = get_close_matches(name, [*self.list_commands(ctx), *self.aliases], n=1)
        wanted = f" Did you mean {' '.join([*above, near[0]])!r}?" if near else ""
        return f"There is no command {' '.join([*above, name])!r}.{wanted}"

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """From the table too: a key press imports no command."""
        found = [
            CompletionItem(name, help=summary)
            for name, summary in self._summaries()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(self._spelled(name), summary) for name, summary in self._summaries()])

    def _summaries(self) -> list[tuple[str, str]]:
        """What each command does, without importing those that are elsewhere."""
        here = [
            (name, one.get_short_help_str(limit=80)) for name, one in self.commands.items() if not one.hidden
        ]
        return here + [(name, summary) for name, (_where, summary) in self.lazy.items()]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        default = self.get_command(ctx, self.default) if self.default else None
        if default:
            options = [parameter for parameter in default.params if isinstance(parameter, click.Option)]
            found = (option.get_help_record(ctx) for option in options)
            with formatter.section(f"Options of {default.name}, which may be left out"):
                formatter.write_dl([record for record in found if record])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_examples(formatter, self.example)
        super().format_epilog(ctx, formatter)
        if ctx.parent:
            _point_to_program_options(formatter)

    def _spelled(self, name: str) -> str:
        others = [alias for alias, command in self.aliases.items() if command == name]
        return ", ".join([name, *others])


def _write_examples(formatter: click.HelpFormatter, example: str) -> None:
    if not example:
        return
    with formatter.section("Example" if "\n" not in example else "Examples"):
        for line in example.splitlines():
            formatter.write(_typed(f"{PROGRAM} {line}", formatter.width))


def _typed(command: str, width: int) -> str:
    """A command as one types it, over several lines where it is long; options stay with their values."""
    tied = re.sub(r" (--?[a-z-]+) (?=[^-\s])", " \\1\0", command)
    lines = textwrap.wrap(
        tied, width - 2, initial_indent="  ", subsequent_indent="    ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    return " \\\n".join(lines).replace("\0", " ") + "\n"


def _point_to_program_options(formatter: click.HelpFormatter) -> None:
    formatter.write(f"\nAlso: -o, --api-url, --token, -v, --no-color (see {PROGRAM} --help)\n")


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
            "-o", "--output", keep="output", type=click.Choice(OUTPUTS), metavar="FORMAT",
            help="table (on a terminal), plain (in pipes) or json.",
        ),
        option("--api-url", keep="api_url", metavar="URL", help="The exchange [LLM_BENCHMARK_API_URL]."),
        option(
            "--token", keep="token_source", metavar=SOURCE,
            help=f"Where the token is: {SOURCE_HELP} [LLM_BENCHMARK_TOKEN].",
        ),
        option("-v", "--verbose", keep="is_verbose", is_flag=True, default=None, help="Log each request."),
        option(
            "--no-color", keep="is_colorless", is_flag=True, default=None, help="No colours [NO_COLOR]."
        ),
    ]  # fmt: skip


limit_option = click.option(
    "-l", "--limit", type=click.IntRange(1, MOST_ROWS), default=20, show_default=True, metavar="N",
    help="At most so many.",
)  # fmt: skip


def choice_option(*names: str, values: Any, help: str = "") -> Callable[[C], C]:
    """One of a Literal's values; the help lists them, since a metavar would be too wide."""
    listed = get_args(values)
    metavar = names[-1].lstrip("-").upper()
    words = f"{help} {', '.join(listed)}.".lstrip()
    return click.option(*names, type=click.Choice(listed), metavar=metavar, help=words)


def show_program_options(group: Group) -> Group:
    """The root lists the options of the whole program in its help; commands only take them."""
    for parameter in group.params:
        if isinstance(parameter, click.Option):
            parameter.hidden = False
    return group
