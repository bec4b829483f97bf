"""Tables as wide as the terminal: spare columns leave first, then text is folded; numbers stay whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from .output import Column, spelled

_GAP = "  "
_COMFORTABLE = 24
_LEAST = 4


@dataclass(slots=True)
class _Drawn:
    """A column with its cells. Widths count what the terminal does: a wide character takes two."""

    column: Column
    cells: list[str]
    width: int = field(init=False)

    def __post_init__(self) -> None:
        self.width = max(map(cell_len, [self.column.title, *self.cells]))

    @property
    def is_whole(self) -> bool:
        return self.column.is_whole or self.column.justify == "right"

    @property
    def wanted(self) -> int:
        """What it should have, or others leave for it."""
        is_fixed = self.is_whole or self.column.is_spare
        return self.width if is_fixed else min(self.width, max(_COMFORTABLE, self.longest_word))

    @property
    def longest_word(self) -> int:
        return max(map(cell_len, " ".join([self.column.title, *self.cells]).split(" ")))


def print_table(out: Console, rows: Sequence[Any], columns: Sequence[Column]) -> None:
    drawn = [_Drawn(column, [_cell(column, row) for row in rows]) for column in columns]
    drawn = _kept(drawn, out.width)
    _fold(drawn, out.width)
    _print(out, [one.column.title for one in drawn], drawn, style="bold")
    _print_line(out, Text("─" * _total(drawn)))
    for cells in zip(*(one.cells for one in drawn), strict=True):
        _print(out, cells, drawn)


def print_facts(out: Console, facts: Sequence[tuple[str, str]]) -> None:
    """A name and a value a line; what has no blanks stays whole, to be copied."""
    indent = max((cell_len(name) for name, _value in facts), default=0) + len(_GAP)
    for name, value in facts:
        width = max(_COMFORTABLE, out.width - indent)
        folded = _folded(out, value, width) if len(value.split()) > 1 else [value]
        names = [name, *[""] * (len(folded) - 1)]
        for left, right in zip(names, folded, strict=True):
            _print_line(out, Text(left.ljust(indent), style="dim") + right)


def _cell(column: Column, row: Any) -> str:
    return spelled(column.value(row)).replace("\n", " ")


def _kept(drawn: list[_Drawn], width: int) -> list[_Drawn]:
    """All, or those that are not spare where all would not fit; the last leave first."""
    kept = list(drawn)
    for one in reversed(drawn):
        if one.column.is_spare and sum(each.wanted + len(_GAP) for each in kept) - len(_GAP) > width:
            kept.remove(one)
    return kept


def _fold(drawn: Sequence[_Drawn], width: int) -> None:
    """The widest text gives way: between words, and within words only where that is not enough."""
    texts = [one for one in drawn if not one.is_whole]
    for leasts in ([one.longest_word for one in texts], [_LEAST] * len(texts)):
        while _total(drawn) > width:
            narrower = [one for one, least in zip(texts, leasts, strict=True) if one.width > least]
            if not narrower:
                break
            max(narrower, key=lambda one: one.width).width -= 1


def _total(drawn: Sequence[_Drawn]) -> int:
    return sum(one.width + len(_GAP) for one in drawn) - len(_GAP)


def _print(out: Console, cells: Sequence[str], drawn: Sequence[_Drawn], *, style: str = "") -> None:
    folded = [_folded(out, cell, one.width) for cell, one in zip(cells, drawn, strict=True)]
    for line in zip_longest(*folded, fillvalue=""):
        _print_line(out, Text(_GAP.join(_justified(line, drawn)).rstrip(), style=style))


def _folded(out: Console, cell: str, width: int) -> list[str]:
    return [line.plain.rstrip() for line in Text(cell).wrap(out, width, overflow="fold")]


def _justified(cells: Sequence[str], drawn: Sequence[_Drawn]) -> Iterator[str]:
    for cell, one in zip(cells, drawn, strict=True):
        blank = " " * (one.width - cell_len(cell))
        yield blank + cell if one.column.justify == "right" else cell + blank


def _print_line(out: Console, line: Text) -> None:
    out.print(line, soft_wrap=True)
