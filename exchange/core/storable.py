"""What no door takes, in whatever field it stands: PostgreSQL, JSON or recursion could not bear it."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from .errors import FieldError

DEEPEST = 32


def unstorable(data: Any, path: str = "", depth: int = 0) -> Iterator[FieldError]:
    """Each NUL, lone surrogate, NaN or infinity in plain `data`, and where it is nested more than DEEPEST."""
    if depth > DEEPEST:
        yield FieldError(path, "nested_too_deeply", _("This is nested too deeply."))
    elif isinstance(data, str):
        yield from _text(data, path)
    elif isinstance(data, float) and not math.isfinite(data):
        yield FieldError(path, "not_finite", _("This must be a finite number."))
    elif isinstance(data, Mapping):
        for name, value in data.items():
            yield from _member(str(name), value, path, depth)
    elif isinstance(data, (list, tuple)):
        for index, item in enumerate(data):
            yield from unstorable(item, f"{path}[{index}]", depth + 1)


def _member(name: str, value: Any, path: str, depth: int) -> Iterator[FieldError]:
    wrong = list(_text(name, path))
    yield from wrong or unstorable(value, f"{path}.{name}" if path else name, depth + 1)


def _text(text: str, path: str) -> Iterator[FieldError]:
    if "\0" in text:
        yield FieldError(path, "null_characters_not_allowed", _("Null characters are not allowed."))
    if not _is_unicode(text):
        yield FieldError(path, "surrogate_characters_not_allowed", _("Lone surrogates are not allowed."))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
