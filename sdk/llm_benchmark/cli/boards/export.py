"""`llm-benchmark export`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Literal

import click

from llm_benchmark.cli.frame.commands import Command
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import say
from llm_benchmark.cli.frame.progress import progress

from .leaderboard import VERIFIED, VERSION


@click.command("export", cls=Command, example="export mmlu > mmlu.csv\nexport mmlu -f json --to mmlu.json")
@click.argument("benchmark", metavar="BENCHMARK")
@click.option(
    "-f",
    "--format",
    type=click.Choice(["csv", "json"]),
    default="csv",
    show_default=True,
    help="Of the file.",
)
@click.option(
    "--to", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Where to write; default: standard output.",
)  # fmt: skip
@VERSION
@VERIFIED
@click.pass_obj
def export(
    invocation: Invocation, benchmark: str, format: Literal["csv", "json"], to: Path | None,
    version: str | None, *, verified_only: bool,
) -> None:  # fmt: skip
    """Save all rows of a board as CSV or JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = to or Path(folder) / "board"
        with progress(invocation, in_bytes=True) as tell:
            invocation.client.leaderboards.export(
                benchmark, format, to=path, version=version, verified_only=verified_only,
                progress=lambda done, total: tell(done, total, f"Export of {benchmark}"),
            )  # fmt: skip
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
