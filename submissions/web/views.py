"""Pages about claims: the list, one claim from verdict to bytes, its cases, and what its owner may do."""

from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_POST

from benchmarks import selectors as benchmarks
from benchmarks.api.serializers import BenchmarkVersionSerializer, MetricSerializer
from exchange.api.forms import parse, split_page
from exchange.api.shown import shown_page
from exchange.core import clock, paging
from exchange.core.actors import Scope
from exchange.core.errors import Conflict, DomainError, InvalidInput
from exchange.web.pages import asked, form_data, page, refused_fields, signed_in, told
from llm_benchmark.measure.metrics import samples
from submissions import permissions, selectors, services, verifying
from submissions.api import serializers as s
from submissions.endpoints import selectors as endpoints
from submissions.endpoints.api.serializers import EndpointSerializer
from submissions.runs import selectors as runs
from submissions.runs.api.serializers import RunSerializer

from .uploads import sha256_of

FIRST_CASES, GRID_CASES = 10, 2000


@page
def submissions(request):
    given = asked(request, s.ListSubmissionsRequestSerializer)
    filters, page_of = split_page(parse(s.ListSubmissionsRequestSerializer, given))
    rows = selectors.list_submissions(actor=request.actor, **filters)
    shown = shown_page(s.SubmissionSerializer, rows, page_of)
    context = {
        "submissions": shown["items"],
        "next_page_token": shown["next_page_token"],
        "filters": filters,
        "is_demo": any(submission["is_demo"] for submission in shown["items"]),
    }
    return render(request, "submissions/submissions.html", context)


@page
def submission(request, submission_id):
    found = selectors.get_submission(actor=request.actor, submission_id=submission_id)
    history = list(selectors.list_verifications(actor=request.actor, submission_id=submission_id))
    decided = next((one for one in history if one.pk == found.verification_id), None)
    newest = history[0] if history else None
    is_failed = newest and newest.status == newest.Status.FAILED
    context = {
        "submission": s.SubmissionSerializer(found).data,
        "version": _version(request, found),
        "verifications": s.VerificationSerializer(history, many=True).data,
        "verification": s.VerificationSerializer(decided).data if decided else None,
        "failed": s.VerificationSerializer(newest).data if is_failed else None,
        "evidence": s.EvidenceSerializer(
            selectors.list_evidence(actor=request.actor, submission_id=submission_id), many=True
        ).data,
        **_running(request, newest),
        **_measured(request, decided),
        **_owner(request, found),
    }
    return render(request, "submissions/submission.html", context)


def _version(request, found):
    version = benchmarks.get_version(actor=request.actor, version_id=found.version_id)
    return BenchmarkVersionSerializer(version).data


def _running(request, newest):
    """The verification that has not ended, its runs, and `now`, from which its end is estimated."""
    running = newest if newest and newest.status not in selectors.ENDED else None
    return {
        "running": s.VerificationSerializer(running).data if running else None,
        "runs": _runs(request, running) if running else [],
        "now": clock.now() if running else None,
    }


def _runs(request, verification):
    found = [runs.get_run(actor=request.actor, run_id=run.pk) for run in verification.runs.all()]
    return RunSerializer(found, many=True).data


def _measured(request, decided):
    if decided is None:
        return {"cases": [], "case_outcomes": [], "latencies": []}
    rows = selectors.list_case_comparisons(actor=request.actor, verification_id=decided.pk)
    outcomes = s.CaseComparisonSerializer(rows[:GRID_CASES], many=True).data
    return {
        "runs": _runs(request, decided),
        "cases": outcomes[:FIRST_CASES],
        "case_outcomes": outcomes,
        "latencies": _latencies(decided),
    }


def _latencies(decided):
    """Every request's time, for the deciding metrics of a speed claim."""
    sessions = [session for run in decided.runs.all() if (session := runs.session_of(run))]
    metrics = MetricSerializer(benchmarks.list_metrics(decided.submission.version), many=True).data
    strips = [
        {"metric": metric, "values": samples(sessions[0].records, metric["name"])}
        for metric in metrics
        if sessions and metric["name"] in decided.policy.deciding_metrics and metric["unit"] == "ms"
    ]
    return [strip for strip in strips if strip["values"]]


def _owner(request, found):
    """What the submitter's people may do here, and what it would cost."""
    works = request.actor.works_for(found.organization_id) and request.actor.has_scope(
        Scope.SUBMISSIONS_WRITE
    )
    may = works and found.status == found.Status.ACCEPTED
    context = {"may_withdraw": may, "may_verify": may, "bound": None}
    if may:
        try:
            bound = verifying.verification_bound(actor=request.actor, submission_id=found.pk)
            context["bound"] = s.VerificationBoundSerializer(bound).data
        except DomainError as refusal:
            context["cannot_verify"] = str(refusal)
    return context


@conditional_page
@page
def progress(request, submission_id):
    """Asked every two seconds, and answered with 304 while nothing has changed."""
    history = selectors.list_verifications(actor=request.actor, submission_id=submission_id)
    return render(request, "submissions/_progress.html", _running(request, history.first()))


@page
def cases(request, submission_id):
    found = selectors.get_submission(actor=request.actor, submission_id=submission_id)
    context = {
        "submission": s.SubmissionSerializer(found).data,
        "version": _version(request, found),
        "cases": [],
        "case_outcomes": [],
        "next_page_token": "",
    }
    if found.verification_id:
        given = asked(request, s.ListCaseComparisonsRequestSerializer)
        given |= {"verification_id": str(found.verification_id)}
        filters, page_of = split_page(parse(s.ListCaseComparisonsRequestSerializer, given))
        rows = selectors.list_case_comparisons(actor=request.actor, **filters)
        shown = shown_page(s.CaseComparisonSerializer, rows, page_of | {"size": paging.LARGEST_SIZE})
        context |= {"cases": shown["items"], "next_page_token": shown["next_page_token"]}
    return render(request, "submissions/cases.html", context)


@page
@signed_in
def request_verification(request, submission_id):
    """What a verification costs and where it is sent; a POST with the accepted bound asks for it."""
    if request.method != "POST":
        return _consent(request, submission_id)
    data = {**form_data(request), "submission_id": submission_id}
    try:
        form = parse(s.RequestVerificationRequestSerializer, data)
        verifying.request_verification(actor=request.actor, **form)
    except (Conflict, InvalidInput) as refusal:
        return _consent(request, submission_id, refusal)
    return redirect("submission", submission_id=submission_id)


def _consent(request, submission_id, refusal=None):
    found = selectors.get_submission(actor=request.actor, submission_id=submission_id)
    permissions.require_owner(request.actor, found.organization_id)
    history = list(selectors.list_verifications(actor=request.actor, submission_id=submission_id))
    if refusal is None and _running(request, next(iter(history), None))["running"]:
        return redirect("submission", submission_id=submission_id)
    context = {
        "step": 4,
        "submission": s.SubmissionSerializer(found).data,
        "version": _version(request, found),
        "verification": found.verification_id,
        "endpoint": _endpoint(request, found),
        "evidence_count": len(selectors.list_evidence(actor=request.actor, submission_id=submission_id)),
        "errors": refused_fields(refusal) if refusal else [],
        **_owner(request, found),
    }
    if refusal is None:
        return render(request, "submissions/consent.html", context)
    return told(render(request, "submissions/consent.html", context, status=refusal.http), refusal)


def _endpoint(request, found):
    if found.deployment_id is None:
        return None
    endpoint_id = found.deployment.endpoint_id
    return EndpointSerializer(endpoints.get_endpoint(actor=request.actor, endpoint_id=endpoint_id)).data


@require_POST
@page
@signed_in
def add_evidence(request, submission_id):
    """Another file behind a claim, from its page."""
    file = request.FILES.get("content")
    sha256 = sha256_of(file) if file else ""
    data = {"submission_id": submission_id, "name": str(getattr(file, "name", "")), "sha256": sha256}
    form = parse(s.AddEvidenceRequestSerializer, {**data, "content": file})
    services.add_evidence(actor=request.actor, **form)
    return redirect(f"{reverse('submission', args=[submission_id])}#files")


@require_POST
@page
@signed_in
def withdraw_submission(request, submission_id):
    form = parse(s.WithdrawSubmissionRequestSerializer, {**form_data(request), "id": submission_id})
    services.withdraw_submission(actor=request.actor, **form)
    return redirect("submission", submission_id=submission_id)
