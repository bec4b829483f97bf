"""Every write to endpoints. Doors call these; nothing else saves."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from exchange.core import events, throttle
from exchange.core.actors import SYSTEM, Actor
from exchange.core.errors import FieldError, InvalidInput
from exchange.core.tenancy import acting_for
from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import EgressRefused, check_endpoint_url
from llm_benchmark.measure.plans import Dialect, EgressRules, Target

from . import credentials, deployments, discovering, permissions, selectors
from .errors import DiscoveryRunning, EndpointInUse, EndpointNameTaken
from .models import Deployment, Endpoint, StatusChange

DISCOVERIES, DISCOVERY_WINDOW_SECONDS = 30, 600
_DISCOVERY_LOCK = 7_310_003


@transaction.atomic
def register_endpoint(
    *,
    actor: Actor,
    organization_id: UUID,
    name: str,
    provider_name: str,
    base_url: str,
    api_key: str = "",
    protocol: str = "",
) -> Endpoint:
    """Enter an endpoint. Nothing is dialled yet; the key is never shown again.

    Args:
        protocol: a name of `measure.protocols`; "" for what a full endpoint's URL names, and else for chat.
    """
    permissions.require_writer(actor, organization_id)
    given = {"name": name, "provider_name": provider_name, "protocol": protocol}
    endpoint = Endpoint(organization_id=organization_id, **given)
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
    protocol: str | None = None,
) -> Endpoint:
    """Change what is given. Another origin needs the key again; an empty key removes it.

    Args:
        protocol: "" for what the URL names, and else for chat.
    """
    endpoint = selectors.lock_endpoint(actor=actor, endpoint_id=endpoint_id)
    permissions.require_writer(actor, endpoint.organization_id)
    is_asked_otherwise = (base_url, protocol) != (None, None)
    if (is_asked_otherwise or api_key is not None) and selectors.has_open_runs(endpoint):
        raise EndpointInUse
    if name is not None:
        endpoint.name = name
    if provider_name is not None:
        endpoint.provider_name = provider_name
    changes = _move(endpoint, base_url, protocol, api_key) if is_asked_otherwise else []
    _save(endpoint)
    if api_key is not None:
        _replace_key(endpoint, api_key)
    deployments.tell(changes)
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
        listing = discovering.ask(target, is_probed=not is_measured)
    with acting_for(actor):
        locked = selectors.lock_endpoint(actor=actor, endpoint_id=endpoint_id)
        changes = discovering.keep(locked, listing)
        discovering.tell(actor, locked, listing, changes)
        return selectors.get_endpoint(actor=actor, endpoint_id=endpoint_id)


def target_for(deployment: Deployment) -> Target:
    """What a worker measures, asked as its last check found. Opens the credential as the system."""
    with acting_for(SYSTEM):
        endpoint = Endpoint.objects.get(pk=deployment.endpoint_id)
        target = _target(endpoint, model=deployment.served_name)
        return replace(target, protocol=deployment.protocol or target.protocol)


def target_at(endpoint_id: UUID, *, model: str = "") -> Target:
    """What a worker checks or asks what it serves, in the endpoint's own protocol."""
    with acting_for(SYSTEM):
        return _target(Endpoint.objects.get(pk=endpoint_id), model=model)


def egress_rules() -> EgressRules:
    return EgressRules(allow=frozenset(settings.EGRESS_ALLOW), refuse=frozenset(settings.EGRESS_REFUSE))


def _target(endpoint: Endpoint, *, model: str) -> Target:
    return Target(
        base_url=endpoint.base_url,
        model=model,
        api_key=credentials.open_key(endpoint),
        protocol=_protocol_of(endpoint),
        dialect=Dialect(**endpoint.dialect),
        egress=egress_rules(),
    )


def _protocol_of(endpoint: Endpoint) -> str:
    """The one that was entered, or that a full endpoint's URL names, or else the usual one."""
    return endpoint.protocol or protocols.of_path(urlsplit(endpoint.base_url).path) or protocols.DEFAULT


def _set_url(endpoint: Endpoint, base_url: str) -> None:
    rules = egress_rules()
    try:
        url = check_endpoint_url(base_url, rules)
        if endpoint.protocol:
            protocols.path_of(url, protocols.get(endpoint.protocol))
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


def _move(
    endpoint: Endpoint, base_url: str | None, protocol: str | None, api_key: str | None
) -> list[StatusChange]:
    origin, asked_by = endpoint.origin, _protocol_of(endpoint)
    if protocol is not None:
        endpoint.protocol = protocol
    _set_url(endpoint, endpoint.base_url if base_url is None else base_url)
    if endpoint.origin != origin and api_key is None and credentials.has_key(endpoint):
        message = _("The key was given for another address. Enter it again, or an empty one to remove it.")
        raise InvalidInput.of("api_key", "key_required_for_new_origin", message)
    is_same = (endpoint.origin, _protocol_of(endpoint)) == (origin, asked_by)
    return [] if is_same else _forget_discovery(endpoint)


def _forget_discovery(endpoint: Endpoint) -> list[StatusChange]:
    """What was found out at one address, or by one protocol, says nothing about another."""
    endpoint.dialect, endpoint.discovered_at = {}, None
    endpoint.deployments.update(protocol="")
    return deployments.set_listed(endpoint.deployments.all(), reason="endpoint_moved", is_listed=False)


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


def _publish(kind: str, actor: Actor, endpoint: Endpoint, **facts: int) -> None:
    events.publish(
        kind, actor=actor, subject_id=endpoint.pk, organization_id=endpoint.organization_id, **facts
    )
