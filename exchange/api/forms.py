"""From what a door received to a service's keyword arguments."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from exchange.core import paging
from exchange.core.errors import MOST_NAMED, FieldError, InvalidInput
from exchange.core.storable import unstorable

_LONGEST_COUNT = 9
OLDER_NAMES = {"limit": "page_size", "per_page": "page_size"}


def parse(form_class: type[serializers.Serializer], data: Mapping[str, Any]) -> dict[str, Any]:
    """Clean a request from any door.

    Raises:
        InvalidInput: naming each field that is wrong; unknown fields are wrong too.
    """
    if wrong := list(islice(unstorable(data), MOST_NAMED)):
        raise InvalidInput(errors=wrong)
    form = form_class(data=data)
    unknown = list(_unknown(form, data, ""))
    valid = form.is_valid()
    if unknown or not valid:
        raise InvalidInput(errors=[*unknown, *_flat(form.errors, "", form)])
    return dict(form.validated_data)


def body(request: Any, **path: Any) -> dict[str, Any]:
    """The JSON object that a program sent, with what the path says."""
    if not isinstance(request.data, Mapping):
        raise InvalidInput.of("", "not_an_object", _("Send a JSON object."))
    return {**request.data, **path}


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


def _flat(errors: Any, path: str, field: Any) -> Iterator[FieldError]:
    if isinstance(errors, Mapping):
        for name, inner in errors.items():
            yield from _flat(inner, _join(path, name), _below(field, name))
    elif isinstance(errors, list):
        for index, inner in enumerate(errors):
            nested = isinstance(inner, (Mapping, list))
            where = (f"{path}[{index}]", _below(field, index)) if nested else (path, field)
            yield from _flat(inner, *where)
    else:
        yield FieldError(path, getattr(errors, "code", "invalid") or "invalid", _said(errors, field))


def _below(field: Any, name: object) -> Any:
    return getattr(field, "fields", {}).get(name) or getattr(field, "child", None)


def _said(error: Any, field: Any) -> str:
    """A refused choice names those that there are."""
    names = [str(choice) for choice in getattr(field, "choices", ()) if choice != ""]
    if getattr(error, "code", "") != "invalid_choice" or not names:
        return str(error)
    return _("%(error)s Choose from: %(names)s.") % {"error": error, "names": ", ".join(names)}


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
    given: dict[str, Any] = {}
    for name, values in request.query_params.lists():
        name_now = OLDER_NAMES.get(name, name)
        if len(values) > 1 or name_now in given:
            raise InvalidInput.of(name, "repeated", _("Say this once."))
        given[name_now] = values[0]
    start = [name for name in ("page_token", "offset", "page") if name in given]
    if len(start) > 1:
        raise InvalidInput.of(start[1], "repeated", _("Name the page once: by page_token, offset or page."))
    if start and start != ["page_token"]:
        given["page_token"] = _counted(start[0], given.pop(start[0]))
    return {**given, **path}


def _counted(name: str, value: str) -> str:
    least = 1 if name == "page" else 0
    whole = value.isascii() and value.isdigit() and len(value) <= _LONGEST_COUNT
    if not whole or int(value) < least:
        raise InvalidInput.of(name, "invalid", _("This must be a whole number from %d.") % least)
    return paging.counted_token(name, int(value))


def split_page(form: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A list form's filters, and its arguments for `paging.page`."""
    filters = dict(form)
    size, token = filters.pop("page_size"), filters.pop("page_token")
    return filters, {"size": size, "token": token}
