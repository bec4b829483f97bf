"""`llm-benchmark verify-bundle`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli.frame.commands import Command
from llm_benchmark.cli.frame.failures import DID_NOT_HOLD
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, cleaned, say, show_json, show_rows

from .at_home import require_engine

if TYPE_CHECKING:
    from llm_benchmark.measure.bundle import Report

_PROBLEMS = [
    Column("Member", lambda p: p.member or "the file"),
    Column("What is wrong", lambda p: p.message),
    Column("Code", lambda p: p.code, only="plain"),
]


@click.command("verify-bundle", cls=Command, example="verify-bundle runs/demo-general/bundle.zip")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--sha256", metavar="HEX", help="The digest that was published for it.")
@click.pass_context
def verify_bundle(context: click.Context, *, path: Path, sha256: str | None) -> None:
    """Check a bundle offline.

    Every byte is hashed, and scores and verdict are computed again from the evidence. The exit code is 0
    where it is intact and 9 where it is not.
    """
    require_engine("verify-bundle")
    from llm_benchmark.measure.bundle import check  # noqa: PLC0415  needs the extra `measure`

    report = check(path, sha256=sha256.lower() if sha256 else None)
    _show(context.obj, path, report, is_published=sha256 is not None)
    context.exit(0 if report.ok else DID_NOT_HOLD)


def _show(invocation: Invocation, path: Path, report: Report, *, is_published: bool) -> None:
    from llm_benchmark.home.evidence import summary_of  # noqa: PLC0415  needs the extra `measure`

    summary = summary_of(report)
    if invocation.shown_as == "json":
        show_json(_as_dict(report, summary))
        return
    click.echo(cleaned(f"{path}: {summary}"))
    if report.problems:
        show_rows(invocation, report.problems, _PROBLEMS, empty="")
    elif not is_published:
        say(invocation, f"SHA-256 {report.sha256}: compare it with the published one, or say --sha256.")


def _as_dict(report: Report, summary: str) -> dict[str, Any]:
    return {
        "ok": report.ok,
        "summary": summary,
        "sha256": report.sha256,
        "kind": report.kind,
        "is_public_part": report.is_public_part,
        "problems": [{"member": p.member, "code": p.code, "message": p.message} for p in report.problems],
        "metrics": (report.scores or {}).get("metrics"),
        "verdict": report.verdict,
    }
