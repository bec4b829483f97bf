"""A vote of the demo's community: it runs while claims are verified, and the system carries it out."""

from __future__ import annotations

import time
from typing import Any

from exchange.supervisor.demo import Demo as Account
from exchange.supervisor.stack import Stack

from . import report
from .platform import Platform

# Least, usual and most seconds; the usual ones become the first voting rules of a new state directory.
VOTING_TIMES = {
    "GOVERNANCE_VOTING_SECONDS": "10,60,2592000",
    "GOVERNANCE_TIMELOCK_SECONDS": "0,5,2592000",
}
BENCHMARK = "demo-general"
VOTES = {
    "demo-reviewer": ("approve", "Short, bilingual, and every item can be checked by hand."),
    "demo-voter-1": ("approve", ""),
    "demo-voter-2": ("reject", "Fifteen questions cannot settle two points."),
    "demo-voter-3": ("approve", "It says so itself."),
}
REVIEWER = "demo-reviewer"
OPEN = {"voting", "approved", "queued"}
PATIENCE_SECONDS = 180
POLL_SECONDS = 0.5


def open_vote(stack: Stack, platform: Platform, account: Account) -> str | None:
    """Propose to endorse a benchmark, review it, and let everybody vote: its id; None when that is done."""
    benchmark = platform.get(f"/benchmarks/slug/{BENCHMARK}")
    if benchmark["is_endorsed"]:
        return None
    report.step("Opening a vote: shall the community endorse Demo: general questions?")
    people = {name: _person(stack, platform.base_url, name, account) for name in VOTES}
    stack.manage("grant_role", account.username, "contributor")
    proposal = platform.post("/proposals", _proposal(benchmark))
    path = f"/proposals/{proposal['id']}"
    platform.post(f"{path}/submit-for-review")
    people[REVIEWER].post(f"{path}/reviews", {"decision": "approve"})
    platform.post(f"{path}/open-voting")
    for name, (choice, reason) in VOTES.items():
        people[name].post(f"{path}/vote", {"choice": choice, "reason": reason})
    return str(proposal["id"])


def outcome(platform: Platform, proposal_id: str) -> bool | None:
    """Wait until the system has counted and carried it out; None when the vote lasts too long to wait."""
    proposal = platform.get(f"/proposals/{proposal_id}")
    if proposal["rules"]["voting_seconds"] > PATIENCE_SECONDS:
        report.say(f"  – {proposal['title']}: open until {proposal['voting_closes_at']}; `make up` shows it.")
        return None
    deadline = time.monotonic() + PATIENCE_SECONDS
    while proposal["status"] in OPEN and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
        proposal = platform.get(f"/proposals/{proposal_id}")
    report.vote(proposal)
    return proposal["status"] == "executed"


def _person(stack: Stack, base_url: str, name: str, account: Account) -> Platform:
    """Logged in with the demo's password, so that each role can be tried out by hand."""
    person = Platform(base_url)
    person.log_in(username=name, email=f"{name}@example.org", password=account.password)
    stack.manage("grant_role", name, "reviewer" if name == REVIEWER else "contributor")
    return person


def _proposal(benchmark: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "new_benchmark",
        "title": f"Endorse {benchmark['name']}",
        "description": "Endorse the 15 bilingual questions that come with the exchange.",
        "rationale": "They are original, public, and can be answered by a small model.",
        "action": {
            "kind": "activate_benchmark",
            "activate_benchmark": {"benchmark_id": benchmark["id"]},
        },
    }
