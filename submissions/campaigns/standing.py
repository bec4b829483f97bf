"""How what an organization's endpoints serve stands, and what campaigns last brought. Read for pages."""

from collections import defaultdict
from collections.abc import Mapping
from uuid import UUID

from django.db.models import Count, QuerySet

from exchange.core.actors import Actor
from exchange.core.clock import DatabaseNow
from submissions.endpoints import selectors as endpoints
from submissions.endpoints.models import Price

from . import selectors
from .models import CampaignEndpoint, CampaignItem, CampaignMode, ItemStage

States = Mapping[str, int]
"""State → how many deployments stand so."""


def count_states(*, actor: Actor, organization_id: UUID) -> dict[UUID, States]:
    """Endpoint → its deployments by state. An endpoint without deployments is left out."""
    rows = endpoints.list_deployments(actor=actor).filter(organization_id=organization_id)
    counted = rows.order_by().values_list("endpoint_id", "status").annotate(count=Count("pk"))
    found: dict[UUID, dict[str, int]] = defaultdict(dict)
    for endpoint_id, state, count in counted:
        found[endpoint_id][state] = count
    return dict(found)


def number_chosen(mode: str, states: States) -> int:
    """How many of the deployments that stand so a campaign of this mode would check."""
    chosen = selectors.CHOSEN_STATES.get(CampaignMode(mode))
    if chosen is None:
        return sum(count for state, count in states.items() if state not in selectors.NEVER)
    return sum(count for state, count in states.items() if state in chosen)


def last_sweeps(*, actor: Actor, organization_id: UUID) -> dict[UUID, CampaignEndpoint]:
    """Endpoint → its part in the newest campaign that took it."""
    campaigns = selectors.list_campaigns(actor=actor, organization_id=organization_id)
    rows = CampaignEndpoint.objects.filter(campaign__in=campaigns.order_by().values("pk"))
    newest = rows.order_by("endpoint_id", "-campaign__created_at").distinct("endpoint_id")
    return {sweep.endpoint_id: sweep for sweep in newest.select_related("campaign")}


def list_checks(*, actor: Actor, deployment_id: UUID) -> QuerySet[CampaignItem]:
    """The rows of a deployment in all campaigns, newest first, each with its `live_stage`."""
    deployment = endpoints.get_deployment(actor=actor, deployment_id=deployment_id)
    rows = selectors.staged(CampaignItem.objects.filter(deployment=deployment))
    return rows.select_related("campaign").order_by("-created_at", "id")


def last_figures(*, actor: Actor, endpoint_id: UUID) -> dict[UUID, Mapping[str, float | None]]:
    """Deployment → metric → value, of its newest measurement in a campaign."""
    endpoint = endpoints.get_endpoint(actor=actor, endpoint_id=endpoint_id)
    rows = CampaignItem.objects.filter(endpoint=endpoint, stage=ItemStage.DONE).exclude(figures={})
    newest = rows.order_by("deployment_id", "-finished_at").distinct("deployment_id")
    return dict(newest.values_list("deployment_id", "figures"))


def prices_in_force(*, actor: Actor, endpoint_id: UUID) -> dict[UUID, Price]:
    """Deployment → what it costs at this moment, where somebody said."""
    endpoint = endpoints.get_endpoint(actor=actor, endpoint_id=endpoint_id)
    begun = Price.objects.filter(deployment__endpoint=endpoint, effective_at__lte=DatabaseNow())
    rows = begun.order_by("deployment_id", "-effective_at", "-created_at").distinct("deployment_id")
    return {price.deployment_id: price for price in rows}


def at_work(*, actor: Actor, campaign_id: UUID) -> list[CampaignItem]:
    """The rows of a campaign that something is done for at this moment."""
    rows = selectors.list_items(actor=actor, campaign_id=campaign_id)
    return list(rows.exclude(stage__in=[ItemStage.PENDING, ItemStage.DONE]))


def next_up(*, actor: Actor, campaign_id: UUID) -> CampaignItem | None:
    """The first row of a campaign that nothing was done for yet."""
    rows = selectors.list_items(actor=actor, campaign_id=campaign_id)
    return rows.filter(stage=ItemStage.PENDING).first()
