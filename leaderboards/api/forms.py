"""What several requests about boards take."""

from rest_framework import serializers

from submissions.models import VerificationLevel


class BoardRowsForm(serializers.Serializer):
    """Which board, and which of its rows."""

    benchmark_id = serializers.UUIDField()
    version = serializers.CharField(max_length=64, default="", allow_blank=True)
    verified_only = serializers.BooleanField(default=True)
    level = serializers.ChoiceField(choices=VerificationLevel.choices, default="", allow_blank=True)
    organization_id = serializers.UUIDField(default=None, allow_null=True)
    query = serializers.CharField(max_length=160, default="", allow_blank=True)
