"""One organization: what it claims, for everybody; from inside also its endpoints."""

from collections import defaultdict

from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from exchange.accounts import selectors as accounts
from exchange.accounts.api import serializers as s
from exchange.api.forms import parse
from exchange.core import paging
from exchange.core.errors import DomainError
from exchange.web.pages import form_data, page, refused_fields, signed_in
from submissions import selectors as submissions
from submissions.api.serializers import SubmissionSerializer
from submissions.endpoints import selectors as endpoints
from submissions.endpoints import services as endpoint_services
from submissions.endpoints.api import serializers as e

SHOWN = 50


@page
def organization(request, slug):
    return _shown(request, _organization(request, slug))


@require_POST
@page
@signed_in
def register_endpoint(request, slug):
    found = _organization(request, slug)
    data = form_data(request)
    try:
        form = parse(e.RegisterEndpointRequestSerializer, {**data, "organization_id": found.pk})
        endpoint_services.register_endpoint(actor=request.actor, **form)
    except DomainError as refusal:
        data.pop("api_key", None)
        return _shown(request, found, refusal=refusal, values=data)
    return redirect("organization", slug=slug)


@require_POST
@signed_in
def discover_models(request, endpoint_id):
    """Outside a transaction: the provider is asked first, and may be slow."""
    endpoint = endpoint_services.discover_models(actor=request.actor, endpoint_id=endpoint_id)
    return redirect("organization", slug=endpoint.organization.slug)


def _organization(request, slug):
    return accounts.get_organization_by_slug(actor=request.actor, slug=slug)


def _shown(request, found, *, refusal=None, values=None):
    """Strangers see the profile and the public claims; members also the endpoints."""
    actor = request.actor
    is_member = actor.belongs_to(found.pk)
    claims = submissions.list_submissions(actor=actor, organization_id=found.pk)
    context = {
        "organization": s.OrganizationSerializer(found).data,
        "is_member": is_member,
        "endpoints": _endpoints(actor, found) if is_member else [],
        "submissions": SubmissionSerializer(paging.page(claims, size=SHOWN).items, many=True).data,
        "may_write": actor.works_for(found.pk),
        "may_administer": actor.administers(found.pk),
        "values": values or {},
        "errors": refused_fields(refusal) if refusal else [],
    }
    return render(request, "accounts/organization.html", context, status=refusal.http if refusal else 200)


def _endpoints(actor, found):
    """Each endpoint with what it serves, in two queries."""
    rows = list(endpoints.list_endpoints(actor=actor, organization_id=found.pk)[:SHOWN])
    served = defaultdict(list)
    for deployment in endpoints.list_deployments(actor=actor).filter(endpoint__in=rows):
        served[deployment.endpoint_id].append(deployment)
    return [
        {
            "endpoint": e.EndpointSerializer(row).data,
            "deployments": e.DeploymentSerializer(served[row.pk][:SHOWN], many=True).data,
        }
        for row in rows
    ]
