"""Results on standard output: a table for people, JSON for programs, plain lines for pipes."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console

    from llm_benchmark.models import Model
    from llm_benchmark.paging import Pages

    from .invocation import Invocation

Shown = Literal["table", "plain"]
NONE = "–"
LEAST_WIDTH = 20
MOST_ROWS = 1000
# What would move the cursor, colour the screen, turn the reading direction round, or be no character at all.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Args:
        value: from a row to what is shown; None is shown as –.
        plain: from a row to what pipes get, where that differs: a number without its unit.
        is_spare: left out where the terminal is too narrow for all.
        is_whole: never folded, so that it can be copied; numbers (those at the right) never are.
        only: shown in a table only, or in plain lines only.
    """

    title: str
    value: Callable[[Any], Any]
    justify: Literal["left", "right"] = "left"
    is_spare: bool = False
    is_whole: bool = False
    plain: Callable[[Any], Any] | None = None
    only: Shown | None = None


def cleaned(text: str) -> str:
    """Text of others, without what would steer the terminal."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def show_rows(
    invocation: Invocation, rows: Sequence[Any], columns: Sequence[Column], *, empty: str, data: Any = None
) -> None:
    """A list: each row a line.

    Args:
        empty: what to do next where there are none.
        data: what JSON gives, where that is more than the list of rows.
    """
    if invocation.shown_as == "json":
        show_json([row.as_dict() for row in rows] if data is None else data)
    elif invocation.shown_as == "plain":
        _show_plain(rows, [column for column in columns if column.only != "table"])
    elif not rows:
        click.echo(empty)
    else:
        show_table(invocation, rows, [column for column in columns if column.only != "plain"])


def show_first(
    invocation: Invocation, pages: Pages[Any], limit: int, columns: Sequence[Column], *, empty: str
) -> None:
    """At most `limit` rows of a list, and that there are more."""
    found = pages.first(limit + 1)
    show_rows(invocation, found[:limit], columns, empty=empty)
    if len(found) > limit:
        wider = f"--limit {min(MOST_ROWS, 5 * limit)}, or " if limit < MOST_ROWS else ""
        say(invocation, f"\nThere are more: {wider}narrow it down.")


def show_table(invocation: Invocation, rows: Sequence[Any], columns: Sequence[Column]) -> None:
    from .tables import print_table  # noqa: PLC0415  only where something is drawn

    print_table(console(invocation), rows, columns)


def show_facts(invocation: Invocation, of: Model | dict[str, Any], facts: Iterable[tuple[str, Any]]) -> None:
    """One thing: a name and a value a line."""
    if invocation.shown_as == "json":
        show_json(of if isinstance(of, dict) else of.as_dict())
        return
    shown = [(name, value) for name, value in facts if value not in (None, "", [])]
    if invocation.shown_as == "plain":
        _print_lines([_plain_name(name), _plain(value)] for name, value in shown)
        return
    from .tables import print_facts  # noqa: PLC0415  only where something is drawn

    print_facts(console(invocation), [(name, spelled(value)) for name, value in shown])


def show_json(data: Any) -> None:
    """Text of others cannot steer the terminal, and says the same to whoever reads the JSON."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    text = json.dumps(data, indent=2, ensure_ascii=not is_unicode, default=str)
    click.echo(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def say(invocation: Invocation, text: str) -> None:
    """A remark for people; programs that read the output do not get it."""
    if invocation.shown_as == "table":
        click.echo(wrapped(cleaned(text), sys.stdout))


def wrapped(text: str, stream: TextIO, *, indent: str = "") -> str:
    """Lines broken between words, as wide as the terminal; in pipes they stay whole, to be searched."""
    width = shutil.get_terminal_size().columns if stream.isatty() else sys.maxsize
    wrapper = textwrap.TextWrapper(
        max(LEAST_WIDTH, width),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(wrapper.fill(line) for line in text.split("\n"))


def console(invocation: Invocation, *, is_for_errors: bool = False) -> Console:
    """Rich's console as wide as the terminal."""
    from rich.console import Console  # noqa: PLC0415  only where something is drawn

    return Console(
        stderr=is_for_errors,
        color_system="auto" if invocation.has_color else None,
        highlight=False,
        markup=False,
        emoji=False,
    )


def spelled(value: Any) -> str:
    """A value for people, without what would steer the terminal."""
    if value is None or value == "":
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(spelled(one) for one in value) or NONE
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    return cleaned(f"{value:.6g}" if isinstance(value, float) else str(value))


def _show_plain(rows: Sequence[Any], columns: Sequence[Column]) -> None:
    values = [column.plain or column.value for column in columns]
    _print_lines([[_plain_name(column.title) for column in columns]])
    _print_lines([_plain(value(row)) for value in values] for row in rows)


def _plain_name(title: str) -> str:
    return re.sub(r"\W+", "_", title.lower()).strip("_")


def _plain(value: Any) -> str:
    """One cell on one line; nothing where there is no value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    text = repr(value) if isinstance(value, float) else str(value)
    return cleaned(re.sub(r"[\t\n]", " ", text))


def _print_lines(rows: Iterable[Sequence[str]]) -> None:
    for row in rows:
        click.echo("\t".join(row))


def is_terminal() -> bool:
    """Whether somebody watches: progress is drawn there alone."""
    return sys.stderr.isatty()
