"""Fields that several forms share."""

import math
from decimal import Decimal, InvalidOperation
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


class BlankAsNull:
    """The table keeps "" where the API says null."""

    def get_attribute(self, instance: Any) -> Any:
        return super().get_attribute(instance) or None  # type: ignore[misc]


class OptionalText(BlankAsNull, serializers.CharField):
    pass


class OptionalChoice(BlankAsNull, serializers.ChoiceField):
    pass


class DecimalTextField(serializers.CharField):
    """An exact decimal number, as text in both directions; JSON's numbers are taken too."""

    default_error_messages = {"not_decimal": _("This must be a decimal number, such as 0.15.")}

    def to_internal_value(self, data: Any) -> Decimal:  # type: ignore[override]  # exact on our side
        try:
            return Decimal(super().to_internal_value(data))
        except InvalidOperation:
            self.fail("not_decimal")

    def to_representation(self, value: Decimal) -> str:  # type: ignore[override]  # as above
        """Without zeros at the end: 0.15, 2."""
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text


class NameField(serializers.CharField):
    """What a thing is called, on one line that can be seen and read in one direction."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.validators.append(name_form)


_NOT_FINITE = {"nan", "inf", "-inf", "+inf", "infinity", "-infinity"}
