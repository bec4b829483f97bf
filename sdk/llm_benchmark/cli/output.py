"""Results on standard output: a table for people, JSON for programs, plain lines for pipes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from rich.console import Console

    from llm_benchmark.models import Model

    from .invocation import Invocation

# What would move the cursor, colour the screen or turn the reading direction round.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Args:
        value: from a row to what is shown; None is shown as –.
        is_spare: left out where the terminal is too narrow for all.
    """

    title: str
    value: Callable[[Any], Any]
    justify: Literal["left", "right"] = "left"
    is_spare: bool = False


def cleaned(text: str) -> str:
    """Text of others, without what would steer the terminal."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def show_rows(
    invocation: Invocation, rows: Sequence[Model], columns: Sequence[Column], *, empty: str
) -> None:
    """A list: each row a line.

    Args:
        empty: what to do next where there are none.
    """
    if invocation.shown_as == "json":
        show_json([row.as_dict() for row in rows])
    elif invocation.shown_as == "plain":
        _plain([[column.title.lower() for column in columns], *_cells(rows, columns)])
    elif not rows:
        click.echo(empty)
    else:
        _table(invocation, rows, columns)


def show_facts(invocation: Invocation, of: Model, facts: Iterable[tuple[str, Any]]) -> None:
    """One thing: a name and a value a line."""
    if invocation.shown_as == "json":
        show_json(of.as_dict())
        return
    shown = [(name, _spelled(value)) for name, value in facts if value not in (None, "", [])]
    if invocation.shown_as == "plain":
        _plain([(name.lower(), value) for name, value in shown])
        return
    from rich.table import Table  # noqa: PLC0415  only where something is drawn
    from rich.text import Text  # noqa: PLC0415

    table = Table.grid(padding=(0, 2))
    for name, value in shown:
        table.add_row(Text(name, style="dim"), Text(value))
    console(invocation).print(table)


def show_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False, default=str))


def say(invocation: Invocation, text: str) -> None:
    """A remark for people; programs that read the output do not get it."""
    if invocation.shown_as == "table":
        click.echo(cleaned(text))


def console(invocation: Invocation, *, is_for_errors: bool = False) -> Console:
    """Rich's console as wide as the terminal."""
    from rich.console import Console  # noqa: PLC0415  only where something is drawn

    color = "auto" if invocation.has_color else None
    return Console(stderr=is_for_errors, color_system=color, highlight=False, markup=False, emoji=False)


def _plain(rows: Iterable[Sequence[str]]) -> None:
    for row in rows:
        click.echo("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row))


def _table(invocation: Invocation, rows: Sequence[Model], columns: Sequence[Column]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415  only where something is drawn
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    out = console(invocation)
    columns = _fitting(rows, columns, out.width)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold" if invocation.has_color else "")
    for column in columns:
        table.add_column(column.title, justify=column.justify, overflow="fold")
    for cells in _cells(rows, columns):
        table.add_row(*map(Text, cells))
    out.print(table)


def _fitting(rows: Sequence[Model], columns: Sequence[Column], width: int) -> list[Column]:
    """All columns, or those that are not spare where all would not fit."""
    from rich.cells import cell_len  # noqa: PLC0415  only where something is drawn

    lines = [[column.title for column in columns], *_cells(rows, columns)]
    widest = [max(cell_len(line[at]) for line in lines) + 2 for at in range(len(columns))]
    kept = list(range(len(columns)))
    for at in reversed(range(len(columns))):
        if sum(widest[k] for k in kept) > width and columns[at].is_spare:
            kept.remove(at)
    return [columns[at] for at in kept]


def _cells(rows: Sequence[Model], columns: Sequence[Column]) -> list[list[str]]:
    return [[_spelled(column.value(row)) for column in columns] for row in rows]


def _spelled(value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_spelled(one) for one in value)
    return cleaned(f"{value:.6g}" if isinstance(value, float) else str(value))


def is_terminal() -> bool:
    """Whether somebody watches: progress is drawn there alone."""
    return sys.stderr.isatty()
