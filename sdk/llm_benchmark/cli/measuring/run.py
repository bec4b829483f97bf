"""`llm-benchmark run`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.assignments import assignments
from llm_benchmark.cli.frame.commands import Command
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, say, show_rows, show_table
from llm_benchmark.cli.submissions.claims import version_of
from llm_benchmark.errors import NotConfigured
from llm_benchmark.quantities import interval, quantity

from .at_home import edition_of, endpoint_options, measuring, require_engine, target_from

if TYPE_CHECKING:
    from llm_benchmark.home import Edition, KeptRun

_CLAIMED = {True: "yes", False: "too few requests"}
_METRICS = [
    Column("Metric", lambda m: m.title, only="table"),
    Column("Name", lambda m: m.name, only="plain"),
    Column("Value", lambda m: quantity(m.value, m.unit), "right", plain=lambda m: m.value),
    Column("95 % interval", lambda m: interval(m.low, m.high, m.unit), only="table", is_spare=True),
    Column("Low", lambda m: m.low, only="plain"),
    Column("High", lambda m: m.high, only="plain"),
    Column("Samples", lambda m: m.sample_count, "right"),
    Column("Claimable", lambda m: _CLAIMED[m.is_stated] if m.value is not None else "no value"),
]
_SHARE = "share"
_GROUPS = [
    Column("Group", lambda g: g.group),
    Column("Accuracy", lambda g: quantity(g.accuracy, _SHARE), "right"),
    Column("95 % interval", lambda g: interval(g.low, g.high, _SHARE), is_spare=True),
    Column("Of answered", lambda g: quantity(g.answered_accuracy, _SHARE), "right"),
    Column("Samples", lambda g: g.sample_count, "right"),
]


def _refuse_mode(_context: click.Context, _option: click.Parameter, mode: str | None) -> None:
    """`run PROVIDER --mode …` is what another program says for a campaign."""
    if mode is not None:
        refusal = NotConfigured("run measures at home and knows no mode.")
        refusal.next_steps = [f"Check an endpoint: {PROGRAM} campaign start ENDPOINT --mode {mode}"]
        raise refusal


@click.command(
    cls=Command,
    example="run demo-general --url https://api.example.com/v1 --model gpt --key-env KEY\n"
    "run baseline-chat --url http://127.0.0.1:8080/v1 --model mine --no-key --allow-local",
)
@click.argument("benchmark", metavar="SLUG")
@click.option("--benchmark-version", metavar="V", default="", help="Its version; default: the one in force.")
@endpoint_options
@click.option(
    "--set", "choices", metavar="NAME=VALUE", multiple=True,
    help="A setting that the version leaves open, such as precision=int4; repeatable.",
)  # fmt: skip
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Ask only N questions; cannot be claimed.")
@click.option("--seed", type=click.IntRange(0), metavar="S", help="Of the questions' choice and order.")
@click.option("--mode", hidden=True, is_eager=True, expose_value=False, callback=_refuse_mode)
@click.pass_obj
def run(
    invocation: Invocation,
    /,
    *,
    benchmark: str,
    benchmark_version: str,
    cases: Path | None,
    out: Path | None,
    choices: tuple[str, ...],
    limit: int | None,
    seed: int | None,
    **endpoint: Any,
) -> None:
    """Measure a model at home with the engine of the exchange.

    Keeps the numbers and the evidence in a folder. Broken off, the same command goes on: only what is missing
    is asked. SLUG may name the version, as in demo-general@1.0.0.
    """
    require_engine("run")
    slug, _at, number = benchmark.partition("@")
    version = version_of(invocation.client, slug, number or benchmark_version)
    require_engine("run", kind=version.kind)
    edition = edition_of(invocation, slug, version, cases)
    target = target_from(**endpoint)
    directory = out or _default_directory(edition, target.model, limit)
    settings = assignments(choices, option="--set", example="temperature=0.2")
    kept = _measured(invocation, edition, target, directory, choices=settings, limit=limit, seed=seed)
    _show(invocation, kept, directory)


def _default_directory(edition: Edition, model: str, limit: int | None) -> Path:
    """The same for the same run, so that it is found again."""
    name = f"{edition.benchmark}-{edition.version.version}-{model}"
    name += "" if limit is None else f"-{limit}"
    return Path("runs") / re.sub(r"[^A-Za-z0-9._-]+", "-", name)


def _measured(
    invocation: Invocation, edition: Edition, target: Any, directory: Path, **asked: Any
) -> KeptRun:
    from llm_benchmark import home  # noqa: PLC0415  needs the extra `measure`

    with measuring(invocation) as (watch, cancel):
        return home.measure(
            edition,
            target,
            directory,
            exchange=invocation.settings.api_url,
            **asked,
            watch=watch,
            cancel=cancel,
        )


def _show(invocation: Invocation, kept: KeptRun, directory: Path) -> None:
    say(invocation, f"{kept.benchmark} {kept.version} · {kept.model}")
    say(invocation, "")
    data = {**kept.as_dict(), "directory": str(directory), "is_full_set": kept.is_full_set}
    show_rows(invocation, kept.metrics, _METRICS, empty="Nothing was measured.", data=data)
    if kept.groups and invocation.shown_as == "table":
        say(invocation, "")
        show_table(invocation, kept.groups, _GROUPS)
    for flag in kept.flags:
        say(invocation, f"Flag: {flag.replace('_', ' ')}")
    place = shlex.quote(str(directory))
    say(invocation, "")
    say(invocation, f"The evidence is kept in {directory}.")
    if not kept.is_full_set:
        say(invocation, f"It has {kept.limit} of the questions, so it cannot be submitted.")
        return
    say(invocation, f"Submit it with: {PROGRAM} submit --from-run {place} --model PUBLISHER/NAME")
