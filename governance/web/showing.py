"""The page of one proposal, also when something done on it was refused."""

from django.shortcuts import render

from exchange.api.shown import shown_page
from exchange.core import clock, paging
from exchange.web.pages import refused_fields, told
from governance import selectors
from governance.api import serializers as s
from governance.errors import NotOnTheRoll

from .countdown import countdown, duration
from .facts import worded
from .next_steps import next_steps, resolvable
from .threads import threads

FIRST_BALLOTS = 12
TYPED = dict.fromkeys(("choice", "reason", "decision", "body", "kind"), "")
PAGE = {"size": paging.LARGEST_SIZE, "token": ""}


def show_proposal(request, proposal_id, *, refusal=None, values=None):
    """`values` is what was typed into the form that was refused."""
    found = selectors.get_proposal(actor=request.actor, proposal_id=proposal_id)
    now = clock.now()
    until = found.voting_closes_at if found.status == found.Status.VOTING else found.execute_after
    left = countdown(until, now)
    ballot = _ballot(request, found)
    own = s.OwnBallotSerializer(ballot).data if ballot else None
    shown = s.ProposalSerializer(found).data
    context = {
        "proposal": shown,
        "left": left,
        "is_over": found.status == found.Status.VOTING and left is None,
        "timelock": duration(found.rules.timelock_seconds),
        "changes": worded(shown["effect"] or shown["planned"]),
        "ballot": own,
        "may": next_steps(request.actor, found, ballot=ballot, now=now),
        "roll": _roll(request, found),
        "reviews": _reviews(request, found),
        **_debate(request, found),
        "values": {**TYPED, **(own if own and own["choice"] else {}), **(values or {})},
        "errors": refused_fields(refusal) if refusal else [],
    }
    response = render(request, "governance/proposal.html", context, status=refusal.http if refusal else 200)
    return told(response, refusal) if refusal else response


def _ballot(request, found):
    """The reader's own, if the proposal is being voted on and they are on the roll."""
    if found.status != found.Status.VOTING or not request.actor.is_authenticated:
        return None
    try:
        return selectors.get_my_ballot(actor=request.actor, proposal_id=found.pk)
    except NotOnTheRoll:
        return None


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
    """The comments as threads, which of them the reader may resolve, and which is being answered."""
    rows = selectors.list_comments(actor=request.actor, proposal_id=found.pk)
    page = paging.page(rows, size=paging.LARGEST_SIZE, token=request.GET.get("page_token", ""))
    return {
        "threads": threads(s.ProposalCommentSerializer(page.items, many=True).data),
        "next_page_token": page.next_page_token,
        "resolvable": resolvable(request.actor, found, page.items),
        "reply": request.GET.get("reply") or request.POST.get("parent_id") or "",
    }
