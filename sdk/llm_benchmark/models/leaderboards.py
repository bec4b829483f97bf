"""Boards, comparisons and histories."""

from __future__ import annotations

from datetime import datetime

from .base import Model


class LeaderboardMetric(Model, frozen=True, kw_only=True):
    name: str
    value: float | None
    low: float | None
    high: float | None
    sample_count: int | None
    is_stated: bool
    covers: str


class LeaderboardEntry(Model, frozen=True, kw_only=True):
    id: str
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    tie_group: int | None
    submission_id: str
    verification_id: str | None
    model_id: str
    model_name: str
    model_publisher: str
    model_version: str
    deployment_id: str | None
    provider_name: str | None
    organization_id: str
    organization_name: str
    level: str
    verdict: str | None
    claim_refuted: bool
    value: float | None
    low: float | None
    high: float | None
    confidence: float | None
    sample_count: int | None
    claimed_value: float | None
    metrics: list[LeaderboardMetric]
    fingerprint: str
    is_simulated: bool
    measured_at: datetime | None
    is_demo: bool


class Leaderboard(Model, frozen=True, kw_only=True):
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: str
    version_id: str
    version: str
    metric: str
    metric_title: str
    unit: str
    direction: str
    verified_only: bool
    ranked_count: int
    unranked_count: int
    separable_neighbour_count: int
    is_demo: bool
    items: list[LeaderboardEntry]
    next_page_token: str
    updated_at: datetime | None


class CategoryCell(Model, frozen=True, kw_only=True):
    benchmark_id: str
    version_id: str
    entry_id: str
    submission_id: str
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    value: float | None
    low: float | None
    high: float | None
    provider_name: str | None
    is_simulated: bool
    verdict: str | None


class CategoryModel(Model, frozen=True, kw_only=True):
    model_id: str
    model_name: str
    model_publisher: str
    model_version: str
    cells: list[CategoryCell]


class CategoryLeaderboard(Model, frozen=True, kw_only=True):
    category: str
    verified_only: bool
    boards: list[Leaderboard]
    models: list[CategoryModel]
    is_demo: bool


class ModelComparison(Model, frozen=True, kw_only=True):
    first_id: str
    second_id: str
    metric: str
    metric_title: str
    unit: str
    direction: str
    difference: float | None
    low: float | None
    high: float | None
    percent: float | None
    percent_low: float | None
    percent_high: float | None
    confidence: float
    p_value: float | None
    p_adjusted: float | None
    method: str
    shared_count: int | None
    obstacle: str | None
    better_id: str | None = None
    summary: str


class SubjectDifference(Model, frozen=True, kw_only=True):
    name: str
    values: list[str]


class ComparedCase(Model, frozen=True, kw_only=True):
    key: str
    scores: list[float]


class Comparison(Model, frozen=True, kw_only=True):
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: str
    version_id: str
    version: str
    is_demo: bool
    summary: str
    entries: list[LeaderboardEntry]
    names: list[str]
    comparisons: list[ModelComparison]
    other_comparisons: list[ModelComparison]
    subject_differences: list[SubjectDifference]
    differing_case_count: int | None
    differing_cases: list[ComparedCase]


class ModelMeasurement(Model, frozen=True, kw_only=True):
    verification_id: str
    submission_id: str
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: str
    version_id: str
    version: str
    metric: str
    metric_title: str
    unit: str
    direction: str
    value: float | None
    low: float | None
    high: float | None
    confidence: float | None
    sample_count: int | None
    claimed_value: float | None
    verdict: str
    level: str
    submission_status: str
    organization_name: str
    deployment_id: str | None
    provider_name: str | None
    fingerprint: str
    is_simulated: bool
    is_demo: bool
    is_current: bool
    measured_at: datetime
