"""Boards, comparisons and histories."""

from __future__ import annotations

from datetime import datetime

from .base import Model


class LeaderboardMetric(Model, frozen=True, kw_only=True):
    """A measured value in the metric's unit, with its interval.

    Attributes:
        is_stated: False where so few requests cannot support the percentile.
        covers: what the interval is about: questions, requests_of_one_session, sessions, or nothing.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    sample_count: int | None
    is_stated: bool
    covers: str


class LeaderboardEntry(Model, frozen=True, kw_only=True):
    """A row. Values are in the board's `unit`; what is not known is None, never 0.

    Attributes:
        rank: None where the row has no value to rank.
        rank_low, rank_high: the places that the intervals leave possible.
        tie_group: rows with the same number cannot be told apart.
        low, high: of `value`, with `confidence` (0 to 1).
        claimed_value: what the submitter said.
        claim_refuted: the claim did not hold; `value` is what was measured.
        fingerprint: of the settings that were measured with; rows differ in settings where it differs.
        is_simulated: measured on a simulated provider.
    """

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
    """A page of a board.

    Attributes:
        direction: higher_is_better or lower_is_better.
        separable_neighbour_count: how many pairs of neighbours the measurements can tell apart.
    """

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
    """The first row against the second in one metric.

    Attributes:
        difference, low, high: first minus second, in the metric's unit.
        percent, percent_low, percent_high: as a change from the second row's value (5 is 5 %).
        p_adjusted: `p_value` for all comparisons at once.
        shared_count: cases that both were measured on.
        obstacle: why there is no difference to state, as a code.
        better_id: the better entry, where they differ for sure.
    """

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
    better_id: str | None
    summary: str


class SubjectDifference(Model, frozen=True, kw_only=True):
    name: str
    values: list[str]


class ComparedCase(Model, frozen=True, kw_only=True):
    key: str
    scores: list[float]


class Comparison(Model, frozen=True, kw_only=True):
    """`scores` of a differing case are in the order of `entries`."""

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
    """One verification of a model. Values are in `unit`; `confidence` is 0 to 1."""

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
