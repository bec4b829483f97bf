"""Claims, their evidence and their verifications."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .base import Model


class MetricClaim(Model, frozen=True, kw_only=True):
    """A claimed value, in the metric's unit: a share is 0 to 1, as in 0.87."""

    name: str
    value: float
    sample_count: int | None = None


class CaseClaim(Model, frozen=True, kw_only=True):
    """A claimed score of one test case (0 to 1). `answer_digest`: SHA-256 of the model's answer."""

    key: str
    score: float
    answer_digest: str | None = None


class Configuration(Model, frozen=True, kw_only=True):
    """What the model was asked with. None: not said."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    system_prompt: str | None = None
    chat_template: str | None = None
    tools: str | None = None
    reasoning_effort: str | None = None
    precision: str | None = None
    dialect: str | None = None
    concurrency: int | None = None
    streaming: bool | None = None


class ModelReference(Model, frozen=True, kw_only=True):
    publisher: str
    name: str
    version: str = ""


class Submission(Model, frozen=True, kw_only=True):
    """A claim. `level` says how far it was checked, `verdict` how that ended."""

    id: str
    organization_id: str
    organization_name: str
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: str
    version_id: str
    version: str
    kind: str
    model_id: str
    model_name: str
    model_publisher: str
    model_version: str
    deployment_id: str | None
    provider_name: str | None
    status: str
    visibility: str
    level: str
    claims: list[MetricClaim]
    case_count: int
    configuration: Configuration
    fingerprint: str
    notes: str
    verdict: str | None
    verification_id: str | None
    is_demo: bool
    is_simulated: bool
    created_at: datetime
    status_reason: str | None


class SubmissionCheck(Model, frozen=True, kw_only=True):
    """What a claim would be taken for."""

    benchmark_id: str
    benchmark_slug: str
    version_id: str
    version: str
    model_id: str | None
    configuration: Configuration
    fingerprint: str


class Evidence(Model, frozen=True, kw_only=True):
    id: str
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    created_at: datetime


class EvidenceUpload(Model, frozen=True, kw_only=True):
    """Where the parts of a file go: one PUT to each of `urls`, in their order, of `part_size_bytes`.

    Attributes:
        part_size_bytes: of all parts but the last, which has the rest.
    """

    id: str
    part_size_bytes: int
    urls: list[str]
    expires_at: datetime


class EvidenceLink(Model, frozen=True, kw_only=True):
    """Where anybody gets the bytes of a file until `expires_at`.

    Attributes:
        url: None where the exchange's store is not reached from outside.
    """

    evidence_id: str
    sha256: str
    size_bytes: int
    url: str | None
    expires_at: datetime | None


class VerificationBound(Model, frozen=True, kw_only=True):
    """The most that a verification asks of the endpoint. `accept_bound` consents to exactly these numbers.

    Attributes:
        requests: HTTP requests in all.
        tokens: in and out, in all.
    """

    requests: int
    tokens: int
    accept_bound: str


class Reason(Model, frozen=True, kw_only=True):
    code: str
    text: str
    params: Any


class MetricJudgement(Model, frozen=True, kw_only=True):
    """A claimed value against a measured one, both in the metric's unit.

    Attributes:
        difference, difference_low, difference_high: measured minus claimed, or measured by claimed for
            performance metrics; with `difference_confidence` (0 to 1).
        tolerance: the difference that matters, on the same scale.
        needed_count: `needed_unit`s (cases, sessions) that would decide.
    """

    metric: str
    is_deciding: bool
    verdict: str
    rule: str
    claim: float | None
    measured: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    difference_confidence: float | None
    tolerance: float | None
    measured_low: float | None
    measured_high: float | None
    sample_count: int | None
    needed_count: int | None
    reasons: list[Reason]
    needed_unit: str | None


class Verification(Model, frozen=True, kw_only=True):
    """Attributes:
    status: requested or running, then decided, failed or cancelled.
    summary: the verdict in a sentence.
    seed: told once it is decided; `seed_digest` bound the platform to it before.
    request_bound, token_bound: what was consented to.
    done_count, planned_count: questions or requests.
    fault_side: who failed, where it failed: platform, provider, model or submitter.
    """

    id: str
    submission_id: str
    status: str
    verdict: str | None
    summary: str
    judgements: list[MetricJudgement]
    policy_number: int
    policy_digest: str
    seed_digest: str
    seed: str | None
    request_bound: int
    token_bound: int
    done_count: int
    planned_count: int
    fault_side: str | None
    fault_code: str | None
    fault_message: str | None
    repeat_reason: str | None
    run_ids: list[str]
    flags: list[str]
    requested_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class CaseComparison(Model, frozen=True, kw_only=True):
    key: str
    claimed_score: float | None
    measured_score: float | None
    measured_answer: str | None
    reference: str | None
    error: str | None
    answer_digest: str | None
