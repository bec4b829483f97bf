"""Campaigns: whether those that go on can, what those that ended left, and how deployments came to stand."""

from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef, Q, Subquery

from exchange.operate.watch import Watch
from llm_benchmark.measure.probing import State
from submissions.campaigns.models import OPEN, Campaign, CampaignEndpoint, ItemStage
from submissions.campaigns.selectors import open_runs
from submissions.endpoints.models import Deployment, StatusChange

_FIRST = (State.NEW, State.MISSING)  # missing: not listed any more before there were states


def rows(watch: Watch) -> Iterator[str]:
    held = CampaignEndpoint.objects.filter(campaign=OuterRef("pk"), is_open=True)
    for campaign in watch.each(Campaign.objects.annotate(holds=Exists(held)).order_by("pk").iterator()):
        is_open = campaign.status in OPEN
        if is_open and not open_runs(campaign).exists():
            yield f"the campaign {campaign.pk} is {campaign.status} and waits for no run"
        if not is_open and campaign.items.exclude(stage=ItemStage.DONE).exists():
            yield f"the campaign {campaign.pk} is {campaign.status} and has rows that did not end"
        if is_open != campaign.holds:
            yield f"the campaign {campaign.pk} is {campaign.status}, and its endpoints say otherwise"


def histories(watch: Watch) -> Iterator[str]:
    """From its first state on, every move of a deployment has its row."""
    last = StatusChange.objects.filter(deployment=OuterRef("pk")).order_by("-id").values("new_status")[:1]
    every = Deployment.objects.annotate(said=Subquery(last))
    as_said = Q(status=F("said")) | Q(said=None, status__in=_FIRST)
    for deployment in watch.each(every.exclude(as_said).order_by("pk").iterator()):
        yield f"the deployment {deployment.pk} is {deployment.status}, and its history says {deployment.said}"
