from django.db import models
from django.db.models.functions import Lower

from exchange.accounts.models import Organization
from exchange.core.models import BaseModel


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

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "served_name"], name="served_names_are_unique")
        ]

    def __str__(self) -> str:
        return self.served_name
