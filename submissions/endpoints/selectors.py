"""Every read of endpoints, deployments and models."""

import re
from collections.abc import Collection
from urllib.parse import urlsplit
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from exchange.core.actors import Actor

from .errors import DeploymentNotFound, EndpointNotFound, ModelNotFound
from .models import (
    CredentialSource,
    Deployment,
    Endpoint,
    EndpointCredential,
    LanguageModel,
    ModelAlias,
)
from .permissions import reads_endpoints, reads_submissions, require_reader

OPEN_RUNS = ("queued", "running")


def visible_to(actor: Actor) -> Q:
    """Endpoints and deployments are known to their organization alone."""
    return Q(organization_id__in=actor.organization_ids)


def list_endpoints(*, actor: Actor, organization_id: UUID | None = None) -> QuerySet[Endpoint]:
    """The endpoints of the actor's organizations, with `deployment_count`, `has_credential` and
    `credential_source`."""
    require_reader(actor)
    credential = EndpointCredential.objects.filter(endpoint=OuterRef("pk"))
    rows = Endpoint.objects.filter(visible_to(actor)).select_related("organization")
    rows = rows.annotate(
        deployment_count=Count("deployments", filter=Q(deployments__is_listed=True)),
        has_credential=Exists(credential),
        credential_source=Coalesce(Subquery(credential.values("source")), Value(CredentialSource.NONE)),
    )
    if organization_id is not None:
        rows = rows.filter(organization_id=organization_id)
    return rows.order_by("name", "id")


def get_endpoint(*, actor: Actor, endpoint_id: UUID) -> Endpoint:
    endpoint = list_endpoints(actor=actor).filter(pk=endpoint_id).first()
    if endpoint is None:
        raise EndpointNotFound
    return endpoint


def lock_endpoint(*, actor: Actor, endpoint_id: UUID) -> Endpoint:
    """The endpoint, held against other changes until the transaction ends."""
    require_reader(actor)
    rows = Endpoint.objects.filter(visible_to(actor), pk=endpoint_id)
    endpoint = rows.select_for_update(no_key=True).first()
    if endpoint is None:
        raise EndpointNotFound
    return endpoint


def has_open_runs(endpoint: Endpoint) -> bool:
    return Deployment.objects.filter(endpoint=endpoint, runs__status__in=OPEN_RUNS).exists()


def list_deployments(*, actor: Actor, endpoint_id: UUID | None = None) -> QuerySet[Deployment]:
    require_reader(actor)
    rows = Deployment.objects.filter(visible_to(actor)).select_related("endpoint__organization", "model")
    if endpoint_id is not None:
        rows = rows.filter(endpoint_id=endpoint_id)
    return rows.order_by("served_name", "id")


def get_deployment(*, actor: Actor, deployment_id: UUID) -> Deployment:
    deployment = list_deployments(actor=actor).filter(pk=deployment_id).first()
    if deployment is None:
        raise DeploymentNotFound
    return deployment


def list_models(*, actor: Actor, query: str = "") -> QuerySet[LanguageModel]:
    """Models with a public claim, and those that the actor's organizations serve or claim something for.

    `query` is looked for in publishers, names and aliases.
    """
    rows = _models(actor, opened=("public",))
    if query:
        found = Q(publisher__icontains=query) | Q(name__icontains=query)
        alias = ModelAlias.objects.filter(model=OuterRef("pk"), name__icontains=query)
        rows = rows.filter(found | Exists(alias))
    return rows.order_by("publisher", "name", "version", "id")


def get_model(*, actor: Actor, model_id: UUID) -> LanguageModel:
    """Also one that only unlisted claims name."""
    model = _models(actor, opened=("public", "unlisted")).filter(pk=model_id).first()
    if model is None:
        raise ModelNotFound
    return model


def _models(actor: Actor, *, opened: Collection[str]) -> QuerySet[LanguageModel]:
    same = LanguageModel.objects.filter(pk=OuterRef("pk"))
    is_served = Exists(same.filter(deployments__organization__is_demo=False))
    is_claimed = Exists(same.filter(submissions__organization__is_demo=False))
    rows = LanguageModel.objects.prefetch_related("aliases").annotate(is_demo=~is_served & ~is_claimed)
    if actor.is_system:
        return rows
    shown = Q(submissions__visibility__in=opened, submissions__version__benchmark__visibility__in=opened)
    if reads_submissions(actor):
        shown |= Q(submissions__organization_id__in=actor.organization_ids)
    if reads_endpoints(actor):
        shown |= Q(deployments__organization_id__in=actor.organization_ids)
    return rows.filter(pk__in=LanguageModel.objects.filter(shown).values("pk"))


def without_address(endpoint: Endpoint, message: str) -> str:
    """The message, for everybody: the endpoint's URL and host are its organization's own."""
    host = urlsplit(endpoint.origin).hostname
    if not host:
        return message
    url = r"(https?://)?\[?" + re.escape(host) + r"\]?(:\d+)?(/[^\s,;]*)?"
    return re.sub(rf"(?<![\w.-]){url}(?![\w-])", _("the endpoint"), message, flags=re.IGNORECASE)
