"""A campaign as a file: JSON with all that is known of it, CSV with one line for each row."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Count

from exchange.core import spreadsheets
from exchange.core.actors import Actor
from submissions.runs.models import Attempt, Run

from . import selectors
from .models import Campaign, CampaignEndpoint, CampaignItem

FORMAT = "llm-benchmark-campaign-v1"
MEDIA_TYPES = {"csv": "text/csv; charset=utf-8; header=present", "json": "application/json"}
FIGURES = (
    *("ttft_p50", "ttft_p95", "itl_p50", "request_latency_p50", "request_latency_p95"),
    *("output_tokens_per_second", "input_tokens_per_second", "requests_per_second", "error_rate"),
    *("goodput", "peak_output_tokens_per_second", "knee_concurrency"),
)
"""The columns of measured values; JSON has all of them."""

_CAMPAIGN = ("id", "mode", "status", "refresh", "via", "fault_code", "fault_message")
_TIMES = ("created_at", "started_at", "selected_at", "finished_at")
_ITEM = (
    *("position", "stage", "outcome", "initial_status", "final_status", "status_reason", "message"),
    *("capability", "capability_source", "capability_confidence", "protocol"),
    *("measurement_status", "measurement_side", "measurement_code", "measurement_message"),
    *("attempt_count", "started_at", "finished_at"),
)
_RUN = ("id", "kind", "status", "fault_side", "fault_code", "fault_message", "returned_model", "flags")
_COLUMNS = ("endpoint", "model", "model_publisher", *_ITEM, *FIGURES)


@dataclass(frozen=True, slots=True)
class Export:
    """`content` is read once, a piece at a time."""

    name: str
    media_type: str
    content: Iterator[bytes]


def get_export(*, actor: Actor, campaign_id: UUID, format: str = "json") -> Export:
    """All of a campaign, for those who see it. `format` is `json` or `csv`."""
    campaign = selectors.get_campaign(actor=actor, campaign_id=campaign_id)
    rows = selectors.list_items(actor=actor, campaign_id=campaign_id)
    items = list(rows.select_related("health_run", "performance_run"))
    content = _csv(items) if format == "csv" else _json(campaign, items)
    return Export(f"campaign-{campaign.pk}.{format}", MEDIA_TYPES[format], content)


def _csv(items: Iterable[CampaignItem]) -> Iterator[bytes]:
    yield spreadsheets.line(_COLUMNS)
    for item in items:
        figures = (item.figures.get(name) for name in FIGURES)
        yield spreadsheets.line([*_names(item).values(), *_fields(item, _ITEM).values(), *figures])


def _json(campaign: Campaign, items: Sequence[CampaignItem]) -> Iterator[bytes]:
    attempts = _attempts(run for item in items for run in _runs(item))
    whole = {
        "format": FORMAT,
        "campaign": _campaign(campaign),
        "items": [_item(item, attempts) for item in items],
    }
    encoder = DjangoJSONEncoder(ensure_ascii=False, indent=2)
    yield from (piece.encode() for piece in encoder.iterencode(whole))


def _campaign(campaign: Campaign) -> dict[str, Any]:
    counts: Any = campaign
    profile, sweeps = campaign.profile, campaign.sweeps.select_related("endpoint")
    return {
        **_fields(campaign, (*_CAMPAIGN, *_TIMES)),
        "organization": campaign.organization.slug,
        "endpoints": [_sweep(sweep) for sweep in sweeps.order_by("endpoint__name")],
        "profile": f"{profile.benchmark.slug} {profile.version}" if profile else None,
        "percent": campaign.percent,
        "item_count": counts.item_count,
        "outcomes": counts.outcomes,
    }


def _sweep(sweep: CampaignEndpoint) -> dict[str, str]:
    return {"name": sweep.endpoint.name, **_fields(sweep, ("fault_code", "fault_message"))}


def _item(item: CampaignItem, attempts: Mapping[UUID, Mapping[str, int]]) -> dict[str, Any]:
    return {
        **_names(item),
        **_fields(item, _ITEM),
        "probes": item.probes,
        "metrics": item.figures,
        "runs": [_run(run, attempts.get(run.pk, {})) for run in _runs(item)],
    }


def _runs(item: CampaignItem) -> list[Run]:
    return [run for run in (item.health_run, item.performance_run) if run is not None]


def _run(run: Run, attempts: Mapping[str, int]) -> dict[str, Any]:
    facts = _fields(run, (*_RUN, "created_at", "started_at", "finished_at"))
    versions = (run.findings or {}).get("tools", {})
    return {**facts, "attempts": attempts, "versions": versions, "bundle_sha256": run.bundle_sha256 or None}


def _attempts(runs: Iterable[Run]) -> dict[UUID, dict[str, int]]:
    """Run → status → how many requests."""
    rows = Attempt.objects.filter(run__in=[run.pk for run in runs]).values_list("run_id", "status")
    found: dict[UUID, dict[str, int]] = {}
    for run_id, status, count in rows.annotate(count=Count("pk")).order_by("run_id", "status"):
        found.setdefault(run_id, {})[status] = count
    return found


def _names(item: CampaignItem) -> dict[str, str]:
    deployment = item.deployment
    return {
        "endpoint": item.endpoint.name,
        "model": deployment.served_name,
        "model_publisher": deployment.model.publisher,
    }


def _fields(row: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}
