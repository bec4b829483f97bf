"""Invitations into organizations, by mail."""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from exchange.core import clock, events, throttle
from exchange.core.actors import Actor, Scope

from . import mailing, permissions, secrets, selectors
from .errors import (
    AlreadyInvited,
    AlreadyMember,
    EmailNotVerified,
    InvitationClosed,
    InvitationForAnother,
    TooManyMails,
)
from .models import Invitation, InvitationStatus, LetterKind, Membership, User

OPEN_FOR = timedelta(days=7)
_DAY = 24 * 3600


@transaction.atomic
def invite_member(*, actor: Actor, organization_id: UUID, email: str, role: str) -> Invitation:
    """Ask whoever has this address to join, within 7 days. Admins ask members and viewers, owners anybody."""
    user_id = permissions.require(actor, Scope.ORGANIZATIONS_WRITE)
    organization = selectors.get_organization(actor=actor, organization_id=organization_id, lock=True)
    permissions.require_appointer(actor, organization_id, role)
    if Membership.objects.filter(organization=organization, user__email__iexact=email).exists():
        raise AlreadyMember
    _expire(Invitation.objects.filter(organization=organization, email__iexact=email))
    _count(organization_id, user_id)
    invitation = Invitation(organization=organization, email=email, role=role, invited_by_id=user_id)
    invitation.digest = secrets.digest_of(secrets.invitation_secret(invitation.pk))
    invitation.expires_at = clock.now() + OPEN_FOR
    _save_new(invitation)
    mailing.post(LetterKind.INVITATION, invitation=invitation)
    _publish("invitation.created", actor, invitation)
    return invitation


def _expire(invitations: QuerySet[Invitation]) -> None:
    """Those past their time make room for a new one."""
    past = invitations.filter(status=InvitationStatus.PENDING, expires_at__lte=clock.now())
    past.update(status=InvitationStatus.EXPIRED, closed_at=clock.now())


def _count(organization_id: UUID, user_id: UUID) -> None:
    """Also by person, since a person makes as many organizations as they like."""
    limit = settings.INVITATIONS_A_DAY
    try:
        for key in (f"invite|{organization_id}", f"invite-by|{user_id}"):
            throttle.count_try(key=key, limit=limit, window_seconds=_DAY)
    except throttle.LimitExceeded as error:
        raise TooManyMails(retry_after_seconds=error.retry_after_seconds) from error


def _save_new(invitation: Invitation) -> None:
    try:
        with transaction.atomic():
            invitation.save(force_insert=True)
    except IntegrityError as error:
        raise AlreadyInvited from error


@transaction.atomic
def revoke_invitation(*, actor: Actor, invitation_id: UUID) -> Invitation:
    invitation = selectors.get_invitation(actor=actor, invitation_id=invitation_id, lock=True)
    permissions.require_admin(actor, invitation.organization_id, Scope.ORGANIZATIONS_WRITE)
    return _close(actor, invitation, InvitationStatus.REVOKED)


@transaction.atomic
def accept_invitation(*, actor: Actor, secret: str) -> Invitation:
    """Join. The actor's confirmed e-mail address is the one that was invited."""
    invitation, user = _received(actor, secret)
    _member, joined = Membership.objects.get_or_create(
        user=user, organization_id=invitation.organization_id, defaults={"role": invitation.role}
    )
    if not joined:
        raise AlreadyMember
    _close(actor, invitation, InvitationStatus.ACCEPTED)
    _publish("member.added", actor, invitation, user_id=str(user.pk))
    return invitation


@transaction.atomic
def decline_invitation(*, actor: Actor, secret: str) -> Invitation:
    invitation, _user = _received(actor, secret)
    return _close(actor, invitation, InvitationStatus.DECLINED)


def _received(actor: Actor, secret: str) -> tuple[Invitation, User]:
    """The invitation, held, and the person it is for."""
    permissions.require(actor, Scope.ORGANIZATIONS_WRITE)
    invitation = selectors.get_invitation_by_secret(actor=actor, secret=secret, lock=True)
    user = selectors.get_profile(actor=actor)
    if user.email.lower() != invitation.email.lower():
        raise InvitationForAnother
    if not user.email_verified:
        raise EmailNotVerified
    return invitation, user


def _close(actor: Actor, invitation: Invitation, status: InvitationStatus) -> Invitation:
    if not selectors.is_open(invitation):
        raise InvitationClosed
    invitation.move_to(status, closed_at=clock.now())
    _publish(f"invitation.{status}", actor, invitation)
    return invitation


def _publish(kind: str, actor: Actor, invitation: Invitation, **facts: str) -> None:
    events.publish(
        kind,
        actor=actor,
        subject_id=invitation.organization_id if kind == "member.added" else invitation.pk,
        organization_id=invitation.organization_id,
        role=invitation.role,
        **facts,
    )
