"""The client's models say what the API's document says, field for field."""

import typing
from datetime import datetime
from types import NoneType

import msgspec
import pytest

from llm_benchmark import models
from llm_benchmark.models import choices

from . import document

MODELS = {name: getattr(models, name) for name in models.__all__ if name != "Model"}
LITERALS = {name: kind for name, kind in vars(choices).items() if typing.get_origin(kind) is typing.Literal}
# Refusals are `SdkError`s; the last is a form, as the older exchange's path takes it.
NO_MODELS = {"Problem", "FieldError", "SubmitResultsRequestAtBenchmarksSubmissions"}
SIMPLE = {"string": str, "integer": int, "number": float, "boolean": bool}

FIELDS = {name: msgspec.structs.fields(kind) for name, kind in MODELS.items()}


def schema_of(name):
    """What the API answers, or else what it takes, by that name."""
    return document.schemas().get(name) or document.schemas()[f"{name}Request"]


def shown():
    """Names of what the API answers with, besides pages of it."""
    return {
        name
        for name, schema in document.schemas().items()
        if "enum" not in schema and not name.endswith(("Request", "Response")) and name not in NO_MODELS
    }


def kind_of(schema):
    """The Python type of a field, None apart."""
    if "$ref" in schema and "enum" not in document.resolved(schema):
        return MODELS[document.name_of(schema).removesuffix("Request")]
    for name in ("allOf", "oneOf"):
        if name in schema:
            return kind_of(schema[name][0])
    schema = document.resolved(schema)
    match schema.get("type"):
        case "array":
            return list[kind_of(schema["items"])]
        case "object":
            return dict[str, kind_of(schema.get("additionalProperties") or {})]
        case None:
            return str if "enum" in schema else typing.Any
        case kind:
            return datetime if schema.get("format") == "date-time" else SIMPLE[kind]


def without_none(kind):
    parts = [part for part in typing.get_args(kind) if part is not NoneType]
    return parts[0] if NoneType in typing.get_args(kind) else kind


def has_none(kind):
    return NoneType in typing.get_args(kind)


def default_of(field):
    return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()


def subclasses_of(model):
    """At every depth: one model may be another with more."""
    for kind in model.__subclasses__():
        yield kind
        yield from subclasses_of(kind)


class TestEachModel:
    @pytest.mark.parametrize("name", sorted(MODELS))
    def test_has_the_fields_of_its_schema(self, name):
        schema = schema_of(name)

        kinds = typing.get_type_hints(MODELS[name])
        assert {field: without_none(kind) for field, kind in kinds.items()} == {
            field: kind_of(said) for field, said in schema["properties"].items()
        }

    @pytest.mark.parametrize("name", sorted(MODELS))
    def test_can_be_empty_where_its_schema_can(self, name):
        schema = schema_of(name)

        nullable = {field for field, said in schema["properties"].items() if said.get("nullable")}
        assert {field.name for field in FIELDS[name] if has_none(field.type)} == nullable

    @pytest.mark.parametrize("name", sorted(MODELS))
    def test_needs_what_the_answer_has_or_what_a_request_needs(self, name):
        schema = document.schemas().get(f"{name}Request") or schema_of(name)

        required = {field.name for field in FIELDS[name] if field.required}
        assert required == set(schema.get("required", ()))

    @pytest.mark.parametrize("name", sorted(MODELS))
    def test_has_the_defaults_of_the_api(self, name):
        said = document.schemas().get(f"{name}Request", {}).get("properties", {})

        for field in (field for field in FIELDS[name] if not field.required):
            empty = None if said[field.name].get("nullable") else kind_of(said[field.name])()
            assert default_of(field) == said[field.name].get("default", empty)


class TestTheModels:
    def test_are_all_that_the_api_answers_with(self):
        assert shown() <= set(MODELS)

    def test_are_listed(self):
        below = subclasses_of(models.Model)
        defined = {kind.__name__ for kind in below if kind.__module__.startswith(models.__name__)}

        assert defined == set(MODELS)

    def test_pass_over_what_a_newer_exchange_says(self):
        formula = msgspec.convert({"quorum": "a", "threshold": "b", "new": 1}, models.Formula)

        assert formula.as_dict() == {"quorum": "a", "threshold": "b"}


class TestTheChoices:
    @pytest.mark.parametrize("name", sorted(LITERALS))
    def test_are_values_of_the_document(self, name):
        enums = [schema["enum"] for schema in document.schemas().values() if "enum" in schema]
        enums += [
            schema["enum"]
            for said in document.operations().values()
            for schema in document.queries_of(said).values()
            if "enum" in schema
        ]

        assert list(typing.get_args(LITERALS[name])) in enums
