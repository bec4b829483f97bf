"""Who may do what to campaigns. Pure functions: no queries, no state rules."""

from uuid import UUID

from exchange.core.actors import Actor
from submissions.endpoints import permissions as endpoints


def require_reader(actor: Actor) -> None:
    endpoints.require_reader(actor)


def require_starter(actor: Actor, organization_id: UUID) -> None:
    """Members, admins and owners: a campaign sends requests to their organization's endpoints."""
    endpoints.require_writer(actor, organization_id)
