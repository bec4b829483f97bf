"""Every read of campaigns. Known to their organization alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import transaction
from django.db.models import (
    Case,
    CharField,
    Count,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from benchmarks.models import BenchmarkKind, BenchmarkStatus, BenchmarkVersion, VersionStatus, Visibility
from exchange.core.actors import Actor
from exchange.core.clock import DatabaseNow
from llm_benchmark.measure.probing import State
from submissions.endpoints.models import Deployment, Endpoint
from submissions.runs.models import OPEN as OPEN_RUNS
from submissions.runs.models import Attempt, Run, RunKind, RunStatus

from .errors import CampaignNotFound, NoPreviousCampaign
from .models import (
    OPEN,
    Campaign,
    CampaignEndpoint,
    CampaignItem,
    CampaignMode,
    ItemStage,
    MeasurementStatus,
)
from .permissions import require_reader

DEFAULT_PROFILE = "baseline-chat"
CHOSEN_STATES: Mapping[CampaignMode, frozenset[State]] = {
    CampaignMode.NEW: frozenset({State.NEW}),
    CampaignMode.ACTIVE: frozenset({State.ACTIVE}),
    CampaignMode.UNSTABLE: frozenset({State.UNSTABLE}),
    CampaignMode.FAILED: frozenset({State.FAILED}),
    CampaignMode.UNSTABLE_FAILED: frozenset({State.UNSTABLE, State.FAILED}),
}
NEVER = (State.DISABLED, State.MISSING)


def visible_to(actor: Actor) -> QuerySet[Campaign]:
    if actor.is_system:
        return Campaign.objects.all()
    return Campaign.objects.filter(organization_id__in=actor.organization_ids)


def list_campaigns(
    *,
    actor: Actor,
    organization_id: UUID | None = None,
    endpoint_id: UUID | None = None,
    status: str = "",
) -> QuerySet[Campaign]:
    """Newest first, each with `item_count`, `done_count`, `failed_measurement_count`, `percent` and
    `outcomes`."""
    if not actor.is_system:
        require_reader(actor)
    wanted = {"organization_id": organization_id, "sweeps__endpoint_id": endpoint_id, "status": status}
    rows = visible_to(actor).filter(**{name: value for name, value in wanted.items() if value})
    return _counted(rows).order_by("-created_at", "id")


def _counted(rows: QuerySet[Campaign]) -> QuerySet[Campaign]:
    """Counted for each by itself, so that a page counts the rows of its own campaigns alone."""
    related = ("organization", "endpoint", "deployment", "profile__benchmark", "requested_by")
    its = CampaignItem.objects.filter(campaign=OuterRef("pk"))
    done, failed = its.filter(stage=ItemStage.DONE), its.filter(measurement_status=MeasurementStatus.FAILED)
    return (
        rows.select_related(*related)
        .prefetch_related("sweeps__endpoint")
        .annotate(
            item_count=_number_of(its),
            done_count=_number_of(done),
            failed_measurement_count=_number_of(failed),
            ended_as=ArraySubquery(done.values("outcome")),
        )
    )


def _number_of(rows: QuerySet[Any]) -> Subquery:
    return Subquery(rows.order_by().values(count=Func("pk", function="COUNT", output_field=IntegerField())))


def get_campaign(*, actor: Actor, campaign_id: UUID) -> Campaign:
    """Counted as in lists."""
    campaign = list_campaigns(actor=actor).filter(pk=campaign_id).first()
    if campaign is None:
        raise CampaignNotFound
    return campaign


def lock_campaign(*, actor: Actor, campaign_id: UUID) -> Campaign:
    """The campaign, held against other changes until the transaction ends. Runs are locked before it."""
    if not actor.is_system:
        require_reader(actor)
    campaign = visible_to(actor).filter(pk=campaign_id).select_for_update(no_key=True).first()
    if campaign is None:
        raise CampaignNotFound
    return campaign


def lock_with_runs(*, actor: Actor, campaign_id: UUID) -> Campaign:
    """The campaign with all its open runs. Workers hold a run when they come to its campaign, so runs are
    locked first; where another was queued meanwhile, all is let go and locked again.
    """
    campaign = get_campaign(actor=actor, campaign_id=campaign_id)
    while True:
        point = transaction.savepoint()
        held = _locked(open_runs(campaign))
        locked = lock_campaign(actor=actor, campaign_id=campaign_id)
        if held >= set(open_runs(campaign).values_list("pk", flat=True)):
            transaction.savepoint_commit(point)
            return locked
        transaction.savepoint_rollback(point)


def _locked(rows: QuerySet[Run]) -> set[UUID]:
    held = rows.order_by("pk").select_for_update(no_key=True, of=("self",))
    return {run.pk for run in held.only("pk")}


def open_runs(campaign: Campaign) -> QuerySet[Run]:
    """By its endpoints, at which few runs are open: rows and runs may be many."""
    its = (
        Q(sweep__campaign=campaign) | Q(checked_item__campaign=campaign) | Q(measured_item__campaign=campaign)
    )
    return Run.objects.filter(its, endpoint__in=campaign.sweeps.values("endpoint"), status__in=OPEN_RUNS)


def stoppable_runs(campaign: Campaign, endpoint_id: UUID) -> list[Run]:
    """The queued runs at one endpoint, but those that somebody else ends at this moment."""
    rows = open_runs(campaign).filter(status=RunStatus.QUEUED, endpoint=endpoint_id)
    return list(rows.select_for_update(no_key=True, skip_locked=True, of=("self",)))


@dataclass(frozen=True, slots=True)
class Queue:
    """A campaign's open runs at one endpoint: due ones are running or could be claimed, others wait."""

    due_checks: int
    waiting_checks: int
    due_loads: int


def queue_at(campaign: Campaign, endpoint: Endpoint) -> Queue:
    is_due = Q(status=RunStatus.RUNNING) | Q(not_before__lte=DatabaseNow())
    is_check = Q(kind=RunKind.HEALTH)
    counts = (
        open_runs(campaign)
        .filter(endpoint=endpoint)
        .aggregate(
            due_checks=Count("pk", filter=is_check & is_due),
            waiting_checks=Count("pk", filter=is_check & ~is_due),
            due_loads=Count("pk", filter=Q(kind=RunKind.PERFORMANCE) & is_due),
        )
    )
    return Queue(**counts)


def next_to_check(campaign: Campaign, endpoint: Endpoint) -> CampaignItem | None:
    return _first(campaign.items.filter(stage=ItemStage.PENDING, endpoint=endpoint, health_run=None))


def next_to_measure(campaign: Campaign, endpoint: Endpoint) -> CampaignItem | None:
    return _first(campaign.items.filter(stage=ItemStage.BENCHMARK, endpoint=endpoint, performance_run=None))


def _first(rows: QuerySet[CampaignItem]) -> CampaignItem | None:
    return rows.select_related("deployment").order_by("position").first()


def left_of(campaign: Campaign) -> QuerySet[CampaignItem]:
    """The rows that are not done."""
    return campaign.items.exclude(stage=ItemStage.DONE)


def idle_rows(campaign: Campaign) -> QuerySet[CampaignItem]:
    """The rows that are not done and that nothing is running for."""
    running = Q(health_run__status=RunStatus.RUNNING) | Q(performance_run__status=RunStatus.RUNNING)
    return left_of(campaign).exclude(running)


def requests_sent() -> Subquery:
    """Of rows: how many requests their runs sent."""
    its_runs = Q(run=OuterRef("health_run")) | Q(run=OuterRef("performance_run"))
    return _number_of(Attempt.objects.filter(its_runs, sent_at__isnull=False))


def list_items(
    *, actor: Actor, campaign_id: UUID, status: str = "", outcome: str = ""
) -> QuerySet[CampaignItem]:
    """The rows of a campaign in the order in which they are checked, each with its `live_stage`.

    Args:
        status: the final one.
    """
    campaign = get_campaign(actor=actor, campaign_id=campaign_id)
    wanted = {"final_status": status, "outcome": outcome}
    rows = campaign.items.filter(**{name: value for name, value in wanted.items() if value})
    return staged(rows).order_by("position")


def staged(rows: QuerySet[CampaignItem]) -> QuerySet[CampaignItem]:
    """Rows of campaigns as they are shown, each with its `live_stage`."""
    last = Attempt.objects.filter(run=OuterRef("health_run")).order_by("-id").values("key")[:1]
    rows = rows.annotate(last_key=Subquery(last)).annotate(live_stage=_live_stage())
    return rows.select_related("deployment__model", "endpoint")


def list_results(
    *, actor: Actor, campaign_id: UUID, status: str = "", outcome: str = ""
) -> QuerySet[CampaignItem]:
    """The rows that are done."""
    rows = list_items(actor=actor, campaign_id=campaign_id, status=status, outcome=outcome)
    return rows.filter(stage=ItemStage.DONE)


def _live_stage() -> Case:
    """A check that goes on is as far as its last request: smoke or stability."""
    on_its_way = Q(stage=ItemStage.CAPABILITY)
    return Case(
        When(on_its_way & Q(last_key__startswith="stability"), then=Value(ItemStage.STABILITY.value)),
        When(on_its_way & Q(last_key="smoke"), then=Value(ItemStage.SMOKE.value)),
        default=F("stage"),
        output_field=CharField(),
    )


def previous_of(campaign: Campaign) -> Campaign:
    """The last finished campaign before it of the same scope: endpoint, deployment and organization.

    Raises:
        NoPreviousCampaign
    """
    same = Campaign.objects.filter(
        organization_id=campaign.organization_id,
        endpoint_id=campaign.endpoint_id,
        deployment_id=campaign.deployment_id,
        created_at__lt=campaign.created_at,
        finished_at__isnull=False,
        selected_at__isnull=False,
    )
    found = _counted(same).order_by("-created_at").first()
    if found is None:
        raise NoPreviousCampaign
    return found


def open_campaigns(organization_id: UUID) -> QuerySet[Campaign]:
    return Campaign.objects.filter(organization_id=organization_id, status__in=OPEN)


def chosen_deployments(campaign: Campaign) -> QuerySet[Deployment]:
    """Those that the campaign checks, by how they stand now, in the order of their endpoints and names.

    An endpoint that could not be asked what it serves is left out.
    """
    swept = campaign.sweeps.filter(fault_code="").values("endpoint")
    rows = deployments_in_mode(campaign.mode, deployment_id=campaign.deployment_id)
    return rows.filter(endpoint__in=swept).order_by("endpoint__name", "endpoint_id", "served_name", "id")


def deployments_in_mode(mode: str, *, deployment_id: UUID | None = None) -> QuerySet[Deployment]:
    rows = Deployment.objects.exclude(status__in=NEVER)
    if deployment_id is not None:
        return rows.filter(pk=deployment_id)
    states = CHOSEN_STATES.get(CampaignMode(mode))
    return rows if states is None else rows.filter(status__in=states)


def item_of_check(run_id: UUID) -> CampaignItem | None:
    return CampaignItem.objects.filter(health_run=run_id).first()


def item_of_load(run_id: UUID) -> CampaignItem | None:
    return CampaignItem.objects.filter(performance_run=run_id).first()


def sweep_of_run(run_id: UUID) -> CampaignEndpoint | None:
    """The sweep whose discovery the run is."""
    return CampaignEndpoint.objects.filter(discovery_run=run_id).first()


def default_profile() -> BenchmarkVersion | None:
    """The published version of the baseline, where it is installed."""
    found = BenchmarkVersion.objects.filter(
        status=VersionStatus.PUBLISHED,
        benchmark__slug=DEFAULT_PROFILE,
        benchmark__kind=BenchmarkKind.PERFORMANCE,
        benchmark__status=BenchmarkStatus.ACTIVE,
        benchmark__visibility=Visibility.PUBLIC,
    )
    return found.select_related("benchmark").order_by("-published_at").first()
