"""Who may do what to runs. Pure functions: no queries, no state rules."""

from uuid import UUID

from exchange.accounts.permissions import require_worker
from exchange.core.actors import Actor, Scope
from submissions.endpoints.permissions import reads_submissions


def require_measurer(actor: Actor, organization_id: UUID) -> None:
    """The system, and whoever submits in the organization's name."""
    if not actor.is_system:
        require_worker(actor, organization_id, Scope.SUBMISSIONS_WRITE)


def can_have_whole_bundle(actor: Actor, organization_id: UUID) -> bool:
    """Prompts, references and raw answers are for the submitter's organization."""
    return actor.is_system or (actor.belongs_to(organization_id) and reads_submissions(actor))
