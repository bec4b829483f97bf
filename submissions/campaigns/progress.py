"""What the runs of a campaign bring it: its rows, how each ends, and its own end.

A run is locked before its campaign, a campaign before an endpoint, and nothing after a fact was told. So that
an organization's campaign keeps no other waiting, there is one check and one load of an endpoint in the queue
at a time. One that waits for its next try does not count, but only so many checks may wait.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from benchmarks.models import BenchmarkVersion
from exchange.core import clock, events
from exchange.core.actors import SYSTEM, Actor
from exchange.core.events import Event
from submissions.endpoints import selectors as endpoints
from submissions.endpoints.models import Endpoint
from submissions.runs import services as runs
from submissions.runs.models import OPEN as OPEN_RUNS
from submissions.runs.models import Run, RunKind, RunStatus

from . import items, selectors
from .models import (
    OPEN,
    Campaign,
    CampaignEndpoint,
    CampaignItem,
    CampaignStatus,
    ItemStage,
    MeasurementStatus,
)

_DONE = {
    CampaignStatus.COMPLETED: "campaign.completed",
    CampaignStatus.COMPLETED_WITH_ERRORS: "campaign.completed",
    CampaignStatus.FAILED: "campaign.failed",
    CampaignStatus.CANCELLED: "campaign.cancelled",
}


_FOUND: Mapping[str, Callable[[UUID], CampaignEndpoint | CampaignItem | None]] = {
    RunKind.DISCOVERY: selectors.sweep_of_run,
    RunKind.HEALTH: selectors.item_of_check,
    RunKind.PERFORMANCE: selectors.item_of_load,
}
MOST_WAITING_CHECKS = 16


def begin(actor: Actor, campaign: Campaign) -> None:
    """Queue a new campaign's first runs. Call it in the transaction that made it."""
    facts = {"mode": campaign.mode, "via": campaign.via, "refresh": campaign.refresh}
    _publish("campaign.started", actor, campaign, **facts)
    if not campaign.refresh:
        _select(campaign)
        return
    for sweep in campaign.sweeps.select_related("endpoint").order_by("endpoint__name", "pk"):
        sweep.discovery_run = runs.create_discovery(
            actor=SYSTEM, endpoint=sweep.endpoint, campaign_id=campaign.pk
        )
        sweep.save(update_fields=["discovery_run"])


def cancel(actor: Actor, campaign: Campaign) -> None:
    """Ask everything of a campaign to stop. Call it with the campaign and its open runs locked."""
    campaign.cancel_requested_at = clock.now()
    campaign.save(update_fields=["cancel_requested_at", "updated_at"])
    _publish("campaign.cancel_requested", actor, campaign)
    items.cancel(selectors.idle_rows(campaign))
    for run in selectors.open_runs(campaign):
        runs.cancel_run(actor=SYSTEM, run_id=run.pk)
    campaign.refresh_from_db()
    _end_when_complete(campaign)


def follow_run(event: Event) -> None:
    """A projection of what happens to runs. A campaign that has ended takes no more notice."""
    if event.subject_id is None:
        return
    found = _found(event.facts.get("kind_of_run"), event.subject_id)
    if found is None:
        return
    campaign = selectors.lock_campaign(actor=SYSTEM, campaign_id=found.campaign_id)
    if campaign.status not in OPEN:
        return
    found.refresh_from_db()
    run = Run.objects.select_related("endpoint", "deployment").get(pk=event.subject_id)
    if event.kind == "run.started":
        _start(campaign)
    if isinstance(found, CampaignEndpoint):
        _follow_discovery(campaign, found, run)
    else:
        _follow_item(campaign, found, run)
    campaign.refresh_from_db()  # what was stopped on the way may have ended it
    _end_when_complete(campaign)


def _found(kind: Any, run_id: UUID) -> CampaignEndpoint | CampaignItem | None:
    return _FOUND[kind](run_id) if kind in _FOUND else None


def _start(campaign: Campaign) -> None:
    if campaign.status == CampaignStatus.QUEUED:
        campaign.move_to(CampaignStatus.RUNNING, started_at=clock.now())


def _follow_discovery(campaign: Campaign, sweep: CampaignEndpoint, run: Run) -> None:
    if run.status in OPEN_RUNS:
        return
    if run.status != RunStatus.SUCCEEDED:
        sweep.fault_code = run.fault_code or str(run.status)
        sweep.fault_message = run.fault_message
        sweep.save(update_fields=["fault_code", "fault_message"])
    if campaign.selected_at is None and not selectors.open_runs(campaign).exists():
        _select(campaign)


def _select(campaign: Campaign) -> None:
    """One row for each deployment that is checked, all of them before the first check."""
    endpoints.lock_endpoints_of_system(campaign.sweeps.values("endpoint"))
    campaign.selected_at = clock.now()
    campaign.save(update_fields=["selected_at", "updated_at"])
    if campaign.cancel_requested_at is None:
        items.create(campaign)
    for sweep in campaign.sweeps.select_related("endpoint").filter(fault_code=""):
        _queue_next(campaign, sweep.endpoint)


def _queue_next(campaign: Campaign, endpoint: Endpoint) -> None:
    if campaign.cancel_requested_at is not None:
        return
    queue = selectors.queue_at(campaign, endpoint)
    if not queue.due_checks and queue.waiting_checks < MOST_WAITING_CHECKS:
        _queue_check(campaign, endpoint)
    if not queue.due_loads and campaign.profile is not None:
        _queue_load(campaign, campaign.profile, endpoint)


def _queue_check(campaign: Campaign, endpoint: Endpoint) -> None:
    item = selectors.next_to_check(campaign, endpoint)
    if item is not None:
        items.queue_check(item)


def _queue_load(campaign: Campaign, profile: BenchmarkVersion, endpoint: Endpoint) -> None:
    item = selectors.next_to_measure(campaign, endpoint)
    if item is not None:
        items.queue_load(profile, item)


def _follow_item(campaign: Campaign, item: CampaignItem, run: Run) -> None:
    if item.stage == ItemStage.DONE:
        return
    items.follow(campaign, item, run)
    if items.stops_sweep(run):
        _stop_sweep(campaign, item, run)
    _queue_next(campaign, run.endpoint)


def _stop_sweep(campaign: Campaign, item: CampaignItem, run: Run) -> None:
    """The endpoint refuses its credential: what is left of it is not asked for."""
    fault = {"fault_code": run.fault_code, "fault_message": run.fault_message}
    campaign.sweeps.filter(endpoint=item.endpoint_id).update(**fault)
    items.refuse(selectors.left_of(campaign).filter(endpoint=item.endpoint_id), run)
    for open_run in selectors.stoppable_runs(campaign, item.endpoint_id):
        runs.cancel_run(actor=SYSTEM, run_id=open_run.pk)


def _end_when_complete(campaign: Campaign) -> None:
    if campaign.status not in OPEN or _goes_on(campaign):
        return
    status, fault = _outcome(campaign)
    campaign.sweeps.update(is_open=False)
    _start(campaign)
    campaign.move_to(status, finished_at=clock.now(), **fault)
    _publish(_DONE[status], SYSTEM, campaign, status=str(status), code=campaign.fault_code)


def _goes_on(campaign: Campaign) -> bool:
    is_selecting = campaign.selected_at is None and campaign.cancel_requested_at is None
    return is_selecting or selectors.left_of(campaign).exists() or selectors.open_runs(campaign).exists()


def _outcome(campaign: Campaign) -> tuple[CampaignStatus, dict[str, str]]:
    """The status that it ends with, and what it failed by."""
    faults = list(campaign.sweeps.exclude(fault_code="").order_by("pk"))
    if campaign.cancel_requested_at is not None:
        return CampaignStatus.CANCELLED, {}
    refused = next((sweep for sweep in faults if items.is_refusal(sweep.fault_code)), None)
    if refused is None and faults and not campaign.items.exists():
        refused = faults[0]
    if refused is not None:
        fault = {"fault_code": refused.fault_code, "fault_message": refused.fault_message}
        return CampaignStatus.FAILED, fault
    failed = campaign.items.filter(measurement_status=MeasurementStatus.FAILED)
    if faults or failed.exists():
        return CampaignStatus.COMPLETED_WITH_ERRORS, {}
    return CampaignStatus.COMPLETED, {}


def _publish(kind: str, actor: Actor, campaign: Campaign, **facts: Any) -> None:
    events.publish(
        kind,
        actor=actor,
        subject_id=campaign.pk,
        organization_id=campaign.organization_id,
        **facts,
    )
