"""The API's document (OpenAPI) as a whole: its paths, its names and how programs say who they are."""

import re
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator

from .operations import operation_of
from .schema import way


class HeaderOrSessionScheme(OpenApiAuthenticationExtension):
    """How the API page says who is asking."""

    target_class = "exchange.api.authentication.HeaderOrSession"
    name = ["token", "session"]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[Any]]]:
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        return [
            {"type": "http", "scheme": "bearer", "description": "An API token or a session token."},
            {
                "type": "apiKey",
                "in": "cookie",
                "name": settings.SESSION_COOKIE_NAME,
                "description": "The website's session. Writes also need the CSRF token of a page.",
            },
        ]


class Generator(SchemaGenerator):
    """Paths as they are documented: without a slash at the end, ids by the names that forms give them."""

    def coerce_path(self, path: str, method: str, view: Any) -> str:
        said = operation_of(view)
        path = super().coerce_path(path, method, view).removesuffix("/")
        return re.sub(r"{(\w+)}", lambda part: f"{{{said.field_named(part[1])}}}", path)


def of_viewsets(endpoints: Iterable[Any], **_: Any) -> list[Any]:
    """The routes of the API; the document's own is none of them."""
    return [endpoint for endpoint in endpoints if hasattr(endpoint[-1], "actions")]


def distinct_ids(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Where several routes lead to one operation, the first keeps its name; the others add their way."""
    taken: set[str] = set()
    result["paths"] = {path: dict(sorted(methods.items())) for path, methods in result["paths"].items()}
    for path, methods in result["paths"].items():
        for method, said in methods.items():
            name = said["operationId"]
            if name in taken:
                said["operationId"] = _told_apart(name, path, method, methods)
            taken.add(name)
    return result


def _told_apart(name: str, path: str, method: str, methods: Iterable[str]) -> str:
    if method == "put" and "patch" in methods:
        return f"{name}_by_put"
    return "_".join([name, "at", *way(path)])
