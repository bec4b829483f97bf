"""Every write to a deployment: how it stands, what it is for, whether it is in use, what it costs.

A fact holds every other writer of facts back until its transaction ends, so nothing that others hold may be
waited for after it: what changes states returns the steps, and `tell` publishes them when all is locked.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from exchange.core import clock, events
from exchange.core.actors import SYSTEM, Actor
from exchange.core.errors import InvalidInput
from llm_benchmark.measure.probing import Capability, Finding, Source, State

from . import permissions, selectors
from .models import Deployment, Price, StatusChange

AUTOMATIC = "automatic"
"""In place of a capability: whatever the next check finds."""
BY_HAND = (*(str(value) for value in Capability if value is not Capability.UNKNOWN), AUTOMATIC)

SET_ASIDE = (State.DISABLED, State.MISSING)
"""A check that was under way meanwhile does not bring these back."""


@transaction.atomic
def update_deployment(
    *,
    actor: Actor,
    deployment_id: UUID,
    capability: str | None = None,
    is_disabled: bool | None = None,
) -> Deployment:
    """Change what is given. The capability `automatic` lets the next check find out."""
    asked: dict[str, Any] = {"actor": actor, "deployment_id": deployment_id}
    if capability is not None:
        set_capability(**asked, capability=None if capability == AUTOMATIC else capability)
    if is_disabled is not None:
        (disable_deployment if is_disabled else enable_deployment)(**asked)
    return _writable(actor, deployment_id)


@transaction.atomic
def set_capability(*, actor: Actor, deployment_id: UUID, capability: str | None) -> Deployment:
    """Say by hand what a deployment is for, which checks then keep. None: let the next check find out."""
    deployment = _writable(actor, deployment_id)
    is_manual = capability is not None
    deployment.capability = Capability(capability) if capability is not None else Capability.UNKNOWN
    deployment.capability_source = Source.MANUAL if is_manual else Source.UNKNOWN
    deployment.capability_confidence = 1.0 if is_manual else 0.0
    deployment.save(update_fields=[*_CAPABILITY, "updated_at"])
    facts = {"capability": str(deployment.capability), "source": str(deployment.capability_source)}
    _publish("deployment.capability_set", actor, deployment, **facts)
    return deployment


@transaction.atomic
def disable_deployment(*, actor: Actor, deployment_id: UUID) -> Deployment:
    """Take it out of campaigns and verifications. What is known of it stays."""
    deployment = _writable(actor, deployment_id)
    tell(change_status(deployment, State.DISABLED, "disabled", actor=actor), actor=actor)
    return deployment


@transaction.atomic
def enable_deployment(*, actor: Actor, deployment_id: UUID) -> Deployment:
    """Bring a disabled one back, as new; one that is not disabled stays as it is."""
    deployment = _writable(actor, deployment_id)
    if deployment.status == State.DISABLED:
        status = State.NEW if deployment.is_listed else State.MISSING
        tell(change_status(deployment, status, "enabled", actor=actor), actor=actor)
    return deployment


@transaction.atomic
def set_price(
    *,
    actor: Actor,
    deployment_id: UUID,
    input_per_million: Decimal,
    output_per_million: Decimal,
    effective_at: datetime | None = None,
) -> Price:
    """Enter what a million tokens cost in US dollars, from `effective_at` (now) on. Earlier prices stay.

    Runs that were queued before keep the price that was in force then.
    """
    deployment = _writable(actor, deployment_id)
    given = {"input_per_million": input_per_million, "output_per_million": output_per_million}
    for name, amount in given.items():
        _check_amount(name, amount)
    price = Price.objects.create(
        deployment=deployment, effective_at=effective_at or clock.now(), set_by_id=actor.user_id, **given
    )
    _publish("deployment.priced", actor, deployment, **{name: str(amount) for name, amount in given.items()})
    return price


def _check_amount(name: str, amount: Decimal) -> None:
    if amount.is_nan() or amount < 0 or amount >= _MOST_DOLLARS:
        message = _("A price is at least 0 and below a million million dollars.")
        raise InvalidInput.of(name, "not_a_price", message)
    if amount != round(amount, _PLACES):
        raise InvalidInput.of(name, "too_precise", _("A price has at most 8 decimal places."))


def keep_finding(
    deployment: Deployment, finding: Finding, *, campaign_id: UUID | None = None
) -> list[StatusChange]:
    """Store what a check found. Call it with the deployment locked, in the transaction that ends the check.

    A finding without a state says nothing about the model and changes nothing.
    """
    if finding.state is None:
        return []
    if deployment.capability_source != Source.MANUAL:
        deployment.capability = finding.capability
        deployment.capability_source = finding.source
        deployment.capability_confidence = finding.confidence
    deployment.protocol = finding.protocol
    answered = finding.state in {State.ACTIVE, State.UNSTABLE}
    if finding.state != State.UNSUPPORTED:
        setattr(deployment, "last_success_at" if answered else "last_failure_at", clock.now())
    deployment.save(
        update_fields=[*_CAPABILITY, "protocol", "last_success_at", "last_failure_at", "updated_at"]
    )
    if deployment.status in SET_ASIDE:
        return []
    return change_status(deployment, finding.state, finding.reason, campaign_id=campaign_id)


def change_status(
    deployment: Deployment,
    status: State,
    reason: str,
    *,
    actor: Actor = SYSTEM,
    campaign_id: UUID | None = None,
) -> list[StatusChange]:
    """Move a locked deployment, with a row in its history where it moved. `reason` is a code."""
    if (deployment.status, deployment.status_reason) == (status, reason):
        return []
    before = deployment.status
    deployment.status, deployment.status_reason = status.value, reason
    deployment.save(update_fields=["status", "status_reason", "updated_at"])
    if before == status:
        return []
    return [StatusChange.objects.create(**_change(deployment, before, reason, actor, campaign_id))]


def tell(changes: Iterable[StatusChange], *, actor: Actor = SYSTEM) -> None:
    """Publish steps. Call it when nothing is left to lock."""
    for change in changes:
        facts = {"old_status": change.old_status, "new_status": change.new_status, "reason": change.reason}
        _publish("deployment.status_changed", actor, change.deployment, **facts)


def set_listed(deployments: Iterable[Deployment], *, reason: str, is_listed: bool) -> list[StatusChange]:
    """Follow the endpoint's list: what it names no more is missing, what it names again is new.

    A disabled deployment stays disabled. Call it with the endpoint locked.
    """
    changes = []
    for deployment in deployments:
        deployment.is_listed = is_listed
        deployment.save(update_fields=["is_listed", "updated_at"])
        if is_listed and deployment.status == State.MISSING:
            changes += change_status(deployment, State.NEW, reason)
        elif not is_listed and deployment.status != State.DISABLED:
            changes += change_status(deployment, State.MISSING, reason)
    return changes


_CAPABILITY = ("capability", "capability_source", "capability_confidence")
_PLACES, _MOST_DOLLARS = 8, 10**12


def _writable(actor: Actor, deployment_id: UUID) -> Deployment:
    deployment = selectors.lock_deployment(actor=actor, deployment_id=deployment_id)
    permissions.require_writer(actor, deployment.organization_id)
    return deployment


def _change(
    deployment: Deployment, before: str, reason: str, actor: Actor, campaign_id: UUID | None
) -> dict[str, Any]:
    return {
        "deployment": deployment,
        "old_status": before,
        "new_status": deployment.status,
        "reason": reason,
        "campaign_id": campaign_id,
        "changed_by_id": actor.user_id,
    }


def _publish(kind: str, actor: Actor, deployment: Deployment, **facts: Any) -> None:
    events.publish(
        kind,
        actor=actor,
        subject_id=deployment.pk,
        organization_id=deployment.organization_id,
        **facts,
    )
