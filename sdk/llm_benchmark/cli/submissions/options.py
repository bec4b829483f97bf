"""A claim as the options of `submit` say it, over what a file or a kept run says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli.frame.assignments import assignment

from .claims import Claim, claim_from, version_of
from .files import Cases, read_cases, read_claim

if TYPE_CHECKING:
    from llm_benchmark.cli.frame.invocation import Invocation


def claim_of_options(
    invocation: Invocation,
    *,
    file: Path | None,
    from_run: Path | None,
    cases: Path | None,
    no_deployment: bool,
    **options: Any,
) -> tuple[Claim, list[Path]]:
    """The claim of a file or of a kept run, with what the options say instead, and the files behind it."""
    if file and from_run:
        raise click.UsageError("A claim comes from --file or from --from-run, not from both.")
    given, rows = read_claim(file) if file else ({}, Cases())
    files: list[Path] = []
    if from_run:
        given, rows, files = _kept(invocation, from_run, **options)
    given |= _said(given, **options)
    if no_deployment:
        given["deployment"] = ""
    return claim_from(invocation, given, read_cases(cases) if cases else rows), files


def _kept(
    invocation: Invocation, directory: Path, *, benchmark: str | None, benchmark_version: str | None, **_: Any
) -> tuple[dict[str, Any], Cases, list[Path]]:
    from llm_benchmark.home import claims_of  # noqa: PLC0415  the engine, for this alone

    slug, _at, number = (benchmark or "").partition("@")
    number = number or benchmark_version or ""
    wanted = version_of(invocation.client, slug, number) if slug else None
    kept = claims_of(directory, version=wanted)
    body = dict(kept.body)
    given = {
        "benchmark": kept.run.benchmark, "version": body["version"], "claims": body["claims"],
        "configuration": body["configuration"], "model": kept.run.model,
    }  # fmt: skip
    return given, Cases(rows=list(body["cases"])), [kept.evidence]


def _said(
    before: dict[str, Any],
    *,
    benchmark: str | None,
    benchmark_version: str | None,
    model: str | None,
    model_version: str | None,
    publisher: str | None,
    metrics: tuple[str, ...],
    **rest: Any,
) -> dict[str, Any]:
    """What the options say, by the names of a claim file."""
    said = {"benchmark": benchmark, "version": benchmark_version, **rest}
    if benchmark and "@" in benchmark:
        said["version"] = None
        before.pop("version", None)
    if model or model_version or publisher:
        said["model"] = _model(model or before.get("model"), model_version, publisher)
    said["metrics"] = [_metric(text) for text in metrics]
    return {name: value for name, value in said.items() if value not in (None, [])}


def _model(named: Any, version: str | None, publisher: str | None) -> dict[str, str]:
    reference = dict(named) if isinstance(named, dict) else {}
    if isinstance(named, str):
        owner, slash, name = named.partition("/")
        reference = {"publisher": owner, "name": name} if slash and not publisher else {"name": named}
    changes = {"publisher": publisher, "version": version}
    return {"publisher": "", **reference, **{key: value for key, value in changes.items() if value}}


def _metric(text: str) -> tuple[str, str, str]:
    name, value = assignment(text, option="--metric", example="accuracy=0.86")
    return f"--metric {name}", name, value
