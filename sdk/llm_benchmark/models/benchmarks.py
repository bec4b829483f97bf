"""What is measured: benchmarks, their versions, cases, metrics and policies."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .base import Model


class Citation(Model, frozen=True, kw_only=True):
    title: str | None = None
    authors: list[str] | None = None
    venue: str | None = None
    year: int | None = None
    doi: str | None = None
    bibtex: str | None = None


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
    name: str
    title: str
    unit: str | None = None
    direction: str
    kind: str
    minimum: float | None = None
    maximum: float | None = None
    is_primary: bool | None = None


class Generation(Model, frozen=True, kw_only=True):
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: list[str] | None = None


class LoadProfile(Model, frozen=True, kw_only=True):
    input_tokens: int
    output_tokens: int
    requests: int
    warmup_requests: int | None = None
    concurrency: int | None = None
    streaming: bool | None = None


class VerificationPolicy(Model, frozen=True, kw_only=True):
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


class PolicyDraft(Model, frozen=True, kw_only=True):
    delta: float | None = None
    alpha: float | None = None
    gamma: float | None = None
    tolerances: dict[str, float] | None = None
    deciding_metrics: list[str] | None = None
    sessions: int | None = None


class BenchmarkVersion(Model, frozen=True, kw_only=True):
    id: str
    benchmark_id: str
    version: str
    kind: str
    status: str
    content_hash: str | None
    changelog: str
    migration_notes: str
    parent_version: str | None = None
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
    key: str
    prompt: str
    reference: str
    scorer: str
    scorer_config: dict[str, Any] | None = None
    choices: dict[str, str] | None = None
    weight: float | None = None
    tags: list[str] | None = None
