"""Fields of this app's forms."""

import io
from typing import Any

from rest_framework import serializers

DIGEST = r"^[0-9a-f]{64}\Z"


class ContentField(serializers.FileField):
    """Bytes, or a file that was uploaded; cleaned, a file to read from."""

    def to_internal_value(self, data: Any) -> Any:
        return io.BytesIO(data) if isinstance(data, bytes) else super().to_internal_value(data)
