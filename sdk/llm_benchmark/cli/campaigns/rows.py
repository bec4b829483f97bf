"""What is shown of campaigns and their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llm_benchmark.cli.frame.output import Column, show_facts, show_rows
from llm_benchmark.quantities import change as as_change
from llm_benchmark.quantities import quantity

if TYPE_CHECKING:
    from llm_benchmark.cli.frame.invocation import Invocation
    from llm_benchmark.models import Campaign, CampaignChange, CampaignItem, CampaignResult

CAMPAIGNS = [
    Column("Started", lambda c: c.created_at),
    Column("Endpoint", lambda c: c.endpoint_name or "all"),
    Column("Mode", lambda c: c.mode),
    Column("Status", lambda c: c.status),
    Column("Done", lambda c: f"{c.done_count} of {c.item_count}", "right", plain=lambda c: c.percent),
    Column("Outcomes", lambda c: counted(c.outcomes), is_spare=True),
    Column("ID", lambda c: c.id, is_whole=True),
]
ITEMS = [
    Column("Endpoint", lambda i: i.endpoint_name, is_spare=True),
    Column("Model", lambda i: i.served_name),
    Column("Stage", lambda i: i.stage),
    Column("State", lambda i: i.final_status),
    Column("Reason", lambda i: i.status_reason),
    Column("Capability", lambda i: i.capability, is_spare=True),
    Column("Measured", lambda i: i.measurement_status, is_spare=True),
    Column("Code", lambda i: i.measurement_code, only="plain"),
    Column("Simulated", lambda i: i.is_simulated, only="plain"),
    Column("Deployment", lambda i: i.deployment_id, only="plain"),
]


def _figure(title: str, name: str, unit: str) -> Column:
    def value(result: CampaignResult) -> Any:
        return result.figures.get(name)

    return Column(title, lambda row: quantity(value(row), unit), "right", plain=value)


RESULTS = [
    Column("Endpoint", lambda r: r.endpoint_name, is_spare=True),
    Column("Model", lambda r: r.served_name),
    Column("State", lambda r: r.final_status),
    Column("Reason", lambda r: r.measurement_code or r.status_reason, is_spare=True),
    _figure("TTFT p50", "ttft_p50", "ms"),
    _figure("Latency p50", "request_latency_p50", "ms"),
    _figure("Speed", "output_tokens_per_second", "tokens/s"),
    _figure("Errors", "error_rate", ""),
    Column("Requests", lambda r: r.attempt_count, "right", only="plain"),
    Column("Deployment", lambda r: r.deployment_id, only="plain"),
]


def _ratio(title: str, name: str) -> Column:
    def value(change: CampaignChange) -> float | None:
        return change.ratios.get(name)

    return Column(title, lambda row: as_change(value(row)), "right", plain=value)


CHANGES = [
    Column("Endpoint", lambda c: c.endpoint_name, is_spare=True),
    Column("Model", lambda c: c.served_name),
    Column("Before", lambda c: c.previous_status),
    Column("Now", lambda c: c.status),
    Column("Reason", lambda c: c.reason),
    _ratio("TTFT p50", "ttft_p50"),
    _ratio("Speed", "output_tokens_per_second"),
]


def show_campaign(invocation: Invocation, campaign: Campaign) -> None:
    profile = " ".join(filter(None, [campaign.profile_slug, campaign.profile_version]))
    faults = [f"{one.endpoint_name}: {one.fault_message}" for one in campaign.endpoints if one.fault_code]
    facts = [
        ("Endpoint", campaign.endpoint_name or "all"),
        ("Mode", campaign.mode),
        ("Load", profile),
        ("Status", campaign.status),
        ("Fault", campaign.fault_message),
        ("Not swept", faults),
        ("Done", f"{campaign.done_count} of {campaign.item_count}"),
        ("Outcomes", counted(campaign.outcomes)),
        ("Started", campaign.created_at),
        ("Ended", campaign.finished_at),
        ("ID", campaign.id),
    ]
    show_facts(invocation, campaign, facts)


def show_items(invocation: Invocation, items: list[CampaignItem]) -> None:
    show_rows(invocation, items, ITEMS, empty="No model is checked.")


def counted(outcomes: dict[str, int]) -> str:
    """`3 active, 1 failed`."""
    return ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
