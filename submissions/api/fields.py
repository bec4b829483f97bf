"""Fields of this app's forms."""

import io
import math
from typing import Any

from rest_framework import serializers

from exchange.api.fields import FiniteFloatField

DIGEST = r"^[0-9a-f]{64}\Z"


class ContentField(serializers.FileField):
    """Bytes, or a file that was uploaded; cleaned, a file to read from."""

    def to_internal_value(self, data: Any) -> Any:
        return io.BytesIO(data) if isinstance(data, bytes) else super().to_internal_value(data)


class NumberField(FiniteFloatField):
    """Says `not_finite` of NaN at every door: JSON brings it as a number, protobuf as a word."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, float) and not math.isfinite(data):
            self.fail("not_finite")
        return super().to_internal_value(data)
