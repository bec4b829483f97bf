"""A vote of the demo's community: it runs while claims are verified, and the system carries it out."""

from __future__ import annotations

import time

from exchange.supervisor.demo import Demo as Account
from exchange.supervisor.stack import Stack
from llm_benchmark import Client
from llm_benchmark.models import ActivateBenchmarkAction, Benchmark, Proposal, ProposalAction
from llm_benchmark.models.choices import Choice

from . import people, report

# Least, usual and most seconds; the usual ones become the first voting rules of a new state directory.
VOTING_TIMES = {
    "EXCHANGE_GOVERNANCE_VOTING_SECONDS": "10,60,2592000",
    "EXCHANGE_GOVERNANCE_TIMELOCK_SECONDS": "0,5,2592000",
}
BENCHMARK = "demo-general"
VOTES: dict[str, tuple[Choice, str]] = {
    "demo-reviewer": ("approve", "Short, bilingual, and every item can be checked by hand."),
    "demo-voter-1": ("approve", ""),
    "demo-voter-2": ("reject", "Fifteen questions cannot settle two points."),
    "demo-voter-3": ("approve", "It says so itself."),
}
REVIEWER = "demo-reviewer"
OPEN = {"voting", "approved", "queued"}
PATIENCE_SECONDS = 180
POLL_SECONDS = 0.5


def open_vote(stack: Stack, client: Client, account: Account) -> str | None:
    """Propose to endorse a benchmark, review it, and let everybody vote: its id; None when that is done."""
    benchmark = client.benchmarks.get(BENCHMARK)
    if benchmark.is_endorsed:
        return None
    report.step("Opening a vote: shall the community endorse Demo: general questions?")
    voters = {name: _voter(stack, name, account) for name in VOTES}
    stack.manage("grant_role", account.username, "contributor")
    proposal = _proposed(client, benchmark)
    client.governance.submit_for_review(proposal.id)
    voters[REVIEWER].governance.review(proposal.id, "approve")
    client.governance.open_voting(proposal.id)
    for name, (choice, reason) in VOTES.items():
        with voters[name] as voter:
            voter.governance.vote(proposal.id, choice, reason=reason)
    return proposal.id


def outcome(client: Client, proposal_id: str) -> bool | None:
    """Wait until the system has counted and carried it out; None when the vote lasts too long to wait."""
    proposal = client.governance.get(proposal_id)
    if proposal.rules.voting_seconds > PATIENCE_SECONDS:
        report.say(f"  – {proposal.title}: open until {proposal.voting_closes_at}; `make up` shows it.")
        return None
    deadline = time.monotonic() + PATIENCE_SECONDS
    while proposal.status in OPEN and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
        proposal = client.governance.get(proposal_id)
    report.vote(proposal)
    return proposal.status == "executed"


def _voter(stack: Stack, name: str, account: Account) -> Client:
    """Logged in with the demo's password, so that each role can be tried out by hand."""
    voter = people.log_in(
        stack.base_url, username=name, email=f"{name}@example.org", password=account.password
    )
    stack.manage("grant_role", name, "reviewer" if name == REVIEWER else "contributor")
    return voter


def _proposed(client: Client, benchmark: Benchmark) -> Proposal:
    return client.governance.create(
        type="new_benchmark",
        title=f"Endorse {benchmark.name}",
        description="Endorse the 15 bilingual questions that come with the exchange.",
        rationale="They are original, public, and can be answered by a small model.",
        action=ProposalAction(
            kind="activate_benchmark",
            activate_benchmark=ActivateBenchmarkAction(benchmark_id=benchmark.id),
        ),
    )
