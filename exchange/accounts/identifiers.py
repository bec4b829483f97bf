"""The forms of the names that people and organizations go by."""

import unicodedata
from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from exchange.core.errors import FieldError, InvalidInput

username_form = RegexValidator(
    r"^[a-z][a-z0-9_-]{2,49}$",
    _("Use 3 to 50 lower-case letters, digits, - or _, starting with a letter."),
)
slug_form = RegexValidator(
    r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", _("Use lower-case letters, digits and single hyphens.")
)
github_form = RegexValidator(
    r"^[A-Za-z0-9](-?[A-Za-z0-9]){0,38}\Z",
    _("This is no GitHub user name: letters, digits and single hyphens."),
)
_orcid = RegexValidator(
    r"^[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]\Z",
    _("Write the ORCID iD as 0000-0002-1825-0097, without an address."),
)

_UNPRINTED = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_SEEN = frozenset("LNPS")


def name_form(value: str) -> None:
    """One line that can be seen: it stands in the subjects of mails, and beside other names."""
    if any(unicodedata.category(sign) in _UNPRINTED or sign in _TURNING for sign in value):
        text = _("Write a name on one line, without control characters or signs that turn text around.")
        raise ValidationError(text, "not_one_line")
    if value and not any(unicodedata.category(sign)[0] in _SEEN for sign in value):
        raise ValidationError(_("Write a name that can be seen."), "invisible")


def orcid_form(value: str) -> None:
    """Four groups of four, the last character a check digit by ISO 7064 mod 11-2, X for ten."""
    _orcid(value)
    total, digits = 0, value.replace("-", "")
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    if "0123456789X"[(12 - total % 11) % 11] != digits[-1]:
        raise ValidationError(_("The last character does not fit the others. Check the digits."), "checksum")


def check(field: str, validator: Callable[[str], None], value: str) -> None:
    """Raise InvalidInput that names `field` unless the validator takes the value."""
    try:
        validator(value)
    except ValidationError as error:
        problems = [FieldError(field, item.code or "invalid", item.messages[0]) for item in error.error_list]
        raise InvalidInput(errors=problems) from error
