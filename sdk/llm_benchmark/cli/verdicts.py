"""A verification in plain words: the verdict, what decided it drawn, the reasons, and where to look next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from . import PROGRAM
from .drawing import judgement_lines
from .output import cleaned, console, show_facts

if TYPE_CHECKING:
    from llm_benchmark.models import BenchmarkVersion, MetricJudgement, Submission, Verification

    from .invocation import Invocation

TONES = {
    "confirmed": "green",
    "consistent": "green",
    "understated": "blue",
    "refuted": "red",
    "inconclusive": "yellow",
}
"""One table of colours; the word says the same."""


def show_verification(
    invocation: Invocation, verification: Verification, submission: Submission, version: BenchmarkVersion
) -> None:
    """All of it, in the output that was chosen."""
    if invocation.shown_as != "table":
        show_facts(invocation, verification, _facts(invocation, verification))
        return
    tone = TONES.get(verification.verdict or "") if invocation.has_color else None
    click.echo()
    click.secho(cleaned(verification.summary), fg=tone, bold=bool(tone))
    for judgement in verification.judgements:
        if judgement.is_deciding and judgement.claim is not None:
            click.echo()
            show_judgement(invocation, judgement, submission, version)
    click.echo()
    for line in _next_lines(invocation, verification):
        click.echo(cleaned(line))


def show_judgement(
    invocation: Invocation, judgement: MetricJudgement, submission: Submission, version: BenchmarkVersion
) -> None:
    metric = next((one for one in version.metrics if one.name == judgement.metric), None)
    lines = judgement_lines(
        judgement,
        title=metric.title if metric else judgement.metric,
        unit=(metric.unit or "") if metric else "",
        is_points=submission.kind == "quality",
        width=console(invocation).width,
    )
    for line in [*lines, *(f"  {reason.text}" for reason in judgement.reasons)]:
        click.echo(cleaned(line))


def _next_lines(invocation: Invocation, verification: Verification) -> list[str]:
    lines = [f"See all of it:  {invocation.settings.api_url}/submissions/{verification.submission_id}"]
    if verification.status == "decided":
        lines.append(f"Its evidence:   {PROGRAM} verify --follow {verification.id} --bundles DIR")
    return lines


def _facts(invocation: Invocation, verification: Verification) -> list[tuple[str, Any]]:
    return [
        ("Verdict", verification.verdict),
        ("Status", verification.status),
        ("Summary", verification.summary),
        *(fact for judgement in verification.judgements for fact in _numbers(judgement)),
        ("Fault side", verification.fault_side),
        ("Submission", verification.submission_id),
        ("Verification", verification.id),
        ("Page", f"{invocation.settings.api_url}/submissions/{verification.submission_id}"),
    ]


def _numbers(judgement: MetricJudgement) -> list[tuple[str, Any]]:
    name = judgement.metric
    return [
        (f"{name} verdict", judgement.verdict if judgement.is_deciding else None),
        (f"{name} claimed", judgement.claim),
        (f"{name} measured", judgement.measured),
        (f"{name} low", judgement.measured_low),
        (f"{name} high", judgement.measured_high),
    ]
