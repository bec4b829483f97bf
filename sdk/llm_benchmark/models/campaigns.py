"""Sweeps over what an organization's endpoints serve: found, checked, measured."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .base import Model


class CampaignEndpoint(Model, frozen=True, kw_only=True):
    """An endpoint that is swept; `fault_code` says why it was not swept to the end, if so."""

    endpoint_id: str
    endpoint_name: str
    fault_code: str | None
    fault_message: str | None


class Campaign(Model, frozen=True, kw_only=True):
    """Attributes:
    endpoint_id: None for all of the organization's endpoints.
    profile_version_id: the load that is put on what answers; None for none.
    refresh: the endpoints are asked first what they serve.
    via: the door that it was started at: api, grpc, cli, mcp or web.
    fault_code, fault_message: why it failed, where it did.
    percent: of its rows that are done; None until it is known which rows there are.
    failed_measurement_count: rows that could not be measured, which says nothing about the models.
    outcomes: outcome → how many rows ended so.
    """

    id: str
    organization_id: str
    endpoint_id: str | None
    endpoint_name: str | None
    deployment_id: str | None
    mode: str
    profile_version_id: str | None
    profile_slug: str | None
    profile_version: str | None
    refresh: bool
    status: str
    via: str
    requested_by_name: str | None
    fault_code: str | None
    fault_message: str | None
    endpoints: list[CampaignEndpoint]
    percent: float | None
    item_count: int
    done_count: int
    failed_measurement_count: int
    outcomes: dict[str, int]
    is_demo: bool
    created_at: datetime
    cancel_requested_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None


class CampaignItem(Model, frozen=True, kw_only=True):
    """A deployment's row in a campaign, frozen when it is done.

    Attributes:
        stage: pending, capability, smoke, stability, benchmark or done.
        outcome: the state that was found, or why there is no more than that.
        initial_status, final_status: how the deployment stood before, and in the end.
        status_reason: a code; `message` says it in words.
        capability_confidence: 0 to 1.
        measurement_status: how the measuring itself went, apart from how the model stands; `measurement_side`
            is who failed, where it failed: platform, provider, model or submitter.
        performance_run_id: what `verifications.run` takes.
        attempt_count: HTTP requests sent.
    """

    id: str
    campaign_id: str
    deployment_id: str
    endpoint_id: str
    endpoint_name: str
    served_name: str
    model_id: str
    position: int
    stage: str
    outcome: str | None
    initial_status: str
    final_status: str | None
    status_reason: str | None
    message: str | None
    capability: str | None
    capability_source: str | None
    capability_confidence: float | None
    protocol: str | None
    measurement_status: str
    measurement_side: str | None
    measurement_code: str | None
    measurement_message: str | None
    performance_run_id: str | None
    attempt_count: int
    is_simulated: bool
    started_at: datetime | None
    finished_at: datetime | None


class CampaignProbe(Model, frozen=True, kw_only=True):
    """One request of a check.

    Attributes:
        step: smoke, stability-1, stability-2 or stability-3; `number` is the try of it, from 1.
        status: of HTTP; None where no answer came.
        error: a code; None: answered.
        excerpt: what came back, without secrets; written by the provider.
    """

    step: str
    number: int
    status: int | None
    error: str | None
    latency_ms: float
    retry_after_seconds: float | None
    excerpt: str


class CampaignResult(CampaignItem, frozen=True, kw_only=True):
    """`figures`: metric of the profile → its value in the metric's unit."""

    probes: list[CampaignProbe]
    figures: Any


class CampaignChange(Model, frozen=True, kw_only=True):
    """A deployment that both campaigns checked. `ratios`: metric → the later value over the earlier one."""

    deployment_id: str
    endpoint_name: str
    served_name: str
    previous_status: str | None
    status: str | None
    previous_reason: str | None
    reason: str | None
    is_changed: bool
    ratios: dict[str, float]


class CampaignComparison(Model, frozen=True, kw_only=True):
    """`appeared` was checked now alone, `vanished` before alone, `changes` in both."""

    campaign: Campaign
    previous: Campaign
    appeared: list[CampaignItem]
    vanished: list[CampaignItem]
    changes: list[CampaignChange]
