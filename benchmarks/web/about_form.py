"""What is said of a benchmark, between a page's form and the API. A field's name is its path there."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

TEXTS = (
    "name",
    "description",
    "long_description",
    "custom_license",
    "documentation_url",
    "source_url",
)
CHOICES = ("category", "visibility", "license")
ONCE = ("organization_id", "slug", "kind")
"""What is chosen when the benchmark is made, and stays."""
CITED = ("title", "venue", "year", "doi", "bibtex")
LISTS = {"tags": ",", "maintainers": ",", "citation.authors": "\n"}
NAMES = (*ONCE, *TEXTS, *CHOICES, *LISTS, *(f"citation.{name}" for name in CITED))
Typed = dict[str, str]


def typed_in(request: HttpRequest) -> Typed:
    """What was typed, with the line ends that everybody but browsers uses."""
    return {name: request.POST.get(name, "").replace("\r\n", "\n") for name in NAMES}


def typed_from(benchmark: Mapping[str, Any]) -> Typed:
    """The form of a benchmark that is there (BenchmarkSerializer's data)."""
    cited = benchmark["citation"] or {}
    typed = {name: _text(benchmark[name]) for name in (*TEXTS, *CHOICES)}
    typed |= {f"citation.{name}": _text(cited.get(name)) for name in CITED}
    typed |= {"tags": ", ".join(benchmark["tags"]), "maintainers": ", ".join(benchmark["maintainers"])}
    return {**typed, "citation.authors": "\n".join(cited.get("authors", ()))}


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def new_from(typed: Typed) -> dict[str, Any]:
    """A request that makes a benchmark."""
    given = {**_said(typed), **{name: typed[name] for name in ONCE if typed[name]}}
    return {name: value for name, value in given.items() if value}


def changed_from(typed: Typed) -> dict[str, Any]:
    """A request that changes one: an emptied field is emptied."""
    return _said(typed)


def _said(typed: Typed) -> dict[str, Any]:
    said: dict[str, Any] = {name: typed[name] for name in TEXTS}
    said |= {name: typed[name] for name in CHOICES if typed[name]}
    said |= {name: _listed(typed, name) for name in ("tags", "maintainers")}
    cited = {name: typed[f"citation.{name}"] for name in CITED if typed[f"citation.{name}"]}
    authors = _listed(typed, "citation.authors")
    return {**said, "citation": {**cited, **({"authors": authors} if authors else {})}}


def _listed(typed: Typed, name: str) -> list[str]:
    return [part.strip() for part in typed[name].split(LISTS[name]) if part.strip()]


def on_the_page(errors: list[dict[str, str]]) -> list[dict[str, str]]:
    """Refusals at the fields of the page, which has one field for a list."""
    return [{**error, "field": error["field"].partition("[")[0]} for error in errors]
