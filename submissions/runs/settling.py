"""From what a measurement brought to the run's end: scores, bundle, status and fact in one transaction.

Whatever takes long (scoring, packing, storing) happens before that transaction; its results are addressed by
content, so doing it twice does no harm.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg import Cursor

from exchange.core import stopping
from exchange.core.actors import SYSTEM
from exchange.core.failpoints import failpoint
from exchange.core.tenancy import acting_for
from llm_benchmark.measure.bundle import KeptAnswers, TooLarge, formats, keep_answers
from llm_benchmark.measure.faults import FAULTS
from llm_benchmark.measure.metrics import (
    CaseScore,
    MetricValue,
    quality_metrics,
)
from llm_benchmark.measure.performance.sessions import session_metrics
from llm_benchmark.measure.plans import (
    Answer,
    Failure,
    PerformanceOutcome,
    PerformancePlan,
    QualityOutcome,
    QualityPlan,
    Question,
    Side,
)
from llm_benchmark.measure.probing import Finding, Pause
from llm_benchmark.measure.quality import is_unanswered, provider_failure
from llm_benchmark.measure.scorers import score
from llm_benchmark.measure.sink import Stop
from llm_benchmark.measure.tallies import scores_by_group
from submissions.endpoints import deployments, discovering
from submissions.endpoints.discovering import Listing
from submissions.endpoints.errors import DiscoveryFailed
from submissions.endpoints.models import Endpoint
from submissions.endpoints.selectors import deployment_of_system

from . import bundles, leases, selectors
from .leases import Lease
from .models import Response, Run, RunStatus, Score

PERFORMANCE_SCORER = "aiperf_metrics_v1"
_MODEL_LENGTH, _PARSED_LENGTH = 256, 256
_BEAT_SECONDS = 0.2  # the shortest lease is half a second
_KEEP_SCORES = """
UPDATE runs_response AS response SET score = item.score, parsed = item.parsed, score_error = item.error
FROM unnest(%(keys)s::text[], %(scores)s::float8[], %(parsed)s::text[], %(errors)s::text[])
  AS item (key, score, parsed, error)
WHERE response.run_id = %(run)s AND response.key = item.key AND NOT response.is_superseded"""


def settle_quality(
    run: Run, lease: Lease, plan: QualityPlan, outcome: QualityOutcome, *, beat: Callable[[], object]
) -> None:
    """End the run by all its stored answers, those of earlier fences included.

    Args:
        beat: prolongs the lease; called from time to time, since answers may be many.
    """
    errors = list(selectors.standing_responses(run).values_list("error", flat=True))
    failure = outcome.failure or provider_failure(errors, len(plan.questions))
    if failure and not outcome.cancelled:
        fail(lease, failure)
    elif stopping.asked.is_set() and len(errors) < len(plan.questions):
        hand_over(lease)
    elif outcome.cancelled:
        cancel(lease)
    elif len(errors) < len(plan.questions):
        message = f"{len(errors)} of {len(plan.questions)} questions were asked."
        fail(lease, Failure(Side.PLATFORM, "incomplete", message))
    else:
        run.findings = dict(outcome.findings)
        _score_quality(run, lease, plan, beat)


def _score_quality(run: Run, lease: Lease, plan: QualityPlan, beat: Callable[[], object]) -> None:
    failpoint("before_aggregate")
    parsed: dict[str, str | None] = {}
    with bundles.run_folder(run) as folder:
        stored = _parsing(_beating(selectors.stored_answers(run), beat), plan.questions, parsed)
        try:
            answers = keep_answers(folder / "answers.jsonl", plan.questions, stored)
        except TooLarge as refused:
            fail(lease, Failure(Side.PROVIDER, refused.code, str(refused)))
        else:
            beat()
            _succeed_quality(run, lease, plan, answers, parsed)


def _beating(answers: Iterable[Answer], beat: Callable[[], object]) -> Iterator[Answer]:
    """The same answers, with a beat from time to time."""
    beat_at = monotonic() + _BEAT_SECONDS
    for answer in answers:
        if monotonic() >= beat_at:
            beat()
            beat_at = monotonic() + _BEAT_SECONDS
        yield answer


def _parsing(
    answers: Iterable[Answer], questions: Sequence[Question], parsed: dict[str, str | None]
) -> Iterator[Answer]:
    """The same answers; `parsed` gets what was read in each, its beginning where it is long."""
    planned = {question.key: question for question in questions}
    for answer in answers:
        read = score(planned[answer.key], answer.text).parsed
        parsed[answer.key] = read and read[:_PARSED_LENGTH]
        yield answer


def _succeed_quality(
    run: Run, lease: Lease, plan: QualityPlan, answers: KeptAnswers, parsed: Mapping[str, str | None]
) -> None:
    groups = scores_by_group({question.key: question.group for question in plan.questions}, answers.cases)
    run.findings["groups"] = [asdict(group) for group in groups]
    scorer = "+".join(sorted({question.scorer for question in plan.questions}))
    bundle = bundles.store_quality_bundle(run, plan, answers)
    metrics = quality_metrics(answers.cases, kinds=selectors.declared_kinds(run))
    with _writing(lease, "succeeded") as held:
        _keep_case_scores(held, answers.cases, parsed)
        _keep_scores(held, metrics, scorer)
        _succeed(held, bundle, findings=run.findings, returned_model=selectors.returned_model(held))


def settle_performance(run: Run, lease: Lease, plan: PerformancePlan, outcome: PerformanceOutcome) -> None:
    if stopping.asked.is_set() and outcome.cancelled:
        hand_over(lease)
    elif outcome.cancelled:
        cancel(lease)
    elif outcome.failure:
        fail(lease, outcome.failure)
    else:
        _succeed_performance(run, lease, plan, outcome)


def _succeed_performance(run: Run, lease: Lease, plan: PerformancePlan, outcome: PerformanceOutcome) -> None:
    failpoint("before_aggregate")
    run.flags = sorted(outcome.flags)
    run.findings = {
        **outcome.findings,
        "calibration": dict(outcome.calibration),
        "tools": dict(outcome.tools),
        "digests": dict(outcome.digests),
    }
    bundle = bundles.store_performance_bundle(run, plan, outcome)
    with _writing(lease, "succeeded") as held:
        _keep_scores(held, session_metrics(outcome.session), PERFORMANCE_SCORER)
        _succeed(
            held,
            bundle,
            flags=run.flags,
            findings=run.findings,
            session=formats.session(outcome.session),
            returned_model=(outcome.returned_model or "")[:_MODEL_LENGTH],
        )


def settle_check(lease: Lease, finding: Finding) -> None:
    """The check worked, whatever it found; one that says nothing about the model has failed."""
    with _writing(lease, "succeeded") as run:
        kept = {"finding": asdict(finding)}
        if finding.state is None:
            code = finding.error or finding.reason
            side = FAULTS[code].side if code in FAULTS else Side.PLATFORM
            _end_in_failure(run, Failure(side, code, finding.message), findings=kept)
            return
        Endpoint.objects.select_for_update(no_key=True).get(pk=run.endpoint_id)
        deployment = deployment_of_system(run.deployment.pk, lock=True)
        campaign_id = UUID(run.snapshot["campaign_id"])
        changes = deployments.keep_finding(deployment, finding, campaign_id=campaign_id)
        leases.close_attempts(run)
        leases.end(run, RunStatus.SUCCEEDED, findings=kept)
        deployments.tell(changes)


def settle_discovery(lease: Lease, listing: Listing) -> None:
    try:
        with _writing(lease, "succeeded") as run:
            endpoint = Endpoint.objects.select_for_update(no_key=True).get(pk=run.endpoint_id)
            changes = discovering.keep(endpoint, listing)
            leases.end(run, RunStatus.SUCCEEDED, findings={"model_count": len(listing.models)})
            discovering.tell(SYSTEM, endpoint, listing, changes)
    except DiscoveryFailed as failed:
        settle_failed_discovery(lease, failed)


def settle_failed_discovery(lease: Lease, failed: DiscoveryFailed) -> None:
    code = failed.errors[0].code if failed.errors else failed.code
    side = FAULTS[code].side if code in FAULTS else Side.PROVIDER
    with _writing(lease, "failed") as run:
        _end_in_failure(run, Failure(side, code, str(failed)))


def _end_in_failure(run: Run, failure: Failure, **changes: Any) -> None:
    """Without another try: requests were repeated where that helps."""
    leases.close_attempts(run)
    leases.end(run, RunStatus.FAILED, failure=failure, **changes)


def postpone(lease: Lease, pause: Pause) -> None:
    """A provider asked for patience: other runs of the endpoint go on meanwhile."""
    with _writing(lease, "postponed") as run:
        leases.postpone(run, pause.seconds, pause.stand)


def stop(lease: Lease) -> None:
    """It was told to stop in the middle: by this process's end, or by somebody who cancelled it."""
    if stopping.asked.is_set():
        hand_over(lease)
    else:
        cancel(lease)


def fail(lease: Lease, failure: Failure) -> None:
    """This try brought no measurement. Questions that the provider left unanswered may be asked again."""
    with _writing(lease, "failed") as run:
        leases.give_back(run, failure)
        if run.status == RunStatus.QUEUED:
            _supersede_unanswered(run)


def hand_over(lease: Lease) -> None:
    """This process was asked to stop: another goes on where it was, now."""
    with _writing(lease, "handed_over") as run:
        leases.hand_over(run)


def cancel(lease: Lease) -> None:
    with _writing(lease, "cancelled") as run:
        leases.close_attempts(run)
        leases.end(run, RunStatus.CANCELLED)


@contextmanager
def _writing(lease: Lease, write: str) -> Iterator[Run]:
    """A transaction with the run locked under its lease. A lost lease is recorded and raised as Stop."""
    try:
        with acting_for(SYSTEM):
            yield lease.lock()
    except Stop as lost:
        raise lease.reject(write) from lost


def _succeed(run: Run, bundle: bundles.StoredBundle, **changes: Any) -> None:
    leases.close_attempts(run)
    failpoint("after_aggregate_before_done")
    leases.end(
        run,
        RunStatus.SUCCEEDED,
        bundle_sha256=bundle.whole.sha256,
        bundle_size_bytes=bundle.whole.size,
        public_bundle_sha256=bundle.public.sha256,
        **changes,
    )


def _keep_scores(run: Run, metrics: Mapping[str, MetricValue], scorer: str) -> None:
    Score.objects.bulk_create(
        Score(
            run=run,
            metric=name,
            value=metric.value,
            low=metric.low,
            high=metric.high,
            confidence=metric.confidence,
            sample_count=metric.sample_count,
            is_stated=metric.is_stated,
            covers=metric.covers.value,
            scorer_version=scorer,
        )
        for name, metric in metrics.items()
    )


def _keep_case_scores(run: Run, cases: Sequence[CaseScore], parsed: Mapping[str, str | None]) -> None:
    columns = {
        "run": run.pk,
        "keys": [case.key for case in cases],
        "scores": [case.score for case in cases],
        "parsed": [parsed[case.key] for case in cases],
        "errors": [case.error or "" for case in cases],
    }
    with Cursor(connection.connection) as cursor:
        cursor.execute(_KEEP_SCORES, columns)


def _supersede_unanswered(run: Run) -> None:
    """They will be asked again; what came instead of an answer stays stored."""
    rows = selectors.standing_responses(run).exclude(error="")
    again = [row.pk for row in rows.only("pk", "error") if is_unanswered(row.error)]
    Response.objects.filter(pk__in=again).update(is_superseded=True)
