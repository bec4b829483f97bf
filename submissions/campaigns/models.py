from collections import Counter
from typing import Any

from django.db import models
from django.db.models import Q

from benchmarks.models import BenchmarkVersion
from exchange.accounts.models import Organization, User
from exchange.core.models import BaseModel, StatefulModel
from submissions.endpoints.models import CAPABILITIES, STATES, Deployment, Endpoint
from submissions.runs.models import Run


class CampaignMode(models.TextChoices):
    """Which of the deployments that are in scope are checked."""

    FULL = "full"
    NEW = "new"
    ACTIVE = "active"
    UNSTABLE = "unstable"
    FAILED = "failed"
    UNSTABLE_FAILED = "unstable_failed"
    ONE = "one"


class CampaignStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    COMPLETED_WITH_ERRORS = "completed_with_errors"
    FAILED = "failed"
    CANCELLED = "cancelled"


class CampaignVia(models.TextChoices):
    """The door that it was started at."""

    API = "api"
    GRPC = "grpc"
    CLI = "cli"
    MCP = "mcp"
    WEB = "web"


OPEN = (CampaignStatus.QUEUED, CampaignStatus.RUNNING)


class Campaign(StatefulModel):
    """One sweep over what an organization's endpoints serve: found, checked, and measured where it stands."""

    Status = CampaignStatus
    TRANSITIONS = {
        Status.QUEUED: {Status.RUNNING, Status.COMPLETED, Status.FAILED, Status.CANCELLED},
        Status.RUNNING: {
            Status.COMPLETED,
            Status.COMPLETED_WITH_ERRORS,
            Status.FAILED,
            Status.CANCELLED,
        },
    }
    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="+")
    endpoint = models.ForeignKey(Endpoint, null=True, on_delete=models.PROTECT, related_name="+")
    deployment = models.ForeignKey(Deployment, null=True, on_delete=models.PROTECT, related_name="+")
    mode = models.CharField(max_length=20, choices=CampaignMode)
    profile = models.ForeignKey(BenchmarkVersion, null=True, on_delete=models.PROTECT, related_name="+")
    refresh = models.BooleanField()
    status = models.CharField(max_length=30, choices=CampaignStatus, default=CampaignStatus.QUEUED)
    requested_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    via = models.CharField(max_length=10, choices=CampaignVia)
    fault_code = models.CharField(max_length=64, blank=True)
    fault_message = models.TextField(blank=True)
    selected_at = models.DateTimeField(null=True)  # from then on there is a row for each deployment
    cancel_requested_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["organization", "-created_at"], name="campaigns_newest")]

    def __str__(self) -> str:
        return f"campaign {self.id}"

    @property
    def percent(self) -> float | None:
        """Of a campaign with counts (`selectors`): how many of its rows are done. None: not known yet."""
        counts: Any = self
        if self.selected_at is None:
            return None
        return 100 * counts.done_count / counts.item_count if counts.item_count else 100.0

    @property
    def outcomes(self) -> dict[str, int]:
        """Of a campaign with counts: outcome → how many of its rows ended so."""
        counts: Any = self
        return dict(sorted(Counter(counts.ended_as).items()))


class CampaignEndpoint(models.Model):
    """An endpoint that a campaign sweeps. One open campaign at a time holds an endpoint."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="sweeps")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="+")
    discovery_run = models.OneToOneField(Run, null=True, on_delete=models.PROTECT, related_name="sweep")
    is_open = models.BooleanField(default=True)
    fault_code = models.CharField(max_length=64, blank=True)  # why it was not swept to the end
    fault_message = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "endpoint"], name="endpoints_are_swept_once"),
            models.UniqueConstraint(
                fields=["endpoint"], condition=Q(is_open=True), name="one_open_campaign_per_endpoint"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_id} in {self.campaign_id}"


class ItemStage(models.TextChoices):
    PENDING = "pending"
    CAPABILITY = "capability"
    SMOKE = "smoke"
    STABILITY = "stability"
    BENCHMARK = "benchmark"
    DONE = "done"


class ItemOutcome(models.TextChoices):
    """How an item ended: as the state that was found, or why there is no more than that."""

    ACTIVE = "active"
    UNSTABLE = "unstable"
    NOT_AVAILABLE = "not_available"
    INCOMPATIBLE = "incompatible"
    UNSUPPORTED = "unsupported"
    FAILED = "failed"
    SKIPPED_UNSUPPORTED_PROFILE = "skipped_unsupported_profile"
    BENCHMARK_ERROR = "benchmark_error"
    AUTH_ERROR = "auth_error"
    CANCELLED = "cancelled"


class MeasurementStatus(models.TextChoices):
    """How the measuring itself went, apart from how the model stands."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    SKIPPED = "skipped"
    FAILED = "failed"
    CANCELLED = "cancelled"


class CampaignItem(BaseModel):
    """A deployment's row in a campaign. What it says is frozen when it is done."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="items")
    deployment = models.ForeignKey(Deployment, on_delete=models.PROTECT, related_name="campaign_items")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveIntegerField()
    stage = models.CharField(max_length=20, choices=ItemStage, default=ItemStage.PENDING)
    outcome = models.CharField(max_length=40, choices=ItemOutcome, blank=True)
    health_run = models.OneToOneField(Run, null=True, on_delete=models.PROTECT, related_name="checked_item")
    performance_run = models.OneToOneField(
        Run, null=True, on_delete=models.PROTECT, related_name="measured_item"
    )
    measurement_status = models.CharField(
        max_length=20, choices=MeasurementStatus, default=MeasurementStatus.PENDING
    )
    measurement_side = models.CharField(max_length=20, blank=True)
    measurement_code = models.CharField(max_length=64, blank=True)
    measurement_message = models.TextField(blank=True)

    # As they stood: a later check changes the deployment alone.
    initial_status = models.CharField(max_length=20, choices=STATES)
    final_status = models.CharField(max_length=20, choices=STATES, blank=True)
    status_reason = models.CharField(max_length=64, blank=True)
    message = models.TextField(blank=True)
    capability = models.CharField(max_length=20, choices=CAPABILITIES, blank=True)
    capability_source = models.CharField(max_length=20, blank=True)
    capability_confidence = models.FloatField(null=True)
    protocol = models.CharField(max_length=20, blank=True)
    probes = models.JSONField(default=list)
    figures = models.JSONField(default=dict)  # metric → value, of the performance run
    attempt_count = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "deployment"], name="deployments_are_checked_once"),
            models.UniqueConstraint(fields=["campaign", "position"], name="items_have_an_order"),
            models.CheckConstraint(
                name="item_has_an_end_exactly_when_done",
                condition=Q(stage="done") & ~Q(outcome="") & ~Q(final_status="")
                | ~Q(stage="done") & Q(outcome="") & Q(final_status=""),
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "endpoint", "stage", "position"],
                name="campaign_work",
                condition=~Q(stage="done"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.deployment_id} in {self.campaign_id}"
