"""Language models: who published them, where they are served, what was measured of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from llm_benchmark.client import Client
from llm_benchmark.mcp.arguments import Id, Limit, PageToken, Words
from llm_benchmark.mcp.links import page
from llm_benchmark.mcp.offering import offered
from llm_benchmark.mcp.results import ListResult, Result, Shape, marks
from llm_benchmark.mcp.texts import Foreign, model_name, quoted
from llm_benchmark.models import Deployment, LanguageModel
from llm_benchmark.quantities import interval, quantity

NEWEST = 20


class ListedModel(Shape):
    id: str
    publisher: Foreign
    name: Foreign
    version: Foreign
    is_demo: bool
    page: str
    deployment_id: str | None = None
    """Where it is served, if a provider was asked for."""
    served_name: Foreign | None = None
    """What the provider calls it."""
    is_listed: bool | None = None
    """The provider still offers it."""
    is_simulated: bool | None = None
    """A simulator, not a model."""

    def line(self) -> str:
        name = model_name(self.publisher, self.name, self.version)
        served = f", served as {quoted(self.served_name)}" if self.served_name else ""
        return f"{name} ({self.id}){served}{marks(is_simulated=self.is_simulated, is_demo=self.is_demo)}"


class ListedModels(ListResult):
    items: list[ListedModel]

    def lines(self) -> Iterable[str]:
        if not self.items:
            yield "No model. A provider's models are found by benchmark_provider_discover."
        yield from (one.line() for one in self.items)
        yield from self.more()


class Measurement(Shape):
    benchmark_slug: str
    benchmark_name: Foreign
    version: str
    metric: str
    unit: str
    """Empty: a share from 0 to 1."""
    direction: str
    value: float | None
    low: float | None
    high: float | None
    confidence: float | None
    sample_count: int | None
    claimed_value: float | None
    verdict: str
    level: str
    provider_name: Foreign | None
    submission_id: str
    is_current: bool
    """False: a later measurement stands on the board."""
    is_simulated: bool
    is_demo: bool
    measured_at: datetime

    def line(self) -> str:
        about = f"{quoted(self.benchmark_name)} {self.version}, {self.metric}"
        sure = interval(self.low, self.high, self.unit)
        past = "" if self.is_current else ", replaced since"
        marked = marks(is_simulated=self.is_simulated, is_demo=self.is_demo)
        return f"{about}: {quantity(self.value, self.unit)} ({sure}), {self.verdict}{past}{marked}"


class ModelWithMeasurements(Result):
    id: str
    publisher: Foreign
    publisher_verified: bool
    """False: whoever submitted said so, and nobody checked it."""
    name: Foreign
    version: Foreign
    aliases: list[Foreign]
    is_demo: bool
    page: str
    measurements: list[Measurement]
    """The newest ones."""

    def lines(self) -> Iterable[str]:
        name = model_name(self.publisher, self.name, self.version)
        yield f"{name}{marks(is_demo=self.is_demo)}: {self.page}"
        if not self.measurements:
            yield "Nothing of it was measured by the exchange."
        yield from (one.line() for one in self.measurements)


class StateChange(Shape):
    old_status: str
    new_status: str
    reason: str
    """A code."""
    campaign_id: str | None
    """The campaign that brought it, if one did."""
    changed_by_name: Foreign | None
    """The person who did, if one did."""
    changed_at: datetime

    def line(self) -> str:
        by = f" by {quoted(self.changed_by_name)}" if self.changed_by_name else ""
        return (
            f"{self.changed_at:%Y-%m-%d %H:%M} UTC: {self.old_status} to {self.new_status}, {self.reason}{by}"
        )


class ModelHistory(ListResult):
    deployment_id: str
    served_name: Foreign
    status: str
    """How it stands now."""
    status_reason: str | None
    capability: str
    is_simulated: bool
    items: list[StateChange]
    """Its changes, the newest first."""

    def lines(self) -> Iterable[str]:
        now = f"{self.status} ({self.status_reason})" if self.status_reason else self.status
        marked = marks(is_simulated=self.is_simulated)
        yield f"{quoted(self.served_name)}{marked} is {now}, made for {self.capability}."
        yield from (one.line() for one in self.items)
        yield from self.more()


@offered("List models")
def benchmark_model_list(
    client: Client,
    *,
    query: Words = "",
    provider_id: Id | None = None,
    limit: Limit = 20,
    page_token: PageToken = "",
) -> ListedModels:
    """Models that results speak of, by words in publisher, name or alias; or those that one provider serves.

    With `provider_id` (from benchmark_provider_list) the provider's models are listed under the names it
    gives them; `query` is for the other case.
    """
    if provider_id is not None:
        served = next(client.endpoints.deployments(provider_id).pages(page_size=limit, page_token=page_token))
        items = [_served(client, one) for one in served.items]
        return ListedModels(items=items, next_page_token=served.next_page_token)
    rows = client.endpoints.models(query=query or None)
    found = next(rows.pages(page_size=limit, page_token=page_token))
    items = [_listed(client, one) for one in found.items]
    return ListedModels(items=items, next_page_token=found.next_page_token)


@offered("A model and what was measured of it")
def benchmark_model_get(client: Client, *, model_id: Id) -> ModelWithMeasurements:
    """One model with its newest measurements on all benchmarks, each with its interval and verdict.

    Values of different benchmarks or versions cannot be compared with each other; for two models on one
    benchmark use compare_models.
    """
    model = client.endpoints.get_model(model_id)
    measured = client.leaderboards.model_history(model_id).first(NEWEST)
    return ModelWithMeasurements.of(model, measurements=measured, page=page(client, "models", model.id))


@offered("How a served model stood")
def benchmark_model_history(
    client: Client, *, deployment_id: Id, limit: Limit = 20, page_token: PageToken = ""
) -> ModelHistory:
    """How a model at one of the caller's providers stands and stood: each change with its reason.

    `deployment_id` is from benchmark_provider_get. Private; needs endpoints:read.
    """
    deployment = client.endpoints.get_deployment(deployment_id)
    changes = client.endpoints.history(deployment_id)
    found = next(changes.pages(page_size=limit, page_token=page_token))
    return ModelHistory.of(
        deployment,
        deployment_id=deployment.id,
        items=[StateChange.of(one) for one in found.items],
        next_page_token=found.next_page_token,
    )


def _listed(client: Client, model: LanguageModel) -> ListedModel:
    return ListedModel.of(model, page=page(client, "models", model.id))


def _served(client: Client, deployment: Deployment) -> ListedModel:
    return ListedModel.of(
        deployment,
        id=deployment.model_id,
        publisher=deployment.model_publisher,
        name=deployment.model_name,
        version=deployment.model_version,
        deployment_id=deployment.id,
        page=page(client, "models", deployment.model_id),
    )
