"""Every write to endpoints. Doors call these; nothing else saves."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from time import monotonic
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from exchange.accounts.selectors import get_organization_by_slug
from exchange.core import clock, events, throttle
from exchange.core.actors import SYSTEM, Actor
from exchange.core.errors import FieldError, InvalidInput
from exchange.core.tenancy import acting_for
from llm_benchmark.measure.egress import EgressRefused, check_endpoint_url
from llm_benchmark.measure.endpoints import DiscoveredModel, EndpointFault, discover, probe_dialect
from llm_benchmark.measure.plans import Dialect, EgressRules, Target

from . import credentials, permissions, selectors
from .errors import DiscoveryFailed, DiscoveryRunning, EndpointInUse, EndpointNameTaken, ModelNotFound
from .models import Deployment, Endpoint, LanguageModel, ModelAlias

DISCOVERIES, DISCOVERY_WINDOW_SECONDS = 30, 600
DISCOVERY_SECONDS, LISTING_SECONDS = 15.0, 5.0
"""A caller waits: the most for all of a discovery, and for the list of models."""

_DISCOVERY_LOCK = 7_310_003
SIMULATED = "simulated"
_PUBLISHER_LENGTH = 100


@transaction.atomic
def register_endpoint(
    *,
    actor: Actor,
    organization_id: UUID,
    name: str,
    provider_name: str,
    base_url: str,
    api_key: str = "",
) -> Endpoint:
    """Enter an OpenAI-compatible endpoint. Nothing is dialled yet; the key is never shown again."""
    permissions.require_writer(actor, organization_id)
    endpoint = Endpoint(organization_id=organization_id, name=name, provider_name=provider_name)
    _set_url(endpoint, base_url)
    _save(endpoint)
    if api_key:
        credentials.store_key(endpoint, api_key)
    _publish("endpoint.registered", actor, endpoint)
    return selectors.get_endpoint(actor=actor, endpoint_id=endpoint.pk)


@transaction.atomic
def update_endpoint(
    *,
    actor: Actor,
    endpoint_id: UUID,
    name: str | None = None,
    provider_name: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
) -> Endpoint:
    """Change what is given. Another origin needs the key again; an empty key removes it."""
    endpoint = selectors.lock_endpoint(actor=actor, endpoint_id=endpoint_id)
    permissions.require_writer(actor, endpoint.organization_id)
    if (base_url, api_key) != (None, None) and selectors.has_open_runs(endpoint):
        raise EndpointInUse
    if name is not None:
        endpoint.name = name
    if provider_name is not None:
        endpoint.provider_name = provider_name
    if base_url is not None:
        _move(endpoint, base_url, api_key)
    _save(endpoint)
    if api_key is not None:
        _replace_key(endpoint, api_key)
    _publish("endpoint.updated", actor, endpoint)
    return selectors.get_endpoint(actor=actor, endpoint_id=endpoint.pk)


def discover_models(*, actor: Actor, endpoint_id: UUID) -> Endpoint:
    """Ask the endpoint what it serves and which dialect it speaks, and bring the deployments up to date.

    The network is used between two transactions, so a caller should not hold one open.

    Raises:
        DiscoveryFailed: naming whose fault it is and what the endpoint did.
    """
    with acting_for(actor):
        endpoint = selectors.get_endpoint(actor=actor, endpoint_id=endpoint_id)
        permissions.require_writer(actor, endpoint.organization_id)
        target = _target(endpoint, model="")
        is_measured = selectors.has_open_runs(endpoint)
    throttle.count_try(
        key=f"discover|{endpoint.organization_id}",
        limit=DISCOVERIES,
        window_seconds=DISCOVERY_WINDOW_SECONDS,
    )
    with _only_discovery_of(endpoint.organization_id):
        deadline = monotonic() + DISCOVERY_SECONDS
        found = _ask(target, seconds=LISTING_SECONDS)
        # Extra requests would spoil a measurement, and another dialect would change what is measured.
        is_probed = not is_measured and found
        dialect = _probe(target, found[0].id, seconds=deadline - monotonic()) if is_probed else None
    with acting_for(actor):
        locked = selectors.lock_endpoint(actor=actor, endpoint_id=endpoint_id)
        if locked.base_url != target.base_url:
            raise DiscoveryFailed(_("Its address was changed meanwhile. Discover again."))
        return _store_discovery(actor, locked, found, dialect)


def target_for(deployment: Deployment) -> Target:
    """What a worker dials. Opens the credential as the system: never for a door."""
    with acting_for(SYSTEM):
        endpoint = Endpoint.objects.get(pk=deployment.endpoint_id)
        return _target(endpoint, model=deployment.served_name)


def egress_rules() -> EgressRules:
    return EgressRules(allow=frozenset(settings.EGRESS_ALLOW), refuse=frozenset(settings.EGRESS_REFUSE))


def _target(endpoint: Endpoint, *, model: str) -> Target:
    return Target(
        base_url=endpoint.base_url,
        model=model,
        api_key=credentials.open_key(endpoint),
        dialect=Dialect(**endpoint.dialect),
        egress=egress_rules(),
    )


def _set_url(endpoint: Endpoint, base_url: str) -> None:
    rules = egress_rules()
    try:
        url = check_endpoint_url(base_url, rules)
    except EgressRefused as refused:
        raise InvalidInput.of("base_url", refused.code, _with_the_way_out(refused)) from refused
    endpoint.base_url = str(url)
    endpoint.origin = f"{url.scheme}://{url.host_and_port}"
    endpoint.operator_allowed = url.host_and_port in rules.allow


def _with_the_way_out(refused: EgressRefused) -> str:
    if not refused.code.endswith("_not_public"):
        return refused.message
    hint = _("Who operates the exchange can allow it in EXCHANGE_EGRESS_ALLOW, by host:port.")
    return f"{refused.message} {hint}"


def _move(endpoint: Endpoint, base_url: str, api_key: str | None) -> None:
    origin = endpoint.origin
    _set_url(endpoint, base_url)
    if endpoint.origin != origin and api_key is None and credentials.has_key(endpoint):
        message = _("The key was given for another address. Enter it again, or an empty one to remove it.")
        raise InvalidInput.of("api_key", "key_required_for_new_origin", message)
    if endpoint.origin != origin:
        _forget_discovery(endpoint)


def _forget_discovery(endpoint: Endpoint) -> None:
    """What was found out about one address says nothing about another."""
    endpoint.dialect, endpoint.discovered_at = {}, None
    endpoint.deployments.update(is_listed=False, updated_at=clock.now())


def _replace_key(endpoint: Endpoint, api_key: str) -> None:
    if api_key:
        credentials.store_key(endpoint, api_key)
    else:
        credentials.remove_key(endpoint)


def _save(endpoint: Endpoint) -> None:
    """Two at the same time: the database lets one through."""
    try:
        with transaction.atomic():
            endpoint.save()
    except IntegrityError as error:
        message = _("Your organization has an endpoint of this name.")
        raise EndpointNameTaken(message, errors=[FieldError("name", "taken", message)]) from error


@contextmanager
def _only_discovery_of(organization_id: UUID) -> Iterator[None]:
    """One at a time keeps an organization from taking all of our threads. Ends with the connection."""
    key = (_DISCOVERY_LOCK, str(organization_id))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, hashtext(%s))", key)
        if not cursor.fetchone()[0]:
            raise DiscoveryRunning
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, hashtext(%s))", key)


def _ask(target: Target, *, seconds: float) -> Sequence[DiscoveredModel]:
    try:
        return discover(target, seconds=seconds)
    except EndpointFault as fault:
        failure = fault.failure
        error = FieldError("base_url", failure.code, failure.message)
        raise DiscoveryFailed(failure.message, errors=[error]) from fault


def _probe(target: Target, model: str, *, seconds: float) -> Dialect | None:
    """None when the first model does not chat in time: then plain OpenAI is assumed, or what was known."""
    asked = Target(target.base_url, model, target.api_key, egress=target.egress)
    with suppress(EndpointFault):
        return probe_dialect(asked, within=seconds)
    return None


def _store_discovery(
    actor: Actor, endpoint: Endpoint, found: Sequence[DiscoveredModel], dialect: Dialect | None
) -> Endpoint:
    endpoint.is_simulated = any(model.owned_by == SIMULATED for model in found)
    endpoint.discovered_at = clock.now()
    if dialect is not None:
        endpoint.dialect = asdict(dialect)
    endpoint.save(update_fields=["is_simulated", "discovered_at", "dialect", "updated_at"])
    _store_deployments(endpoint, found)
    _publish("endpoint.discovered", actor, endpoint, model_count=len(found))
    return selectors.get_endpoint(actor=actor, endpoint_id=endpoint.pk)


def _store_deployments(endpoint: Endpoint, found: Sequence[DiscoveredModel]) -> None:
    """A name keeps the model it once got; names not returned any more are unlisted, never deleted."""
    known = dict(endpoint.deployments.values_list("served_name", "is_listed"))
    returned = {model.id for model in found}
    Deployment.objects.bulk_create(
        Deployment(
            organization_id=endpoint.organization_id,
            endpoint=endpoint,
            model=_model_of(endpoint, model),
            served_name=model.id,
        )
        for model in found
        if model.id not in known
    )
    for is_listed, names in ((True, returned & known.keys()), (False, known.keys() - returned)):
        rows = endpoint.deployments.filter(served_name__in=names).exclude(is_listed=is_listed)
        rows.update(is_listed=is_listed, updated_at=clock.now())


def _model_of(endpoint: Endpoint, found: DiscoveredModel) -> LanguageModel:
    """Exactly this publisher and name, or what a curator said it is another spelling of."""
    publisher = (found.owned_by or endpoint.provider_name)[:_PUBLISHER_LENGTH]
    alias = ModelAlias.objects.filter(publisher__iexact=publisher, name__iexact=found.id, version="").first()
    if alias is not None:
        return alias.model
    return get_or_create_model(publisher=publisher, name=found.id)


def get_or_create_model(*, publisher: str, name: str, version: str = "") -> LanguageModel:
    """The model of exactly this identity; the publisher is a claim until it is verified."""
    model, _created = LanguageModel.objects.get_or_create(publisher=publisher, name=name, version=version)
    return model


@transaction.atomic
def add_model_alias(*, model_id: UUID, publisher: str, name: str, version: str = "") -> ModelAlias:
    """For curators: from now on this spelling means that model."""
    model = selectors.get_model(actor=SYSTEM, model_id=model_id)
    alias = ModelAlias(model=model, publisher=publisher, name=name, version=version)
    _check(alias)
    alias.save(force_insert=True)
    facts: dict[str, Any] = {"publisher": publisher, "name": name, "version": version}
    events.publish("model_alias.added", actor=SYSTEM, subject_id=model.pk, **facts)
    return alias


def _check(alias: ModelAlias) -> None:
    try:
        alias.full_clean()
    except ValidationError as error:
        raise InvalidInput("; ".join(error.messages)) from error


@transaction.atomic
def verify_publisher(*, publisher: str, organization_slug: str) -> int:
    """For operators: this publisher's name is that organization's; how many models it marked.

    Models of the publisher that are entered later need it again.
    """
    organization = get_organization_by_slug(actor=SYSTEM, slug=organization_slug)
    models = LanguageModel.objects.filter(publisher=publisher)
    if not models.exists():
        raise ModelNotFound(_("No model has this publisher; it is written exactly as on the model's page."))
    count = models.update(verified_publisher=organization, updated_at=clock.now())
    facts: dict[str, Any] = {"publisher": publisher, "model_count": count}
    events.publish("publisher.verified", actor=SYSTEM, organization_id=organization.pk, **facts)
    return count


def _publish(kind: str, actor: Actor, endpoint: Endpoint, **facts: int) -> None:
    events.publish(
        kind, actor=actor, subject_id=endpoint.pk, organization_id=endpoint.organization_id, **facts
    )
