"""One organization from inside: its people, endpoints and claims, and the reader's API tokens."""

from django.core.validators import slug_re
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from exchange.accounts import selectors as accounts
from exchange.accounts import services
from exchange.accounts.api import serializers as s
from exchange.accounts.api.shown import shown_new_token
from exchange.accounts.errors import OrganizationNotFound
from exchange.api.forms import parse
from exchange.core import paging
from exchange.core.actors import Scope
from exchange.core.errors import DomainError
from exchange.web.pages import form_data, page, refused_fields, to_login
from submissions import selectors as submissions
from submissions.api.serializers import SubmissionSerializer
from submissions.endpoints import selectors as endpoints
from submissions.endpoints import services as endpoint_services
from submissions.endpoints.api import serializers as e

SHOWN = 50


@page
def organization(request, slug):
    if not request.actor.is_authenticated:
        return to_login(request)
    return _shown(request, _organization(request, slug))


@require_POST
@page
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
def discover_models(request, endpoint_id):
    """Outside a transaction: the provider is asked first, and may be slow."""
    endpoint = endpoint_services.discover_models(actor=request.actor, endpoint_id=endpoint_id)
    return redirect("organization", slug=endpoint.organization.slug)


@require_POST
@page
def create_token(request):
    found = _named(request)
    days = request.POST.get("expires_in_days", "")
    data = {"name": request.POST.get("name", ""), "scopes": request.POST.getlist("scopes")}
    data |= {"expires_in_days": days} if days else {}
    try:
        form = parse(s.CreateApiTokenRequestSerializer, data)
        secret, token = services.create_api_token(actor=request.actor, **form)
    except DomainError as refusal:
        return _shown(request, found, refusal=refusal, values={"token_name": data["name"]})
    return _shown(request, found, new_token=shown_new_token(secret, token))


@require_POST
@page
def revoke_token(request, token_id):
    found = _named(request)
    services.revoke_api_token(actor=request.actor, token_id=token_id)
    return redirect("organization", slug=found.slug)


def _named(request):
    """The organization whose page a form was on."""
    slug = request.POST.get("organization", "")
    if not slug_re.match(slug):
        raise OrganizationNotFound
    return _organization(request, slug)


def _organization(request, slug):
    return accounts.get_organization_by_slug(actor=request.actor, slug=slug)


def _shown(request, found, *, refusal=None, values=None, new_token=None):
    actor = request.actor
    claims = submissions.list_submissions(actor=actor, organization_id=found.pk)
    context = {
        "organization": s.OrganizationSerializer(found).data,
        "members": s.MemberSerializer(
            accounts.list_members(actor=actor, organization_id=found.pk)[:SHOWN], many=True
        ).data,
        "endpoints": [_endpoint(actor, endpoint) for endpoint in _endpoints(actor, found)],
        "submissions": SubmissionSerializer(paging.page(claims, size=SHOWN).items, many=True).data,
        "tokens": s.ApiTokenSerializer(accounts.list_api_tokens(actor=actor)[:SHOWN], many=True).data,
        "scopes": [scope.value for scope in Scope],
        "may_write": actor.works_for(found.pk),
        "new_token": new_token,
        "values": values or {},
        "errors": refused_fields(refusal) if refusal else [],
    }
    return render(request, "accounts/organization.html", context, status=refusal.http if refusal else 200)


def _endpoints(actor, found):
    return endpoints.list_endpoints(actor=actor, organization_id=found.pk)[:SHOWN]


def _endpoint(actor, endpoint):
    deployments = endpoints.list_deployments(actor=actor, endpoint_id=endpoint.pk)[:SHOWN]
    return {
        "endpoint": e.EndpointSerializer(endpoint).data,
        "deployments": e.DeploymentSerializer(deployments, many=True).data,
    }
