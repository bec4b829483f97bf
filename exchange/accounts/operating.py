"""What operators do: from the command line as the system, or as an administrator on the website."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from exchange.core import clock, events
from exchange.core.actors import Actor, SiteRole
from exchange.core.errors import InvalidInput

from . import permissions, selectors
from .errors import OwnRole, PersonNotFound
from .models import Organization, Token, User


@transaction.atomic
def grant_site_role(*, actor: Actor, user_id: UUID, role: str) -> User:
    """Give a person a role on the whole site, by its name in lower case. Nobody changes their own."""
    user = _other(actor, user_id)
    granted = _site_role(role)
    if user.role != granted:
        user.role = granted
        user.save(update_fields=["role", "updated_at"])
        events.publish("user.role_granted", actor=actor, subject_id=user.pk, role=role)
    return user


def _site_role(name: str) -> SiteRole:
    role = SiteRole.__members__.get(name.upper(), SiteRole.ANONYMOUS)
    if role == SiteRole.ANONYMOUS:
        raise InvalidInput.of("role", "no_such_role", _("This is no role that somebody can have."))
    return role


@transaction.atomic
def deactivate_user(*, actor: Actor, user_id: UUID) -> User:
    """Keep a person out: their sessions and API tokens end, what they did stays."""
    user = _other(actor, user_id)
    if user.is_active:
        Token.objects.filter(user=user, revoked_at=None).update(revoked_at=clock.now())
        _set_active(user, active=False)
        events.publish("user.deactivated", actor=actor, subject_id=user.pk)
    return user


@transaction.atomic
def activate_user(*, actor: Actor, user_id: UUID) -> User:
    """Let a person in again. They log in anew and make new API tokens."""
    user = _other(actor, user_id)
    if not user.is_active:
        _set_active(user, active=True)
        events.publish("user.activated", actor=actor, subject_id=user.pk)
    return user


def _set_active(user: User, *, active: bool) -> None:
    user.is_active = active
    user.save(update_fields=["is_active", "updated_at"])


def _other(actor: Actor, user_id: UUID) -> User:
    permissions.require_operator(actor)
    if user_id == actor.user_id:
        raise OwnRole
    user = User.objects.select_for_update().filter(pk=user_id).first()
    if user is None:
        raise PersonNotFound
    return user


@transaction.atomic
def verify_organization(*, actor: Actor, organization_id: UUID) -> Organization:
    """Say that an organization is who it says it is."""
    return _set_verified(actor, organization_id, verified=True)


@transaction.atomic
def unverify_organization(*, actor: Actor, organization_id: UUID) -> Organization:
    """Take back that it is."""
    return _set_verified(actor, organization_id, verified=False)


def _set_verified(actor: Actor, organization_id: UUID, *, verified: bool) -> Organization:
    permissions.require_operator(actor)
    organization = selectors.get_organization(actor=actor, organization_id=organization_id, lock=True)
    if (organization.verified_at is not None) != verified:
        organization.verified_at = clock.now() if verified else None
        organization.save(update_fields=["verified_at", "updated_at"])
        _publish("organization.verified" if verified else "organization.unverified", actor, organization)
    return organization


@transaction.atomic
def mark_demo(*, actor: Actor, slug: str) -> Organization:
    """Whatever this organization claims from now on is shown as demo."""
    permissions.require_operator(actor)
    organization = Organization.objects.select_for_update().get(slug=slug)
    if not organization.is_demo:
        organization.is_demo = True
        organization.save(update_fields=["is_demo", "updated_at"])
        _publish("organization.marked_demo", actor, organization)
    return organization


def _publish(kind: str, actor: Actor, organization: Organization) -> None:
    events.publish(kind, actor=actor, subject_id=organization.pk, organization_id=organization.pk)
