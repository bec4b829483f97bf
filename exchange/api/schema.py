"""One operation of the API's document: what is true of all of them is said here, once."""

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import uritemplate
from django.conf import settings
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, build_parameter_type, get_class, get_doc
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from exchange.core import errors

from . import pb
from .operations import Operation, action_of, operation_of
from .refusals import UnsupportedMediaType

PROBLEM = "application/problem+json"
_WRITES = {"POST", "PUT", "PATCH", "DELETE"}
_ALWAYS = (
    errors.InvalidInput,
    errors.Unauthenticated,
    errors.PermissionDenied,
    errors.Unavailable,
    errors.DeadlineExceeded,
)
_OF_A_WRITE = (
    errors.NotFound,
    errors.Conflict,
    errors.TooLarge,
    UnsupportedMediaType,
    errors.LimitExceeded,
)


class FieldErrorSerializer(serializers.Serializer):
    field = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class ProblemSerializer(serializers.Serializer):
    """A refusal (RFC 9457). `code` is for programs and never changes."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    instance = serializers.CharField()
    code = serializers.CharField()
    request_id = serializers.CharField()
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]  # RFC 9457 calls it so, and so does DRF


class Schema(AutoSchema):
    """One operation, from what its action says of itself and from the fields of its form."""

    @property
    def said(self) -> Operation:
        return operation_of(self.view)

    def get_operation_id(self) -> str:
        return "_".join(word.lower() for word in _words(self.said.rpc))

    def get_tags(self) -> list[str]:
        return [_services()[self.said.rpc]]

    def get_summary(self) -> str:
        return " ".join(_words(self.said.rpc)).capitalize()

    def get_description(self) -> str:  # type: ignore[override]  # its base's has no arguments either
        return str(get_doc(action_of(self.view)))

    def get_auth(self) -> list[dict[str, list[Any]]]:
        found: list[dict[str, list[Any]]] = super().get_auth()
        asked = self.said.needs_log_in
        return found if (self.method in _WRITES if asked is None else asked) else [*found, {}]

    def get_request_serializer(self) -> Any:
        if self.said.body:
            return self.said.body
        form = self.said.form_without(uritemplate.variables(self.path))
        return form if form().fields else None

    def _get_request_body(self, direction: str = "request") -> Any:
        body = super()._get_request_body(direction)
        return {**body, "required": True} if self.said.body else body

    def get_response_serializers(self) -> Any:
        said = self.said
        shown: dict[Any, Any] = {(said.status, media): schema for media, schema in said.files.items()}
        refusals = sorted(self._refusals(), key=lambda refusal: refusal.http)
        refused = {(refusal.http, PROBLEM): _problem(refusal) for refusal in refusals}
        return (shown or {said.status: said.answer}) | refused

    def get_override_parameters(self) -> list[Any]:
        return [*self._query(), *self._key(), *self._answer_headers()]

    def _refusals(self) -> Iterator[type[errors.DomainError]]:
        yield from _ALWAYS
        if self.method in _WRITES:
            yield from _OF_A_WRITE
        elif self._names_something():
            yield from (errors.NotFound, errors.Conflict)
        if self._takes_key():
            yield errors.IdempotencyMismatch

    def _names_something(self) -> bool:
        fields = self.said.form().fields.values()
        named = any(isinstance(field, serializers.UUIDField) and field.required for field in fields)
        return named or "{" in self.path

    def _takes_key(self) -> bool:
        return self.method in _WRITES and not getattr(self.view, "own_transaction", False)

    def _query(self) -> Iterator[OpenApiParameter]:
        if self.method in _WRITES:
            return
        form = self.said.form_without(uritemplate.variables(self.path))()
        mapped = self._map_serializer(form, "request")
        for name, schema in mapped.get("properties", {}).items():
            yield OpenApiParameter(
                self.said.spelled.get(name, name),
                schema,
                required=name in mapped.get("required", ()),
                description=schema.pop("description", ""),
                **_spelling(schema),
            )

    def _key(self) -> Iterator[OpenApiParameter]:
        if self._takes_key():
            about = "The same key with the same request is answered as the first time, and done once."
            form = {"type": "string", "pattern": "^[ -~]{1,255}$"}
            yield OpenApiParameter("Idempotency-Key", form, OpenApiParameter.HEADER, description=about)

    def _answer_headers(self) -> Iterator[OpenApiParameter]:
        yield _header("WWW-Authenticate", OpenApiTypes.STR, "401", required=True)
        if self.method in _WRITES:
            yield _header("Retry-After", OpenApiTypes.INT, "429", required=False)
        if self.said.files:
            yield _header("Content-Disposition", OpenApiTypes.STR, "200", required=True)

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Pages are serializers of their own."""
        return False

    def _resolve_path_parameters(self, variables: Iterable[str]) -> list[dict[str, Any]]:
        fields = self.said.form().fields
        return [self._path_parameter(name, fields[name]) for name in variables]

    def _path_parameter(self, name: str, field: Any) -> dict[str, Any]:
        schema = self._map_serializer_field(field, "request")
        self._insert_field_validators(field, schema)
        if schema.get("type") == "string" and not {"format", "pattern", "enum"} & set(schema):
            schema["pattern"] = "^[^/]+$"
        return dict(build_parameter_type(name=name, schema=schema, location="path"))

    def _map_basic_serializer(self, serializer: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)
        if direction == "request":
            return {**schema, "additionalProperties": False}
        always = [name for name, field in serializer.fields.items() if _is_always_shown(field)]
        return {**schema, "required": sorted(always)} if always else schema

    def _map_serializer_field(self, field: Any, direction: str, bypass_extensions: bool = False) -> Any:  # noqa: FBT001, FBT002  its base's
        schema = super()._map_serializer_field(field, direction, bypass_extensions)
        if isinstance(field, serializers.ListSerializer) and direction == "request":
            schema |= _bounds(field)
        return schema

    def _get_serializer_field_meta(self, field: Any, direction: str) -> dict[str, Any]:
        """A default that stands for "left out" says nothing, and an answer has none."""
        meta: dict[str, Any] = super()._get_serializer_field_meta(field, direction)
        if direction == "response" or meta.get("default") == "":
            meta.pop("default", None)
        return meta

    def _get_serializer_name(self, serializer: Any, direction: Any, bypass_extensions: bool = False) -> str:  # noqa: FBT001, FBT002  its base's
        """A form is called a request already. What is left of it at a second route has that in its name."""
        name: str = super()._get_serializer_name(serializer, direction, bypass_extensions)
        name = name.replace("RequestRequest", "Request")
        other = self.registry._components.get((name, ResolvedComponent.SCHEMA))  # noqa: SLF001  asking warns
        is_form = isinstance(serializer, self.said.form)
        if other and is_form and get_class(other.object) is not type(serializer):
            return f"{name}At{''.join(word.capitalize() for word in way(self.path))}"
        return name


def way(path: str) -> list[str]:
    """The words of a path, without its parameters."""
    own = path.removeprefix(str(settings.SPECTACULAR_SETTINGS["SCHEMA_PATH_PREFIX"]))
    return re.findall(r"\w+", re.sub(r"{\w+}", "", own))


def _words(camel: str) -> list[str]:
    return re.findall("[A-Z][a-z0-9]*", camel)


@cache
def _services() -> dict[str, str]:
    """RPC → its service."""
    names = [module.name for module in pkgutil.iter_modules(pb.__path__) if module.name.endswith("_pb2")]
    files = [importlib.import_module(f"{pb.__name__}.{name}").DESCRIPTOR for name in names]
    return {
        method.name: service.name
        for file in files
        for service in file.services_by_name.values()
        for method in service.methods
    }


def _problem(refusal: type[errors.DomainError]) -> OpenApiResponse:
    return OpenApiResponse(ProblemSerializer, description=str(refusal.__doc__))


def _header(name: str, kind: Any, status: str, *, required: bool) -> OpenApiParameter:
    return OpenApiParameter(name, kind, OpenApiParameter.HEADER, required=required, response=[status])


def _spelling(schema: dict[str, Any]) -> dict[str, Any]:
    """A list in a query is one text with commas."""
    return {"style": "form", "explode": False} if schema.get("type") == "array" else {}


def _is_always_shown(field: Any) -> bool:
    return bool(field.required or field.read_only or field.default is not serializers.empty)


def _bounds(field: Any) -> dict[str, int]:
    least = field.min_length or (0 if field.allow_empty else 1)
    bounds = {"minItems": least, "maxItems": field.max_length}
    return {name: bound for name, bound in bounds.items() if bound}
