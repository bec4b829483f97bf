"""Fields that several forms share."""

import math
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from exchange.accounts.identifiers import name_form


class FiniteFloatField(serializers.FloatField):
    """A number; NaN, infinities, booleans and numbers in quotes are refused."""

    default_error_messages = {"not_finite": _("This must be a finite number.")}

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool):
            self.fail("invalid")
        if isinstance(data, str):
            self.fail("not_finite" if data.strip().lower() in _NOT_FINITE else "invalid")
        try:
            value = super().to_internal_value(data)
        except OverflowError:  # a whole number too large for a float
            self.fail("not_finite")
        if not math.isfinite(value):
            self.fail("not_finite")
        return value


class NameField(serializers.CharField):
    """What a thing is called, on one line that can be seen and read in one direction."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.validators.append(name_form)


_NOT_FINITE = {"nan", "inf", "-inf", "+inf", "infinity", "-infinity"}
