"""What is measured: benchmarks, their versions, cases, metrics and policies."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .base import Model


class Citation(Model, frozen=True, kw_only=True):
    title: str = ""
    authors: list[str] = []
    venue: str = ""
    year: int | None = None
    doi: str = ""
    bibtex: str = ""


class Benchmark(Model, frozen=True, kw_only=True):
    id: str
    slug: str
    name: str
    description: str
    kind: str
    category: str
    status: str
    visibility: str
    tags: list[str]
    long_description: str
    license: str | None
    custom_license: str
    citation: Citation | None
    documentation_url: str
    source_url: str
    maintainers: list[str]
    is_endorsed: bool
    organization_id: str
    organization_name: str
    is_demo: bool
    current_version: str | None
    current_version_id: str | None
    created_at: datetime
    updated_at: datetime


class BenchmarkStatusChange(Model, frozen=True, kw_only=True):
    from_status: str
    to_status: str
    changed_by_id: str | None
    changed_by_name: str | None
    reason: str
    changed_at: datetime


class Metric(Model, frozen=True, kw_only=True):
    """Its values are in `unit` ("" for a share of 0 to 1), from `minimum` to `maximum`."""

    name: str
    title: str
    unit: str = ""
    direction: str
    kind: str
    minimum: float | None = None
    maximum: float | None = None
    is_primary: bool = False


class Generation(Model, frozen=True, kw_only=True):
    """What models are asked with; None leaves it to the provider."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: list[str] = []


class Slo(Model, frozen=True, kw_only=True):
    """Goals of one request, in ms. A request that keeps all of them is a good one; None is no goal."""

    ttft_ms: float | None = None
    itl_ms: float | None = None
    request_latency_ms: float | None = None


class LoadProfile(Model, frozen=True, kw_only=True):
    """How a performance benchmark loads an endpoint.

    Attributes:
        protocol: None generates text in the endpoint's own protocol; else embeddings or rerank.
        input_tokens: of a prompt, of an input to embed, or of a query and of each of its documents.
        output_tokens: of an answer; 0 where nothing is generated.
        requests, warmup_requests: counted and not counted; in a sweep at each level.
        concurrency: requests in flight at once: 1 if left out, None in a sweep.
        concurrencies: the levels of a sweep, growing.
        streaming: True if left out, False where nothing is generated.
        documents: of each query to rerank.
        batch_size: inputs of one request to embed; 1 if left out.
    """

    input_tokens: int
    output_tokens: int = 0
    requests: int
    warmup_requests: int = 2
    concurrency: int | None = None
    streaming: bool | None = None
    protocol: str | None = None
    concurrencies: list[int] = []
    slo: Slo | None = None
    documents: int | None = None
    batch_size: int | None = None


class QualityGate(Model, frozen=True, kw_only=True):
    """What a deployment must reach in quality before its speed counts.

    Attributes:
        benchmark_version_id: a published version of a quality benchmark.
        metric: one that decides there.
        minimum: a share (0 to 1), of what the same deployment, set alike, came to when last measured again.
    """

    benchmark_version_id: str
    metric: str
    minimum: float


class VerificationPolicy(Model, frozen=True, kw_only=True):
    """How claims on a version are judged.

    Attributes:
        delta: the difference in a quality metric that matters, as a share (0.02 is two points of a hundred).
        alpha: chance of confirming what does not hold.
        gamma: chance of refuting, or correcting, what holds.
        tolerances: by a performance metric's name, the relative difference that matters (0.15 is 15 %).
        sessions: how often a performance verification measures.
        decided_by: author or proposal.
        digest: of the whole policy; verifications name it.
        quality_gate: of a performance benchmark, where it has one.
    """

    number: int
    delta: float
    alpha: float
    gamma: float
    tolerances: dict[str, float]
    deciding_metrics: list[str]
    sessions: int
    decided_by: str
    digest: str
    effective_at: datetime
    quality_gate: QualityGate | None


class PolicyDraft(Model, frozen=True, kw_only=True):
    """A `VerificationPolicy` to come; what is left out is the exchange's default."""

    delta: float | None = None
    alpha: float | None = None
    gamma: float | None = None
    tolerances: dict[str, float] = {}
    deciding_metrics: list[str] = []
    sessions: int | None = None
    quality_gate: QualityGate | None = None


class BenchmarkVersion(Model, frozen=True, kw_only=True):
    """An edition. `content_hash` and `published_at` are None while it is a draft."""

    id: str
    benchmark_id: str
    version: str
    kind: str
    status: str
    content_hash: str | None
    changelog: str
    migration_notes: str
    parent_version: str | None
    is_compatible: bool | None
    system_prompt: str
    prompt_template: str
    cases_public: bool
    generation: Generation | None
    load_profile: LoadProfile | None
    metrics: list[Metric]
    test_case_count: int
    policy: VerificationPolicy | None
    published_at: datetime | None
    created_at: datetime


class TestCase(Model, frozen=True, kw_only=True):
    """One item of a quality benchmark. `reference` and `choices` may be empty for who may not see them.

    `group` is the part of the benchmark that it belongs to; all without one are a part too.
    """

    key: str
    prompt: str
    reference: str
    scorer: str
    scorer_config: dict[str, Any] = {}
    choices: dict[str, str] = {}
    weight: float = 1.0
    tags: list[str] = []
    group: str | None = None
