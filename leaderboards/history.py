"""Each decided measurement of a model, newest first."""

from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from benchmarks import selectors as benchmarks
from benchmarks.models import VersionStatus, Visibility
from exchange.core.actors import Actor
from submissions.endpoints import selectors as endpoints
from submissions.models import SubmissionStatus, Verification, VerificationStatus

from .models import Entry


def list_model_measurements(
    *, actor: Actor, model_id: UUID, benchmark_id: UUID | None = None
) -> QuerySet[Verification]:
    """Public measurements on public benchmarks, with `is_current`: whether the board shows this one.

    What was withdrawn later stays in it; what was revoked does not.
    """
    model = endpoints.get_model(actor=actor, model_id=model_id)
    shown = benchmarks.visible_to(actor).filter(visibility=Visibility.PUBLIC)
    if benchmark_id is not None:
        shown = shown.filter(pk=benchmarks.get_benchmark(actor=actor, benchmark_id=benchmark_id).pk)
    rows = Verification.objects.filter(
        status=VerificationStatus.DECIDED,
        finished_at__isnull=False,
        submission__model=model,
        submission__visibility=Visibility.PUBLIC,
        submission__version__benchmark__in=shown,
    )
    rows = rows.exclude(submission__status=SubmissionStatus.REVOKED)
    rows = rows.exclude(submission__version__status__in=[VersionStatus.DRAFT, VersionStatus.VOIDED])
    return _whole(rows).order_by("-finished_at", "id")


def _whole(rows: QuerySet[Verification]) -> QuerySet[Verification]:
    """Rows with all that a history shows of them."""
    related = ("version__benchmark", "organization", "model", "deployment__endpoint")
    rows = rows.select_related(*(f"submission__{name}" for name in related))
    rows = rows.prefetch_related(
        "submission__claims", "submission__version__metrics", "runs__scores", "runs__version__metrics"
    )
    return rows.annotate(is_current=Exists(Entry.objects.filter(verification=OuterRef("pk"))))
