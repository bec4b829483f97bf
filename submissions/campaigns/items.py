"""The rows of a campaign: made all at once, moved by their runs, frozen at their end."""

import secrets
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from benchmarks.models import BenchmarkVersion
from exchange.core import clock
from exchange.core.actors import SYSTEM
from llm_benchmark.measure.faults import BOUND_CODES, FAULTS, UNREACHABLE, ErrorType
from llm_benchmark.measure.fingerprint import fingerprint
from llm_benchmark.measure.plans import Side
from llm_benchmark.measure.probing import Capability, State
from submissions.endpoints import deployments
from submissions.endpoints import selectors as endpoints
from submissions.endpoints.models import Deployment
from submissions.runs import planning
from submissions.runs import services as runs
from submissions.runs.models import Run, RunKind, RunStatus

from . import selectors
from .models import Campaign, CampaignItem, ItemOutcome, ItemStage, MeasurementStatus

ERRORS_UNDER_LOAD = "errors_under_load"
_SEED_BITS = 63
_ANSWERS = (State.ACTIVE, State.UNSTABLE)
# What a load asks for → what a model must be made for.
_LOADED = {"embeddings": Capability.EMBEDDING, "rerank": Capability.RERANK}
_ON_TRIAL = (Side.PROVIDER, Side.MODEL)


def create(campaign: Campaign) -> None:
    """A row for each deployment that the campaign checks."""
    chosen = selectors.chosen_deployments(campaign)
    CampaignItem.objects.bulk_create(
        CampaignItem(
            campaign=campaign,
            deployment=deployment,
            endpoint_id=deployment.endpoint_id,
            position=position,
            initial_status=deployment.status,
        )
        for position, deployment in enumerate(chosen)
    )


def follow(campaign: Campaign, item: CampaignItem, run: Run) -> None:
    """Move a row by what became of one of its runs."""
    if run.status == RunStatus.RUNNING and item.stage == ItemStage.PENDING:
        _move(item, stage=ItemStage.CAPABILITY, started_at=item.started_at or clock.now())
    elif run.status == RunStatus.RUNNING and run.kind == RunKind.PERFORMANCE:
        _move(item, measurement_status=MeasurementStatus.RUNNING)
    elif run.status == RunStatus.CANCELLED:
        cancel(_row(item))
    elif run.kind == RunKind.HEALTH and run.status == RunStatus.SUCCEEDED:
        _checked(campaign, item, run)
    elif run.status == RunStatus.SUCCEEDED:
        _measured(item, run)
    elif run.status in {RunStatus.FAILED, RunStatus.DEAD}:
        _failed(campaign, item, run)


def cancel(rows: QuerySet[CampaignItem]) -> None:
    _freeze(rows, ItemOutcome.CANCELLED, measurement_status=MeasurementStatus.CANCELLED)


def refuse(rows: QuerySet[CampaignItem], run: Run) -> None:
    """Their endpoint refuses the credential: nothing is learnt about the models."""
    _freeze(rows, ItemOutcome.AUTH_ERROR, **_fault(run))


def stops_sweep(run: Run) -> bool:
    return run.status in {RunStatus.FAILED, RunStatus.DEAD} and is_refusal(run.fault_code)


def is_refusal(code: str) -> bool:
    """Whether the endpoint refuses the credential, and so would every other model there."""
    return code in FAULTS and FAULTS[code].type is ErrorType.AUTH_ERROR


def _checked(campaign: Campaign, item: CampaignItem, run: Run) -> None:
    finding = run.findings["finding"]
    _move(
        item,
        **{name: finding[name] for name in ("capability", "protocol", "message", "probes")},
        capability_source=finding["source"],
        capability_confidence=finding["confidence"],
        status_reason=finding["reason"],
    )
    outcome = ItemOutcome(finding["state"])
    if campaign.profile is None or outcome not in _ANSWERS or campaign.cancel_requested_at is not None:
        _end(item, outcome, measurement_status=MeasurementStatus.SKIPPED)
    elif not _fits(campaign.profile, item):
        skipped = MeasurementStatus.SKIPPED
        _end(item, ItemOutcome.SKIPPED_UNSUPPORTED_PROFILE, measurement_status=skipped)
    else:
        _move(item, stage=ItemStage.BENCHMARK)


def _fits(profile: BenchmarkVersion, item: CampaignItem) -> bool:
    asked = (profile.load_profile or {}).get("protocol") or ""
    return item.capability == _LOADED.get(asked, Capability.CHAT_TEXT)


def queue_check(item: CampaignItem) -> None:
    _move(
        item,
        health_run=runs.create_check(actor=SYSTEM, deployment=item.deployment, campaign_id=item.campaign_id),
    )


def queue_load(profile: BenchmarkVersion, item: CampaignItem) -> None:
    _move(item, performance_run=_create_load(profile, item))


def _create_load(profile: BenchmarkVersion, item: CampaignItem) -> Run:
    deployment = endpoints.deployment_of_system(item.deployment_id)
    snapshot = planning.snapshot_of(
        profile,
        configuration={},
        dialect=deployment.endpoint.dialect,
        served_name=deployment.served_name,
    )
    bound = planning.load_bound(profile)
    return runs.create_run(
        actor=SYSTEM,
        deployment=deployment,
        version=profile,
        seed=secrets.randbits(_SEED_BITS),
        snapshot={
            **snapshot,
            "is_simulated": deployment.endpoint.is_simulated,
            "campaign_id": str(item.campaign_id),
        },
        fingerprint=fingerprint({}),
        request_bound=bound.requests,
        token_bound=bound.tokens,
        planned_count=bound.planned,
    )


def _measured(item: CampaignItem, run: Run) -> None:
    """A load in which requests failed was measured, and the model is not one to rely on."""
    figures = dict(run.scores.order_by("created_at").values_list("metric", "value"))
    if figures.get("error_rate"):
        _make_unstable(item)
    outcome = ItemOutcome(_state(item))
    _end(item, outcome, figures=figures, measurement_status=MeasurementStatus.SUCCEEDED)


def _failed(campaign: Campaign, item: CampaignItem, run: Run) -> None:
    if is_refusal(run.fault_code):
        refuse(_row(item), run)
    elif run.kind == RunKind.PERFORMANCE and _is_on_trial(run):
        _make_unstable(item)
        _end(item, ItemOutcome.UNSTABLE, **_fault(run))
    else:
        _end(item, ItemOutcome.BENCHMARK_ERROR, **_fault(run))


def _is_on_trial(run: Run) -> bool:
    """Whether the model failed under load, rather than our tools or the way to the endpoint."""
    ours = BOUND_CODES | UNREACHABLE
    return run.fault_side in _ON_TRIAL and run.fault_code not in ours


def _make_unstable(item: CampaignItem) -> None:
    endpoints.lock_endpoints_of_system([item.endpoint_id])
    deployment = endpoints.deployment_of_system(item.deployment_id, lock=True)
    item.status_reason = ERRORS_UNDER_LOAD
    if deployment.status in deployments.SET_ASIDE:
        return
    change = deployments.change_status(
        deployment, State.UNSTABLE, reason=ERRORS_UNDER_LOAD, campaign_id=item.campaign_id
    )
    deployments.tell(change)


def _fault(run: Run) -> dict[str, Any]:
    return {
        "measurement_status": MeasurementStatus.FAILED,
        "measurement_side": run.fault_side,
        "measurement_code": run.fault_code,
        "measurement_message": run.fault_message,
    }


def _end(item: CampaignItem, outcome: ItemOutcome, **changes: Any) -> None:
    _freeze(_row(item), outcome, status_reason=item.status_reason, **changes)


def _row(item: CampaignItem) -> QuerySet[CampaignItem]:
    return CampaignItem.objects.filter(pk=item.pk)


def _freeze(rows: QuerySet[CampaignItem], outcome: ItemOutcome, **changes: Any) -> None:
    """End rows, in one statement. What happens to their deployments later does not reach them."""
    now = clock.now()
    stands = Deployment.objects.filter(pk=OuterRef("deployment")).values("status")
    changes |= {"final_status": Subquery(stands), "attempt_count": selectors.requests_sent()}
    rows.update(stage=ItemStage.DONE, outcome=outcome, finished_at=now, updated_at=now, **changes)


def _state(item: CampaignItem) -> str:
    """What this campaign found, whatever was done to the deployment meanwhile."""
    if item.status_reason == ERRORS_UNDER_LOAD or item.health_run is None:
        return State.UNSTABLE
    return str(item.health_run.findings["finding"]["state"])


def _move(item: CampaignItem, **changes: Any) -> None:
    for name, value in changes.items():
        setattr(item, name, value)
    item.save(update_fields=[*changes, "updated_at"])
