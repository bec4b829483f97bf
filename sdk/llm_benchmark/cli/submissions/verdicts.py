"""A verification in plain words: the verdict, what decided it drawn, the reasons, and where to look next."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.drawing import judgement_lines
from llm_benchmark.cli.frame.output import cleaned, console, say, show_facts, wrapped

if TYPE_CHECKING:
    from llm_benchmark.cli.frame.invocation import Invocation
    from llm_benchmark.models import BenchmarkVersion, MetricJudgement, Submission, Verification

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
    click.echo()
    _say_summary(invocation, verification)
    for judgement in verification.judgements:
        if judgement.is_deciding and judgement.claim is not None:
            click.echo()
            show_judgement(invocation, judgement, submission, version)
    click.echo()
    say(invocation, f"See all of it:\n  {link_to(invocation, verification)}")
    if verification.status == "decided":
        say(invocation, f"Keep its evidence:\n  {PROGRAM} verify --follow {verification.id} --keep DIR")


def link_to(invocation: Invocation, verification: Verification) -> str:
    return f"{invocation.settings.api_url}/submissions/{verification.submission_id}"


def _say_summary(invocation: Invocation, verification: Verification) -> None:
    """The verdict's word in its colour, at the head of the sentence."""
    tone = TONES.get(verification.verdict or "") if invocation.has_color else None
    text = wrapped(cleaned(verification.summary), sys.stdout)
    word, colon, rest = text.partition(":")
    click.echo(click.style(word, fg=tone, bold=True) + colon + rest if tone and colon else text)


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
    click.echo(cleaned("\n".join(lines)))
    for reason in judgement.reasons:
        click.echo(wrapped(cleaned(reason.text), sys.stdout, indent="  "))


def _facts(invocation: Invocation, verification: Verification) -> list[tuple[str, Any]]:
    return [
        ("Verdict", verification.verdict),
        ("Status", verification.status),
        ("Summary", verification.summary),
        *(fact for judgement in verification.judgements for fact in _numbers(judgement)),
        ("Fault side", verification.fault_side),
        ("Submission", verification.submission_id),
        ("Verification", verification.id),
        ("Page", link_to(invocation, verification)),
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
