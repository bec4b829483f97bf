"""Who may do what to proposals. Pure functions: no queries, no state rules."""

from uuid import UUID

from benchmarks.errors import NotAReviewer
from exchange.accounts.permissions import require
from exchange.core.actors import Actor, Scope, SiteRole

from .errors import NotAContributor, NotYourComment, NotYourProposal, ReviewerIsProposer
from .models import Comment, Proposal


def may_see_own(actor: Actor) -> bool:
    """Whether the actor sees drafts of theirs."""
    return actor.is_authenticated and actor.has_scope(Scope.GOVERNANCE_READ)


def is_proposer(actor: Actor, proposal: Proposal) -> bool:
    return actor.user_id == proposal.proposer_id


def is_reviewer(actor: Actor) -> bool:
    return actor.site_role >= SiteRole.REVIEWER


def require_contributor(actor: Actor) -> UUID:
    """Whose id the actor has; raise unless they may propose and take part in debates."""
    user_id = require(actor, Scope.GOVERNANCE_WRITE)
    if actor.site_role < SiteRole.CONTRIBUTOR:
        raise NotAContributor
    return user_id


def require_voter(actor: Actor) -> UUID:
    """Whose id the actor has. Who may vote says the roll of each vote, not a role."""
    return require(actor, Scope.GOVERNANCE_WRITE)


def require_proposer(actor: Actor, proposal: Proposal) -> None:
    require_contributor(actor)
    if not is_proposer(actor, proposal):
        raise NotYourProposal


def require_reviewer(actor: Actor, proposal: Proposal) -> UUID:
    user_id = require_contributor(actor)
    if not is_reviewer(actor):
        raise NotAReviewer
    if is_proposer(actor, proposal):
        raise ReviewerIsProposer
    return user_id


def require_conductor(actor: Actor, proposal: Proposal) -> None:
    """Raise unless the actor may open its vote and retry its execution: its proposer, and reviewers."""
    require_contributor(actor)
    if not (is_proposer(actor, proposal) or is_reviewer(actor)):
        raise NotYourProposal


def require_resolver(actor: Actor, proposal: Proposal, comment: Comment) -> UUID:
    user_id = require_contributor(actor)
    if user_id not in {proposal.proposer_id, comment.author_id}:
        raise NotYourComment
    return user_id
