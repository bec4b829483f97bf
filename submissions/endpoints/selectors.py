"""Every read of endpoints, deployments and models."""

import re
from collections.abc import Collection, Iterable
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from exchange.core.actors import Actor
from exchange.core.clock import DatabaseNow
from exchange.core.errors import InvalidInput
from llm_benchmark.measure.probing.capability import Capability, Known

from .errors import DeploymentNotFound, EndpointNotFound, ModelNotFound
from .models import (
    CredentialSource,
    Deployment,
    Endpoint,
    EndpointCredential,
    LanguageModel,
    ModelAlias,
    Price,
    StatusChange,
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


def get_endpoint_by_name(*, actor: Actor, name: str) -> Endpoint:
    """Raises InvalidInput where endpoints of several organizations have the name."""
    found = list_endpoints(actor=actor).filter(name__iexact=name)[:2]
    if len(found) > 1:
        message = _("Endpoints of several organizations have this name. Use the id of one.")
        raise InvalidInput.of("name", "ambiguous", message)
    if not found:
        raise EndpointNotFound
    return found[0]


def lock_endpoint(*, actor: Actor, endpoint_id: UUID) -> Endpoint:
    """The endpoint, held against other changes until the transaction ends."""
    require_reader(actor)
    rows = Endpoint.objects.filter(visible_to(actor), pk=endpoint_id)
    endpoint = rows.select_for_update(no_key=True).first()
    if endpoint is None:
        raise EndpointNotFound
    return endpoint


def lock_endpoints_of_system(ids: Iterable[UUID] | QuerySet[Any]) -> None:
    """For workers: hold endpoints against changes until the transaction ends."""
    rows = Endpoint.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
    list(rows.values_list("pk"))


def has_open_runs(endpoint: Endpoint, *, besides: UUID | None = None) -> bool:
    """Whether a run at this endpoint is queued or running, one of them left aside."""
    rows: QuerySet[Any] = endpoint.runs.filter(status__in=OPEN_RUNS)
    return rows.exclude(pk=besides).exists()


def known_of(deployment: Deployment) -> Known:
    """What a check goes by."""
    return Known(
        capability=Capability(deployment.capability),
        source=deployment.capability_source,
        confidence=deployment.capability_confidence,
        metadata=deployment.metadata,
    )


def list_deployments(
    *, actor: Actor, endpoint_id: UUID | None = None, status: str = "", capability: str = ""
) -> QuerySet[Deployment]:
    require_reader(actor)
    rows = Deployment.objects.filter(visible_to(actor)).select_related("endpoint__organization", "model")
    wanted = {"endpoint_id": endpoint_id, "status": status, "capability": capability}
    rows = rows.filter(**{name: value for name, value in wanted.items() if value})
    return rows.order_by("served_name", "id")


def get_deployment(*, actor: Actor, deployment_id: UUID) -> Deployment:
    deployment = list_deployments(actor=actor).filter(pk=deployment_id).first()
    if deployment is None:
        raise DeploymentNotFound
    return deployment


def lock_deployment(*, actor: Actor, deployment_id: UUID) -> Deployment:
    """The deployment, held against other changes until the transaction ends."""
    rows = list_deployments(actor=actor).filter(pk=deployment_id)
    deployment = rows.select_for_update(no_key=True, of=("self",)).first()
    if deployment is None:
        raise DeploymentNotFound
    return deployment


def deployment_of_system(deployment_id: UUID, *, lock: bool = False) -> Deployment:
    """For workers. Locked, it is held until the transaction ends; lock its endpoint before it."""
    rows = Deployment.objects.select_related("endpoint__organization", "model")
    if lock:
        rows = rows.select_for_update(no_key=True, of=("self",))
    return rows.get(pk=deployment_id)


def list_status_changes(*, actor: Actor, deployment_id: UUID) -> QuerySet[StatusChange]:
    """How a deployment stood, newest first."""
    deployment = get_deployment(actor=actor, deployment_id=deployment_id)
    return deployment.status_changes.select_related("changed_by").order_by("-id")


def list_prices(*, actor: Actor, deployment_id: UUID) -> QuerySet[Price]:
    """What a deployment cost and will cost, the latest moment first."""
    deployment = get_deployment(actor=actor, deployment_id=deployment_id)
    return deployment.prices.select_related("set_by").order_by("-effective_at", "-created_at", "id")


def price_in_force(deployment: Deployment) -> Price | None:
    """What the deployment costs at this moment; None: nobody said."""
    begun = Price.objects.filter(deployment=deployment, effective_at__lte=DatabaseNow())
    return begun.order_by("-effective_at", "-created_at").first()


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
