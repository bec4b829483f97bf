"""Keyset pages: a token names the last row seen, so that new rows neither repeat nor hide others."""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from .errors import InvalidInput
from .storable import unstorable

M = TypeVar("M", bound=Model)
DEFAULT_SIZE, LARGEST_SIZE = 20, 100
_COUNTED = re.compile(r"(offset|page):(\d{1,15})", re.ASCII)  # within PostgreSQL's bigint
_LARGEST = 2**63 - 1
_UNREADABLE = (ValueError, TypeError, OverflowError, RecursionError, ValidationError, FieldDoesNotExist)


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
    start = read_token(token, size=size)
    rows = rows[start:] if isinstance(start, int) else _after(rows, order, start)
    found = list(rows[: size + 1])
    items = found[:size]
    if len(found) <= size:
        return Page(items, "")
    if isinstance(start, int) and start:
        return Page(items, counted_token("offset", start + size))
    return Page(items, write_token([_value(items[-1], name.removeprefix("-")) for name in order]))


def counted_token(name: str, number: int) -> str:
    """For programs that still count rows (`offset`, from 0) or pages (`page`, from 1)."""
    return f"{name}:{number}"


def write_token(values: Sequence[Any]) -> str:
    """The token that says: after the row with these values."""
    return base64.urlsafe_b64encode(json.dumps(values, default=_spell).encode()).decode()


def read_token(token: str, *, size: int) -> int | list[Any]:
    """How many rows to leave out, or the values of the row before; InvalidInput if it is no token of ours."""
    if not token:
        return 0
    if counted := _COUNTED.fullmatch(token):
        name, number = counted[1], int(counted[2])
        return number if name == "offset" else max(0, number - 1) * size
    try:
        values = json.loads(base64.urlsafe_b64decode(token.encode()))
    except _UNREADABLE as error:
        raise invalid_token() from error
    if not isinstance(values, list) or any(unstorable(values)):
        raise invalid_token()
    return values


def invalid_token() -> InvalidInput:
    message = _("This page token is not valid. Start from the first page.")
    return InvalidInput.of("page_token", "invalid_page_token", message)


def _after(rows: QuerySet[M], order: Sequence[str], values: Sequence[Any]) -> QuerySet[M]:
    try:
        return rows.filter(_beyond(order, values))
    except _UNREADABLE as error:
        raise invalid_token() from error


def _beyond(order: Sequence[str], values: Sequence[Any]) -> Q:
    """(a, b) > (x, y) written out, since directions may differ."""
    if len(order) != len(values):
        raise ValueError("another ordering")
    beyond, equal = Q(), Q()
    for name, value in zip(order, values, strict=True):
        if isinstance(value, int) and abs(value) > _LARGEST:
            raise OverflowError("no column holds this")
        column = name.removeprefix("-")
        compare = "lt" if name.startswith("-") else "gt"
        beyond |= equal & Q(**{f"{column}__{compare}": value})
        equal &= Q(**{column: value})
    return beyond


def _value(row: Any, path: str) -> Any:
    for part in path.split("__"):
        row = getattr(row, part)
    return row


def _spell(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
