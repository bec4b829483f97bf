"""Keyset pages: a token names the last row seen, so that new rows neither repeat nor hide others."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from .errors import InvalidInput

M = TypeVar("M", bound=Model)
DEFAULT_SIZE, LARGEST_SIZE = 20, 100
_OFFSET = "offset:"


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """Some rows, and the token of those after them ("" when there are none)."""

    items: Sequence[M]
    next_page_token: str


def page(rows: QuerySet[M], *, size: int = DEFAULT_SIZE, token: str = "") -> Page[M]:
    """The page of `rows` that `token` names; `rows` are ordered by columns without nulls, the id last.

    Raises:
        InvalidInput: the token is not one of ours.
    """
    order = [str(name) for name in rows.query.order_by]
    rows = _after(rows, order, token)
    found = list(rows[: size + 1])
    more = len(found) > size
    items = found[:size]
    if not more:
        return Page(items, "")
    if token.startswith(_OFFSET):
        return Page(items, f"{_OFFSET}{int(token.removeprefix(_OFFSET)) + size}")
    return Page(items, _token_of(items[-1], order))


def offset_token(offset: int) -> str:
    """For programs that still count rows (`limit/offset`, `page/per_page`)."""
    return f"{_OFFSET}{offset}" if offset else ""


def _after(rows: QuerySet[M], order: Sequence[str], token: str) -> QuerySet[M]:
    if not token:
        return rows
    try:
        if token.startswith(_OFFSET):
            return rows[int(token.removeprefix(_OFFSET)) :]
        values = json.loads(base64.urlsafe_b64decode(token.encode()))
        return rows.filter(_beyond(order, values))
    except (ValueError, TypeError, ValidationError, FieldDoesNotExist) as error:
        raise InvalidInput.of(
            "page_token", "invalid_page_token", _("This page token is not valid. Start from the first page.")
        ) from error


def _beyond(order: Sequence[str], values: Sequence[Any]) -> Q:
    """(a, b) > (x, y) written out, since directions may differ."""
    if len(order) != len(values):
        raise ValueError("another ordering")
    beyond, equal = Q(), Q()
    for name, value in zip(order, values, strict=True):
        column = name.removeprefix("-")
        compare = "lt" if name.startswith("-") else "gt"
        beyond |= equal & Q(**{f"{column}__{compare}": value})
        equal &= Q(**{column: value})
    return beyond


def _token_of(row: Model, order: Sequence[str]) -> str:
    values = [_value(row, name.removeprefix("-")) for name in order]
    return base64.urlsafe_b64encode(json.dumps(values, default=_spell).encode()).decode()


def _value(row: Any, path: str) -> Any:
    for part in path.split("__"):
        row = getattr(row, part)
    return row


def _spell(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
