"""One deployment: how it stands and stood, what it is for, what it costs, what was measured on it."""

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.api.forms import parse
from exchange.core.errors import DomainError
from exchange.web.campaign_words import CAPABILITIES
from exchange.web.pages import form_data, page, refused_fields, signed_in, told
from submissions.campaigns import standing
from submissions.campaigns.api.serializers import CampaignResultSerializer
from submissions.endpoints import deployments as services
from submissions.endpoints import selectors
from submissions.endpoints.api import serializers as s

from .places import head_of

SHOWN = 50


@page
@signed_in
def deployment(request, deployment_id):
    return _shown(request, deployment_id)


def _shown(request, deployment_id, refusal=None, values=None):
    of = {"actor": request.actor, "deployment_id": deployment_id}
    found = selectors.get_deployment(**of)
    prices = s.PriceSerializer(selectors.list_prices(**of)[:SHOWN], many=True).data
    in_force = selectors.price_in_force(found)
    checks = list(standing.list_checks(**of)[:SHOWN])
    context = {
        **head_of(request, found.endpoint.organization),
        "deployment": s.DeploymentSerializer(found).data,
        "endpoint_name": found.endpoint.name,
        "message": next((item.message for item in checks if item.stage == "done"), ""),
        "changes": s.DeploymentStatusChangeSerializer(
            selectors.list_status_changes(**of)[:SHOWN], many=True
        ).data,
        "checks": CampaignResultSerializer(checks, many=True).data,
        "prices": prices,
        "price": s.PriceSerializer(in_force).data if in_force else None,
        "capabilities": _choices(),
        "values": values or {},
        "errors": refused_fields(refusal) if refusal else [],
    }
    answer = render(request, "campaigns/deployment.html", context, status=refusal.http if refusal else 200)
    return told(answer, refusal) if refusal else answer


def _choices():
    """What may be set by hand; to let checks find out comes first."""
    by_hand = [(name, CAPABILITIES[name]) for name in CAPABILITIES if name in services.BY_HAND]
    return [(services.AUTOMATIC, _("Let the next check find out")), *by_hand]


@require_POST
@page
@signed_in
def update_deployment(request, deployment_id):
    data = {**form_data(request), "id": deployment_id}
    try:
        form = parse(s.UpdateDeploymentRequestSerializer, data)
        services.update_deployment(actor=request.actor, **form)
    except DomainError as refusal:
        return _shown(request, deployment_id, refusal, data)
    messages.success(request, _said(form))
    return redirect("deployment", deployment_id=deployment_id)


def _said(form):
    if "is_disabled" not in form:
        return _("What it is for is set.")
    if form["is_disabled"]:
        return _("It is disabled: no campaign checks it any more.")
    return _("It is enabled again.")


@require_POST
@page
@signed_in
def set_price(request, deployment_id):
    data = {**form_data(request), "deployment_id": deployment_id}
    try:
        form = parse(s.SetPriceRequestSerializer, data)
        services.set_price(actor=request.actor, **form)
    except DomainError as refusal:
        return _shown(request, deployment_id, refusal, data)
    messages.success(request, _("The price is set. Runs that were queued before keep theirs."))
    return redirect("deployment", deployment_id=deployment_id)
