"""What the community is deciding."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from llm_benchmark.client import Client
from llm_benchmark.mcp.arguments import BenchmarkName, Limit, PageToken, Words
from llm_benchmark.mcp.links import page
from llm_benchmark.mcp.offering import offered
from llm_benchmark.mcp.results import ListResult, Shape, marks
from llm_benchmark.mcp.texts import Excerpt, Foreign, quoted
from llm_benchmark.models.choices import ProposalStatus, ProposalType


class Votes(Shape):
    approve: int
    reject: int
    abstain: int


class ListedProposal(Shape):
    id: str
    type: str
    title: Foreign
    description: Excerpt
    status: str
    benchmark_slug: str | None
    proposer_name: Foreign
    ballots_needed: int | None
    """How many must vote for the vote to count."""
    voting_closes_at: datetime | None
    tally: Votes | None
    """None until the vote has closed: nobody sees how it goes."""
    quorum_met: bool | None
    threshold_met: bool | None
    created_at: datetime
    is_demo: bool
    page: str

    def line(self) -> str:
        about = f" about {self.benchmark_slug}" if self.benchmark_slug else ""
        closes = f", vote closes {self.voting_closes_at:%Y-%m-%d %H:%M} UTC" if self._is_open() else ""
        votes = f", {self.tally.approve} for and {self.tally.reject} against" if self.tally else ""
        facts = f"{self.type}{about}, {self.status}{closes}{votes}"
        return f"{quoted(self.title)} ({facts}){marks(is_demo=self.is_demo)}: {self.page}"

    def _is_open(self) -> bool:
        return self.status == "voting" and self.voting_closes_at is not None


class ListedProposals(ListResult):
    items: list[ListedProposal]

    def lines(self) -> Iterable[str]:
        if not self.items:
            yield "No proposal fits."
        yield from (one.line() for one in self.items)
        yield from self.more()


@offered("List proposals")
def list_proposals(
    client: Client,
    *,
    status: ProposalStatus | None = None,
    type: ProposalType | None = None,
    benchmark: BenchmarkName | None = None,
    query: Words = "",
    limit: Limit = 20,
    page_token: PageToken = "",
) -> ListedProposals:
    """Proposals of the community, the newest first: new, changed or retired benchmarks, and policies.

    Use status="voting" for what can be voted on now. Voting itself is done by people, on the page of each.
    """
    rows = client.governance.list(status=status, type=type, benchmark=benchmark, query=query or None)
    found = next(rows.pages(page_size=limit, page_token=page_token))
    items = [ListedProposal.of(one, page=page(client, "proposals", one.id)) for one in found.items]
    return ListedProposals(items=items, next_page_token=found.next_page_token)
