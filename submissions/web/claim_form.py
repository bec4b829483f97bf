"""From the fields that people fill in to the request that every door sends."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from exchange.api.forms import parse
from exchange.core.quantities import is_share
from submissions.api.serializers import SubmitResultsRequestSerializer

from .case_lines import as_number, read_cases, text_of

KEPT = ("cases", "cases_name", "visibility", "notes", "version")
MODEL = ("publisher", "name", "version")
_NUMBERS = ("temperature", "top_p")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a claim goes: what the first step of the wizard chose. `version` is a BenchmarkVersion's data."""

    organization_id: UUID
    organization_name: str
    benchmark: Mapping[str, Any]
    version: Mapping[str, Any]
    deployment: Mapping[str, Any] | None
    settings: tuple[Mapping[str, Any], ...]
    fixed: Mapping[str, Any]


Typed = dict[str, str]


def field_names(place: Place) -> list[str]:
    """Every field of the claim's form, in the page's order."""
    metrics = [metric["name"] for metric in place.version["metrics"]]
    return [
        *(f"model_{name}" for name in MODEL if place.deployment is None),
        *(f"{part}_{name}" for name in metrics for part in ("value", "count")),
        *KEPT,
        *(f"setting_{setting['name']}" for setting in place.settings),
    ]


def typed_in(request: HttpRequest, place: Place) -> Typed:
    """What was filled in, as it was."""
    return {name: request.POST.get(name, "") for name in field_names(place)}


def uploaded_cases(request: HttpRequest) -> Typed:
    """An uploaded file of case results, which takes the place of pasted ones.

    Raises:
        InvalidInput: it cannot be read.
    """
    file = request.FILES.get("cases_file")
    return {"cases": text_of(file), "cases_name": str(file.name)} if file else {}


def claim_of(place: Place, typed: Typed) -> dict[str, Any]:
    """A service's arguments.

    Raises:
        InvalidInput: by the fields of the request, or by line.
    """
    return parse(SubmitResultsRequestSerializer, _request(place, typed))


def _request(place: Place, typed: Typed) -> dict[str, Any]:
    return {
        **_subject(place, typed),
        "organization_id": place.organization_id,
        "benchmark_id": place.benchmark["id"],
        "version": typed["version"] or place.version["version"],
        "claims": list(_claims(place, typed)),
        "cases": read_cases(typed["cases"]).rows,
        "configuration": _configuration(place, typed),
        "visibility": typed["visibility"] or "public",
        "notes": typed["notes"],
    }


def _subject(place: Place, typed: Typed) -> dict[str, Any]:
    if place.deployment is not None:
        return {"deployment_id": place.deployment["id"]}
    return {"model": {name: typed[f"model_{name}"] for name in MODEL if typed[f"model_{name}"]}}


def _claims(place: Place, typed: Typed) -> Iterator[dict[str, Any]]:
    for metric in claimed_metrics(place, typed):
        name, count = metric["name"], typed[f"count_{metric['name']}"]
        value = as_number(typed[f"value_{name}"], is_share=is_share(metric["unit"]))
        yield {"name": name, "value": value, **({"sample_count": count} if count else {})}


def claimed_metrics(place: Place, typed: Typed) -> list[Mapping[str, Any]]:
    """The metrics that were given a value, in the order of the claims."""
    return [metric for metric in place.version["metrics"] if typed[f"value_{metric['name']}"]]


def _configuration(place: Place, typed: Typed) -> dict[str, Any]:
    given = {setting["name"]: typed[f"setting_{setting['name']}"] for setting in place.settings}
    return {name: as_number(value) if name in _NUMBERS else value for name, value in given.items() if value}
