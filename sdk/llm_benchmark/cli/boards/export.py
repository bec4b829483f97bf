"""`llm-benchmark export`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from llm_benchmark.cli.frame.commands import Command
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.saving import save, to_option
from llm_benchmark.errors import NotFound, PermissionDenied, Unauthorized
from llm_benchmark.identifiers import is_id

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
@to_option
@VERSION
@VERIFIED
@click.pass_obj
def export(
    invocation: Invocation, benchmark: str, format: Literal["csv", "json"], to: Path | None,
    version: str | None, *, verified_only: bool,
) -> None:  # fmt: skip
    """Save all rows of a board as CSV or JSON.

    In place of a benchmark the id of a campaign does as well: see campaign export.
    """
    if _is_campaign(invocation, benchmark):
        from llm_benchmark.cli.campaigns.campaign import export_campaign  # noqa: PLC0415  seldom

        export_campaign(invocation, benchmark, format, to)
        return

    def fetch(path: Path, tell: Any) -> None:
        invocation.client.leaderboards.export(
            benchmark, format, to=path, version=version, verified_only=verified_only, progress=tell
        )

    save(invocation, fetch, to=to, phase=f"Export of {benchmark}")


def _is_campaign(invocation: Invocation, given: str) -> bool:
    if not is_id(given):
        return False
    try:
        invocation.client.campaigns.get(given)
    except (NotFound, Unauthorized, PermissionDenied):
        return False
    return True
