"""Every read of accounts."""

import json
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Q, QuerySet

from exchange.core import clock
from exchange.core.actors import ALL_SCOPES, ANONYMOUS, Actor, OrganizationRole, Scope, SiteRole
from exchange.core.clock import DatabaseNow

from . import secrets
from .errors import (
    InvitationNotFound,
    MemberNotFound,
    OrganizationNotFound,
    PersonNotFound,
    TokenExpired,
    TokenInvalid,
    TokenNotFound,
    TokenRevoked,
)
from .models import Invitation, InvitationStatus, Membership, Organization, Token, TokenKind, User
from .permissions import require, require_admin

_USED_STEP_SECONDS = 60
# One statement: each request of a program begins with it.
_BEARER = """
SELECT token.id, token.kind, token.scopes, token.expires_at, token.revoked_at IS NOT NULL,
       COALESCE(token.expires_at <= moment, FALSE),
       COALESCE(token.last_used_at > moment - make_interval(secs => %s), FALSE),
       person.id, person.role,
       (SELECT COALESCE(jsonb_object_agg(organization_id, role), '{}')
        FROM accounts_membership WHERE user_id = person.id)
FROM accounts_token AS token JOIN accounts_user AS person ON person.id = token.user_id,
     clock_timestamp() AS moment
WHERE token.digest = %s AND person.is_active
"""


def actor_for_token(*, secret: str) -> Actor:
    """The Actor of a bearer token, or a refusal that says what is wrong with it."""
    if not secrets.is_well_formed(secret):
        raise TokenInvalid
    with connection.cursor() as cursor:
        cursor.execute(_BEARER, [_USED_STEP_SECONDS, secrets.digest_of(secret)])
        row = cursor.fetchone()
    if row is None:
        raise TokenInvalid
    token_id, kind, scopes, expires_at, is_revoked, is_expired, is_use_noted, user_id, role, memberships = row
    if is_revoked:
        raise TokenRevoked
    if is_expired:
        raise TokenExpired
    if not is_use_noted:
        Token.objects.filter(pk=token_id).update(last_used_at=DatabaseNow())
    return Actor(
        user_id=user_id,
        site_role=SiteRole(role),
        organizations={UUID(id_): OrganizationRole(name) for id_, name in json.loads(memberships).items()},
        scopes=frozenset(json.loads(scopes)),
        expires_at=expires_at if kind == TokenKind.PERSONAL else None,
    )


def actor_for_user(user: User | AnonymousUser | None) -> Actor:
    """The Actor of a browser's session."""
    if not isinstance(user, User):
        return ANONYMOUS
    memberships = Membership.objects.filter(user=user).values_list("organization_id", "role")
    return Actor(
        user_id=user.pk,
        site_role=SiteRole(user.role),
        organizations={organization: OrganizationRole(role) for organization, role in memberships},
        scopes=ALL_SCOPES,
    )


def get_profile(*, actor: Actor) -> User:
    user_id = require(actor, Scope.PROFILE_READ)
    return User.objects.prefetch_related("memberships__organization").get(pk=user_id)


def get_person(*, actor: Actor, user_id: UUID) -> User:
    """What a person shows in public."""
    return _person(Q(pk=user_id))


def get_person_by_username(*, actor: Actor, username: str) -> User:
    return _person(Q(username=username.lower()))


def _person(who: Q) -> User:
    user = User.objects.filter(who, is_active=True).first()
    if user is None:
        raise PersonNotFound
    return user


def list_sessions(*, actor: Actor) -> QuerySet[Token]:
    """The open sessions of the actor's programs. Those of browsers live by their cookies: not listed."""
    user_id = require(actor, Scope.PROFILE_READ)
    mine = Token.objects.filter(user_id=user_id, kind=TokenKind.SESSION, revoked_at=None)
    return mine.filter(expires_at__gt=clock.now()).order_by("-created_at", "id")


def list_api_tokens(*, actor: Actor) -> QuerySet[Token]:
    user_id = require(actor, Scope.PROFILE_READ)
    mine = Token.objects.filter(user_id=user_id, kind=TokenKind.PERSONAL)
    return mine.order_by("-created_at", "id")


def get_api_token(*, actor: Actor, token_id: UUID) -> Token:
    token = list_api_tokens(actor=actor).filter(pk=token_id).first()
    if token is None:
        raise TokenNotFound
    return token


def list_organizations(*, actor: Actor) -> QuerySet[Organization]:
    """The actor's own organizations."""
    require(actor, Scope.ORGANIZATIONS_READ)
    return Organization.objects.filter(pk__in=actor.organization_ids).order_by("name", "id")


def get_organization(*, actor: Actor, organization_id: UUID, lock: bool = False) -> Organization:
    """Any organization: profiles are public. `lock` holds it until the transaction ends."""
    rows = Organization.objects.filter(pk=organization_id)
    organization = (rows.select_for_update() if lock else rows).first()
    if organization is None:
        raise OrganizationNotFound
    return organization


def get_organization_by_slug(*, actor: Actor, slug: str) -> Organization:
    organization = Organization.objects.filter(slug=slug).first()
    if organization is None:
        raise OrganizationNotFound
    return organization


def list_members(*, actor: Actor, organization_id: UUID) -> QuerySet[Membership]:
    """Members see each other; for others the organization has no member list."""
    require(actor, Scope.ORGANIZATIONS_READ)
    if not actor.belongs_to(organization_id):
        raise OrganizationNotFound
    members = Membership.objects.filter(organization_id=organization_id).select_related("user")
    return members.order_by("joined_at", "id")


def get_member(*, actor: Actor, organization_id: UUID, user_id: UUID) -> Membership:
    members = list_members(actor=actor, organization_id=organization_id)
    member = members.filter(user_id=user_id).first()
    if member is None:
        raise MemberNotFound
    return member


def list_invitations(*, actor: Actor, organization_id: UUID) -> QuerySet[Invitation]:
    """The open invitations into an organization, for those who may invite."""
    if actor.is_authenticated and not actor.belongs_to(organization_id):
        raise OrganizationNotFound
    require_admin(actor, organization_id, Scope.ORGANIZATIONS_READ)
    return _open_invitations().filter(organization_id=organization_id).order_by("-created_at", "id")


def list_received_invitations(*, actor: Actor) -> QuerySet[Invitation]:
    """The open invitations to the actor's e-mail address, once it is confirmed."""
    user_id = require(actor, Scope.ORGANIZATIONS_READ)
    user = User.objects.get(pk=user_id)
    mine = _open_invitations().filter(email__iexact=user.email)
    return (mine if user.email_verified else mine.none()).order_by("-created_at", "id")


def _open_invitations() -> QuerySet[Invitation]:
    rows = Invitation.objects.filter(status=InvitationStatus.PENDING, expires_at__gt=clock.now())
    return rows.select_related("organization", "invited_by")


def is_open(invitation: Invitation) -> bool:
    """Whether it can still be accepted or declined."""
    return invitation.status == InvitationStatus.PENDING and invitation.expires_at > clock.now()


def get_invitation(*, actor: Actor, invitation_id: UUID, lock: bool = False) -> Invitation:
    """An invitation into an organization that the actor belongs to."""
    require(actor, Scope.ORGANIZATIONS_READ)
    rows = Invitation.objects.filter(pk=invitation_id, organization_id__in=actor.organization_ids)
    return _invitation(rows, lock=lock)


def get_invitation_by_secret(*, actor: Actor, secret: str, lock: bool = False) -> Invitation:
    """The invitation that a link names; the link is the right to see it."""
    return _invitation(Invitation.objects.filter(digest=secrets.digest_of(secret)), lock=lock)


def _invitation(rows: QuerySet[Invitation], *, lock: bool) -> Invitation:
    rows = rows.select_related("organization", "invited_by")
    invitation = (rows.select_for_update(of=("self",)) if lock else rows).first()
    if invitation is None:
        raise InvitationNotFound
    return invitation
