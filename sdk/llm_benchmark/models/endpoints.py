"""Models, endpoints, and the deployments of models at endpoints."""

from __future__ import annotations

from datetime import datetime

from .base import Model


class Endpoint(Model, frozen=True, kw_only=True):
    """`has_credential`: a provider's key is kept for it; nobody can read that. `credential_source` says
    where: `stored` with the exchange, or in its `environment`; or `none`. `protocol`, if empty, is as its URL
    says.
    """

    id: str
    organization_id: str
    name: str
    provider_name: str
    base_url: str
    dialect: str
    has_credential: bool
    credential_source: str
    operator_allowed: bool
    is_simulated: bool
    deployment_count: int
    is_demo: bool
    discovered_at: datetime | None
    created_at: datetime
    protocol: str


class Deployment(Model, frozen=True, kw_only=True):
    """Attributes:
    status: how it stands, as its last check found; `status_reason` is the code of the reason.
    capability: what kind of request it is made for, known by `capability_source` (metadata, name, probe,
        manual or unknown) with `capability_confidence`, 0 to 1.
    protocol: how it is asked; None: not known yet.
    """

    id: str
    endpoint_id: str
    organization_id: str
    provider_name: str
    served_name: str
    model_id: str
    model_name: str
    model_publisher: str
    model_version: str
    is_listed: bool
    is_simulated: bool
    is_demo: bool
    created_at: datetime
    status: str
    status_reason: str | None
    capability: str
    capability_source: str
    capability_confidence: float
    protocol: str | None
    first_seen_at: datetime
    last_seen_at: datetime | None
    last_success_at: datetime | None
    last_failure_at: datetime | None


class DeploymentStatusChange(Model, frozen=True, kw_only=True):
    """`campaign_id` and `changed_by_name` say what or who brought it, where one did. `reason` is a code."""

    old_status: str
    new_status: str
    reason: str
    campaign_id: str | None
    changed_by_name: str | None
    changed_at: datetime


class Price(Model, frozen=True, kw_only=True):
    """US dollars for a million tokens from a moment on, as decimal numbers in text."""

    id: str
    deployment_id: str
    input_per_million: str
    output_per_million: str
    effective_at: datetime
    set_by_name: str | None
    created_at: datetime


class LanguageModel(Model, frozen=True, kw_only=True):
    """Who published it under what name; `aliases` are names that mean the same."""

    id: str
    publisher: str
    name: str
    version: str
    publisher_verified: bool
    aliases: list[str]
    is_demo: bool
    created_at: datetime
