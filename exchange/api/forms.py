"""From what a door received to a service's keyword arguments."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from exchange.core import paging
from exchange.core.errors import FieldError, InvalidInput

_LONGEST_COUNT = 9
OLDER_NAMES = {"limit": "page_size", "per_page": "page_size"}


def parse(form_class: type[serializers.Serializer], data: Any) -> dict[str, Any]:
    """Clean a request from any door.

    Raises:
        InvalidInput: naming each field that is wrong; unknown fields are wrong too.
    """
    if not isinstance(data, Mapping):
        raise InvalidInput.of("", "not_an_object", _("Send a JSON object."))
    form = form_class(data=data)
    unknown = list(_unknown(form, data, ""))
    valid = form.is_valid()
    if unknown or not valid:
        raise InvalidInput(errors=[*unknown, *_flat(form.errors, "")])
    return dict(form.validated_data)


def _unknown(form: Any, data: Any, path: str) -> Iterator[FieldError]:
    if isinstance(form, serializers.ListSerializer):
        for index, item in enumerate(data if isinstance(data, list) else ()):
            yield from _unknown(form.child, item, f"{path}[{index}]")
    elif isinstance(form, serializers.Serializer) and isinstance(data, Mapping):
        for name, value in data.items():
            here = f"{path}.{name}" if path else str(name)
            if name in form.fields:
                yield from _unknown(form.fields[name], value, here)
            else:
                yield FieldError(here, "unknown_field", _("There is no such field."))


def _flat(errors: Any, path: str) -> Iterator[FieldError]:
    if isinstance(errors, Mapping):
        for name, inner in errors.items():
            yield from _flat(inner, _join(path, name))
    elif isinstance(errors, list):
        for index, inner in enumerate(errors):
            nested = isinstance(inner, (Mapping, list))
            yield from _flat(inner, f"{path}[{index}]" if nested else path)
    else:
        yield FieldError(path, getattr(errors, "code", "invalid") or "invalid", str(errors))


def _join(path: str, name: object) -> str:
    if name == "non_field_errors":
        return path
    if isinstance(name, int):
        return f"{path}[{name}]"
    return f"{path}.{name}" if path else str(name)


class ListForm(serializers.Serializer):
    """What every list takes."""

    page_size = serializers.IntegerField(
        min_value=1, max_value=paging.LARGEST_SIZE, default=paging.DEFAULT_SIZE
    )
    page_token = serializers.CharField(max_length=2000, default="", allow_blank=True)


def query(request: Any, **path: Any) -> dict[str, Any]:
    """A list's query parameters, with the names of the older systems (`limit/offset`, `page/per_page`)."""
    given = {OLDER_NAMES.get(name, name): value for name, value in request.query_params.items()}
    offset = _counted(given.pop("offset", None), name="offset")
    number = _counted(given.pop("page", None), name="page")
    if number:
        offset = (number - 1) * int(given.get("page_size") or paging.DEFAULT_SIZE)
    if offset:
        given["page_token"] = paging.offset_token(offset)
    return {**given, **path}


def _counted(value: str | None, *, name: str) -> int:
    if value is None:
        return 0
    if not value.isascii() or not value.isdigit() or len(value) > _LONGEST_COUNT:
        raise InvalidInput.of(name, "invalid", _("This must be a whole number from 0."))
    return int(value)


def split_page(form: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A list form's filters, and its arguments for `paging.page`."""
    filters = dict(form)
    size, token = filters.pop("page_size"), filters.pop("page_token")
    return filters, {"size": size, "token": token}
