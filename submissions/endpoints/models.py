from datetime import datetime

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now

from exchange.accounts.models import Organization, User
from exchange.core.models import BaseModel
from llm_benchmark.measure.probing.capability import Capability, Source
from llm_benchmark.measure.probing.health import State

CAPABILITIES = [(str(value), str(value)) for value in Capability]
SOURCES = [(str(value), str(value)) for value in Source]
STATES = [(str(value), str(value)) for value in State]
_UNKNOWN, _NEW = Capability.UNKNOWN.value, State.NEW.value


class LanguageModel(BaseModel):
    """Identity of a system under test. Global: one row per exact (publisher, name, version)."""

    publisher = models.CharField(max_length=100)
    name = models.CharField(max_length=200)
    version = models.CharField(max_length=100, blank=True)
    verified_publisher = models.ForeignKey(
        Organization, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["publisher", "name", "version"], name="one_row_per_model")
        ]

    def __str__(self) -> str:
        return f"{self.publisher} {self.name} {self.version}".strip()


class ModelAlias(BaseModel):
    """Another spelling of a model's name, entered by a curator; never guessed."""

    model = models.ForeignKey(LanguageModel, on_delete=models.CASCADE, related_name="aliases")
    publisher = models.CharField(max_length=100)
    name = models.CharField(max_length=200)
    version = models.CharField(max_length=100, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("publisher"), Lower("name"), Lower("version"), name="aliases_are_unique"
            )
        ]

    def __str__(self) -> str:
        return f"{self.publisher} {self.name} {self.version}".strip()


class Endpoint(BaseModel):
    """A URL with a protocol and a credential. Private to its organization."""

    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=100)
    provider_name = models.CharField(max_length=100)
    base_url = models.CharField(max_length=500)
    origin = models.CharField(max_length=300)
    protocol = models.CharField(max_length=20, blank=True, db_default="")  # "": as its URL says, or chat
    dialect = models.JSONField(default=dict)
    operator_allowed = models.BooleanField(default=False)
    is_simulated = models.BooleanField(default=False)
    discovered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "name"], name="endpoint_names_are_unique")
        ]

    def __str__(self) -> str:
        return self.name


class CredentialSource(models.TextChoices):
    NONE = "none"
    STORED = "stored"
    ENVIRONMENT = "environment"


class EndpointCredential(BaseModel):
    """An endpoint's key, sealed and bound to row and origin. Row-level security guards this table.

    In place of the key may stand the name of a variable of the exchange's environment; `source` says which.
    """

    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="+")
    endpoint = models.OneToOneField(Endpoint, on_delete=models.CASCADE, related_name="credential")
    sealed_key = models.BinaryField()
    source = models.CharField(
        max_length=20,
        choices=CredentialSource,
        default=CredentialSource.STORED,
        db_default=CredentialSource.STORED,
    )

    def __str__(self) -> str:
        return f"credential of {self.endpoint_id}"


class Deployment(BaseModel):
    """One model as served at one endpoint, under the name the endpoint gives it."""

    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="+")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="deployments")
    model = models.ForeignKey(LanguageModel, on_delete=models.PROTECT, related_name="deployments")
    served_name = models.CharField(max_length=256)
    is_listed = models.BooleanField(default=True)
    metadata = models.JSONField(default=dict, db_default={})  # as the endpoint lists the model

    capability = models.CharField(max_length=20, choices=CAPABILITIES, default=_UNKNOWN, db_default=_UNKNOWN)
    capability_source = models.CharField(
        max_length=20, choices=SOURCES, default=_UNKNOWN, db_default=_UNKNOWN
    )
    capability_confidence = models.FloatField(default=0, db_default=0.0)
    protocol = models.CharField(max_length=20, blank=True, db_default="")  # how it is asked; "": not known
    status = models.CharField(max_length=20, choices=STATES, default=_NEW, db_default=_NEW)
    status_reason = models.CharField(max_length=64, blank=True, db_default="")
    last_seen_at = models.DateTimeField(null=True)
    last_success_at = models.DateTimeField(null=True)
    last_failure_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "served_name"], name="served_names_are_unique")
        ]

    def __str__(self) -> str:
        return self.served_name

    @property
    def first_seen_at(self) -> datetime:
        """A deployment is made when a list first names it."""
        return self.created_at


class StatusChange(models.Model):
    """One step of a deployment's history. `campaign_id` says which campaign brought it, if one did."""

    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="status_changes")
    old_status = models.CharField(max_length=20, choices=STATES)
    new_status = models.CharField(max_length=20, choices=STATES)
    reason = models.CharField(max_length=64)
    campaign_id = models.UUIDField(null=True)
    changed_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["deployment", "-id"], name="status_history")]

    def __str__(self) -> str:
        return f"{self.old_status} → {self.new_status}"


class Price(BaseModel):
    """What a deployment costs from a moment on: US dollars for a million tokens. The last one is in force."""

    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="prices")
    input_per_million = models.DecimalField(max_digits=20, decimal_places=8)
    output_per_million = models.DecimalField(max_digits=20, decimal_places=8)
    effective_at = models.DateTimeField()
    set_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="prices_are_not_negative",
                condition=Q(input_per_million__gte=0, output_per_million__gte=0),
            ),
        ]
        indexes = [models.Index(fields=["deployment", "-effective_at"], name="price_history")]

    def __str__(self) -> str:
        return f"{self.input_per_million} in, {self.output_per_million} out"
