"""Every read of proposals, their debate and their votes. All start from what the actor may see.

Until a vote is counted, nothing here tells who voted, how, or how many did.
"""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.aggregates import Count
from django.db.models.functions import Coalesce

from benchmarks import selectors as benchmarks
from exchange.accounts.permissions import require
from exchange.core.actors import Actor, Scope

from .errors import BallotsAreSecret, CommentNotFound, NotOnTheRoll, ProposalNotFound, VotingNotOpen
from .models import Ballot, Comment, Proposal, Review, ReviewDecision, VotingRules
from .permissions import may_see_own


def visible_to(actor: Actor) -> QuerySet[Proposal]:
    """Everything but the drafts of others, also those that they withdrew as drafts."""
    if actor.is_system:
        return Proposal.objects.all()
    own = Q(proposer_id=actor.user_id) if may_see_own(actor) else Q(pk__in=())
    return Proposal.objects.filter(Q(submitted_at__isnull=False) | own)


def _whole(rows: QuerySet[Proposal], actor: Actor) -> QuerySet[Proposal]:
    """Rows with all that `ProposalSerializer` shows, in one query.

    Of a benchmark that lists hide from the actor, such as one that is a draft again, only the id.
    """
    benchmark = benchmarks.visible_to(actor).filter(pk=OuterRef("benchmark_id"))
    objections = [ReviewDecision.REQUEST_CHANGES, ReviewDecision.REJECT]
    return rows.select_related("proposer", "frozen_rules", "procedure__rules").annotate(  # type: ignore[no-redef]  # the plugin takes annotations for fields
        benchmark_slug=Subquery(benchmark.values("slug")),
        benchmark_name=Subquery(benchmark.values("name")),
        approval_count=_count(_counting().filter(decision=ReviewDecision.APPROVE)),
        objection_count=_count(_counting().filter(decision__in=objections)),
        comment_count=_count(Comment.objects.filter(proposal=OuterRef("pk"))),
    )


def _counting() -> QuerySet[Review]:
    """The last review of the present revision by each reviewer."""
    later = Review.objects.filter(
        proposal=OuterRef("proposal"),
        revision=OuterRef("revision"),
        reviewer=OuterRef("reviewer"),
        created_at__gt=OuterRef("created_at"),
    )
    return Review.objects.filter(~Exists(later), proposal=OuterRef("pk"), revision=OuterRef("revision"))


def _count(rows: QuerySet[Review] | QuerySet[Comment]) -> Coalesce:
    counted = rows.order_by().values("proposal").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), 0)


def list_proposals(
    *, actor: Actor, type: str = "", status: str = "", benchmark_id: UUID | None = None, query: str = ""
) -> QuerySet[Proposal]:
    """Newest first. `query` is looked for in title and description."""
    rows = visible_to(actor)
    wanted = {"procedure_id": type, "status": status, "benchmark_id": benchmark_id}
    rows = rows.filter(**{name: value for name, value in wanted.items() if value})
    if query:
        rows = rows.filter(Q(title__icontains=query) | Q(description__icontains=query))
    return _whole(rows, actor).order_by("-created_at", "id")


def get_proposal(*, actor: Actor, proposal_id: UUID, lock: bool = False) -> Proposal:
    """`lock` holds the row until the transaction ends; it is read once the lock is there."""
    rows = visible_to(actor).filter(pk=proposal_id)
    if lock:
        rows.select_for_update(no_key=True, of=("self",)).values("pk").first()
    proposal = _whole(rows, actor).first()
    if proposal is None:
        raise ProposalNotFound
    return proposal


def list_reviews(*, actor: Actor, proposal_id: UUID) -> QuerySet[Review]:
    """Of every revision, in the order they were given."""
    proposal = get_proposal(actor=actor, proposal_id=proposal_id)
    rows = Review.objects.filter(proposal=proposal).select_related("reviewer")
    return rows.order_by("created_at", "id")


def list_comments(*, actor: Actor, proposal_id: UUID) -> QuerySet[Comment]:
    """In the order they were written; `parent_id` makes threads of them."""
    proposal = get_proposal(actor=actor, proposal_id=proposal_id)
    rows = Comment.objects.filter(proposal=proposal).select_related("author", "resolved_by")
    return rows.order_by("created_at", "id")


def get_comment(*, actor: Actor, proposal_id: UUID, comment_id: UUID, lock: bool = False) -> Comment:
    """`lock` holds the row until the transaction ends."""
    rows = list_comments(actor=actor, proposal_id=proposal_id).filter(pk=comment_id)
    comment = (rows.select_for_update(no_key=True, of=("self",)) if lock else rows).first()
    if comment is None:
        raise CommentNotFound
    return comment


def list_ballots(*, actor: Actor, proposal_id: UUID, cast_only: bool = False) -> QuerySet[Ballot]:
    """The roll call of a counted vote, by name: the whole electorate, or those who voted."""
    proposal = get_proposal(actor=actor, proposal_id=proposal_id)
    if proposal.tally is None:
        raise BallotsAreSecret
    rows = Ballot.objects.filter(proposal=proposal).select_related("voter")
    rows = rows.filter(choice__isnull=False) if cast_only else rows
    return rows.order_by("voter__username", "voter_id")


def get_my_ballot(*, actor: Actor, proposal_id: UUID) -> Ballot:
    """The actor's own, cast or not."""
    voter_id = require(actor, Scope.GOVERNANCE_READ)
    proposal = get_proposal(actor=actor, proposal_id=proposal_id)
    if proposal.voting_opens_at is None:
        raise VotingNotOpen
    ballot = Ballot.objects.filter(proposal=proposal, voter_id=voter_id).first()
    if ballot is None:
        raise NotOnTheRoll
    return ballot


def list_voting_rules(*, actor: Actor, type: str = "") -> QuerySet[VotingRules]:
    """All there have been, by type, newest first: the first of each type is in force."""
    rows = VotingRules.objects.filter(proposal_type=type) if type else VotingRules.objects.all()
    return rows.order_by("proposal_type", "-number", "id")
