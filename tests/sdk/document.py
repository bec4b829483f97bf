"""The OpenAPI document of the exchange, as the client's tests read it."""

import re
from functools import cache

from exchange.api.openapi import Generator

_REFERENCE = "#/components/schemas/"
EXAMPLES = {
    "date-time": "2026-03-01T12:00:00Z",
    "uuid": "5f6c1b1e-0000-4000-8000-000000000000",
    "string": "words",
    "integer": 3,
    "number": 0.5,
    "boolean": True,
}


@cache
def document():
    return Generator().get_schema(public=True)


def schemas():
    return document()["components"]["schemas"]


@cache
def operations():
    """What the document says of each operation, by its id, with its `method` and `path`."""
    return {
        said["operationId"]: {**said, "method": method.upper(), "path": path}
        for path, methods in document()["paths"].items()
        for method, said in methods.items()
        if "operationId" in said
    }


def operation_at(method, path):
    """The operation that answers there; one with a literal part goes before one with a parameter."""
    fitting = [
        said
        for said in operations().values()
        if said["method"] == method and re.fullmatch(re.sub(r"{\w+}", "[^/]+", said["path"]), path)
    ]
    return min(fitting, key=lambda said: said["path"].count("{"), default=None)


def resolved(schema):
    """Without the references around it. `nullable` is kept."""
    for name in ("allOf", "oneOf"):
        if name in schema:
            return {**resolved(schema[name][0]), **{k: v for k, v in schema.items() if k != name}}
    if "$ref" in schema:
        return {"title": name_of(schema), **schemas()[name_of(schema)]}
    return schema


def name_of(schema):
    return schema["$ref"].removeprefix(_REFERENCE)


def form_of(said):
    """The schema of the JSON body that an operation takes; without fields where it takes none."""
    content = said.get("requestBody", {"content": {}})["content"]
    return resolved(content["application/json"]["schema"]) if "application/json" in content else {}


def queries_of(said):
    return {given["name"]: given["schema"] for given in said.get("parameters", ()) if given["in"] == "query"}


def answer_of(said):
    """(status, media type, schema) of what an operation answers when all is well."""
    status, shown = next((int(code), shown) for code, shown in said["responses"].items() if code < "3")
    media, content = next(iter(shown.get("content", {"": {}}).items()))
    return status, media, content.get("schema", {})


def example(schema):
    """A value of that form."""
    schema = resolved(schema)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: example(field) for name, field in schema.get("properties", {}).items()}
        case "array":
            return [example(schema["items"])]
        case None:
            return {}
        case kind:
            return EXAMPLES.get(schema.get("format", ""), EXAMPLES[kind])
