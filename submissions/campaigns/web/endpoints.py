"""An organization's endpoints, and one of them: what it serves, how that stands, and its settings."""

from collections import Counter

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from exchange.api.forms import parse, split_page
from exchange.api.shown import shown_page
from exchange.core import paging
from exchange.core.errors import DomainError
from exchange.web.campaign_words import PROTOCOLS
from exchange.web.pages import asked, form_data, page, refused_fields, signed_in, told
from submissions.campaigns import selectors, standing
from submissions.endpoints import selectors as known
from submissions.endpoints import services
from submissions.endpoints.api import serializers as s

from .places import head_of, organization_of

SHOWN = 200
BY_STATE = ("status", "capability", "page_token", "page_size")


@page
@signed_in
def endpoints(request, slug):
    """The list; a POST registers another one."""
    found = organization_of(request, slug)
    if request.method != "POST":
        return _list(request, found)
    data = form_data(request)
    try:
        form = parse(s.RegisterEndpointRequestSerializer, {**data, "organization_id": found.pk})
        made = services.register_endpoint(actor=request.actor, **form)
    except DomainError as refusal:
        data.pop("api_key", None)
        return _list(request, found, refusal, data)
    return redirect("endpoint", endpoint_id=made.pk)


def _list(request, found, refusal=None, values=None):
    of = {"actor": request.actor, "organization_id": found.pk}
    states, sweeps = standing.count_states(**of), standing.last_sweeps(**of)
    rows = known.list_endpoints(**of)[:SHOWN]
    context = {
        **head_of(request, found),
        "items": [
            {
                "endpoint": s.EndpointSerializer(row).data,
                "states": states.get(row.pk, {}),
                "sweep": _sweep(sweeps.get(row.pk)),
            }
            for row in rows
        ],
        "states": dict(sum(map(Counter, states.values()), Counter())),
        "protocols": list(PROTOCOLS.items()),
        "values": values or {},
        "errors": refused_fields(refusal) if refusal else [],
    }
    return _answer(request, "campaigns/endpoints.html", context, refusal)


def _sweep(found):
    if found is None:
        return None
    campaign = found.campaign
    moment = campaign.finished_at or campaign.created_at
    return {"campaign_id": campaign.pk, "status": campaign.status, "moment": moment}


def _answer(request, template, context, refusal):
    if refusal is None:
        return render(request, template, context)
    return told(render(request, template, context, status=refusal.http), refusal)


@page
@signed_in
def endpoint(request, endpoint_id):
    return _endpoint(request, known.get_endpoint(actor=request.actor, endpoint_id=endpoint_id))


def _endpoint(request, found, refusal=None, values=None):
    of = {"actor": request.actor, "endpoint_id": found.pk}
    newest = selectors.list_campaigns(**of).first()
    context = {
        **head_of(request, found.organization),
        "endpoint": s.EndpointSerializer(found).data,
        "states": standing.count_states(actor=request.actor, organization_id=found.organization_id).get(
            found.pk, {}
        ),
        "last": newest,
        **_deployments(request, found),
        "values": values or {},
        "errors": refused_fields(refusal) if refusal else [],
    }
    return _answer(request, "campaigns/endpoint.html", context, refusal)


def _deployments(request, found):
    """A page of them, each with what it costs and what was last measured."""
    given = {name: value for name, value in asked(request).items() if name in BY_STATE}
    form = parse(s.ListDeploymentsRequestSerializer, {**given, "endpoint_id": found.pk})
    filters, page_of = split_page(form)
    rows = known.list_deployments(actor=request.actor, **filters)
    shown = shown_page(s.DeploymentSerializer, rows, page_of | {"size": paging.LARGEST_SIZE})
    of = {"actor": request.actor, "endpoint_id": found.pk}
    prices, figures = standing.prices_in_force(**of), standing.last_figures(**of)
    return {
        "deployments": [
            {"deployment": row, "price": _price(prices, row), "figures": _of(figures, row) or {}}
            for row in shown["items"]
        ],
        "filters": filters,
        "next_page_token": shown["next_page_token"],
    }


def _price(prices, row):
    found = _of(prices, row)
    return s.PriceSerializer(found).data if found else None


def _of(by_id, row):
    return next((value for key, value in by_id.items() if str(key) == row["id"]), None)


@require_POST
@page
@signed_in
def update_endpoint(request, endpoint_id):
    """An empty key keeps the one there is; the tick removes it. The address is sent only where it moves."""
    found = known.get_endpoint(actor=request.actor, endpoint_id=endpoint_id)
    data = form_data(request)
    if data.pop("remove_key", ""):
        data["api_key"] = ""
    if data.get("base_url") == found.base_url:
        data.pop("base_url")
    try:
        form = parse(s.UpdateEndpointRequestSerializer, {**data, "id": endpoint_id})
        services.update_endpoint(actor=request.actor, **form)
    except DomainError as refusal:
        data.pop("api_key", None)
        return _endpoint(request, found, refusal, data)
    messages.success(request, _("The settings are kept."))
    return redirect("endpoint", endpoint_id=endpoint_id)


@require_POST
@signed_in
def discover_models(request, endpoint_id):
    """Outside a transaction: the provider is asked first, and may be slow."""
    found = services.discover_models(actor=request.actor, endpoint_id=endpoint_id)
    number = s.EndpointSerializer(found).data["deployment_count"]
    said = ngettext("%(number)d model is listed.", "%(number)d models are listed.", number)
    messages.success(request, said % {"number": number})
    return redirect("endpoint", endpoint_id=endpoint_id)
