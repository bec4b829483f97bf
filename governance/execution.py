"""Beat's part: close what is over, expire what is too late, carry out what is due.

Each in a transaction of its own, on a row that nobody else holds; done again, it finds nothing to do.
"""

import logging
from collections.abc import Callable
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from exchange.core import clock
from exchange.core.actors import SYSTEM
from exchange.core.clock import DatabaseNow
from exchange.core.errors import DomainError
from exchange.core.tenancy import acting_for

from . import actions, voting
from .models import Proposal, ProposalStatus

log = logging.getLogger(__name__)
_S = ProposalStatus
_OVER = Q(status=_S.VOTING, voting_closes_at__lte=DatabaseNow())
_TOO_LATE = Q(status__in=(_S.QUEUED, _S.FAILED), expires_at__lte=DatabaseNow())
_DUE = Q(status=_S.QUEUED, execute_after__lte=DatabaseNow(), expires_at__gt=DatabaseNow())


def finalise_due() -> int:
    """How many steps were taken. A step that breaks is logged, and keeps no other from being taken."""
    steps = ((_OVER, voting.close_vote), (_TOO_LATE, expire), (_DUE, execute))
    return sum(_take(proposal_id, due, step) for due, step in steps for proposal_id in _waiting(due))


def _waiting(due: Q) -> list[UUID]:
    return list(Proposal.objects.filter(due).order_by("created_at").values_list("pk", flat=True))


def _take(proposal_id: UUID, due: Q, step: Callable[[Proposal], None]) -> bool:
    try:
        with acting_for(SYSTEM):
            rows = Proposal.objects.filter(due, pk=proposal_id).select_related("procedure__rules")
            proposal = rows.select_for_update(no_key=True, skip_locked=True, of=("self",)).first()
            if proposal is not None:
                step(proposal)
            return proposal is not None
    except Exception:
        log.exception("proposal %s could not be moved on; it will be tried again", proposal_id)
        return False


def expire(proposal: Proposal) -> None:
    proposal.move_to(ProposalStatus.EXPIRED)
    voting.publish("proposal.expired", SYSTEM, proposal, expired_at=str(proposal.expires_at))


def execute(proposal: Proposal) -> None:
    """The action, the proposal's state and the facts of both happen together, or the failure is kept."""
    proposal.execution_attempts += 1
    try:
        with transaction.atomic():
            _carry_out(proposal)
    except DomainError as refusal:
        told = [f"{error.field}: {error.message}" for error in refusal.errors]
        _fail(proposal, refusal.code, " ".join([str(refusal), *told]))
    except Exception:
        log.exception("proposal %s could not be carried out", proposal.pk)
        text = _("The platform made a mistake. Its operators can read which one in the log; then retry.")
        _fail(proposal, "internal_error", text)


def _carry_out(proposal: Proposal) -> None:
    effect = actions.carry_out(proposal)
    proposal.move_to(
        ProposalStatus.EXECUTED,
        effect=effect,
        executed_at=clock.now(),
        execution_attempts=proposal.execution_attempts,
        execution_error_code="",
        execution_error="",
    )
    facts = {"action_digest": proposal.action_digest, "effect": effect}
    voting.publish("proposal.executed", SYSTEM, proposal, **facts)


def _fail(proposal: Proposal, code: str, text: str) -> None:
    failed = Proposal.objects.get(pk=proposal.pk)  # what was undone still stands in the other object
    failed.move_to(
        ProposalStatus.FAILED,
        execution_attempts=proposal.execution_attempts,
        execution_error_code=code,
        execution_error=text,
    )
    voting.publish("proposal.execution_failed", SYSTEM, failed, code=code)
