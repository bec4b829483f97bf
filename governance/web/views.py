"""Pages that show proposals: the list, the roll call of a vote, and the voting rules."""

from django.shortcuts import render

from benchmarks import selectors as benchmarks
from benchmarks.api.serializers import GetBenchmarkBySlugRequestSerializer
from exchange.api.forms import parse, split_page
from exchange.api.shown import shown_page
from exchange.core import clock, paging
from exchange.web.pages import asked, page
from exchange.web.words import PROPOSAL_TYPES
from governance import permissions, selectors
from governance.api import serializers as s

from .countdown import countdown, duration
from .next_steps import may
from .showing import show_proposal

OPEN_VOTES = 12


@page
def proposals(request):
    about = _benchmark(request)
    given = asked(request, s.ListProposalsRequestSerializer)
    given |= {"benchmark_id": about.pk} if about else {}
    filters, page_of = split_page(parse(s.ListProposalsRequestSerializer, given))
    open_votes = _open_votes(request, filters) if not given.get("page_token") else []
    shown = shown_page(
        s.ProposalSerializer, selectors.list_proposals(actor=request.actor, **filters), page_of
    )
    above = {vote["proposal"]["id"] for vote in open_votes}
    context = {
        "open_votes": open_votes,
        "proposals": [proposal for proposal in shown["items"] if proposal["id"] not in above],
        "next_page_token": shown["next_page_token"],
        "filters": {**filters, "benchmark": about.slug if about else ""},
        "benchmark_name": about.name if about else "",
        "may_propose": may(permissions.require_contributor, request.actor),
        "is_demo": any(proposal["is_demo"] for proposal in shown["items"]),
    }
    return render(request, "governance/proposals.html", context)


def _benchmark(request):
    """The benchmark that `?benchmark=slug` names."""
    if not (slug := request.GET.get("benchmark", "")):
        return None
    named = parse(GetBenchmarkBySlugRequestSerializer, {"slug": slug})
    return benchmarks.get_benchmark_by_slug(actor=request.actor, **named)


def _open_votes(request, filters):
    """What one can vote on among what is asked for, soonest end first."""
    if filters["status"] not in {"", "voting"}:
        return []
    rows = selectors.list_proposals(actor=request.actor, **{**filters, "status": "voting"})
    found, now = paging.page(rows, size=OPEN_VOTES).items, clock.now()
    return [
        {"proposal": s.ProposalSerializer(row).data, "left": countdown(row.voting_closes_at, now)}
        for row in sorted(found, key=lambda row: row.voting_closes_at or now)
    ]


@page
def proposal(request, proposal_id):
    return show_proposal(request, proposal_id)


@page
def ballots(request, proposal_id):
    found = selectors.get_proposal(actor=request.actor, proposal_id=proposal_id)
    given = {**asked(request, s.ListBallotsRequestSerializer), "proposal_id": found.pk}
    filters, page_of = split_page(parse(s.ListBallotsRequestSerializer, given))
    shown = shown_page(s.BallotSerializer, selectors.list_ballots(actor=request.actor, **filters), page_of)
    context = {
        "proposal": s.ProposalSerializer(found).data,
        "roll": shown["items"],
        "next_page_token": shown["next_page_token"],
    }
    return render(request, "governance/ballots.html", context)


@page
def voting_rules(request):
    """By type, newest first; the first of a type is in force."""
    rows = s.VotingRulesSerializer(selectors.list_voting_rules(actor=request.actor), many=True).data
    types = [
        {"type": type_, "current": rules[0], "earlier": rules[1:]}
        for type_ in PROPOSAL_TYPES
        for rules in [[with_times(row) for row in rows if row["proposal_type"] == type_]]
        if rules
    ]
    return render(request, "governance/rules.html", {"types": types})


def with_times(rules):
    """Voting rules with their lengths of time in words."""
    return {
        **rules,
        "lasting": duration(rules["voting_seconds"]),
        "waiting": duration(rules["timelock_seconds"]),
        "kept": duration(rules["expiry_seconds"]),
    }
