"""Models, endpoints, and the deployments of models at endpoints."""

from __future__ import annotations

from datetime import datetime

from .base import Model


class Endpoint(Model, frozen=True, kw_only=True):
    """`has_credential`: a provider's key is kept for it; nobody can read that. `credential_source` says where:
    `stored` with the exchange, or in its `environment`; or `none`."""

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


class Deployment(Model, frozen=True, kw_only=True):
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
