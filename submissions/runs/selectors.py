"""Every read of runs."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, BinaryIO
from uuid import UUID

from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce

from benchmarks.selectors import plan_questions
from exchange.core.actors import Actor
from exchange.core.clock import DatabaseNow
from exchange.storage import get_store
from llm_benchmark.measure.bundle import formats
from llm_benchmark.measure.faults import FAULTS
from llm_benchmark.measure.metrics import CaseScore, MetricKind, score_answers
from llm_benchmark.measure.plans import Answer, Usage
from llm_benchmark.measure.sink import Purpose
from llm_benchmark.measure.verdict import Session
from submissions.endpoints.permissions import reads_submissions

from . import spending
from .errors import BundleNotFound, RunNotFound
from .models import MEASURING, Attempt, AttemptStatus, Response, Run, RunKind, RunStatus, Score
from .permissions import can_have_whole_bundle

_OPENED = ("public", "unlisted")
_READ_BYTES, _ROW_BYTES = 1 << 20, 1 << 10


def visible_to(actor: Actor) -> QuerySet[Run]:
    """The actor's organizations' runs, and those behind a claim that is not private."""
    if actor.is_system:
        return Run.objects.all()
    own = actor.organization_ids if reads_submissions(actor) else frozenset()
    shown = Q(verifications__submission__visibility__in=_OPENED, version__benchmark__visibility__in=_OPENED)
    return Run.objects.filter(Q(organization_id__in=own) | shown).distinct()


def get_run(*, actor: Actor, run_id: UUID) -> Run:
    """The run with its scores, counts of attempts and tokens, and for its organization what they cost."""
    rows = (
        visible_to(actor)
        .filter(pk=run_id, kind__in=MEASURING)  # campaigns show what checks and discoveries brought
        .defer("session", "judgement_basis")
        .prefetch_related(Prefetch("scores", _newest_scores()))
    )
    run = rows.first()
    if run is None:
        raise RunNotFound
    tokens = spending.tokens_of(run)
    for name, count in {**attempt_counts(run), **tokens}.items():
        setattr(run, name, count)
    is_theirs = can_have_whole_bundle(actor, run.organization_id)
    setattr(run, "cost_usd", spending.cost_of(run, tokens) if is_theirs else None)  # noqa: B010  as those above
    return run


def _newest_scores() -> QuerySet[Score]:
    return Score.objects.order_by("created_at", "metric")


def attempt_counts(run: Run) -> dict[str, int]:
    """`attempt_count`, `requests_settled` and `requests_lost` of all fences."""
    return run.attempts.aggregate(
        attempt_count=Count("pk"),
        requests_settled=Count("pk", filter=Q(status=AttemptStatus.SETTLED)),
        requests_lost=Count("pk", filter=Q(status=AttemptStatus.LOST)),
    )


PUBLIC, WHOLE = "public", "whole"
BUNDLE_PARTS = (PUBLIC, WHOLE)


@dataclass(frozen=True, slots=True)
class OpenedBundle:
    """One part of a run's bundle, to be read from its beginning. The caller closes `content`."""

    run_id: UUID
    part: str
    sha256: str
    size_bytes: int
    content: BinaryIO


def open_bundle(*, actor: Actor, run_id: UUID, part: str = PUBLIC) -> OpenedBundle:
    """Everybody who sees the run may have the public part, the submitter's organization the whole.

    Raises:
        BundleNotFound: there is none yet, or it is not for the actor.
    """
    run = get_run(actor=actor, run_id=run_id)
    is_allowed = part == PUBLIC or can_have_whole_bundle(actor, run.organization_id)
    sha256 = run.public_bundle_sha256 if part == PUBLIC else run.bundle_sha256
    if not is_allowed or not sha256:
        raise BundleNotFound
    store = get_store()
    return OpenedBundle(run.pk, part, sha256, store.size(sha256), store.open(sha256))


def claimable_runs(kinds: Collection[str]) -> QuerySet[Run]:
    """Queued runs whose time has come and whose endpoint is idle, oldest first.

    A load waits for the checks of its endpoint: they are short, and say whether a load is worth the while.
    """
    due = Run.objects.filter(status=RunStatus.QUEUED, not_before__lte=DatabaseNow())
    busy = Run.objects.filter(endpoint=OuterRef("endpoint"), status=RunStatus.RUNNING)
    checks = due.filter(endpoint=OuterRef("endpoint"), kind=RunKind.HEALTH)
    rows = due.filter(kind__in=kinds).exclude(Exists(busy))
    return rows.exclude(Q(kind=RunKind.PERFORMANCE) & Exists(checks)).order_by("created_at", "id")


def is_measuring() -> bool:
    """Whether any run is running, here or elsewhere."""
    return Run.objects.filter(status=RunStatus.RUNNING).exists()


def expired_runs() -> QuerySet[Run]:
    return Run.objects.filter(status=RunStatus.RUNNING, lease_until__lt=DatabaseNow()).order_by("lease_until")


def standing_responses(run: Run) -> QuerySet[Response]:
    """At most one for each question: without those that were asked for again."""
    return Response.objects.filter(run=run, is_superseded=False)


def stored_answers(run: Run) -> Iterator[Answer]:
    """What the questions of the run brought, over all its fences. At most a MiB, or one, is in memory."""
    rows = standing_responses(run).order_by("id")
    size = _ROW_BYTES + _size_of("raw") + Coalesce(_size_of("text"), 0)
    for batch in _batches(rows.annotate(size=size).values_list("pk", "size")):
        yield from map(_answer, rows.filter(pk__in=batch))


def _size_of(column: str) -> Func:
    """In bytes, as PostgreSQL knows it without reading the value."""
    return Func(F(column), function="octet_length", output_field=IntegerField())


def _batches(sizes: Iterable[tuple[int, int]]) -> Iterator[list[int]]:
    batch: list[int] = []
    total = 0
    for key, size in sizes:
        if batch and total + size > _READ_BYTES:
            yield batch
            batch, total = [], 0
        batch.append(key)
        total += size
    if batch:
        yield batch


def returned_model(run: Run) -> str:
    """The first that an answer names; empty where none does."""
    named = standing_responses(run).exclude(returned_model="").order_by("id")
    return named.values_list("returned_model", flat=True).first() or ""


def answered_keys(run: Run) -> frozenset[str]:
    return frozenset(standing_responses(run).values_list("key", flat=True))


def case_scores(run: Run) -> list[CaseScore]:
    """Every case of the version, scored from what is stored; one without an answer has 0."""
    return score_answers(plan_questions(run.version), stored_answers(run))


def declared_kinds(run: Run) -> dict[str, MetricKind]:
    """What the version says that each of its metrics is; it decides the interval."""
    return {metric.name: MetricKind(metric.kind) for metric in run.version.metrics.all()}


def session_of(run: Run) -> Session | None:
    """A performance run's counted requests and flags; None while there is no accepted session."""
    return formats.read_session(run.session) if run.session else None


def stand_of(run: Run) -> dict[str, Any] | None:
    """Where a check goes on: after its last pause, and what a worker that was lost had settled since.

    The ledger has no words of the provider. Only a last refusal is judged by them, so it is asked for again.
    """
    probes = list((run.findings.get("probe") or {}).get("probes", ()))
    known = {(probe["step"], probe["number"]) for probe in probes}
    settled = run.attempts.filter(purpose=Purpose.PROBE, status=AttemptStatus.SETTLED).order_by("id")
    since = [_probe(row) for row in settled if (row.key, row.number) not in known]
    if since and since[-1]["error"] and not _may_pass(since[-1]["error"]):
        since.pop()
    return {"probes": [*probes, *since]} if probes or since else None


def _may_pass(code: str) -> bool:
    return code in FAULTS and FAULTS[code].is_retryable


def _probe(row: Attempt) -> dict[str, Any]:
    took = (row.settled_at - row.sent_at) if row.settled_at and row.sent_at else timedelta()
    return {
        "step": row.key,
        "number": row.number,
        "status": row.http_status,
        "error": row.error or None,
        "latency_ms": took.total_seconds() * 1000,
    }


def _answer(row: Response) -> Answer:
    return Answer(
        key=row.key,
        text=row.text,
        raw=bytes(row.raw),
        latency_ms=row.latency_ms,
        http_status=row.http_status,
        finish_reason=row.finish_reason or None,
        returned_model=row.returned_model or None,
        usage=Usage(row.input_tokens, row.output_tokens, row.cached_tokens),
        error=row.error or None,
    )
