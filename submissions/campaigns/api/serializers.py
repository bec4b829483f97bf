"""The one shape of campaigns, their rows and their comparisons, for every door."""

from rest_framework import serializers

from exchange.api.fields import OptionalChoice, OptionalText
from exchange.api.forms import ListForm
from submissions.campaigns.comparing import ItemChange
from submissions.campaigns.models import (
    CampaignMode,
    CampaignStatus,
    CampaignVia,
    ItemOutcome,
    ItemStage,
    MeasurementStatus,
)
from submissions.endpoints.models import CAPABILITIES, SOURCES, STATES
from submissions.runs.api.serializers import SIDES

FORMATS = ["json", "csv"]


class CampaignEndpointSerializer(serializers.Serializer):
    endpoint_id = serializers.UUIDField()
    endpoint_name = serializers.CharField(source="endpoint.name")
    fault_code = OptionalText(allow_null=True)
    fault_message = OptionalText(allow_null=True)


class CampaignSerializer(serializers.Serializer):
    """Takes what the selectors of campaigns give."""

    id = serializers.UUIDField()
    organization_id = serializers.UUIDField()
    endpoint_id = serializers.UUIDField(allow_null=True)
    endpoint_name = serializers.CharField(source="endpoint.name", allow_null=True, default=None)
    deployment_id = serializers.UUIDField(allow_null=True)
    mode = serializers.ChoiceField(choices=CampaignMode.choices)
    profile_version_id = serializers.UUIDField(source="profile_id", allow_null=True)
    profile_slug = serializers.CharField(source="profile.benchmark.slug", allow_null=True, default=None)
    profile_version = serializers.CharField(source="profile.version", allow_null=True, default=None)
    refresh = serializers.BooleanField()
    status = serializers.ChoiceField(choices=CampaignStatus.choices)
    via = serializers.ChoiceField(choices=CampaignVia.choices)
    requested_by_name = serializers.CharField(source="requested_by.username", allow_null=True, default=None)
    fault_code = OptionalText(allow_null=True)
    fault_message = OptionalText(allow_null=True)
    endpoints = CampaignEndpointSerializer(many=True, source="sweeps.all")
    percent = serializers.FloatField(allow_null=True)
    item_count = serializers.IntegerField()
    done_count = serializers.IntegerField()
    failed_measurement_count = serializers.IntegerField()
    outcomes = serializers.DictField(child=serializers.IntegerField())
    is_demo = serializers.BooleanField(source="organization.is_demo")
    created_at = serializers.DateTimeField()
    cancel_requested_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class CampaignItemSerializer(serializers.Serializer):
    """Takes what `selectors.list_items` gives."""

    id = serializers.UUIDField()
    campaign_id = serializers.UUIDField()
    deployment_id = serializers.UUIDField()
    endpoint_id = serializers.UUIDField()
    endpoint_name = serializers.CharField(source="endpoint.name")
    served_name = serializers.CharField(source="deployment.served_name")
    model_id = serializers.UUIDField(source="deployment.model_id")
    position = serializers.IntegerField()
    stage = serializers.ChoiceField(choices=ItemStage.choices, source="live_stage")
    outcome = OptionalChoice(choices=ItemOutcome.choices, allow_null=True)
    initial_status = serializers.ChoiceField(choices=STATES)
    final_status = OptionalChoice(choices=STATES, allow_null=True)
    status_reason = OptionalText(allow_null=True)
    message = OptionalText(allow_null=True)
    capability = OptionalChoice(choices=CAPABILITIES, allow_null=True)
    capability_source = OptionalChoice(choices=SOURCES, allow_null=True)
    capability_confidence = serializers.FloatField(allow_null=True)
    protocol = OptionalText(allow_null=True)
    measurement_status = serializers.ChoiceField(choices=MeasurementStatus.choices)
    measurement_side = OptionalChoice(choices=SIDES, allow_null=True)
    measurement_code = OptionalText(allow_null=True)
    measurement_message = OptionalText(allow_null=True)
    performance_run_id = serializers.UUIDField(allow_null=True)
    attempt_count = serializers.IntegerField()
    is_simulated = serializers.BooleanField(source="endpoint.is_simulated")
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class CampaignProbeSerializer(serializers.Serializer):
    step = serializers.CharField()
    number = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_null=True)
    latency_ms = serializers.FloatField()
    retry_after_seconds = serializers.FloatField(allow_null=True)
    excerpt = serializers.CharField()


class CampaignResultSerializer(CampaignItemSerializer):
    probes = CampaignProbeSerializer(many=True)
    figures = serializers.JSONField()


class CampaignChangeSerializer(serializers.Serializer):
    deployment_id = serializers.UUIDField(source="item.deployment_id")
    endpoint_name = serializers.CharField(source="item.endpoint.name")
    served_name = serializers.CharField(source="item.deployment.served_name")
    previous_status = serializers.SerializerMethodField()
    status = serializers.SerializerMethodField()
    previous_reason = serializers.SerializerMethodField()
    reason = serializers.SerializerMethodField()
    is_changed = serializers.BooleanField()
    ratios = serializers.DictField(child=serializers.FloatField())

    def get_previous_status(self, change: ItemChange) -> str | None:
        return change.previous.final_status or None

    def get_status(self, change: ItemChange) -> str | None:
        return change.item.final_status or None

    def get_previous_reason(self, change: ItemChange) -> str | None:
        return change.previous.status_reason or None

    def get_reason(self, change: ItemChange) -> str | None:
        return change.item.status_reason or None


class CampaignComparisonSerializer(serializers.Serializer):
    campaign = CampaignSerializer()
    previous = CampaignSerializer()
    appeared = CampaignItemSerializer(many=True)
    vanished = CampaignItemSerializer(many=True)
    changes = CampaignChangeSerializer(many=True)


class CampaignExportSerializer(serializers.Serializer):
    campaign_id = serializers.UUIDField()
    name = serializers.CharField()
    media_type = serializers.CharField()
    content = serializers.FileField()


class StartCampaignRequestSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    mode = serializers.ChoiceField(choices=CampaignMode.choices)
    endpoint_id = serializers.UUIDField(allow_null=True, default=None)
    deployment_id = serializers.UUIDField(allow_null=True, default=None)
    profile_version_id = serializers.UUIDField(allow_null=True, default=None)
    refresh = serializers.BooleanField(allow_null=True, default=None)


class ListCampaignsRequestSerializer(ListForm):
    organization_id = serializers.UUIDField(required=False)
    endpoint_id = serializers.UUIDField(required=False)
    status = serializers.ChoiceField(choices=CampaignStatus.choices, default="", allow_blank=True)


class GetCampaignRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="campaign_id")


class CancelCampaignRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="campaign_id")


class ListCampaignItemsRequestSerializer(ListForm):
    campaign_id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=STATES, default="", allow_blank=True)
    outcome = serializers.ChoiceField(choices=ItemOutcome.choices, default="", allow_blank=True)


class ListCampaignResultsRequestSerializer(ListCampaignItemsRequestSerializer):
    pass


class CompareCampaignsRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="campaign_id")
    previous = serializers.UUIDField(source="previous_id", required=False)


class ExportCampaignRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="campaign_id")
    format = serializers.ChoiceField(choices=FORMATS, default="json")
