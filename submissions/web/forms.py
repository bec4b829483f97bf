"""What the pages of the wizard take in their addresses."""

from uuid import UUID

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

_SUBJECT = r"^(deployment|organization):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z"


class PlaceSerializer(serializers.Serializer):
    """Which benchmark, and what the claim is about: a deployment, or a model in an organization's name."""

    benchmark = serializers.UUIDField(error_messages={"required": _("Choose a benchmark.")})
    subject = serializers.RegexField(
        _SUBJECT,
        error_messages={
            "required": _("Choose what was measured."),
            "invalid": _("Choose one of the listed deployments or organizations."),
        },
    )


def split_subject(subject: str) -> tuple[str, UUID]:
    """`deployment` or `organization`, and its id."""
    kind, _colon, found = subject.partition(":")
    return kind, UUID(found)
