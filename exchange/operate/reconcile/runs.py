"""Measurements: what was sent, how each ended, and whether those that go on can."""

import math
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, F, Manager, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from benchmarks.models import BenchmarkKind
from exchange.core.models import AuditEntry
from exchange.operate.watch import Watch
from llm_benchmark.measure.metrics import MetricValue, quality_metrics
from llm_benchmark.measure.performance.sessions import session_metrics
from llm_benchmark.measure.sink import Purpose
from submissions.campaigns.models import CampaignEndpoint
from submissions.models import Verification, VerificationStatus
from submissions.runs.models import MEASURING, Attempt, AttemptStatus, Response, Run, RunStatus, Score
from submissions.runs.selectors import case_scores, declared_kinds, session_of, standing_responses

from .chain import newest_fact

_OPEN_RUN = (RunStatus.QUEUED, RunStatus.RUNNING)
_OPEN_VERIFICATION = (VerificationStatus.REQUESTED, VerificationStatus.RUNNING)
_OPEN_ATTEMPT = Q(status__in=(AttemptStatus.RESERVED, AttemptStatus.SENT))
_BELONGS_TO_NOBODY = ~Q(run__status=RunStatus.RUNNING) | Q(fence__lt=F("run__fence"))
_END = {RunStatus.SUCCEEDED: "run.succeeded", RunStatus.CANCELLED: "run.cancelled"}
_STATES = ("value", "low", "high")
LONGEST_PAUSE = timedelta(hours=1)


def _count(rows: Manager[Any], *conditions: Q, **filters: Any) -> Coalesce:
    found = rows.filter(*conditions, run=OuterRef("pk"), **filters).order_by()
    return Coalesce(Subquery(found.values("run").annotate(n=Count("pk")).values("n")), 0)


def ledger(watch: Watch) -> Iterator[str]:
    """Reserved and sent while a worker holds the run; afterwards settled, lost or released, all of it."""
    counted = Run.objects.annotate(
        open_count=_count(Attempt.objects, _OPEN_ATTEMPT, _BELONGS_TO_NOBODY),
        ahead_count=_count(Attempt.objects, fence__gt=F("run__fence")),
        answer_count=_count(Response.objects, is_superseded=False),
        request_count=_count(
            Attempt.objects, fence=F("run__fence"), purpose=Purpose.REQUEST, status=AttemptStatus.SETTLED
        ),
    )
    for run in watch.each(counted.order_by("pk").iterator()):
        if run.open_count:
            yield f"the run {run.pk} left {run.open_count} attempts open"
        if run.ahead_count:
            yield f"the run {run.pk} has {run.ahead_count} attempts of a fence that it never had"
        done = run.request_count if run.kind == BenchmarkKind.PERFORMANCE else run.answer_count
        if _is_counted(run) and run.done_count != min(run.planned_count, done):
            yield f"the run {run.pk} counts {run.done_count} as done; its ledger has {done}"
        yield from _answers_to_nothing(run)


def _is_counted(run: Run) -> bool:
    """A queued run's count is made when it is claimed, and one that is cancelled there keeps the last."""
    return run.status in {RunStatus.RUNNING, RunStatus.SUCCEEDED}


def _answers_to_nothing(run: Run) -> Iterator[str]:
    """By the keys of one run at a time, which no plan of PostgreSQL's can make slow."""
    over = (AttemptStatus.SETTLED, AttemptStatus.LOST)
    asked = Attempt.objects.filter(run=run, purpose=Purpose.QUESTION, status__in=over)
    answered = Response.objects.filter(run=run).values_list("key", flat=True)
    for key in sorted(set(answered) - set(asked.values_list("key", flat=True))):
        yield f"the run {run.pk} has an answer to {key}, for which no request was settled"


def endings(watch: Watch) -> Iterator[str]:
    ended = Run.objects.exclude(status__in=_OPEN_RUN).annotate(
        score_count=_count(Score.objects),
        unscored_count=_count(Response.objects, is_superseded=False, score=None),
    )
    for run in watch.each(ended.order_by("pk").iterator()):
        kind = _END.get(RunStatus(run.status), "run.failed")
        facts = AuditEntry.objects.filter(subject_id=run.pk, kind=kind).count()
        if facts != 1 or run.finished_at is None:
            yield f"the run {run.pk} is {run.status}, and the chain tells {facts} times that it ended so"
        if run.status == RunStatus.SUCCEEDED and run.kind in MEASURING:
            yield from _without(run)


def _without(run: Run) -> Iterator[str]:
    needed = {
        "bundle": run.bundle_sha256 and run.bundle_size_bytes,
        "public bundle": run.public_bundle_sha256,
        "scores": run.score_count,  # type: ignore[attr-defined]  # annotated
        "session": run.session or run.kind != BenchmarkKind.PERFORMANCE,
    }
    for name, has in needed.items():
        if not has:
            yield f"the run {run.pk} succeeded and has no {name}"
    if run.unscored_count:  # type: ignore[attr-defined]  # annotated
        yield f"the run {run.pk} succeeded with answers that have no score"


def goes_on(watch: Watch) -> Iterator[str]:
    """Whatever waits is claimed, taken over or told of in the end."""
    latest = newest_fact() + max(LONGEST_PAUSE, timedelta(seconds=4 * settings.RUN_LEASE_SECONDS))
    verified = Verification.objects.filter(runs=OuterRef("pk"), status__in=_OPEN_VERIFICATION)
    swept = CampaignEndpoint.objects.filter(is_open=True, endpoint=OuterRef("endpoint"))
    waited_for = Exists(verified) | Exists(swept)
    for run in watch.each(_open_runs().annotate(is_waited_for=waited_for).iterator()):
        if max(run.not_before, run.lease_until or run.not_before) > latest:
            yield f"the run {run.pk} is {run.status} and cannot be claimed for more than an hour"
        if not run.is_waited_for and run.cancel_requested_at is None:
            yield f"the run {run.pk} is {run.status}, and nothing waits for it"
    works = _open_runs().filter(verifications=OuterRef("pk"))
    stuck = Verification.objects.filter(~Exists(works), status__in=_OPEN_VERIFICATION)
    for verification in watch.each(stuck.order_by("pk").iterator()):
        yield f"the verification {verification.pk} is {verification.status} and waits for no run"


def _open_runs() -> Any:
    return Run.objects.filter(status__in=_OPEN_RUN).order_by("pk")


def scores(watch: Watch) -> Iterator[str]:
    """By the scorers of today: of each metric the latest score, and of each question its own."""
    ended = Run.objects.filter(status=RunStatus.SUCCEEDED, kind__in=MEASURING)
    ended = ended.select_related("version").order_by("pk")
    for run in watch.each(ended.iterator()):
        is_load = run.kind == BenchmarkKind.PERFORMANCE
        cases = [] if is_load else case_scores(run)
        yield from _metrics(
            run, _of_load(run) if is_load else quality_metrics(cases, kinds=declared_kinds(run))
        )
        yield from _questions(run, {case.key: case.score for case in cases})


def _metrics(run: Run, computed: Mapping[str, MetricValue]) -> Iterator[str]:
    stored = {score.metric: score for score in run.scores.order_by("created_at")}
    if stored:  # without any the run is named as one that has none
        for name in sorted(computed.keys() - stored.keys()):
            yield f"the run {run.pk} has no {name}, which its answers give"
    for name, score in sorted(stored.items()):
        if name not in computed or not _is_same(score, computed[name]):
            yield f"the run {run.pk} has another {name} than its answers"


def _of_load(run: Run) -> Mapping[str, MetricValue]:
    session = session_of(run)
    return session_metrics(session) if session else {}


def _questions(run: Run, computed: Mapping[str, float]) -> Iterator[str]:
    """Comparisons and exports show these."""
    for key, score in standing_responses(run).order_by("key").values_list("key", "score"):
        if score is not None and not math.isclose(score, computed.get(key, score), rel_tol=1e-9):
            yield f"the run {run.pk} has another score of {key} than its answer"


def _is_same(score: Score, computed: MetricValue) -> bool:
    pairs = [(getattr(score, name), getattr(computed, name)) for name in _STATES]
    return all(a == b or (None not in (a, b) and math.isclose(a, b, rel_tol=1e-9)) for a, b in pairs)
