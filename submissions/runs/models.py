from typing import Any

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from benchmarks.models import BenchmarkVersion
from exchange.accounts.models import Organization
from exchange.core.models import BaseModel, StatefulModel
from llm_benchmark.measure.plans import Side
from submissions.endpoints.models import Deployment, Endpoint


class RunKind(models.TextChoices):
    """What is measured: a benchmark version, how a deployment stands, or what an endpoint serves."""

    QUALITY = "quality"
    PERFORMANCE = "performance"
    HEALTH = "health"
    DISCOVERY = "discovery"


MEASURING = (RunKind.QUALITY, RunKind.PERFORMANCE)


class RunStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    DEAD = "dead"


OPEN = (RunStatus.QUEUED, RunStatus.RUNNING)


class Run(StatefulModel):
    """One job at an endpoint: a deployment on a benchmark version, a check of a deployment, or a discovery.

    PostgreSQL owns it by lease and fence.
    """

    Status = RunStatus
    TRANSITIONS = {
        Status.QUEUED: {Status.RUNNING, Status.CANCELLED},
        Status.RUNNING: {Status.QUEUED, Status.SUCCEEDED, Status.FAILED, Status.CANCELLED, Status.DEAD},
    }
    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=RunKind)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="runs")
    # Declared as never None: a constraint holds each kind to what it has, and code is chosen by kind.
    deployment: models.ForeignKey[Deployment, Deployment] = models.ForeignKey(  # type: ignore[misc]
        Deployment, null=True, on_delete=models.PROTECT, related_name="runs"
    )
    version: models.ForeignKey[BenchmarkVersion, BenchmarkVersion] = models.ForeignKey(  # type: ignore[misc]
        BenchmarkVersion, null=True, on_delete=models.PROTECT, related_name="+"
    )
    status = models.CharField(max_length=20, choices=RunStatus, default=RunStatus.QUEUED)

    seed = models.BigIntegerField(default=0)
    snapshot = models.JSONField(default=dict)  # everything the measurement depends on, without URL or key
    fingerprint = models.CharField(max_length=64, blank=True)
    request_bound = models.PositiveIntegerField(default=0)
    token_bound = models.PositiveBigIntegerField(default=0)
    planned_count = models.PositiveIntegerField(default=0)
    done_count = models.PositiveIntegerField(default=0)

    fence = models.PositiveIntegerField(default=0)
    lease_owner = models.CharField(max_length=100, blank=True)
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField(db_default=Now())
    failed_attempts = models.PositiveSmallIntegerField(default=0)
    cancel_requested_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    fault_side = models.CharField(max_length=20, choices=[(s.value, s.value) for s in Side], blank=True)
    fault_code = models.CharField(max_length=64, blank=True)
    fault_message = models.TextField(blank=True)
    returned_model = models.CharField(max_length=256, blank=True)
    flags = models.JSONField(default=list)
    findings = models.JSONField(default=dict)
    session = models.JSONField(null=True)  # a performance run's counted requests, as in its bundle
    price = models.JSONField(null=True)  # as it was when queued; not in the snapshot, which others may see
    judgement_basis = models.JSONField(null=True)  # the claim and the policy, for the bundle

    bundle_sha256 = models.CharField(max_length=64, blank=True)
    bundle_size_bytes = models.PositiveBigIntegerField(null=True)
    public_bundle_sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint"], condition=Q(status="running"), name="one_run_per_endpoint_at_a_time"
            ),
            models.CheckConstraint(
                name="run_is_leased_while_running",
                condition=Q(status="running", lease_until__isnull=False)
                | (~Q(status="running") & Q(lease_until__isnull=True)),
            ),
            models.CheckConstraint(
                name="run_has_what_its_kind_measures",
                condition=Q(kind__in=MEASURING, deployment__isnull=False, version__isnull=False)
                | Q(kind="health", deployment__isnull=False, version__isnull=True)
                | Q(kind="discovery", deployment__isnull=True, version__isnull=True),
            ),
            models.CheckConstraint(
                name="run_done_within_plan", condition=Q(done_count__lte=F("planned_count"))
            ),
            models.CheckConstraint(
                name="failed_run_says_whose_fault",
                condition=~Q(status__in=["failed", "dead"]) | ~Q(fault_side=""),
            ),
        ]
        indexes = [
            models.Index(fields=["kind", "created_at"], name="run_queue", condition=Q(status="queued")),
            models.Index(fields=["lease_until"], name="run_leases", condition=Q(status="running")),
            models.Index(fields=["endpoint"], name="run_open", condition=Q(status__in=OPEN)),
            models.Index(
                fields=["status", "finished_at"], name="run_ends", condition=Q(finished_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} run {self.id}"

    @property
    def groups(self) -> list[dict[str, Any]]:
        """A quality run's scores by group; empty where no case has one."""
        return list(self.findings.get("groups", ()))


class AttemptStatus(models.TextChoices):
    RESERVED = "reserved"
    SENT = "sent"
    SETTLED = "settled"
    LOST = "lost"
    RELEASED = "released"


class Attempt(models.Model):
    """One HTTP request to a provider, written down before it is sent. Never deleted."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="attempts")
    fence = models.PositiveIntegerField()
    purpose = models.CharField(max_length=20)
    key = models.CharField(max_length=128)
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=AttemptStatus, default=AttemptStatus.RESERVED)
    http_status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=64, blank=True)
    input_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    cached_tokens = models.PositiveIntegerField(null=True)
    reserved_at = models.DateTimeField(db_default=Now())
    sent_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "fence", "purpose", "key", "number"], name="attempts_are_reserved_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.key} #{self.number}"


class Response(models.Model):
    """The answer to one question of a run, as received. One that was asked for again is kept, superseded."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="responses")
    key = models.CharField(max_length=128)
    text = models.TextField(null=True)  # noqa: DJ001  null: no answer
    raw = models.BinaryField()
    latency_ms = models.FloatField(null=True)
    http_status = models.PositiveSmallIntegerField(null=True)
    finish_reason = models.CharField(max_length=64, blank=True)
    returned_model = models.CharField(max_length=256, blank=True)
    input_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    cached_tokens = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=64, blank=True)
    score = models.FloatField(null=True)
    parsed = models.TextField(null=True)  # noqa: DJ001  null: nothing could be parsed
    score_error = models.CharField(max_length=64, blank=True)
    is_superseded = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "key"],
                condition=Q(is_superseded=False),
                name="one_standing_answer_per_question",
            )
        ]

    def __str__(self) -> str:
        return f"{self.run_id} {self.key}"


class Score(BaseModel):
    """A value of a metric, from a run's stored evidence. Scoring again makes a new row and keeps the old."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="scores")
    metric = models.CharField(max_length=64)
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    confidence = models.FloatField(null=True)
    sample_count = models.PositiveIntegerField(null=True)
    is_stated = models.BooleanField(default=True)
    covers = models.CharField(max_length=64, blank=True)
    scorer_version = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "metric", "scorer_version"], name="one_score_per_metric_and_scorer"
            )
        ]

    def __str__(self) -> str:
        return f"{self.metric} of {self.run_id}"
