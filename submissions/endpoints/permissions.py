"""Who may do what to endpoints. Pure functions: no queries, no state rules."""

from uuid import UUID

from exchange.accounts.permissions import require, require_worker
from exchange.core.actors import Actor, Scope


def require_reader(actor: Actor) -> None:
    if not reads_endpoints(actor):
        require(actor, Scope.ENDPOINTS_READ)


def require_writer(actor: Actor, organization_id: UUID) -> None:
    """Members, admins and owners work with their organization's endpoints."""
    require_worker(actor, organization_id, Scope.ENDPOINTS_WRITE)


def reads_endpoints(actor: Actor) -> bool:
    """Who may write may read."""
    return actor.has_scope(Scope.ENDPOINTS_READ) or actor.has_scope(Scope.ENDPOINTS_WRITE)


def reads_submissions(actor: Actor) -> bool:
    """Whether the actor sees more of claims and runs than the public does. Who may write may read."""
    return actor.has_scope(Scope.SUBMISSIONS_READ) or actor.has_scope(Scope.SUBMISSIONS_WRITE)
