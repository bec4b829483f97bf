"""`llm-benchmark proposal`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.assignments import assignments
from llm_benchmark.cli.frame.commands import C, Group, choice_option, limit_option
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, say, show_facts, show_first, show_rows
from llm_benchmark.errors import SdkError
from llm_benchmark.models.choices import CommentKind, ProposalStatus, ProposalType

from .actions import EXAMPLE, proposal_from, read_proposal
from .page import show_proposal

_PROPOSALS = [
    Column("ID", lambda p: p.id, is_whole=True),
    Column("Title", lambda p: p.title),
    Column("Status", lambda p: p.status),
    Column("Type", lambda p: p.type, is_spare=True),
    Column("Benchmark", lambda p: p.benchmark_slug, is_spare=True),
    Column("Closes", lambda p: p.voting_closes_at, is_spare=True),
]
_ROLL = [
    Column("Who", lambda b: b.voter_name),
    Column("Vote", lambda b: b.choice),
    Column("Reason", lambda b: b.reason),
]
_COMMENTS = [
    Column("Who", lambda c: c.author_name),
    Column("Kind", lambda c: c.kind),
    Column("Comment", lambda c: c.body),
    Column("Answers", lambda c: c.parent_id, only="plain"),
    Column("When", lambda c: c.created_at, is_spare=True),
    Column("ID", lambda c: c.id, only="plain"),
]
_proposal_argument = click.argument("proposal_id", metavar="ID")
_reason_option = click.option("--reason", "-r", metavar="TEXT", help="Why; everybody can read it.")


def _choices(**choices: str) -> Callable[[C], C]:
    """`--approve`, `--reject` …: one flag a choice, into the argument `choice`."""

    def decorate(command: C) -> C:
        for value, meaning in reversed(choices.items()):
            flag = f"--{value.replace('_', '-')}"
            command = click.option(flag, "choice", flag_value=value, help=meaning)(command)
        return command

    return decorate


@click.group(
    cls=Group,
    aliases={"show": "get"},
    example='proposal list --status voting\nproposal vote ID --approve --reason "Anybody can check it."',
)
def proposal() -> None:
    """Read, write, discuss and vote on proposals."""


@proposal.command("list", example="proposal list --status voting")
@choice_option("-s", "--status", values=ProposalStatus, help="In this state only:")
@choice_option("-t", "--type", values=ProposalType, help="Of this type only:")
@click.option("-b", "--benchmark", metavar="SLUG", help="About this benchmark only.")
@click.option("-q", "--query", metavar="WORDS", help="With these words.")
@limit_option
@click.pass_obj
def list_proposals(invocation: Invocation, /, *, limit: int, **filters: Any) -> None:
    """List proposals, the newest first."""
    found = invocation.client.governance.list(**filters)
    empty = f"No proposal. Write one: {PROGRAM} proposal create --example"
    show_first(invocation, found, limit, _PROPOSALS, empty=empty)


@proposal.command("get", example="proposal get ID")
@_proposal_argument
@click.option("--comments", is_flag=True, help="Its debate instead.")
@click.pass_obj
def get_proposal(invocation: Invocation, *, proposal_id: str, comments: bool) -> None:
    """Show one proposal: what it does, and how it is decided."""
    if not comments:
        show_proposal(invocation, invocation.client.governance.get(proposal_id))
        return
    found = list(invocation.client.governance.comments(proposal_id))
    empty = f"No comment. Write one: {PROGRAM} proposal comment {proposal_id} TEXT"
    show_rows(invocation, found, _COMMENTS, empty=empty)


@proposal.command(
    "create",
    example="proposal create --example > proposal.toml\nproposal create --file proposal.toml --submit",
)
@click.option("--example", is_flag=True, help="Print a file to start from.")
@click.option(
    "-f", "--file", type=click.Path(path_type=Path), metavar="FILE", help="The proposal as TOML or JSON."
)
@choice_option("-t", "--type", values=ProposalType, help="What it is about:")
@click.option("--title", metavar="TEXT", help="In one line.")
@click.option("--description", metavar="TEXT", help="What is proposed.")
@click.option("--rationale", metavar="TEXT", help="Why.")
@click.option("-b", "--benchmark", metavar="SLUG", help="Which benchmark.")
@click.option("--benchmark-version", metavar="V", help="A draft to publish, or whose policy is set.")
@click.option("--reason", metavar="TEXT", help="Why a benchmark is deprecated.")
@choice_option("--rules-of", values=ProposalType, help="Whose voting rules are set:")
@click.option("--set", "changes", metavar="NAME=VALUE", multiple=True, help="What changes; repeatable.")
@click.option("--submit", is_flag=True, help="Submit it for review at once.")
@click.pass_obj
def create_proposal(
    invocation: Invocation,
    /,
    *,
    example: bool,
    file: Path | None,
    changes: tuple[str, ...],
    submit: bool,
    **options: Any,
) -> None:
    """Write a proposal, as a draft that only you see."""
    if example:
        click.echo(EXAMPLE, nl=False)
        return
    given = read_proposal(file) if file else {}
    given |= {name: value for name, value in options.items() if value is not None}
    if changes:
        said = assignments(changes, option="--set", example="delta=0.03")
        given["set"] = {**(given.get("set") or {}), **said}
    governance = invocation.client.governance
    made = governance.create(**proposal_from(invocation.client, given))
    if submit:
        try:
            made = governance.submit_for_review(made.id)
        except SdkError as refusal:
            refusal.next_steps = [
                f"The draft is kept. When that is mended: {PROGRAM} proposal submit-for-review {made.id}"
            ]
            raise
    show_proposal(invocation, made)


@proposal.command("submit-for-review", example="proposal submit-for-review ID")
@_proposal_argument
@click.pass_obj
def submit_for_review(invocation: Invocation, proposal_id: str) -> None:
    """Put a draft before the reviewers; everybody can read it then."""
    show_proposal(invocation, invocation.client.governance.submit_for_review(proposal_id))


@proposal.command("review", example='proposal review ID --approve --reason "Clear, and right."')
@_proposal_argument
@_choices(approve="It may be voted on.", request_changes="It has to be changed first.", reject="You object.")
@_reason_option
@click.pass_obj
def review_proposal(invocation: Invocation, *, proposal_id: str, choice: Any, reason: str | None) -> None:
    """Review a proposal of somebody else's, as a reviewer."""
    governance = invocation.client.governance
    decision = _required(choice, "--approve, --request-changes or --reject")
    made = governance.review(proposal_id, decision, **_given(reason=reason))
    show_facts(
        invocation, made, [("Decision", made.decision), ("Revision", made.revision), ("Reason", made.reason)]
    )
    if decision == "approve" and governance.get(proposal_id).review_status == "approved":
        say(invocation, f"Open the vote:\n  {PROGRAM} proposal open-voting {proposal_id}")


@proposal.command("open-voting", example="proposal open-voting ID")
@_proposal_argument
@click.pass_obj
def open_voting(invocation: Invocation, proposal_id: str) -> None:
    """Open the vote on a proposal that its reviewers approve."""
    show_proposal(invocation, invocation.client.governance.open_voting(proposal_id))


@proposal.command("vote", example='proposal vote ID --approve --reason "Anybody can check it."')
@_proposal_argument
@_choices(approve="For it.", reject="Against it.", abstain="Neither; counts for the quorum.")
@_reason_option
@click.pass_obj
def vote(invocation: Invocation, *, proposal_id: str, choice: Any, reason: str | None) -> None:
    """Vote on a proposal; until the close you can vote anew."""
    vote = _required(choice, "--approve, --reject or --abstain")
    ballot = invocation.client.governance.vote(proposal_id, vote, **_given(reason=reason))
    facts = [("Your ballot", ballot.choice), ("Reason", ballot.reason), ("Cast", ballot.cast_at)]
    show_facts(invocation, ballot, facts)
    say(invocation, "You can change it until the close; the last one counts.")


@proposal.command("comment", example='proposal comment ID "Who has checked the questions?" --kind question')
@_proposal_argument
@click.argument("text", required=False)
@click.option("-m", "--message", metavar="TEXT", help="The same as TEXT.")
@choice_option("--kind", values=CommentKind, help="What it is, if no comment:")
@click.option("--reply-to", metavar="COMMENT", help="Which comment it answers.")
@click.pass_obj
def comment(
    invocation: Invocation,
    *,
    proposal_id: str,
    text: str | None,
    message: str | None,
    kind: Any,
    reply_to: str | None,
) -> None:
    """Take part in the debate."""
    if bool(text) == bool(message):
        raise click.UsageError("Say your comment once, as TEXT or with --message.")
    more = _given(kind=kind, parent_id=reply_to)
    made = invocation.client.governance.comment(proposal_id, text or message or "", **more)
    show_facts(invocation, made, [("Comment", made.id), ("Kind", made.kind), ("Text", made.body)])


@proposal.command("withdraw", example="proposal withdraw ID")
@_proposal_argument
@click.pass_obj
def withdraw(invocation: Invocation, proposal_id: str) -> None:
    """Withdraw a proposal of yours, until its voting closes."""
    show_proposal(invocation, invocation.client.governance.withdraw(proposal_id))


@proposal.command("results", example="proposal results ID")
@_proposal_argument
@click.pass_obj
def results(invocation: Invocation, proposal_id: str) -> None:
    """Show what a vote came to, and who voted how."""
    found = invocation.client.governance.get(proposal_id)
    ballots = list(invocation.client.governance.ballots(proposal_id, cast_only=True))
    if invocation.shown_as == "table":
        show_proposal(invocation, found)
        click.echo()
    data = {"proposal": found.as_dict(), "ballots": [ballot.as_dict() for ballot in ballots]}
    show_rows(invocation, ballots, _ROLL, empty="Nobody voted.", data=data)


@proposal.command("retry", example="proposal retry ID")
@_proposal_argument
@click.pass_obj
def retry(invocation: Invocation, proposal_id: str) -> None:
    """Let the system try again what it could not carry out."""
    show_proposal(invocation, invocation.client.governance.retry_execution(proposal_id))


def _required(choice: Any, flags: str) -> Any:
    if choice is None:
        raise click.UsageError(f"Say {flags}.")
    return choice


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
