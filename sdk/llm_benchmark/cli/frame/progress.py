"""How far something is: drawn on standard error where somebody watches, else a line a phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from .output import cleaned, console, is_terminal

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from .invocation import Invocation

Tell = Callable[[int, int | None, str], None]
"""Told what is done, of how much where that is known, and in which phase."""


@contextmanager
def progress(invocation: Invocation, *, in_bytes: bool = False) -> Iterator[Tell]:
    """Shows what it is told, and leaves nothing behind on the screen."""
    if is_terminal():
        with _drawn(invocation, in_bytes=in_bytes) as tell:
            yield tell
    else:
        yield _said()


def _said() -> Tell:
    last = ""

    def tell(_done: int, _planned: int | None, phase: str) -> None:
        nonlocal last
        if phase != last:
            last = phase
            click.echo(f"{cleaned(phase)} …", err=True)

    return tell


@contextmanager
def _drawn(invocation: Invocation, *, in_bytes: bool) -> Iterator[Tell]:
    from rich.progress import Progress  # noqa: PLC0415  only where something is drawn

    shown = Progress(
        *_columns(in_bytes=in_bytes),
        console=console(invocation, is_for_errors=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = shown.add_task("", total=None)

    def tell(done: int, planned: int | None, phase: str) -> None:
        shown.update(task, completed=done, total=planned, description=cleaned(phase))

    with shown:
        yield tell


def _columns(*, in_bytes: bool) -> list[ProgressColumn]:
    from rich.progress import (  # noqa: PLC0415  only where something is drawn
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    return [
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        DownloadColumn() if in_bytes else MofNCompleteColumn(),
        TimeRemainingColumn(),
    ]
