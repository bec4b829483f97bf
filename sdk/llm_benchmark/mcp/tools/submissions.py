"""What has become of a claim."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from llm_benchmark.client import Client
from llm_benchmark.mcp.arguments import Id
from llm_benchmark.mcp.links import page
from llm_benchmark.mcp.offering import offered
from llm_benchmark.mcp.results import Result, Shape, marks
from llm_benchmark.mcp.texts import Foreign, Sentence, model_name, quoted


class ClaimedMetric(Shape):
    name: str
    value: float
    """In the metric's own unit; shares from 0 to 1."""
    sample_count: int | None


class JudgedMetric(Shape):
    metric: str
    is_deciding: bool
    verdict: str
    claim: float | None
    measured: float | None
    measured_low: float | None
    measured_high: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    tolerance: float | None
    sample_count: int | None
    needed_count: int | None
    """How many samples would have decided."""


class Remeasurement(Shape):
    id: str
    status: str
    """requested, running, decided, failed or cancelled; only a decided one has a verdict."""
    verdict: str | None
    summary: Sentence
    done_count: int
    """Requests answered so far."""
    planned_count: int
    fault_side: str | None
    """Whose fault it is that it failed; such a failure says nothing about the model."""
    judgements: list[JudgedMetric]
    requested_at: datetime
    finished_at: datetime | None


class SubmissionStatus(Result):
    id: str
    benchmark_slug: str
    benchmark_name: Foreign
    version: str
    model_id: str
    model_publisher: Foreign
    model_name: Foreign
    model_version: Foreign
    provider_name: Foreign | None
    organization_name: Foreign
    status: str
    """accepted, withdrawn or revoked."""
    status_reason: Foreign | None
    visibility: str
    level: str
    """platform_verified: the exchange measured the claim again and it held. unverified: not so."""
    verdict: str | None
    """Of the latest decided verification."""
    claims: list[ClaimedMetric]
    latest_verification: Remeasurement | None
    """The newest one, decided or not; None: nobody has asked for one."""
    is_simulated: bool
    is_demo: bool
    created_at: datetime
    page: str

    def lines(self) -> Iterable[str]:
        model = model_name(self.model_publisher, self.model_name, self.model_version)
        marked = marks(is_simulated=self.is_simulated, is_demo=self.is_demo)
        yield f"Claim for {model} on {quoted(self.benchmark_name)} {self.version}{marked}: {self.page}"
        yield f"{self.status}, {self.visibility}, {self.level}; verdict: {self.verdict or 'none'}."
        claims = ", ".join(f"{claim.name} {claim.value:g}" for claim in self.claims)
        yield f"Claimed by {quoted(self.organization_name)}: {claims}"
        if self.latest_verification:
            yield f"Verification {self.latest_verification.status}: {self.latest_verification.summary}"
        else:
            yield "Nobody has asked for a verification, so these numbers are only claimed."


@offered("Status of a submission")
def submission_status(client: Client, *, submission_id: Id) -> SubmissionStatus:
    """Where a submitted claim stands: whether the exchange measured it again, and with which verdict.

    confirmed: measured again, and the claim holds within its tolerance. consistent: nothing speaks against
    it, but there are too few samples to confirm. understated: it was measured better than claimed. refuted:
    the measurement contradicts the claim. inconclusive: nothing is decided. A verification that failed has
    no verdict and says nothing about the model. While one is running, ask again every few seconds at most.
    """
    submission = client.submissions.get(submission_id)
    newest = client.verifications.list(submission_id).first(1)
    return SubmissionStatus.of(
        submission,
        latest_verification=newest[0] if newest else None,
        page=page(client, "submissions", submission.id),
    )
