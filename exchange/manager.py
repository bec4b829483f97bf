"""The route names of LLM Benchmark Manager, for programs that know them. All are aliases of ours.

A provider is an endpoint, by its id or its name. An id in `/runs/…` is a run's or a campaign's, one in
`/models/…` a language model's or a deployment's.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, re_path
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from exchange.api import routing
from exchange.api.forms import body, parse
from exchange.api.operations import operation
from exchange.api.routing import route
from exchange.core.actors import Actor
from leaderboards.api.views import ModelHistoryViewSet
from submissions.campaigns import services
from submissions.campaigns.api import serializers as s
from submissions.campaigns.api.views import CampaignRowViewSet, CampaignViewSet, door
from submissions.endpoints.api.views import (
    DeploymentHistoryViewSet,
    DeploymentViewSet,
    DiscoveryViewSet,
    EndpointViewSet,
    ModelViewSet,
)
from submissions.endpoints.models import Endpoint
from submissions.endpoints.selectors import get_endpoint, get_endpoint_by_name
from submissions.runs.api.views import RunViewSet

_OK, _NOT_FOUND = 200, 404


def endpoint_named(actor: Actor, given: str) -> Endpoint:
    """The endpoint of this id or this name."""
    if is_id(given):
        return get_endpoint(actor=actor, endpoint_id=UUID(given))
    return get_endpoint_by_name(actor=actor, name=given)


def id_of(actor: Actor, given: str) -> str:
    return given if is_id(given) else str(get_endpoint_by_name(actor=actor, name=given).pk)


def is_id(given: str) -> bool:
    try:
        UUID(given)
    except ValueError:
        return False
    return True


class ByName:
    """Before a viewset of ours, whose actions then get an endpoint's id where its path has a name."""

    def initial(self, request: Any, *args: Any, **path: Any) -> None:
        super().initial(request, *args, **path)  # type: ignore[misc]  # a viewset's
        method = request.method.lower()
        if handler := getattr(self, method, None):
            setattr(self, method, _finding(handler))


def _finding(handler: Callable[..., Any]) -> Callable[..., Any]:
    def call(request: Any, **path: str) -> Any:
        return handler(request, **{part: id_of(request.user, given) for part, given in path.items()})

    return call


class ProviderViewSet(ByName, EndpointViewSet):
    pass


class ProviderDiscoveryViewSet(ByName, DiscoveryViewSet):
    pass


class ProviderModelViewSet(ByName, DeploymentViewSet):
    pass


class StartViewSet(CampaignViewSet):
    @operation(s.StartCampaignRequestSerializer, accepts=s.CampaignSerializer)
    def create(self, request: Any) -> Response:
        """`provider`, an endpoint's id or name, stands for `endpoint_id` and `organization_id`."""
        form = parse(s.StartCampaignRequestSerializer, _at_endpoint(request.user, body(request)))
        campaign = services.start_campaign(actor=request.user, via=door(request), **form)
        return Response(s.CampaignSerializer(campaign).data, 202)


def _at_endpoint(actor: Actor, given: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(given.get("provider"), str):
        return given
    rest = {name: value for name, value in given.items() if name != "provider"}
    endpoint = endpoint_named(actor, given["provider"])
    return {"organization_id": str(endpoint.organization_id), "endpoint_id": str(endpoint.pk), **rest}


def known_first(
    pattern: str, known: type[ViewSet], other: type[ViewSet], name: str, *, get: str
) -> URLPattern:
    """A path of reads whose `<id>` may be of two kinds: what one viewset does not know, the other may."""
    first, second = (viewset.as_view({"get": get}) for viewset in (known, other))

    @wraps(first)
    def answer(request: HttpRequest, pk: str) -> HttpResponseBase:
        found = first(request, pk)
        if found.status_code != _NOT_FOUND:
            return found
        others = second(request, pk)
        return others if others.status_code == _OK else found

    return re_path(rf"^{pattern.replace('<id>', f'(?P<pk>{routing.UUID})')}/?$", answer, name=name)


OF_TWO_KINDS = [
    known_first("runs/<id>", RunViewSet, CampaignViewSet, "run-or-campaign", get="retrieve"),
    known_first("models/<id>", ModelViewSet, DeploymentViewSet, "either-model", get="retrieve"),
    known_first(
        "models/<id>/history", ModelHistoryViewSet, DeploymentHistoryViewSet, "either-history", get="list"
    ),
]
"""These stand before the paths of one kind."""

ALIASES = [
    route("providers", EndpointViewSet, "providers", get="list", post="create"),
    route("providers/<pk>", ProviderViewSet, "provider", get="retrieve"),
    route("providers/<pk>/discover", ProviderDiscoveryViewSet, "provider-discovery", post="discover"),
    route("providers/<endpoint_id>/models", ProviderModelViewSet, "provider-models", get="list"),
    route("runs", StartViewSet, "start-run", post="create"),
    route("runs/<pk>/cancel", CampaignViewSet, "cancel-run", post="cancel"),
    route("runs/<campaign_id>/progress", CampaignRowViewSet, "run-progress", get="items"),
    route("runs/<campaign_id>/results", CampaignRowViewSet, "run-results", get="results"),
]
