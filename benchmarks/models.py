from datetime import datetime
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Func, Q
from django.utils.translation import gettext_lazy as _

from exchange.accounts.models import Organization, User, slug_form
from exchange.core.models import BaseModel, StatefulModel

from .semver import are_compatible


class BenchmarkCategory(models.TextChoices):
    PERFORMANCE = "performance", _("Performance")
    ACCURACY = "accuracy", _("Accuracy")
    RELIABILITY = "reliability", _("Reliability")
    SAFETY = "safety", _("Safety")
    COST = "cost", _("Cost")
    CAPABILITY = "capability", _("Capability")


class BenchmarkKind(models.TextChoices):
    QUALITY = "quality", _("Quality")
    PERFORMANCE = "performance", _("Performance")
    EXTERNAL = "external", _("External")


class BenchmarkStatus(models.TextChoices):
    DRAFT = "draft", _("Draft")
    UNDER_REVIEW = "under_review", _("Under review")
    ACTIVE = "active", _("Active")
    DEPRECATED = "deprecated", _("Deprecated")
    ARCHIVED = "archived", _("Archived")


class VersionStatus(models.TextChoices):
    DRAFT = "draft", _("Draft")
    PUBLISHED = "published", _("Published")
    SUPERSEDED = "superseded", _("Superseded")
    VOIDED = "voided", _("Voided")


class Visibility(models.TextChoices):
    PUBLIC = "public", _("Public")
    UNLISTED = "unlisted", _("Unlisted")
    PRIVATE = "private", _("Private")


class MetricDirection(models.TextChoices):
    HIGHER_IS_BETTER = "higher_is_better", _("Higher is better")
    LOWER_IS_BETTER = "lower_is_better", _("Lower is better")


class MetricKind(models.TextChoices):
    """Decides a metric's interval."""

    PROPORTION = "proportion", _("Proportion")
    MEAN = "mean", _("Mean")
    PERCENTILE = "percentile", _("Percentile")
    RATE = "rate", _("Rate")
    ERROR_RATE = "error_rate", _("Error rate")


class LicenseType(models.TextChoices):
    APACHE_2 = "apache_2", _("Apache 2.0")
    MIT = "mit", _("MIT")
    BSD_3_CLAUSE = "bsd_3_clause", _("BSD 3-clause")
    CC_BY_4_0 = "cc_by_4_0", _("CC BY 4.0")
    CC_BY_SA_4_0 = "cc_by_sa_4_0", _("CC BY-SA 4.0")
    CUSTOM = "custom", _("Custom")


class LoadProtocol(models.TextChoices):
    """What is asked of an endpoint under load, where it is not text in the endpoint's own protocol."""

    EMBEDDINGS = "embeddings", _("Embeddings")
    RERANK = "rerank", _("Rerank")


SEARCHED = Func(
    "name", "slug", "description", "tags", function="benchmark_words", output_field=SearchVectorField()
)
"""What full-text search reads. The database's function is made by a migration."""


class Benchmark(StatefulModel):
    """A definition of what is measured. Its versions say exactly what."""

    Status = BenchmarkStatus
    TRANSITIONS = {
        Status.DRAFT: {Status.UNDER_REVIEW, Status.ACTIVE},
        Status.UNDER_REVIEW: {Status.ACTIVE, Status.DRAFT},
        Status.ACTIVE: {Status.DEPRECATED},
        Status.DEPRECATED: {Status.ACTIVE, Status.ARCHIVED},
    }
    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="+")
    slug = models.CharField(max_length=80, unique=True, validators=[slug_form])
    name = models.CharField(max_length=160)
    description = models.TextField(max_length=4000, blank=True)
    kind = models.CharField(max_length=20, choices=BenchmarkKind)
    category = models.CharField(max_length=20, choices=BenchmarkCategory)
    status = models.CharField(max_length=20, choices=BenchmarkStatus, default=BenchmarkStatus.DRAFT)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    tags = ArrayField(models.CharField(max_length=50), default=list, blank=True)
    long_description = models.TextField(max_length=20_000, blank=True, default="", db_default="")
    license = models.CharField(max_length=20, choices=LicenseType, null=True)  # noqa: DJ001  null: not said
    custom_license = models.TextField(max_length=4000, blank=True, default="", db_default="")
    citation = models.JSONField(null=True)
    documentation_url = models.CharField(max_length=2000, blank=True, default="", db_default="")
    source_url = models.CharField(max_length=2000, blank=True, default="", db_default="")
    maintained_by = models.ManyToManyField(User, related_name="+")
    is_demo = models.BooleanField(default=False)
    # decided by a vote; only another vote takes it back
    is_endorsed = models.BooleanField(default=False, db_default=False)
    created_by = models.UUIDField(null=True)

    # Read by `selectors` with the row: the published version, None while there is none.
    current_version: str | None
    current_version_id: UUID | None
    # User names, in their order.
    maintainers: list[str]
    # Read for the review queue.
    waiting_since: datetime
    submitted_by: UUID | None
    submitted_by_name: str | None

    class Meta:
        indexes = [GinIndex(SEARCHED, name="words_of_benchmarks")]

    def __str__(self) -> str:
        return self.slug


class StatusChange(BaseModel):
    """One move of a benchmark: from where to where, by whom and why. Never changed."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="status_changes")
    from_status = models.CharField(max_length=20, choices=BenchmarkStatus)
    to_status = models.CharField(max_length=20, choices=BenchmarkStatus)
    changed_by = models.UUIDField(null=True)
    reason = models.CharField(max_length=1000, blank=True)

    # Read by `selectors` with the row: None for the system and for an account that is gone.
    changed_by_name: str | None

    class Meta:
        indexes = [models.Index(fields=["benchmark", "-created_at"], name="moves_of_a_benchmark")]

    def __str__(self) -> str:
        return f"{self.benchmark_id} {self.from_status} -> {self.to_status}"


class BenchmarkVersion(StatefulModel):
    """An edition of a benchmark: immutable and content-hashed once published."""

    Status = VersionStatus
    TRANSITIONS = {
        Status.DRAFT: {Status.PUBLISHED},
        Status.PUBLISHED: {Status.SUPERSEDED, Status.VOIDED},
        Status.SUPERSEDED: {Status.VOIDED},
    }
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="versions")
    version = models.CharField(max_length=64)
    status = models.CharField(max_length=20, choices=VersionStatus, default=VersionStatus.DRAFT)
    changelog = models.TextField(max_length=4000, blank=True)
    migration_notes = models.TextField(max_length=4000, blank=True, default="", db_default="")
    # the edition that readers had before this one
    parent = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")
    system_prompt = models.TextField(max_length=4000, blank=True)
    prompt_template = models.TextField(max_length=12000, default="{prompt}")
    cases_public = models.BooleanField(default=False)
    generation = models.JSONField(null=True)
    load_profile = models.JSONField(null=True)
    content_hash = models.CharField(max_length=64, null=True)  # noqa: DJ001  null: not published
    # A draft that a proposal has shown to everybody, so that voters can read what they decide on.
    is_proposed = models.BooleanField(default=False, db_default=False)
    published_at = models.DateTimeField(null=True)

    # Read by `selectors` with the row.
    test_case_count: int
    policies_in_force: "list[VerificationPolicy]"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "version"], name="version_numbers_are_unique"),
            models.UniqueConstraint(
                fields=["benchmark"], condition=Q(status="published"), name="one_published_version"
            ),
            models.CheckConstraint(
                name="published_versions_are_hashed",
                condition=Q(status="draft") | Q(content_hash__isnull=False, published_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_id} {self.version}"

    @property
    def is_compatible(self) -> bool | None:
        """Whether results compare with those on its parent; None without one."""
        return are_compatible(self.parent.version, self.version) if self.parent else None

    @property
    def policy(self) -> "VerificationPolicy | None":
        """The policy in force when `selectors` read this row."""
        return next(iter(self.policies_in_force), None)


class Metric(BaseModel):
    """A number that a run yields. Direction and kind have no default: authors decide."""

    version = models.ForeignKey(BenchmarkVersion, on_delete=models.CASCADE, related_name="metrics")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=64)
    title = models.CharField(max_length=160)
    unit = models.CharField(max_length=32, blank=True)
    direction = models.CharField(max_length=20, choices=MetricDirection)
    kind = models.CharField(max_length=20, choices=MetricKind)
    minimum = models.FloatField(null=True)
    maximum = models.FloatField(null=True)
    is_primary = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "name"], name="metric_names_are_unique"),
            models.UniqueConstraint(
                fields=["version"], condition=Q(is_primary=True), name="one_primary_metric"
            ),
            models.CheckConstraint(
                name="metric_bounds_are_ordered",
                condition=Q(minimum__isnull=True) | Q(maximum__isnull=True) | Q(minimum__lte=F("maximum")),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Case(BaseModel):
    """One item (`test_case` in the API): what is asked, what is right, how it is scored."""

    version = models.ForeignKey(BenchmarkVersion, on_delete=models.CASCADE, related_name="cases")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=128)
    prompt = models.TextField(max_length=20000)
    reference = models.TextField(max_length=4000)
    scorer = models.CharField(max_length=64)
    scorer_config = models.JSONField(default=dict)
    choices = models.JSONField(default=dict)
    weight = models.FloatField(default=1.0)
    group = models.CharField(max_length=128, null=True)  # noqa: DJ001  null: of no group
    tags = ArrayField(models.CharField(max_length=50), default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "key"], name="case_keys_are_unique"),
            models.CheckConstraint(name="case_weight_is_positive", condition=Q(weight__gt=0)),
        ]

    def __str__(self) -> str:
        return self.key


class PolicyDecision(models.TextChoices):
    AUTHOR = "author", _("Author")
    PROPOSAL = "proposal", _("Proposal")


class VerificationPolicy(BaseModel):
    """The rule by which claims on a version are judged. Numbered, immutable, not covered by its hash."""

    version = models.ForeignKey(BenchmarkVersion, on_delete=models.PROTECT, related_name="policies")
    number = models.PositiveIntegerField()
    delta = models.FloatField(default=0.02)
    alpha = models.FloatField(default=0.05)
    gamma = models.FloatField(default=0.01)
    tolerances = models.JSONField(default=dict)
    deciding_metrics = ArrayField(models.CharField(max_length=64))
    sessions = models.PositiveSmallIntegerField(default=1)
    quality_gate = models.JSONField(null=True)  # {benchmark_version_id, metric, minimum}
    decided_by = models.CharField(max_length=20, default=PolicyDecision.AUTHOR)
    effective_at = models.DateTimeField()
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "number"], name="policy_numbers_are_unique")
        ]

    def __str__(self) -> str:
        return f"{self.version_id} policy {self.number}"
