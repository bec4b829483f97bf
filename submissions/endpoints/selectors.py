"""Every read of endpoints, deployments and models."""

from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from exchange.core.actors import Actor

from .errors import DeploymentNotFound, EndpointNotFound, ModelNotFound
from .models import Deployment, Endpoint, EndpointCredential, LanguageModel, ModelAlias
from .permissions import require_reader

OPEN_RUNS = ("queued", "running")


def visible_to(actor: Actor) -> Q:
    """Endpoints and deployments are known to their organization alone."""
    return Q(organization_id__in=actor.organization_ids)


def list_endpoints(*, actor: Actor, organization_id: UUID | None = None) -> QuerySet[Endpoint]:
    """The endpoints of the actor's organizations, with `deployment_count` and `has_credential`."""
    require_reader(actor)
    rows = Endpoint.objects.filter(visible_to(actor)).annotate(
        deployment_count=Count("deployments", filter=Q(deployments__is_listed=True)),
        has_credential=Exists(EndpointCredential.objects.filter(endpoint=OuterRef("pk"))),
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
    rows = Deployment.objects.filter(visible_to(actor)).select_related("endpoint", "model")
    if endpoint_id is not None:
        rows = rows.filter(endpoint_id=endpoint_id)
    return rows.order_by("served_name", "id")


def get_deployment(*, actor: Actor, deployment_id: UUID) -> Deployment:
    deployment = list_deployments(actor=actor).filter(pk=deployment_id).first()
    if deployment is None:
        raise DeploymentNotFound
    return deployment


def list_models(*, actor: Actor, query: str = "") -> QuerySet[LanguageModel]:
    """All models: they are public. `query` is looked for in publishers, names and aliases."""
    rows = LanguageModel.objects.prefetch_related("aliases")
    if query:
        found = Q(publisher__icontains=query) | Q(name__icontains=query)
        alias = ModelAlias.objects.filter(model=OuterRef("pk"), name__icontains=query)
        rows = rows.filter(found | Exists(alias))
    return rows.order_by("publisher", "name", "version", "id")


def get_model(*, actor: Actor, model_id: UUID) -> LanguageModel:
    model = list_models(actor=actor).filter(pk=model_id).first()
    if model is None:
        raise ModelNotFound
    return model
