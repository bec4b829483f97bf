from django.db import models
from django.db.models import Q

from benchmarks.models import BenchmarkVersion
from exchange.core.models import BaseModel
from submissions.endpoints.models import Deployment, LanguageModel
from submissions.models import Submission, Verdict, Verification, VerificationLevel


class Entry(BaseModel):
    """One row of a board: a version, a subject, a configuration, and its latest decided re-measurement.

    The subject is the model for quality and the deployment for performance.
    """

    version = models.ForeignKey(BenchmarkVersion, on_delete=models.PROTECT, related_name="entries")
    model = models.ForeignKey(LanguageModel, on_delete=models.PROTECT, related_name="entries")
    deployment = models.ForeignKey(Deployment, null=True, on_delete=models.PROTECT, related_name="+")
    fingerprint = models.CharField(max_length=64)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="+")
    verification = models.ForeignKey(Verification, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=20, choices=Verdict)
    level = models.CharField(max_length=20, choices=VerificationLevel)
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    confidence = models.FloatField(null=True)
    sample_count = models.PositiveIntegerField(null=True)
    claimed_value = models.FloatField(null=True)
    metrics = models.JSONField(default=list)
    measured_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["version", "model", "fingerprint"],
                condition=Q(deployment__isnull=True),
                name="one_row_per_model_and_configuration",
            ),
            models.UniqueConstraint(
                fields=["version", "deployment", "fingerprint"],
                condition=Q(deployment__isnull=False),
                name="one_row_per_deployment_and_configuration",
            ),
        ]
        indexes = [models.Index(fields=["version", "-value", "id"], name="board_order")]

    def __str__(self) -> str:
        return f"{self.version_id} {self.model_id}"
