"""A verification in plain words: the verdict, what decided it drawn, the reasons, and where to look next."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.drawing import judgement_lines
from llm_benchmark.cli.frame.output import cleaned, console, say, show_facts, wrapped

from .facts import link_to

if TYPE_CHECKING:
    from llm_benchmark.cli.frame.invocation import Invocation
    from llm_benchmark.models import BenchmarkVersion, MetricJudgement, Submission, Verification

_TONES = {
    "confirmed": "green",
    "consistent": "green",
    "understated": "blue",
    "refuted": "red",
    "inconclusive": "yellow",
}
"""One table of colours; the word says the same."""
DOES_NOT_HOLD = {"refuted", "inconclusive"}


def show_verification(
    invocation: Invocation, verification: Verification, submission: Submission, version: BenchmarkVersion
) -> None:
    """All of it, in the output that was chosen."""
    if invocation.shown_as != "table":
        show_facts(invocation, verification, _facts(invocation, verification))
        return
    click.echo()
    say_verdict(invocation, verification.verdict, verification.summary)
    for judgement in verification.judgements:
        if judgement.is_deciding and judgement.claim is not None:
            click.echo()
            show_judgement(invocation, judgement, submission, version)
    click.echo()
    say(invocation, f"See all of it:\n  {link_to(invocation, submission.id)}")
    if verification.status == "decided":
        say(invocation, f"Keep its evidence:\n  {PROGRAM} verify --follow {verification.id} --keep DIR")


def say_verdict(invocation: Invocation, verdict: str | None, summary: str) -> None:
    """The verdict's word in its colour, at the head of the sentence."""
    tone = _TONES.get(verdict or "") if invocation.has_color else None
    text = wrapped(cleaned(summary), sys.stdout)
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
        *numbers_of(verification.judgements),
        ("Fault side", verification.fault_side),
        ("Submission", verification.submission_id),
        ("Verification", verification.id),
        ("Page", link_to(invocation, verification.submission_id)),
    ]


def numbers_of(judgements: Iterable[MetricJudgement]) -> list[tuple[str, Any]]:
    """For pipes: a line a number."""
    return [
        (f"{judgement.metric} {name}", value)
        for judgement in judgements
        for name, value in (
            ("verdict", judgement.verdict if judgement.is_deciding else None),
            ("claimed", judgement.claim),
            ("measured", judgement.measured),
            ("low", judgement.measured_low),
            ("high", judgement.measured_high),
        )
    ]
