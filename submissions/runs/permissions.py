"""Who may do what to runs. Pure functions: no queries, no state rules."""

from uuid import UUID

from exchange.accounts.permissions import require_worker
from exchange.core.actors import Actor, Scope


def require_measurer(actor: Actor, organization_id: UUID) -> None:
    """The system, and whoever submits in the organization's name."""
    if not actor.is_system:
        require_worker(actor, organization_id, Scope.SUBMISSIONS_WRITE)


def reads_for_organizations(actor: Actor) -> bool:
    return actor.has_scope(Scope.SUBMISSIONS_READ)
