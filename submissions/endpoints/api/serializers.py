"""The one shape of endpoints, deployments and models, for every door."""

from typing import Any

from rest_framework import serializers

from exchange.api.fields import DecimalTextField, NameField, OptionalText
from exchange.api.forms import ListForm
from llm_benchmark.measure.protocols import PROTOCOLS
from submissions.endpoints.deployments import BY_HAND
from submissions.endpoints.models import (
    CAPABILITIES,
    SOURCES,
    STATES,
    CredentialSource,
    Endpoint,
    LanguageModel,
)

ASKED_BY = list(PROTOCOLS)


class CapabilityField(serializers.ChoiceField):
    """In capitals too, as the manager writes them."""

    def to_internal_value(self, data: Any) -> str:
        return str(super().to_internal_value(data.lower() if isinstance(data, str) else data))


class EndpointSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    organization_id = serializers.UUIDField()
    name = serializers.CharField()
    provider_name = serializers.CharField()
    base_url = serializers.CharField()
    dialect = serializers.SerializerMethodField()
    has_credential = serializers.BooleanField()
    credential_source = serializers.ChoiceField(CredentialSource.choices)
    operator_allowed = serializers.BooleanField()
    is_simulated = serializers.BooleanField()
    deployment_count = serializers.IntegerField()
    is_demo = serializers.BooleanField(source="organization.is_demo")
    discovered_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    protocol = serializers.CharField()

    def get_dialect(self, endpoint: Endpoint) -> str:
        return endpoint.dialect.get("name", "")


class DeploymentSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    endpoint_id = serializers.UUIDField()
    organization_id = serializers.UUIDField()
    provider_name = serializers.CharField(source="endpoint.provider_name")
    served_name = serializers.CharField()
    model_id = serializers.UUIDField()
    model_name = serializers.CharField(source="model.name")
    model_publisher = serializers.CharField(source="model.publisher")
    model_version = serializers.CharField(source="model.version")
    is_listed = serializers.BooleanField()
    is_simulated = serializers.BooleanField(source="endpoint.is_simulated")
    is_demo = serializers.BooleanField(source="endpoint.organization.is_demo")
    created_at = serializers.DateTimeField()
    status = serializers.ChoiceField(choices=STATES)
    status_reason = OptionalText(allow_null=True)
    capability = serializers.ChoiceField(choices=CAPABILITIES)
    capability_source = serializers.ChoiceField(choices=SOURCES)
    capability_confidence = serializers.FloatField()
    protocol = OptionalText(allow_null=True)
    first_seen_at = serializers.DateTimeField()
    last_seen_at = serializers.DateTimeField(allow_null=True)
    last_success_at = serializers.DateTimeField(allow_null=True)
    last_failure_at = serializers.DateTimeField(allow_null=True)


class DeploymentStatusChangeSerializer(serializers.Serializer):
    old_status = serializers.ChoiceField(choices=STATES)
    new_status = serializers.ChoiceField(choices=STATES)
    reason = serializers.CharField()
    campaign_id = serializers.UUIDField(allow_null=True)
    changed_by_name = serializers.CharField(source="changed_by.username", allow_null=True, default=None)
    changed_at = serializers.DateTimeField()


class PriceSerializer(serializers.Serializer):
    """US dollars for a million tokens."""

    id = serializers.UUIDField()
    deployment_id = serializers.UUIDField()
    input_per_million = DecimalTextField()
    output_per_million = DecimalTextField()
    effective_at = serializers.DateTimeField()
    set_by_name = serializers.CharField(source="set_by.username", allow_null=True, default=None)
    created_at = serializers.DateTimeField()


class LanguageModelSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    publisher = serializers.CharField()
    name = serializers.CharField()
    version = serializers.CharField()
    publisher_verified = serializers.SerializerMethodField()
    aliases = serializers.SerializerMethodField()
    is_demo = serializers.BooleanField()
    created_at = serializers.DateTimeField()

    def get_publisher_verified(self, model: LanguageModel) -> bool:
        return model.verified_publisher_id is not None

    def get_aliases(self, model: LanguageModel) -> list[str]:
        return sorted(str(alias) for alias in model.aliases.all())


class ListEndpointsRequestSerializer(ListForm):
    organization_id = serializers.UUIDField(required=False)


class RegisterEndpointRequestSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    name = NameField(max_length=100)
    provider_name = NameField(max_length=100)
    base_url = serializers.CharField(max_length=500)
    api_key = serializers.CharField(
        max_length=512, default="", allow_blank=True, trim_whitespace=False, write_only=True
    )
    protocol = serializers.ChoiceField(choices=ASKED_BY, default="", allow_blank=True)


class GetEndpointRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="endpoint_id")


class UpdateEndpointRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="endpoint_id")
    name = NameField(max_length=100, required=False)
    provider_name = NameField(max_length=100, required=False)
    base_url = serializers.CharField(max_length=500, required=False)
    api_key = serializers.CharField(
        max_length=512, required=False, allow_blank=True, trim_whitespace=False, write_only=True
    )
    protocol = serializers.ChoiceField(choices=ASKED_BY, required=False, allow_blank=True)


class DiscoverModelsRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="endpoint_id")


class ListDeploymentsRequestSerializer(ListForm):
    endpoint_id = serializers.UUIDField(required=False)
    status = serializers.ChoiceField(choices=STATES, default="", allow_blank=True)
    capability = CapabilityField(choices=CAPABILITIES, default="", allow_blank=True)


class GetDeploymentRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="deployment_id")


class UpdateDeploymentRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="deployment_id")
    capability = CapabilityField(choices=BY_HAND, required=False)
    is_disabled = serializers.BooleanField(required=False)


class ListDeploymentStatusChangesRequestSerializer(ListForm):
    deployment_id = serializers.UUIDField()


class ListPricesRequestSerializer(ListForm):
    deployment_id = serializers.UUIDField()


class SetPriceRequestSerializer(serializers.Serializer):
    deployment_id = serializers.UUIDField()
    input_per_million = DecimalTextField()
    output_per_million = DecimalTextField()
    effective_at = serializers.DateTimeField(required=False)


class ListModelsRequestSerializer(ListForm):
    query = serializers.CharField(max_length=200, default="", allow_blank=True)


class GetModelRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="model_id")
