"""A proposal as its page has it, in lines of text."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from llm_benchmark.cli.frame.output import Column, cleaned, say, show_facts, show_table, wrapped
from llm_benchmark.errors import SdkError

from .words import does, next_steps, standing

if TYPE_CHECKING:
    from llm_benchmark.cli.frame.invocation import Invocation
    from llm_benchmark.models import Proposal

_CHANGES = [
    Column("What changes", lambda c: c.name),
    Column("Before", lambda c: c.before),
    Column("After", lambda c: c.after),
]


def show_proposal(invocation: Invocation, proposal: Proposal) -> None:
    """Its standing, what it does, how it is decided, one's own ballot, and what comes next."""
    if invocation.shown_as != "table":
        show_facts(invocation, proposal, _facts(proposal))
        return
    _title(invocation, proposal)
    _paragraph(invocation, standing(proposal, datetime.fromtimestamp(time.time(), UTC)))
    for text in filter(None, (proposal.description, proposal.rationale)):
        _paragraph(invocation, text)
    _action(invocation, proposal)
    if proposal.electorate_size is not None:
        _paragraph(invocation, proposal.formula.threshold)
        _paragraph(invocation, proposal.formula.quorum)
    if proposal.status == "voting":
        _own_ballot(invocation, proposal)
    _paragraph(invocation, f"See it at {invocation.settings.api_url}/proposals/{proposal.id}")
    for words, command in next_steps(proposal):
        say(invocation, f"{words}:\n  {command}")


def _title(invocation: Invocation, proposal: Proposal) -> None:
    kind = proposal.type.replace("_", " ")
    about = f"about {proposal.benchmark_slug}, " if proposal.benchmark_slug else ""
    title = wrapped(cleaned(proposal.title), sys.stdout)
    click.echo(click.style(title, bold=True) if invocation.has_color else title)
    say(invocation, f"{kind}, {about}by {proposal.proposer_name}, {proposal.created_at:%Y-%m-%d}")


def _action(invocation: Invocation, proposal: Proposal) -> None:
    _paragraph(invocation, does(proposal))
    if changes := proposal.effect or proposal.planned:
        show_table(invocation, changes, _CHANGES)


def _own_ballot(invocation: Invocation, proposal: Proposal) -> None:
    """Readers who are not logged in, or not on the roll, have none."""
    try:
        ballot = invocation.client.governance.my_ballot(proposal.id)
    except SdkError as refusal:
        _paragraph(invocation, str(refusal))
        return
    if ballot.choice is None:
        _paragraph(invocation, "You are on the roll and have not voted yet.")
    else:
        _paragraph(
            invocation,
            f"Your ballot says {ballot.choice}; you can change it until the close, the last one counts.",
        )


def _facts(proposal: Proposal) -> list[tuple[str, object]]:
    return [
        ("ID", proposal.id),
        ("Title", proposal.title),
        ("Type", proposal.type),
        ("Status", proposal.status),
        ("Review status", proposal.review_status),
        ("Benchmark", proposal.benchmark_slug),
        ("Proposer", proposal.proposer_name),
        ("Action", proposal.action.kind),
        ("Threshold", proposal.formula.threshold),
        ("Quorum", proposal.formula.quorum),
        ("Voting closes at", proposal.voting_closes_at),
        ("Executed at", proposal.executed_at),
        ("Execution error", proposal.execution_error),
    ]


def _paragraph(invocation: Invocation, text: str) -> None:
    click.echo()
    say(invocation, text)
