"""Proposals: written, reviewed, discussed, voted on, executed."""

from __future__ import annotations

from llm_benchmark.models import (
    Ballot,
    OwnBallot,
    Proposal,
    ProposalComment,
    ProposalReview,
    VotingRules,
)
from llm_benchmark.models.choices import Choice, CommentKind, Decision, ProposalStatus, ProposalType
from llm_benchmark.paging import Pages

from .base import UNSET, Given, Service, Unset, at


class Governance(Service):
    def list(
        self,
        *,
        type: ProposalType | None = None,
        status: ProposalStatus | None = None,
        benchmark: str | None = None,
        query: str | None = None,
    ) -> Pages[Proposal]:
        benchmark_id = None if benchmark is None else self._benchmark_id(benchmark)
        return self._pages(
            "proposals", Proposal, type=type, status=status, benchmark_id=benchmark_id, query=query
        )

    def get(self, proposal_id: str) -> Proposal:
        return self._transport.get(at("proposals", proposal_id), Proposal)

    def create(
        self, *, type: ProposalType, title: str, description: str, rationale: str, action: Given
    ) -> Proposal:
        """A draft that its author alone sees.

        Args:
            action: a `ProposalAction`: what is done if the vote passes.
        """
        body = {
            "type": type, "title": title, "description": description, "rationale": rationale,
            "action": action,
        }  # fmt: skip
        return self._transport.write("POST", "proposals", Proposal, body)

    def update(
        self,
        proposal_id: str,
        *,
        title: str | Unset = UNSET,
        description: str | Unset = UNSET,
        rationale: str | Unset = UNSET,
        action: Given | Unset = UNSET,
    ) -> Proposal:
        """Change what is named; reviews of the older text no longer count."""
        body = {"title": title, "description": description, "rationale": rationale, "action": action}
        return self._transport.write("PATCH", at("proposals", proposal_id), Proposal, body)

    def submit_for_review(self, proposal_id: str) -> Proposal:
        return self._move(proposal_id, "submit-for-review")

    def open_voting(self, proposal_id: str) -> Proposal:
        return self._move(proposal_id, "open-voting")

    def withdraw(self, proposal_id: str) -> Proposal:
        return self._move(proposal_id, "withdraw")

    def retry_execution(self, proposal_id: str) -> Proposal:
        """Of what was decided and could not be done."""
        return self._move(proposal_id, "retry-execution")

    def vote(self, proposal_id: str, choice: Choice, *, reason: str | Unset = UNSET) -> OwnBallot:
        """While voting is open, a later vote replaces an earlier one."""
        body = {"choice": choice, "reason": reason}
        return self._transport.write("POST", at("proposals", proposal_id, "vote"), OwnBallot, body)

    def my_ballot(self, proposal_id: str) -> OwnBallot:
        return self._transport.get(at("proposals", proposal_id, "ballot"), OwnBallot)

    def ballots(self, proposal_id: str, *, cast_only: bool | None = None) -> Pages[Ballot]:
        """Who may vote and, once voting has closed, who voted how."""
        return self._pages(at("proposals", proposal_id, "ballots"), Ballot, cast_only=cast_only)

    def reviews(self, proposal_id: str) -> Pages[ProposalReview]:
        return self._pages(at("proposals", proposal_id, "reviews"), ProposalReview)

    def review(self, proposal_id: str, decision: Decision, *, reason: str | Unset = UNSET) -> ProposalReview:
        body = {"decision": decision, "reason": reason}
        return self._transport.write("POST", at("proposals", proposal_id, "reviews"), ProposalReview, body)

    def comments(self, proposal_id: str) -> Pages[ProposalComment]:
        return self._pages(at("proposals", proposal_id, "comments"), ProposalComment)

    def comment(
        self,
        proposal_id: str,
        body: str,
        *,
        kind: CommentKind | Unset = UNSET,
        parent_id: str | Unset | None = UNSET,
    ) -> ProposalComment:
        """`parent_id`: the comment that this one answers; see `reply`."""
        form = {"body": body, "kind": kind, "parent_id": parent_id}
        path = at("proposals", proposal_id, "comments")
        return self._transport.write("POST", path, ProposalComment, form)

    def reply(
        self, proposal_id: str, comment_id: str, body: str, *, kind: CommentKind | Unset = UNSET
    ) -> ProposalComment:
        return self.comment(proposal_id, body, kind=kind, parent_id=comment_id)

    def resolve_comment(self, proposal_id: str, comment_id: str) -> ProposalComment:
        path = at("proposals", proposal_id, "comments", comment_id, "resolve")
        return self._transport.write("POST", path, ProposalComment)

    def voting_rules(self, *, type: ProposalType | None = None) -> Pages[VotingRules]:
        """Quorum, threshold and times, of today and before."""
        return self._pages("voting-rules", VotingRules, type=type)

    def _move(self, proposal_id: str, move: str) -> Proposal:
        return self._transport.write("POST", at("proposals", proposal_id, move), Proposal)
