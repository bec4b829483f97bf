"""An organization's campaigns, and one of them: how far it is, then what it brought."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_POST

from exchange.api.forms import parse, split_page
from exchange.api.shown import shown_page
from exchange.core import paging
from exchange.web.pages import asked, page, signed_in
from llm_benchmark.measure.probing import State
from submissions.campaigns import comparing, selectors, services, standing
from submissions.campaigns.api import serializers as s
from submissions.campaigns.errors import CampaignClosed, NoPreviousCampaign

from .places import head_of, organization_of

OPEN = ("queued", "running")


@page
@signed_in
def campaigns(request, slug):
    found = organization_of(request, slug)
    given = {name: value for name, value in asked(request).items() if name in {"status", "page_token"}}
    form = parse(s.ListCampaignsRequestSerializer, {**given, "organization_id": found.pk})
    filters, page_of = split_page(form)
    rows = selectors.list_campaigns(actor=request.actor, **filters)
    shown = shown_page(s.CampaignSerializer, rows, page_of)
    context = {
        **head_of(request, found),
        "campaigns": shown["items"],
        "next_page_token": shown["next_page_token"],
        "status": filters["status"],
    }
    return render(request, "campaigns/campaigns.html", context)


@page
@signed_in
def campaign(request, campaign_id):
    found = selectors.get_campaign(actor=request.actor, campaign_id=campaign_id)
    is_open = found.status in OPEN
    context = {
        **head_of(request, found.organization),
        **_shown(request, found),
        **({"comparison": None, "active_count": 0} if is_open else _ended(request, found)),
    }
    return render(request, "campaigns/campaign.html", context)


@conditional_page
@page
@signed_in
def progress(request, campaign_id):
    """Asked every two seconds, and answered with 304 while nothing has changed."""
    found = selectors.get_campaign(actor=request.actor, campaign_id=campaign_id)
    return render(request, "campaigns/_progress.html", _shown(request, found))


def _shown(request, found):
    """The campaign, a page of its rows, and while it goes on what is done now and comes next."""
    given = {name: value for name, value in asked(request).items() if name in {"outcome", "page_token"}}
    form = parse(s.ListCampaignResultsRequestSerializer, {**given, "campaign_id": found.pk})
    filters, page_of = split_page(form)
    rows = selectors.list_items(actor=request.actor, **filters)
    shown = shown_page(s.CampaignResultSerializer, rows, page_of | {"size": paging.LARGEST_SIZE})
    return {
        "campaign": s.CampaignSerializer(found).data,
        "is_open": found.status in OPEN,
        "items": shown["items"],
        "next_page_token": shown["next_page_token"],
        "outcome": filters["outcome"],
        **_work(request, found),
    }


def _work(request, found):
    if found.status not in OPEN:
        return {"at_work": [], "next_up": None}
    of = {"actor": request.actor, "campaign_id": found.pk}
    following = standing.next_up(**of)
    return {
        "at_work": s.CampaignItemSerializer(standing.at_work(**of), many=True).data,
        "next_up": s.CampaignItemSerializer(following).data if following else None,
    }


def _ended(request, found):
    """Of its models, also those that the load was not for, or that we could not measure, may be active."""
    of = {"actor": request.actor, "campaign_id": found.pk}
    active = selectors.list_items(**of, status=State.ACTIVE)
    return {"comparison": _comparison(request, found), "active_count": active.count()}


def _comparison(request, found):
    """What changed since the campaign before it; None where there is none."""
    try:
        compared = comparing.compare_campaigns(actor=request.actor, campaign_id=found.pk)
    except NoPreviousCampaign:
        return None
    return s.CampaignComparisonSerializer(compared).data


@require_POST
@page
@signed_in
def cancel_campaign(request, campaign_id):
    """One that has ended meanwhile is shown as it ended."""
    try:
        services.cancel_campaign(actor=request.actor, campaign_id=campaign_id)
        messages.success(request, _("It is being cancelled. What was found so far stays."))
    except CampaignClosed as refusal:
        messages.info(request, str(refusal))
    return redirect("campaign", campaign_id=campaign_id)
