"""Who may do what to accounts and organizations. Pure functions: no queries, no state rules."""

from uuid import UUID

from django.utils.translation import gettext as _

from exchange.core.actors import ALL_SCOPES, Actor, OrganizationRole, Scope, SiteRole
from exchange.core.errors import Unauthenticated

from .errors import NotYourOrganization, OperatorsOnly, ScopeMissing

_APPOINTED = frozenset({OrganizationRole.OWNER, OrganizationRole.ADMIN})


def require(actor: Actor, scope: Scope) -> UUID:
    """Whose id the actor has; raise unless it is somebody whose token has `scope`."""
    if actor.user_id is None:
        raise Unauthenticated
    if not actor.has_scope(scope):
        raise ScopeMissing(f"{ScopeMissing.__doc__} ({scope})")
    return actor.user_id


def require_worker(actor: Actor, organization_id: UUID, scope: Scope) -> None:
    """Raise unless the actor may write in the organization's name."""
    require(actor, scope)
    if not actor.works_for(organization_id):
        raise NotYourOrganization


def require_admin(actor: Actor, organization_id: UUID, scope: Scope) -> None:
    require(actor, scope)
    if not actor.administers(organization_id):
        raise NotYourOrganization


def can_change_roles(actor: Actor, organization_id: UUID) -> bool:
    return actor.owns(organization_id)


def require_appointer(actor: Actor, organization_id: UUID, role: str) -> None:
    """Raise unless the actor may bring somebody in as `role`: owners anybody, admins members and viewers."""
    require_admin(actor, organization_id, Scope.ORGANIZATIONS_WRITE)
    if role in _APPOINTED and not actor.owns(organization_id):
        raise NotYourOrganization(_("Only owners appoint owners and admins."))


def is_operator(actor: Actor) -> bool:
    """The system itself, or an administrator of the site, with every scope: a session has them."""
    return actor.is_system or (actor.site_role == SiteRole.ADMIN and actor.scopes >= ALL_SCOPES)


def require_operator(actor: Actor) -> None:
    if not (actor.is_system or actor.is_authenticated):
        raise Unauthenticated
    if not is_operator(actor):
        raise OperatorsOnly
