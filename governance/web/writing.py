"""Pages that write a proposal: choose what to change, then say it; a draft can be edited."""

from uuid import UUID

from django.shortcuts import redirect, render

from benchmarks import selectors as benchmarks
from benchmarks.api.serializers import BenchmarkSerializer, BenchmarkVersionSerializer
from exchange.api.forms import parse
from exchange.core import paging
from exchange.core.errors import DomainError, NotFound
from exchange.web.pages import page, refused_fields, signed_in, told
from exchange.web.words import PROPOSAL_TYPES
from governance import permissions, selectors, services
from governance.api import serializers as s
from governance.errors import BenchmarkNotPublic, NotADraft

from . import fields
from .next_steps import may
from .views import with_times

ABOUT = {
    "activate_benchmark": ("under_review", "active"),
    "update_benchmark": ("active",),
    "deprecate_benchmark": ("active",),
    "set_verification_policy": ("active",),
}


@page
@signed_in
def new_proposal(request):
    kind = request.GET.get("kind", "")
    about = _about(request, kind, request.GET) if kind in fields.TYPES else None
    if about is None or not may(permissions.require_contributor, request.actor):
        return _choose(request)
    if request.method != "POST":
        return _form(request, kind, about, fields.beginning(kind, **about))
    typed = fields.typed(request.POST)
    try:
        data = {**fields.only_changes(typed, about["benchmark"]), "type": fields.TYPES[kind]}
        form = parse(s.CreateProposalRequestSerializer, data)
        made = services.create_proposal(actor=request.actor, **form)
    except DomainError as refusal:
        return _form(request, kind, about, typed, refusal=refusal)
    return redirect("proposal", proposal_id=made.pk)


@page
@signed_in
def edit_proposal(request, proposal_id):
    found = selectors.get_proposal(actor=request.actor, proposal_id=proposal_id)
    permissions.require_proposer(request.actor, found)
    if found.status != found.Status.DRAFT:
        raise NotADraft
    shown = s.ProposalSerializer(found).data
    kind = shown["action"]["kind"]
    about = _about(request, kind, {**shown["action"][kind], "benchmark_id": shown["benchmark_id"]})
    if about is None:
        raise BenchmarkNotPublic
    if request.method != "POST":
        values = fields.editing(shown, fields.beginning(kind, **about))
        return _form(request, kind, about, values, proposal=shown)
    typed = fields.typed(request.POST)
    try:
        data = {**fields.only_changes(typed, about["benchmark"]), "id": proposal_id}
        services.update_proposal(actor=request.actor, **parse(s.UpdateProposalRequestSerializer, data))
    except DomainError as refusal:
        return _form(request, kind, about, typed, proposal=shown, refusal=refusal)
    return redirect("proposal", proposal_id=proposal_id)


def _about(request, kind, given):
    """{benchmark, version, rules} that a form is about; None when what is asked for is not there."""
    if kind == "set_voting_rules":
        rules = _rules_in_force(request, given.get("proposal_type", ""))
        return {"benchmark": None, "version": None, "rules": rules} if rules else None
    try:
        benchmark = benchmarks.get_benchmark(
            actor=request.actor, benchmark_id=UUID(given.get("benchmark_id", ""))
        )
        version = benchmark.current_version_id and benchmarks.get_version(
            actor=request.actor, version_id=benchmark.current_version_id
        )
    except (ValueError, NotFound):
        return None
    return {
        "benchmark": BenchmarkSerializer(benchmark).data,
        "version": BenchmarkVersionSerializer(version).data if version else None,
        "rules": None,
    }


def _rules_in_force(request, proposal_type):
    rows = selectors.list_voting_rules(actor=request.actor)
    rules = next((row for row in rows if row.proposal_type == proposal_type), None)
    return with_times(s.VotingRulesSerializer(rules).data) if rules else None


def _choose(request):
    may_propose = may(permissions.require_contributor, request.actor)
    kinds = [_kind(request, kind) for kind in fields.TYPES] if may_propose else []
    return render(request, "governance/choose.html", {"kinds": kinds, "may_propose": may_propose})


def _kind(request, kind):
    """One kind of action and what it can be about."""
    if kind == "set_voting_rules":
        return {"kind": kind, "name": "proposal_type", "choices": list(PROPOSAL_TYPES.items())}
    found = [row for status in ABOUT[kind] for row in _benchmarks(request, status)]
    choices = [(row.pk, row.name) for row in found if _suits(kind, row)]
    return {"kind": kind, "name": "benchmark_id", "choices": choices}


def _suits(kind, row):
    """Whether an action of this kind could have anything to do on the benchmark."""
    is_endorsed = kind == "activate_benchmark" and row.is_endorsed
    return row.current_version_id and row.visibility == "public" and not is_endorsed


def _benchmarks(request, status):
    return paging.page(
        benchmarks.list_benchmarks(actor=request.actor, status=status), size=paging.LARGEST_SIZE
    ).items


def _form(request, kind, about, values, *, proposal=None, refusal=None):
    context = {
        "kind": kind,
        "proposal": proposal,
        **about,
        "versions": _drafts(request, about["benchmark"]) if kind == "update_benchmark" else [],
        "tolerances": [],
        "values": fields.blank(values),
        "errors": refused_fields(refusal) if refusal else [],
    }
    if kind == "set_verification_policy" and about["version"]:
        context["tolerances"] = fields.tolerances(about["version"], values)
    response = render(request, "governance/form.html", context, status=refusal.http if refusal else 200)
    return told(response, refusal) if refusal else response


def _drafts(request, benchmark):
    """The versions that could be published."""
    rows = benchmarks.list_versions(actor=request.actor, benchmark_id=benchmark["id"])
    return [(row.pk, row.version) for row in rows if row.status == row.Status.DRAFT]
