"""Providers: the endpoints that the caller's organizations have registered."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from llm_benchmark.client import Client
from llm_benchmark.mcp.arguments import Id, Limit, PageToken
from llm_benchmark.mcp.offering import offered
from llm_benchmark.mcp.results import ListResult, Result, Shape, marks
from llm_benchmark.mcp.texts import Foreign, quoted
from llm_benchmark.models import Endpoint

MOST_MODELS = 100


class Provider(Shape):
    id: str
    organization_id: str
    name: Foreign
    provider_name: Foreign
    """As results name it in public."""
    base_url: str
    dialect: str
    """Which non-standard fields it takes; empty: not found out yet."""
    has_credential: bool
    """A key is kept for it. No tool shows it."""
    deployment_count: int
    """Models that it offers."""
    is_simulated: bool
    is_demo: bool
    discovered_at: datetime | None

    def line(self) -> str:
        models = f"{self.deployment_count} models" if self.discovered_at else "not discovered yet"
        marked = marks(is_simulated=self.is_simulated, is_demo=self.is_demo)
        return f"{quoted(self.name)} ({self.id}): {quoted(self.provider_name)}, {models}{marked}"


class Providers(ListResult):
    items: list[Provider]

    def lines(self) -> Iterable[str]:
        if not self.items:
            yield "No provider. People register one: llm-benchmark provider add"
        yield from (one.line() for one in self.items)
        yield from self.more()


class ServedModel(Shape):
    id: str
    """Of the deployment."""
    served_name: Foreign
    model_id: str
    model_publisher: Foreign
    model_name: Foreign
    model_version: Foreign
    is_listed: bool
    """The provider still offers it."""
    status: str
    """How it stands: new (never checked), active, unstable, failed, disabled, missing and so on."""
    capability: str
    """What it is made for: chat_text, embedding, rerank, …; unknown."""


class ProviderWithModels(Result):
    provider: Provider
    models: list[ServedModel]
    """The first 100; benchmark_model_list goes through all."""

    def lines(self) -> Iterable[str]:
        yield self.provider.line()
        for one in self.models:
            yield f"- {quoted(one.served_name)} (deployment {one.id}): {one.status}"


@offered("List providers", is_open_world=False)
def benchmark_provider_list(
    client: Client, *, organization_id: Id | None = None, limit: Limit = 20, page_token: PageToken = ""
) -> Providers:
    """The endpoints where the caller's organizations have models served. Private; needs endpoints:read."""
    rows = client.endpoints.list(organization_id=organization_id)
    found = next(rows.pages(page_size=limit, page_token=page_token))
    items = [Provider.of(one) for one in found.items]
    return Providers(items=items, next_page_token=found.next_page_token)


@offered("A provider and its models", is_open_world=False)
def benchmark_provider_get(client: Client, *, provider_id: Id) -> ProviderWithModels:
    """One of the caller's endpoints with the models it serves. Private; needs endpoints:read."""
    return _with_models(client, client.endpoints.get(provider_id))


@offered("Ask a provider for its models", writes=True)
def benchmark_provider_discover(client: Client, *, provider_id: Id) -> ProviderWithModels:
    """Have the exchange ask an endpoint of the caller which models it serves, and store what it answers.

    It sends a few short requests to the provider, with the key kept for it; it may take 15 seconds. Needs
    endpoints:write. Use it when a model is missing from benchmark_provider_get, not to watch a provider.
    """
    return _with_models(client, client.endpoints.discover(provider_id))


def _with_models(client: Client, endpoint: Endpoint) -> ProviderWithModels:
    served = client.endpoints.deployments(endpoint.id).first(MOST_MODELS)
    return ProviderWithModels(provider=Provider.of(endpoint), models=[ServedModel.of(one) for one in served])
