"""Submitting a result in steps: choose, claim, checks with evidence. Nothing is stored before the last."""

import json
import secrets

from django.db import transaction
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from benchmarks import selectors as benchmarks
from benchmarks.api.serializers import BenchmarkSerializer, BenchmarkVersionSerializer
from benchmarks.content import MOST_CASES
from exchange.accounts import selectors as accounts
from exchange.accounts.api.serializers import UserSerializer
from exchange.api.forms import parse
from exchange.core import idempotency
from exchange.core.errors import DomainError, InvalidInput
from exchange.web.pages import asked, page, refused_fields, signed_in, told
from submissions import attachments, permissions, services
from submissions.configuration import fixed_by, open_settings
from submissions.endpoints import selectors as endpoints
from submissions.endpoints.api.serializers import DeploymentSerializer
from submissions.errors import BenchmarkNotActive

from .case_lines import MOST_BYTES
from .claim_form import Place, claim_of, claimed_metrics, typed_in, uploaded_cases
from .forms import PlaceSerializer, split_subject
from .refusals import ClaimPage
from .uploads import sha256_of

SHOWN = 200


@page
@signed_in
def choose(request, refusal=None):
    """Step 1: which benchmark, which deployment or model, in whose name."""
    active = benchmarks.list_benchmarks(actor=request.actor, status="active")[:SHOWN]
    context = {
        "step": 1,
        "benchmarks": [row for row in BenchmarkSerializer(active, many=True).data if row["current_version"]],
        "offers": _offers(request.actor),
        "values": asked(request, PlaceSerializer),
        "errors": refused_fields(refusal) if refusal else [],
    }
    status = refusal.http if refusal else 200
    return render(request, "submissions/submit_choose.html", context, status=status)


def _offers(actor):
    """The organizations that the reader may submit for, each with its deployments."""
    rows = endpoints.list_deployments(actor=actor).filter(is_listed=True)[:SHOWN]
    deployments = DeploymentSerializer(rows, many=True).data
    return [
        {
            "organization": membership,
            "deployments": [d for d in deployments if d["organization_id"] == membership["organization_id"]],
        }
        for membership in _memberships(actor)
    ]


def _memberships(actor):
    profile = UserSerializer(accounts.get_profile(actor=actor)).data
    return [m for m in profile["organizations"] if m["role"] != "viewer"]


@page
@signed_in
def claim(request):
    """Step 2, the form; a POST is step 3, the checks. `change` brings back all that was typed."""
    try:
        place = _place(request)
    except InvalidInput as refusal:
        return choose(request, refusal)
    typed = typed_in(request, place)
    if request.method != "POST" or "change" in request.POST:
        return _claim_page(request, place, typed)
    try:
        typed |= uploaded_cases(request)
        form = _checked(request, place, typed)
    except DomainError as refusal:
        return _claim_page(request, place, typed, refusal)
    return _checks_page(request, place, typed, form)


def _checked(request, place, typed):
    """The claim as the service takes it. Who sees it and its notes need no check but their form's."""
    form = claim_of(place, typed)
    stored = {"visibility", "notes"}
    services.check_submission(
        actor=request.actor, **{name: value for name, value in form.items() if name not in stored}
    )
    return form


def _place(request):
    form = parse(PlaceSerializer, asked(request, PlaceSerializer))
    kind, chosen_id = split_subject(form["subject"])
    deployment = None
    if kind == "deployment":
        deployment = endpoints.get_deployment(actor=request.actor, deployment_id=chosen_id)
    organization_id = deployment.organization_id if deployment else chosen_id
    permissions.require_submitter(request.actor, organization_id)
    benchmark = benchmarks.get_benchmark(actor=request.actor, benchmark_id=form["benchmark"])
    if benchmark.current_version_id is None:
        raise BenchmarkNotActive
    version = benchmarks.get_version(actor=request.actor, version_id=benchmark.current_version_id)
    organization = accounts.get_organization(actor=request.actor, organization_id=organization_id)
    return Place(
        organization_id=organization_id,
        organization_name=organization.name,
        benchmark=BenchmarkSerializer(benchmark).data,
        version=BenchmarkVersionSerializer(version).data,
        deployment=DeploymentSerializer(deployment).data if deployment else None,
        settings=tuple({"name": s.name, "is_measurable": s.is_measurable} for s in open_settings(version)),
        fixed=fixed_by(version),
    )


def _claim_page(request, place, typed, refusal=None):
    context = {
        "step": 2,
        "place": place,
        "values": typed,
        "errors": ClaimPage(place, typed).errors(refusal) if refusal else [],
        "most_cases": MOST_CASES,
        "most_mib": MOST_BYTES >> 20,
    }
    return _told(request, "submissions/submit_claim.html", context, refusal)


def _checks_page(request, place, typed, form, refusal=None):
    names = [str(file.name) for file in request.FILES.getlist("evidence")]
    context = {
        "step": 3,
        "place": place,
        "values": typed,
        "claims": list(zip(claimed_metrics(place, typed), form["claims"], strict=True)),
        "case_count": len(form["cases"]),
        "errors": ClaimPage(place, typed, names).errors(refusal) if refusal else [],
        "most_files": attachments.most_files(),
        "most_mib": attachments.largest_bytes() >> 20,
        "once": secrets.token_urlsafe(16),
    }
    return _told(request, "submissions/submit_checks.html", context, refusal)


def _told(request, template, context, refusal):
    if refusal is None:
        return render(request, template, context)
    return told(render(request, template, context, status=refusal.http), refusal)


@require_POST
@page
@signed_in
def submit_results(request):
    """The end of step 3: the claim with its evidence, or neither. Pressed twice, it is taken in once."""
    place = _place(request)
    typed = typed_in(request, place)
    try:
        form = _checked(request, place, typed)
    except DomainError as refusal:
        return _claim_page(request, place, typed, refusal)
    try:
        submission_id = _taken_in(request, form)
    except DomainError as refusal:
        return _checks_page(request, place, typed, form, refusal)
    verifiable = place.deployment is not None and place.version["kind"] != "external"
    return redirect("request-verification" if verifiable else "submission", submission_id=submission_id)


def _taken_in(request, form):
    files = request.FILES.getlist("evidence")
    evidence = [services.Attachment(str(file.name), file, sha256_of(file)) for file in files]
    asked_for = json.dumps([form, [(file.name, file.sha256) for file in evidence]], default=str).encode()

    def submit():
        return str(services.submit_results(actor=request.actor, evidence=evidence, **form).pk)

    with transaction.atomic():  # a refusal takes the key back, which the page's transaction would keep
        key = request.POST.get("once", "")
        return idempotency.once(actor=request.actor, key=key, request=asked_for, act=submit)
