"""Ask an endpoint what it serves, and bring its deployments up to date."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from time import monotonic

from django.utils.translation import gettext as _

from exchange.core import clock, events
from exchange.core.actors import Actor
from exchange.core.errors import FieldError
from llm_benchmark.measure.plans import Dialect, Target
from llm_benchmark.measure.probing import (
    DiscoveredModel,
    EndpointFault,
    discover,
    probe_dialect,
)

from . import deployments
from .errors import DiscoveryFailed
from .identities import get_or_create_model
from .models import Deployment, Endpoint, LanguageModel, ModelAlias, StatusChange

DISCOVERY_SECONDS, LISTING_SECONDS = 15.0, 5.0
"""Somebody waits: the most for all of a discovery, and for the list of models."""

SIMULATED = "simulated"
_PUBLISHER_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Listing:
    """What an address serves. `dialect` is None where no model was asked, or the first one did not chat."""

    base_url: str
    models: Sequence[DiscoveredModel]
    dialect: Dialect | None


def ask(target: Target, *, is_probed: bool) -> Listing:
    """Use the network, for `DISCOVERY_SECONDS` at most.

    Args:
        is_probed: whether the first model may be asked for the dialect. Extra requests would spoil a
            measurement, and another dialect would change what is measured.

    Raises:
        DiscoveryFailed: naming whose fault it is and what the endpoint did.
    """
    deadline = monotonic() + DISCOVERY_SECONDS
    found = _ask(target, seconds=LISTING_SECONDS)
    probes = is_probed and found
    dialect = _probe(target, found[0].id, seconds=deadline - monotonic()) if probes else None
    return Listing(target.base_url, found, dialect)


def keep(endpoint: Endpoint, listing: Listing) -> list[StatusChange]:
    """Store what an endpoint listed. Call it with the endpoint locked, and `tell` when all is locked.

    Raises:
        DiscoveryFailed: it is at another address now.
    """
    if endpoint.base_url != listing.base_url:
        raise DiscoveryFailed(_("Its address was changed meanwhile. Discover again."))
    endpoint.is_simulated = any(model.owned_by == SIMULATED for model in listing.models)
    endpoint.discovered_at = clock.now()
    if listing.dialect is not None:
        endpoint.dialect = asdict(listing.dialect)
    endpoint.save(update_fields=["is_simulated", "discovered_at", "dialect", "updated_at"])
    return _keep_deployments(endpoint, listing.models)


def tell(actor: Actor, endpoint: Endpoint, listing: Listing, changes: Iterable[StatusChange]) -> None:
    """Publish what `keep` stored."""
    deployments.tell(changes)
    events.publish(
        "endpoint.discovered",
        actor=actor,
        subject_id=endpoint.pk,
        organization_id=endpoint.organization_id,
        model_count=len(listing.models),
    )


def _ask(target: Target, *, seconds: float) -> Sequence[DiscoveredModel]:
    try:
        return discover(target, seconds=seconds, within=DISCOVERY_SECONDS)
    except EndpointFault as fault:
        failure = fault.failure
        error = FieldError("base_url", failure.code, failure.message)
        raise DiscoveryFailed(failure.message, errors=[error]) from fault


def _probe(target: Target, model: str, *, seconds: float) -> Dialect | None:
    """None when the first model does not chat in time: then plain OpenAI is assumed, or what was known."""
    asked = replace(target, model=model, dialect=Dialect())
    with suppress(EndpointFault):
        return probe_dialect(asked, within=seconds)
    return None


def _keep_deployments(endpoint: Endpoint, found: Sequence[DiscoveredModel]) -> list[StatusChange]:
    """A name keeps the model it once got; names not returned any more are missing, never deleted."""
    known = {deployment.served_name: deployment for deployment in endpoint.deployments.all()}
    listed = {model.id: model for model in found}
    Deployment.objects.bulk_create(
        Deployment(
            organization_id=endpoint.organization_id,
            endpoint=endpoint,
            model=_model_of(endpoint, model),
            served_name=name,
        )
        for name, model in sorted(listed.items())  # who lists the same new models at this time waits for us
        if name not in known
    )
    back = [known[name] for name in listed.keys() & known.keys() if not known[name].is_listed]
    gone = [known[name] for name in known.keys() - listed.keys() if known[name].is_listed]
    changes = deployments.set_listed(back, reason="listed_again", is_listed=True)
    changes += deployments.set_listed(gone, reason="not_listed", is_listed=False)
    _keep_metadata(endpoint, listed)
    return changes


def _keep_metadata(endpoint: Endpoint, listed: dict[str, DiscoveredModel]) -> None:
    rows = list(endpoint.deployments.filter(served_name__in=listed))
    now = clock.now()
    for row in rows:
        row.metadata = dict(listed[row.served_name].metadata)
        row.last_seen_at = now
    Deployment.objects.bulk_update(rows, ["metadata", "last_seen_at"], batch_size=500)


def _model_of(endpoint: Endpoint, found: DiscoveredModel) -> LanguageModel:
    """Exactly this publisher and name, or what a curator said it is another spelling of."""
    publisher = (found.owned_by or endpoint.provider_name)[:_PUBLISHER_LENGTH]
    alias = ModelAlias.objects.filter(publisher__iexact=publisher, name__iexact=found.id, version="").first()
    if alias is not None:
        return alias.model
    return get_or_create_model(publisher=publisher, name=found.id)
