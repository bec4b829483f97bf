"""What this reader may do next on a proposal: for its buttons only. The services decide again."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from exchange.core.actors import Actor
from exchange.core.errors import DomainError
from governance import permissions


def may(check: Callable[..., Any], *given: Any) -> bool:
    """Whether a permission's check passes."""
    try:
        check(*given)
    except DomainError:
        return False
    return True


def next_steps(actor: Actor, proposal: Any, *, ballot: Any, now: datetime) -> dict[str, bool]:
    """{step: whether to offer it}."""
    states = proposal.Status
    is_over = proposal.status == states.VOTING and proposal.voting_closes_at <= now
    is_mine = may(permissions.require_proposer, actor, proposal)
    may_conduct = may(permissions.require_conductor, actor, proposal)
    is_draft = proposal.status == states.DRAFT
    is_reviewed = proposal.status == states.UNDER_REVIEW
    return {
        "vote": ballot is not None and not is_over,
        "comment": may(permissions.require_contributor, actor),
        "edit": is_mine and is_draft,
        "submit": is_mine and is_draft,
        "review": is_reviewed and may(permissions.require_reviewer, actor, proposal),
        "open": is_reviewed and may_conduct and proposal.review_status == "approved",
        "withdraw": is_mine
        and states.WITHDRAWN in proposal.TRANSITIONS.get(proposal.status, ())
        and not is_over,
        "retry": proposal.status == states.FAILED and may_conduct and proposal.expires_at > now,
    }


def resolvable(actor: Actor, proposal: Any, comments: Iterable[Any]) -> list[str]:
    """The ids of the comments that this reader may mark as resolved."""
    return [
        str(comment.pk)
        for comment in comments
        if comment.is_resolvable and may(permissions.require_resolver, actor, proposal, comment)
    ]
