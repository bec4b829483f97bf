"""Every read of submissions and verifications. All start from what the actor may see."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, BinaryIO
from uuid import UUID

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.fields import CharField, FloatField, TextField

from benchmarks.models import BenchmarkVersion, Case, Metric, Visibility
from benchmarks.selectors import list_metrics
from exchange.core import clock
from exchange.core.actors import ANONYMOUS, Actor
from exchange.core.errors import NotFound
from exchange.storage import get_store
from llm_benchmark.measure.verdict import are_set_alike
from submissions.endpoints.models import Deployment, LanguageModel, ModelAlias
from submissions.endpoints.permissions import reads_submissions
from submissions.runs.models import Response, Run, RunStatus

from .configuration import fixed_by
from .errors import EvidenceNotFound, SubmissionNotFound, VerificationNotFound
from .intake import Measured
from .models import (
    CaseClaim,
    Evidence,
    MetricClaim,
    Submission,
    SubmissionStatus,
    Verdict,
    Verification,
    VerificationStatus,
)
from .permissions import can_see_answers

LINK_SECONDS = 300
_OPENED = (Visibility.PUBLIC, Visibility.UNLISTED)
_OPEN_RUNS = (RunStatus.QUEUED, RunStatus.RUNNING)
ENDED = (VerificationStatus.DECIDED, VerificationStatus.FAILED, VerificationStatus.CANCELLED)


def visible_to(actor: Actor) -> QuerySet[Submission]:
    """What lists show: public claims on public benchmarks, and those of the actor's organizations."""
    opened = Q(visibility=Visibility.PUBLIC, version__benchmark__visibility=Visibility.PUBLIC)
    return Submission.objects.filter(_theirs(actor) | opened)


def reachable_by(actor: Actor) -> QuerySet[Submission]:
    """What may be read by id: also unlisted claims. A withdrawn one stays readable where it was."""
    opened = Q(visibility__in=_OPENED, version__benchmark__visibility__in=_OPENED)
    return Submission.objects.filter(_theirs(actor) | opened)


def _theirs(actor: Actor) -> Q:
    if actor.is_system:
        return Q(pk__isnull=False)
    own = actor.organization_ids if reads_submissions(actor) else frozenset()
    return Q(organization_id__in=own)


def _whole(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """Rows with all that `SubmissionSerializer` shows, in a fixed number of queries."""
    related = ("organization", "version__benchmark", "model", "deployment__endpoint", "verification")
    claims = MetricClaim.objects.order_by("id")
    return rows.select_related(*related).prefetch_related(Prefetch("claims", claims))


def list_submissions(
    *,
    actor: Actor,
    benchmark_id: UUID | None = None,
    version_id: UUID | None = None,
    model_id: UUID | None = None,
    organization_id: UUID | None = None,
    verdict: str = "",
) -> QuerySet[Submission]:
    """Newest first. An unlisted benchmark's claims are listed for whoever names it."""
    wanted = {
        "version__benchmark_id": benchmark_id,
        "version_id": version_id,
        "model_id": model_id,
        "organization_id": organization_id,
        "verification__verdict": verdict or None,
    }
    rows = visible_to(actor)
    if benchmark_id or version_id:
        named = Q(visibility=Visibility.PUBLIC, version__benchmark__visibility__in=_OPENED)
        rows = Submission.objects.filter(_theirs(actor) | named)
    rows = rows.filter(**{name: value for name, value in wanted.items() if value is not None})
    return _whole(rows).order_by("-created_at", "id")


def get_submission(*, actor: Actor, submission_id: UUID) -> Submission:
    submission = _whole(reachable_by(actor)).filter(pk=submission_id).first()
    if submission is None:
        raise SubmissionNotFound
    return submission


def lock_submission(*, actor: Actor, submission_id: UUID) -> Submission:
    """The submission, held against other changes until the transaction ends; before its verifications."""
    rows = _whole(reachable_by(actor)).filter(pk=submission_id)
    submission = rows.select_for_update(no_key=True, of=("self",)).first()
    if submission is None:
        raise SubmissionNotFound
    return submission


def lock_open_runs(submission: Submission) -> None:
    """A worker holds its run when it comes to the submission; whoever stops runs takes the same order."""
    runs = Run.objects.filter(verifications__submission=submission, status__in=_OPEN_RUNS)
    list(runs.order_by("pk").select_for_update(no_key=True, of=("self",)))


def list_evidence(*, actor: Actor, submission_id: UUID) -> QuerySet[Evidence]:
    submission = get_submission(actor=actor, submission_id=submission_id)
    return Evidence.objects.filter(submission=submission).order_by("created_at", "id")


def open_evidence(*, actor: Actor, evidence_id: UUID) -> tuple[Evidence, BinaryIO]:
    """A file for whoever may read its submission. The caller closes it."""
    evidence = _get_evidence(actor, evidence_id)
    return evidence, get_store().open(evidence.sha256)


@dataclass(frozen=True, slots=True)
class EvidenceLink:
    """Where anybody gets the bytes until `expires_at`; both None where clients do not reach the store."""

    evidence_id: UUID
    sha256: str
    size_bytes: int
    url: str | None = None
    expires_at: datetime | None = None


def get_evidence_link(*, actor: Actor, evidence_id: UUID) -> EvidenceLink:
    """A file's address in the store, for whoever may read its submission."""
    evidence = _get_evidence(actor, evidence_id)
    link = EvidenceLink(evidence.pk, evidence.sha256, evidence.size_bytes)
    direct = get_store().direct
    if direct is None:
        return link
    expires_at = clock.now() + timedelta(seconds=LINK_SECONDS)
    url = direct.download_url(evidence.sha256, filename=evidence.name, seconds=LINK_SECONDS)
    return replace(link, url=url, expires_at=expires_at)


def _get_evidence(actor: Actor, evidence_id: UUID) -> Evidence:
    rows = Evidence.objects.filter(submission__in=reachable_by(actor))
    evidence = rows.filter(pk=evidence_id).first()
    if evidence is None:
        raise EvidenceNotFound
    return evidence


def list_verifications(*, actor: Actor, submission_id: UUID) -> QuerySet[Verification]:
    """All of them, newest first: none is hidden by a later one."""
    submission = get_submission(actor=actor, submission_id=submission_id)
    return _with_runs(Verification.objects.filter(submission=submission)).order_by("-requested_at", "id")


def get_verification(*, actor: Actor, verification_id: UUID) -> Verification:
    rows = _with_runs(Verification.objects.filter(submission__in=reachable_by(actor)))
    verification = rows.filter(pk=verification_id).first()
    if verification is None:
        raise VerificationNotFound
    return verification


def _with_runs(rows: QuerySet[Verification]) -> QuerySet[Verification]:
    runs = Run.objects.order_by("created_at", "id")
    return rows.select_related("policy", "submission").prefetch_related(Prefetch("runs", runs))


def get_open_verification(submission: Submission) -> Verification | None:
    rows = Verification.objects.filter(submission=submission).exclude(status__in=ENDED)
    return rows.select_for_update(no_key=True).first()


def list_runs(verification: Verification) -> list[Run]:
    """Its sessions, in the order in which they were made."""
    return list(verification.runs.order_by("created_at", "id"))


def list_verifications_of_run(run_id: UUID) -> list[Verification]:
    return list(Verification.objects.filter(runs=run_id))


def find_same_measured(verification: Verification, version: BenchmarkVersion) -> Verification | None:
    """The latest decided measurement on `version` of what `verification` measures, set alike.

    The same deployment at the same address. When `verification` was decided is the end of what counts. What
    became of the other claim is no matter: who withdraws it does not take back what was measured.
    """
    submission = verification.submission
    rows = Verification.objects.filter(
        status=VerificationStatus.DECIDED,
        submission__version=version,
        submission__deployment_id=submission.deployment_id,
        submission__origin_digest=submission.origin_digest,
        finished_at__lte=verification.finished_at or clock.now(),
    )
    fixed = {*fixed_by(submission.version), *fixed_by(version)}
    for found in rows.select_related("submission").order_by("-finished_at", "-id"):
        if are_set_alike(submission.configuration, found.submission.configuration, fixed=fixed):
            return found
    return None


def is_public(verification: Verification) -> bool:
    return visible_to(ANONYMOUS).filter(pk=verification.submission_id).exists()


def list_case_comparisons(*, actor: Actor, verification_id: UUID) -> QuerySet[Case]:
    """Each planned case with `claimed_score`, `measured_score`, `measured_answer`, `measured_raw`,
    `measured_error` and `shown_reference`.

    What was measured appears when the verification has ended. Answers and references appear when the
    version's cases are public or the actor belongs to the submitter's organization.
    """
    verification = get_verification(actor=actor, verification_id=verification_id)
    submission = verification.submission
    version = BenchmarkVersion.objects.get(pk=submission.version_id)
    seen = can_see_answers(
        actor, organization_id=submission.organization_id, cases_public=version.cases_public
    )
    first_run = verification.runs.order_by("created_at", "id").values("pk")[:1]
    answers = Response.objects.filter(run=Subquery(first_run), key=OuterRef("key"), is_superseded=False)
    if verification.status not in ENDED:
        answers = answers.none()
    claimed = CaseClaim.objects.filter(submission=submission, key=OuterRef("key"))
    rows = Case.objects.filter(version=version).annotate(
        claimed_score=Subquery(claimed.values("score")[:1], output_field=FloatField()),
        measured_score=Subquery(answers.values("score")[:1], output_field=FloatField()),
        measured_raw=Subquery(answers.values("raw")[:1]),
        measured_error=Subquery(answers.values("error")[:1], output_field=CharField()),
        measured_score_error=Subquery(answers.values("score_error")[:1], output_field=CharField()),
        measured_answer=_shown(Subquery(answers.values("text")[:1], output_field=TextField()), seen=seen),
        shown_reference=_shown(F("reference"), seen=seen),
    )
    return rows.order_by("position", "id")


def _shown(expression: Any, *, seen: bool) -> Any:
    return expression if seen else Value(None, output_field=TextField(null=True))


def measured_by(version: BenchmarkVersion) -> Measured:
    """What a claim on a version is checked against."""
    return Measured(
        kind=version.benchmark.kind,
        metrics={metric.name: metric for metric in list_metrics(version)},
        weights=dict(version.cases.order_by("position").values_list("key", "weight")),
    )


def get_own_deployment(*, organization_id: UUID, deployment_id: UUID, missing: NotFound) -> Deployment:
    rows = Deployment.objects.select_related("endpoint", "model")
    deployment = rows.filter(pk=deployment_id, organization_id=organization_id).first()
    if deployment is None:
        raise missing
    return deployment


def find_model(*, publisher: str, name: str, version: str = "") -> LanguageModel | None:
    """The model of exactly this identity, or the one that a curator entered this spelling for."""
    rows = ModelAlias.objects.select_related("model")
    alias = rows.filter(publisher__iexact=publisher, name__iexact=name, version__iexact=version).first()
    if alias is not None:
        return alias.model
    return LanguageModel.objects.filter(publisher=publisher, name=name, version=version).first()


def count_verdicts() -> dict[str, int]:
    """How many public, standing claims have each verdict as their latest. Every verdict is a key."""
    rows = _standing().values("verification__verdict").annotate(n=Count("pk")).order_by()
    found = dict(rows.values_list("verification__verdict", "n"))
    return {verdict: found.get(verdict, 0) for verdict in Verdict.values}


def list_recent_verdicts(limit: int) -> list[Submission]:
    """The public, standing claims with the latest verdicts, newest first.

    `verification` is loaded with its policy and runs, `version` with its metrics.
    """
    rows = _whole(_standing()).select_related("verification__policy")
    rows = rows.prefetch_related(
        Prefetch("verification__runs", Run.objects.order_by("created_at", "id")),
        Prefetch("version__metrics", Metric.objects.order_by("position")),
    )
    return list(rows.order_by("-verification__finished_at", "id")[:limit])


def _standing() -> QuerySet[Submission]:
    rows = visible_to(ANONYMOUS).filter(status=SubmissionStatus.ACCEPTED)
    return rows.filter(verification__isnull=False)
