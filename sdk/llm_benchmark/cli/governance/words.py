"""Where a proposal stands, what it does and what comes next, in sentences."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from llm_benchmark.cli import PROGRAM

if TYPE_CHECKING:
    from llm_benchmark.models import Proposal

_SIZES = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
_SHOWN_SIZES = 2
_HIDDEN = "a benchmark that is private now"


def standing(proposal: Proposal, now: datetime) -> str:
    """Where it stands, in one or two sentences."""
    if proposal.status == "voting":
        return _voting(proposal, now)
    if proposal.tally is not None:
        return f"{_outcome(proposal)} {_aftermath(proposal, now)}".strip()
    return {
        "draft": "A draft that only its author can see.",
        "under_review": _review(proposal),
        "withdrawn": "Withdrawn by its proposer. Nothing changes.",
    }.get(proposal.status, proposal.status.replace("_", " ").capitalize() + ".")


def does(proposal: Proposal) -> str:
    """What is carried out once it is approved."""
    name, action = proposal.benchmark_name or _HIDDEN, proposal.action
    if action.set_voting_rules:
        kind = action.set_voting_rules.proposal_type
        return f"Sets new voting rules for proposals of the type {kind}; votes under way keep theirs."
    if action.update_benchmark:
        publishes = "publishes a new version of it" if action.update_benchmark.version_id else ""
        says = "changes what is said of it" if action.update_benchmark.changes else ""
        return f"Of {name}: {' and '.join(filter(None, [says, publishes]))}."
    return {
        "activate_benchmark": f"Makes {name} active and endorses it.",
        "deprecate_benchmark": f"Deprecates {name}: its board stays readable and takes no new results.",
        "set_verification_policy": f"Sets how claims on {name} are judged; earlier verdicts keep theirs.",
    }.get(action.kind, action.kind)


def next_steps(proposal: Proposal) -> list[tuple[str, str]]:
    """What can be done about it now: in words, and as a command."""
    is_reviewed = proposal.review_status == "approved"
    found = {
        "draft": ("Send it to review", "submit-for-review {}"),
        "under_review": ("Open the vote", "open-voting {}")
        if is_reviewed
        else ("As a reviewer", "review {} --approve"),
        "voting": ("Vote", "vote {} --approve"),
        "failed": ("Let it be tried again", "retry {}"),
    }.get(proposal.status)
    if found is None:
        return []
    words, command = found
    return [(words, f"{PROGRAM} proposal {command.format(proposal.id)}")]


def length(of: timedelta) -> str:
    """`2 days 3 hours`: at most two units, from the largest on."""
    left = max(0, int(of.total_seconds()))
    parts: list[str] = []
    for name, size in _SIZES:
        number, left = divmod(left, size)
        if number and len(parts) < _SHOWN_SIZES:
            parts.append(f"{number} {name}{'' if number == 1 else 's'}")
    return " ".join(parts) or "0 seconds"


def _voting(proposal: Proposal, now: datetime) -> str:
    closes = proposal.voting_closes_at
    if closes is None or closes <= now:
        return "Voting is over; the ballots are being counted. Look again in some seconds."
    return (
        f"Voting is open for {length(closes - now)}, until {_time(closes)}. Until then nobody sees how many "
        "have voted, or how."
    )


def _review(proposal: Proposal) -> str:
    if proposal.review_status == "approved":
        return "Reviewed, and ready for the vote: its proposer or a reviewer may open it."
    return (
        f"Under review: {proposal.approval_count} approve, {proposal.objection_count} object. Voting can "
        "open once more reviewers approve than object."
    )


def _outcome(proposal: Proposal) -> str:
    tally = proposal.tally
    if tally is None:
        return ""
    if proposal.status == "quorum_not_met":
        return (
            f"Not decided: {tally.ballots_without_proposer} of {proposal.ballots_needed} needed ballots, the "
            "proposer's not counted."
        )
    verb = "Rejected" if proposal.status == "rejected" else "Approved"
    return f"{verb}: {tally.approve} of {tally.approve + tally.reject} votes for."


def _aftermath(proposal: Proposal, now: datetime) -> str:
    if proposal.status == "queued" and proposal.execute_after:
        left = length(proposal.execute_after - now)
        return f"It takes effect in {left}, at {_time(proposal.execute_after)}."
    until = _time(proposal.expires_at)
    return {
        "approved": "It takes effect next.",
        "executed": f"Carried out at {_time(proposal.executed_at)}.",
        "failed": f"{proposal.execution_error} Nothing has changed; it can be tried again until {until}.",
        "expired": f"It was not carried out until {until}; nothing has changed.",
    }.get(proposal.status, "Nothing changes.")


def _time(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" if at else "–"
