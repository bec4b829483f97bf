"""Who may do what to accounts and organizations. Pure functions: no queries, no state rules."""

from uuid import UUID

from exchange.core.actors import Actor, Scope
from exchange.core.errors import Unauthenticated

from .errors import NotYourOrganization, ScopeMissing


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
