"""What a worker measured."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .base import Model


class MeasuredMetric(Model, frozen=True, kw_only=True):
    """A value in the metric's unit, with its interval at `confidence` (0 to 1); see `LeaderboardMetric`."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    confidence: float | None
    sample_count: int | None
    is_stated: bool
    covers: str


class GroupScore(Model, frozen=True, kw_only=True):
    """The score of one group of cases, 0 to 1; `accuracy` counts each planned case of it."""

    group: str
    sample_count: int
    accuracy: float
    low: float | None
    high: float | None
    confidence: float
    answered_count: int
    answered_accuracy: float | None


class Run(Model, frozen=True, kw_only=True):
    """Attributes:
    planned_count, done_count: questions or requests.
    requests_settled, requests_lost: HTTP requests whose end is known, and those whose end never will be.
    fault_side: who failed, where it failed: platform, provider, model or submitter.
    snapshot: the settings that were measured with, as a whole.
    input_tokens, output_tokens: None unless every answer has the number.
    cost_usd: a decimal number in text, for the organization that was measured alone.
    bundle_sha256, public_bundle_sha256: of what `download_bundle` writes with part="whole" or "public".
    """

    id: str
    kind: str
    status: str
    fence: int
    attempt_count: int
    planned_count: int
    done_count: int
    requests_settled: int
    requests_lost: int
    fault_side: str | None
    fault_code: str | None
    fault_message: str | None
    returned_model: str | None
    metrics: list[MeasuredMetric]
    flags: list[str]
    snapshot: Any
    fingerprint: str
    bundle_sha256: str | None
    public_bundle_sha256: str | None
    bundle_size_bytes: int | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    findings: Any
    groups: list[GroupScore]
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: str | None
