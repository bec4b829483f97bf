from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from benchmarks.models import BenchmarkVersion, VerificationPolicy, Visibility
from exchange.accounts.models import Organization, User
from exchange.core.models import BaseModel, StatefulModel
from submissions.endpoints.models import Deployment, LanguageModel
from submissions.runs.models import Run


class SubmissionStatus(models.TextChoices):
    ACCEPTED = "accepted"
    WITHDRAWN = "withdrawn"
    REVOKED = "revoked"


class VerificationLevel(models.TextChoices):
    UNVERIFIED = "unverified"
    COMMUNITY_VERIFIED = "community_verified"
    PLATFORM_VERIFIED = "platform_verified"
    AUDITED = "audited"


class VerificationStatus(models.TextChoices):
    REQUESTED = "requested"
    RUNNING = "running"
    DECIDED = "decided"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Verdict(models.TextChoices):
    CONFIRMED = "confirmed"
    CONSISTENT = "consistent"
    UNDERSTATED = "understated"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"


class RepeatReason(models.TextChoices):
    DISPUTE = "dispute"
    POLICY_CHANGE = "policy_change"
    EXPIRY = "expiry"
    PLATFORM_FAULT = "platform_fault"
    QUALITY_GATE = "quality_gate"


class Submission(StatefulModel):
    """A claim: this model reaches these values on this version, in this configuration."""

    Status = SubmissionStatus
    TRANSITIONS = {Status.ACCEPTED: {Status.WITHDRAWN, Status.REVOKED}}

    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="+")
    submitted_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    version = models.ForeignKey(BenchmarkVersion, on_delete=models.PROTECT, related_name="submissions")
    model = models.ForeignKey(LanguageModel, on_delete=models.PROTECT, related_name="submissions")
    deployment = models.ForeignKey(Deployment, null=True, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=20, choices=SubmissionStatus, default=SubmissionStatus.ACCEPTED)
    status_reason = models.CharField(max_length=1000, blank=True)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    level = models.CharField(max_length=20, choices=VerificationLevel, default=VerificationLevel.UNVERIFIED)
    configuration = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64)
    notes = models.TextField(max_length=4000, blank=True)
    case_count = models.PositiveIntegerField(default=0)
    # as it was when the claim came in: a later change of the endpoint does not change the claim
    is_simulated = models.BooleanField(default=False)
    origin_digest = models.CharField(max_length=64, blank=True)  # of the deployment's endpoint
    # the latest decided verification
    verification = models.ForeignKey("Verification", null=True, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"submission {self.id}"


class MetricClaim(models.Model):
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="claims")
    name = models.CharField(max_length=64)
    value = models.FloatField()
    sample_count = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["submission", "name"], name="one_claim_per_metric")]

    def __str__(self) -> str:
        return f"{self.name} {self.value}"


class CaseClaim(models.Model):
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="cases")
    key = models.CharField(max_length=128)
    score = models.FloatField()
    answer_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission", "key"], name="each_case_counts_once"),
            models.CheckConstraint(name="case_score_is_a_share", condition=Q(score__gte=0, score__lte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.score}"


class Evidence(BaseModel):
    """A file behind a claim. The bytes are in the evidence store under their SHA-256."""

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="evidence")
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=100)
    size_bytes = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission", "name"], name="evidence_names_are_unique")
        ]

    def __str__(self) -> str:
        return self.name


class EvidenceUpload(BaseModel):
    """A file on its way from a client straight to the store, which knows it by `handle`. No evidence yet."""

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="evidence_uploads")
    name = models.CharField(max_length=200)
    size_bytes = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    handle = models.TextField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.name


class Verification(StatefulModel):
    """A check of a claim by the policy that was frozen when it was requested."""

    Status = VerificationStatus
    TRANSITIONS = {
        Status.REQUESTED: {Status.RUNNING, Status.DECIDED, Status.FAILED, Status.CANCELLED},
        Status.RUNNING: {Status.DECIDED, Status.FAILED, Status.CANCELLED},
    }
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="verifications")
    policy = models.ForeignKey(VerificationPolicy, on_delete=models.PROTECT, related_name="+")
    runs = models.ManyToManyField(Run, related_name="verifications")
    requested_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    status = models.CharField(max_length=20, choices=VerificationStatus, default=VerificationStatus.REQUESTED)
    verdict = models.CharField(max_length=20, choices=Verdict, blank=True)
    judgements = models.JSONField(default=list)
    repeat_reason = models.CharField(max_length=20, choices=RepeatReason, blank=True)
    seed = models.CharField(max_length=64)  # shown only with the verdict
    seed_digest = models.CharField(max_length=64)
    request_bound = models.PositiveIntegerField()
    token_bound = models.PositiveBigIntegerField()
    fault_side = models.CharField(max_length=20, blank=True)
    fault_code = models.CharField(max_length=64, blank=True)
    fault_message = models.TextField(blank=True)
    flags = models.JSONField(default=list)
    requested_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission"],
                condition=Q(status__in=["requested", "running"]),
                name="one_open_verification_per_submission",
            ),
            models.CheckConstraint(
                name="verdict_exactly_when_decided",
                condition=Q(status="decided") & ~Q(verdict="") | ~Q(status="decided") & Q(verdict=""),
            ),
        ]

    def __str__(self) -> str:
        return f"verification {self.id}"
