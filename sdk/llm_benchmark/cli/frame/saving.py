"""What the exchange gives as a file: written where it is said, else to standard output."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .output import say
from .progress import progress

if TYPE_CHECKING:
    from .invocation import Invocation

Tell = Callable[[int, int | None], None]
to_option = click.option(
    "--to", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Where to write; default: standard output.",
)  # fmt: skip


def save(
    invocation: Invocation, fetch: Callable[[Path, Tell], object], *, to: Path | None, phase: str
) -> None:
    """`fetch` writes the file at the path that it is given, and tells the bytes and their total."""
    with tempfile.TemporaryDirectory() as folder:
        path = to or Path(folder) / "file"
        with progress(invocation, in_bytes=True) as tell:
            fetch(path, lambda done, total: tell(done, total, phase))
        if to is None:
            _print(path)
    if to is not None:
        say(invocation, f"Written to {to} ({to.stat().st_size:,} bytes).")


def _print(path: Path) -> None:
    """Byte by byte, whatever the terminal's encoding."""
    sys.stdout.flush()
    with path.open("rb") as file:
        shutil.copyfileobj(file, sys.stdout.buffer)
    sys.stdout.buffer.flush()
