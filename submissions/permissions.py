"""Who may do what to submissions. Pure functions: no queries, no state rules."""

from uuid import UUID

from exchange.accounts.errors import OrganizationNotFound
from exchange.accounts.permissions import require, require_worker
from exchange.core.actors import Actor, Scope


def may_read_for_organizations(actor: Actor) -> bool:
    """Whether the actor sees more than the public does."""
    return actor.has_scope(Scope.SUBMISSIONS_READ) or actor.has_scope(Scope.SUBMISSIONS_WRITE)


def require_submitter(actor: Actor, organization_id: UUID) -> None:
    """Raise unless the actor may submit in the organization's name; a foreign organization is not there."""
    require(actor, Scope.SUBMISSIONS_WRITE)
    if not actor.belongs_to(organization_id):
        raise OrganizationNotFound
    require_worker(actor, organization_id, Scope.SUBMISSIONS_WRITE)


def require_owner(actor: Actor, organization_id: UUID) -> None:
    """Raise unless the actor works for the organization whose submission this is."""
    require_worker(actor, organization_id, Scope.SUBMISSIONS_WRITE)


def can_see_answers(actor: Actor, *, organization_id: UUID, cases_public: bool) -> bool:
    """Raw answers and references: everybody's when the cases are, else the submitter's organization's."""
    own = actor.belongs_to(organization_id) and may_read_for_organizations(actor)
    return cases_public or own
