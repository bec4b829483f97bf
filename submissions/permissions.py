"""Who may do what to submissions. Pure functions: no queries, no state rules."""

from uuid import UUID

from exchange.accounts.errors import OrganizationNotFound
from exchange.accounts.permissions import require, require_worker
from exchange.core.actors import Actor, Scope
from submissions.endpoints.permissions import reads_submissions


def require_submitter(actor: Actor, organization_id: UUID) -> None:
    """Raise unless the actor may submit in the organization's name; a foreign organization is not there."""
    require(actor, Scope.SUBMISSIONS_WRITE)
    if not actor.belongs_to(organization_id):
        raise OrganizationNotFound
    require_worker(actor, organization_id, Scope.SUBMISSIONS_WRITE)


def require_uploader(actor: Actor) -> None:
    """Asked before a body is read: nobody's files are not even received."""
    require(actor, Scope.SUBMISSIONS_WRITE)


def require_owner(actor: Actor, organization_id: UUID) -> None:
    """Raise unless the actor works for the organization whose submission this is."""
    require_worker(actor, organization_id, Scope.SUBMISSIONS_WRITE)


def can_see_answers(actor: Actor, *, organization_id: UUID, cases_public: bool) -> bool:
    """Raw answers and references: everybody's when the cases are, else the submitter's organization's."""
    own = actor.belongs_to(organization_id) and reads_submissions(actor)
    return cases_public or own
