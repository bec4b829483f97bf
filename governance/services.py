"""Every write to proposals, their debate and their votes. Doors call these; nothing else saves."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from benchmarks.moves import checked_reason
from exchange.accounts.models import User
from exchange.accounts.services import promote_contributor
from exchange.core import clock, events, throttle
from exchange.core.actors import Actor
from exchange.core.errors import InvalidInput, LimitExceeded
from exchange.core.events import Event

from . import actions, execution, permissions, selectors, voting
from .errors import (
    NotADraft,
    NothingToRetry,
    NotResolvable,
    NotUnderReview,
    NotWithdrawable,
    ReviewsMissing,
    TooManyComments,
    TooManyProposals,
    VotingClosed,
    VotingNotOpen,
)
from .models import (
    Ballot,
    Comment,
    CommentKind,
    Contribution,
    Procedure,
    Proposal,
    ProposalStatus,
    Review,
    ReviewDecision,
    ReviewStatus,
)

_S = ProposalStatus
_HOUR = 3600
_DAY = 24 * _HOUR


@transaction.atomic
def create_proposal(
    *, actor: Actor, type: str, title: str, description: str, rationale: str, action: Mapping[str, Any]
) -> Proposal:
    """A draft that only its proposer sees. Its action is tried at once, and undone."""
    proposer_id = permissions.require_contributor(actor)
    prepared = actions.prepare(actor=actor, type=type, action=action)
    _count(f"propose|{proposer_id}", settings.PROPOSALS_A_DAY, _DAY, TooManyProposals)
    proposal = Proposal.objects.create(
        procedure=Procedure.objects.get(pk=type),
        title=title,
        description=description,
        rationale=rationale,
        proposer_id=proposer_id,
        **_of(prepared),
    )
    voting.publish("proposal.created", actor, proposal, type=type, action_digest=prepared.digest)
    return selectors.get_proposal(actor=actor, proposal_id=proposal.pk)


def _count(key: str, limit: int, seconds: int, refusal: type[LimitExceeded]) -> None:
    """Count what is written, and not the tries: those are undone with all else that was refused."""
    try:
        throttle.count_try(key=key, limit=limit, window_seconds=seconds)
    except LimitExceeded as error:
        raise refusal(retry_after_seconds=error.retry_after_seconds) from error


def _of(prepared: actions.Prepared) -> dict[str, Any]:
    return {
        "action": prepared.action,
        "action_digest": prepared.digest,
        "planned": prepared.planned,
        "benchmark": prepared.benchmark,
        "is_demo": prepared.benchmark is not None and prepared.benchmark.is_demo,
    }


@transaction.atomic
def update_proposal(
    *,
    actor: Actor,
    proposal_id: UUID,
    title: str | None = None,
    description: str | None = None,
    rationale: str | None = None,
    action: Mapping[str, Any] | None = None,
) -> Proposal:
    """Change a draft. What is not given stays; an action is replaced as a whole."""
    proposal = _lock_draft(actor, proposal_id)
    texts = {"title": title, "description": description, "rationale": rationale}
    given: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
    if action is not None:
        given |= _of(actions.prepare(actor=actor, type=proposal.type, action=action))
    for name, value in given.items():
        setattr(proposal, name, value)
    proposal.save(update_fields=[*given, "updated_at"])
    voting.publish("proposal.updated", actor, proposal, fields=sorted(given))
    return selectors.get_proposal(actor=actor, proposal_id=proposal_id)


def _lock_draft(actor: Actor, proposal_id: UUID) -> Proposal:
    proposal = selectors.get_proposal(actor=actor, proposal_id=proposal_id, lock=True)
    permissions.require_proposer(actor, proposal)
    if proposal.status != _S.DRAFT:
        raise NotADraft
    return proposal


@transaction.atomic
def submit_proposal_for_review(*, actor: Actor, proposal_id: UUID) -> Proposal:
    """Show a draft to everybody. Text and action stay as they are until changes are requested."""
    proposal = _lock_draft(actor, proposal_id)
    planned = actions.check(proposal)
    actions.show(proposal)
    proposal.move_to(_S.UNDER_REVIEW, planned=planned, submitted_at=clock.now())
    facts = {"revision": proposal.revision, "action_digest": proposal.action_digest}
    voting.publish("proposal.submitted_for_review", actor, proposal, **facts)
    return selectors.get_proposal(actor=actor, proposal_id=proposal_id)


@transaction.atomic
def review_proposal(*, actor: Actor, proposal_id: UUID, decision: str, reason: str = "") -> Review:
    """A reviewer's judgement of the present revision; their last one counts.

    Requested changes make it a draft again, and the next revision starts without reviews.
    """
    proposal = selectors.get_proposal(actor=actor, proposal_id=proposal_id, lock=True)
    reviewer_id = permissions.require_reviewer(actor, proposal)
    if proposal.status != _S.UNDER_REVIEW:
        raise NotUnderReview
    reason = reason if decision == ReviewDecision.APPROVE else checked_reason(reason)
    review = Review.objects.create(
        proposal=proposal,
        revision=proposal.revision,
        reviewer_id=reviewer_id,
        decision=decision,
        reason=reason,
        created_at=clock.now(),
    )
    facts = {"review_id": str(review.pk), "revision": review.revision, "decision": decision}
    voting.publish("proposal.reviewed", actor, proposal, **facts)
    if decision == ReviewDecision.REQUEST_CHANGES:
        proposal.move_to(_S.DRAFT, revision=proposal.revision + 1, submitted_at=None)
    return review


@transaction.atomic
def add_comment(
    *,
    actor: Actor,
    proposal_id: UUID,
    body: str,
    kind: str = CommentKind.COMMENT,
    parent_id: UUID | None = None,
) -> Comment:
    proposal = selectors.get_proposal(actor=actor, proposal_id=proposal_id)
    author_id = permissions.require_contributor(actor)
    if parent_id is not None and not Comment.objects.filter(pk=parent_id, proposal=proposal).exists():
        raise InvalidInput.of("parent_id", "unknown_comment", _("There is no such comment on this proposal."))
    _count(f"comment|{author_id}", settings.COMMENTS_AN_HOUR, _HOUR, TooManyComments)
    comment = Comment.objects.create(
        proposal=proposal,
        author_id=author_id,
        parent_id=parent_id,
        kind=kind,
        body=body,
        created_at=clock.now(),
    )
    facts: dict[str, Any] = {"proposal_id": str(proposal_id), "comment_kind": kind}
    events.publish("proposal_comment.added", actor=actor, subject_id=comment.pk, **facts)
    return comment


@transaction.atomic
def resolve_comment(*, actor: Actor, proposal_id: UUID, comment_id: UUID) -> Comment:
    """Mark an issue, a suggestion or a question as settled."""
    proposal = selectors.get_proposal(actor=actor, proposal_id=proposal_id)
    comment = selectors.get_comment(actor=actor, proposal_id=proposal_id, comment_id=comment_id, lock=True)
    user_id = permissions.require_resolver(actor, proposal, comment)
    if not comment.is_resolvable:
        raise NotResolvable
    comment.resolved_at, comment.resolved_by_id = clock.now(), user_id
    comment.save(update_fields=["resolved_at", "resolved_by", "updated_at"])
    facts: dict[str, Any] = {"proposal_id": str(proposal_id)}
    events.publish("proposal_comment.resolved", actor=actor, subject_id=comment.pk, **facts)
    return comment


@transaction.atomic
def open_voting(*, actor: Actor, proposal_id: UUID) -> Proposal:
    """Put it to the vote: rules, electorate and end are fixed now."""
    proposal = selectors.get_proposal(actor=actor, proposal_id=proposal_id, lock=True)
    permissions.require_conductor(actor, proposal)
    if proposal.status != _S.UNDER_REVIEW:
        raise NotUnderReview
    if proposal.review_status != ReviewStatus.APPROVED:
        raise ReviewsMissing
    proposal.planned = actions.check(proposal)
    proposal.save(update_fields=["planned"])
    voting.open_vote(proposal)
    names = ("action_digest", "electorate_size", "electorate_digest", "ballots_needed")
    facts = {name: getattr(proposal, name) for name in names}
    ends = {"rules_digest": proposal.rules.digest, "voting_closes_at": str(proposal.voting_closes_at)}
    voting.publish("voting.opened", actor, proposal, **facts, **ends)
    return selectors.get_proposal(actor=actor, proposal_id=proposal_id)


@transaction.atomic
def cast_vote(*, actor: Actor, proposal_id: UUID, choice: str, reason: str = "") -> Ballot:
    """The actor's ballot, as often as they like until the vote closes; the last one counts."""
    voter_id = permissions.require_voter(actor)
    at = voting.hold_open(proposal_id)
    if at is None:
        proposal = selectors.get_proposal(actor=actor, proposal_id=proposal_id)
        raise VotingNotOpen if proposal.voting_opens_at is None else VotingClosed
    ballot = voting.mark_ballot(
        proposal_id=proposal_id, voter_id=voter_id, choice=choice, reason=reason, at=at
    )
    events.publish("vote.cast", actor=actor, subject_id=proposal_id, choice=choice)
    return ballot


@transaction.atomic
def withdraw_proposal(*, actor: Actor, proposal_id: UUID) -> Proposal:
    """Its proposer takes it back; ballots that were cast are never counted."""
    proposal = selectors.get_proposal(actor=actor, proposal_id=proposal_id, lock=True)
    permissions.require_proposer(actor, proposal)
    over = proposal.voting_closes_at is not None and proposal.voting_closes_at <= clock.now()
    if over or _S.WITHDRAWN not in Proposal.TRANSITIONS.get(_S(proposal.status), ()):
        raise NotWithdrawable
    proposal.move_to(_S.WITHDRAWN)
    voting.publish("proposal.withdrawn", actor, proposal)
    return selectors.get_proposal(actor=actor, proposal_id=proposal_id)


@transaction.atomic
def retry_execution(*, actor: Actor, proposal_id: UUID) -> Proposal:
    """Queue a failed execution once more; it is carried out within seconds."""
    proposal = selectors.get_proposal(actor=actor, proposal_id=proposal_id, lock=True)
    permissions.require_conductor(actor, proposal)
    expired = proposal.expires_at is not None and proposal.expires_at <= clock.now()
    if proposal.status != _S.FAILED or expired:
        raise NothingToRetry
    proposal.move_to(_S.QUEUED)
    voting.publish("proposal.requeued", actor, proposal)
    return selectors.get_proposal(actor=actor, proposal_id=proposal_id)


def finalise_due() -> int:
    """For beat and operators: close, expire and carry out whatever is due; how many steps that were."""
    return execution.finalise_due()


@transaction.atomic
def follow_contribution(event: Event) -> None:
    """A projection: who contributed and has a verified address is a contributor."""
    if event.kind == "email.verified":
        user_id = event.subject_id
    else:
        user_id = event.actor.user_id
        _note_contribution(event)
    if user_id is not None and Contribution.objects.filter(pk=user_id).exists():
        promote_contributor(user_id=user_id)


def _note_contribution(event: Event) -> None:
    """The first of each person; the system, and actors without an account, are no persons."""
    people = User.objects.filter(pk__in=[event.actor.user_id])
    about = {"kind": event.kind, "subject_id": event.subject_id}
    made = [Contribution(user=user, **about) for user in people]
    Contribution.objects.bulk_create(made, ignore_conflicts=True)
