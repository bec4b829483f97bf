"""The page of one proposal, also when something done on it was refused."""

from django.shortcuts import render

from exchange.api.shown import shown_page
from exchange.core import clock, paging
from exchange.web.pages import asked, refused_fields, told
from governance import permissions, selectors
from governance.api import serializers as s

from .countdown import countdown, duration
from .facts import worded
from .threads import threads

FIRST_BALLOTS = 12
PAGE = {"size": paging.LARGEST_SIZE, "token": ""}


def show_proposal(request, proposal_id, *, refusal=None, values=None):
    """`values` is what was typed into the form that was refused."""
    found = selectors.get_proposal(actor=request.actor, proposal_id=proposal_id)
    now = clock.now()
    until = found.voting_closes_at if found.status == found.Status.VOTING else found.execute_after
    left = countdown(until, now)
    ballot = _ballot(request, found)
    shown = s.ProposalSerializer(found).data
    context = {
        "proposal": shown,
        "left": left,
        "is_over": found.status == found.Status.VOTING and left is None,
        "timelock": duration(found.rules.timelock_seconds),
        "changes": worded(shown["effect"] or shown["planned"]),
        "ballot": s.OwnBallotSerializer(ballot).data if ballot else None,
        "may": _may(request.actor, found, ballot),
        "roll": _roll(request, found),
        "reviews": _reviews(request, found),
        **_debate(request, found),
        "values": values or {},
        "errors": refused_fields(refusal) if refusal else [],
    }
    response = render(request, "governance/proposal.html", context, status=refusal.http if refusal else 200)
    return told(response, refusal) if refusal else response


def _ballot(request, found):
    """The reader's own, if the proposal is being voted on and they are on the roll."""
    if found.status != found.Status.VOTING or not request.actor.is_authenticated:
        return None
    return selectors.find_my_ballot(actor=request.actor, proposal_id=found.pk)


def _may(actor, found, ballot):
    return {"vote": ballot is not None, **permissions.next_steps(actor, found)}


def _roll(request, found):
    """The first of those who voted, once the vote is counted."""
    if found.tally is None:
        return []
    rows = selectors.list_ballots(actor=request.actor, proposal_id=found.pk, cast_only=True)
    return s.BallotSerializer(paging.page(rows, size=FIRST_BALLOTS).items, many=True).data


def _reviews(request, found):
    rows = selectors.list_reviews(actor=request.actor, proposal_id=found.pk)
    return shown_page(s.ProposalReviewSerializer, rows, PAGE)["items"]


def _debate(request, found):
    """The comments as threads, and which of them is being answered."""
    rows = selectors.list_comments(actor=request.actor, proposal_id=found.pk)
    page = shown_page(
        s.ProposalCommentSerializer, rows, {**PAGE, "token": asked(request).get("page_token", "")}
    )
    return {
        "threads": threads(page["items"]),
        "next_page_token": page["next_page_token"],
        "reply": request.GET.get("reply") or request.POST.get("parent_id") or "",
    }
