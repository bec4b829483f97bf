"""`llm-benchmark campaign`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Group, choice_option, limit_option
from llm_benchmark.cli.frame.finding import find_deployment, find_deployment_at, find_endpoint
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.organizations import chosen_organization, organization_option
from llm_benchmark.cli.frame.output import say, show_first, show_json, show_rows
from llm_benchmark.cli.frame.saving import save, to_option
from llm_benchmark.cli.submissions.claims import version_of
from llm_benchmark.models.choices import CampaignMode, CampaignStatus

from .following import campaign_of, follow
from .rows import CAMPAIGNS, CHANGES, RESULTS, show_campaign, show_items

_NONE = f"No campaign yet. Start one: {PROGRAM} campaign start ENDPOINT"
_newest = click.argument("campaign", metavar="[ID]", required=False)


@click.group(
    cls=Group,
    example="campaign start api.example.com\ncampaign watch\ncampaign results\ncampaign compare",
)
def campaign() -> None:
    """Check what endpoints serve: found, probed and measured.

    Where ID may be left out, it is the newest campaign.
    """


@campaign.command(
    "start",
    example="campaign start api.example.com\ncampaign start --mode unstable_failed --no-wait",
)
@click.argument("endpoint", required=False)
@choice_option("--mode", values=CampaignMode, help="Which models, by how they stand [full]:")
@click.option("--model", metavar="NAME", help="The one of --mode one; alone it chooses that mode.")
@click.option("--profile", metavar="SLUG", help="The load on what answers; SLUG@V names its version.")
@click.option("--refresh/--no-refresh", default=None, help="Ask first what is served [in full and new].")
@click.option("--no-wait", is_flag=True, help="Do not wait for the end.")
@organization_option
@click.pass_context
def start(
    context: click.Context,
    *,
    endpoint: str | None,
    mode: CampaignMode | None,
    model: str | None,
    profile: str | None,
    refresh: bool | None,
    no_wait: bool,
    organization: str | None,
) -> None:
    """Check the models of one endpoint, or of all of yours.

    ENDPOINT is an id or a name. Exit codes: 0 all are active, 11 not all are, 12 something could not be
    measured, 13 failed, 14 cancelled. Ctrl-C only stops looking.
    """
    invocation: Invocation = context.obj
    form = _where(invocation, endpoint, model, organization)
    if profile:
        slug, _at, number = profile.partition("@")
        form["profile_version_id"] = version_of(invocation.client, slug, number).id
    made = invocation.client.campaigns.start(
        mode=mode or ("one" if model else "full"), refresh=refresh, **form
    )
    if not no_wait:
        context.exit(follow(invocation, made))
    show_campaign(invocation, made)
    say(invocation, f"Look again:\n  {PROGRAM} campaign watch {made.id}")


def _where(
    invocation: Invocation, endpoint: str | None, model: str | None, organization: str | None
) -> dict[str, Any]:
    client = invocation.client
    if endpoint:
        found = find_endpoint(client, endpoint)
        where = {"organization_id": found.organization_id, "endpoint_id": found.id}
        one = find_deployment_at(client, found.id, model) if model else None
    else:
        where = {"organization_id": chosen_organization(invocation, organization).organization_id}
        one = find_deployment(client, model, organization_id=where["organization_id"]) if model else None
    return {**where, "deployment_id": one.id} if one else where


@campaign.command("list", example="campaign list --status running")
@choice_option("--status", values=CampaignStatus, help="Only")
@click.option("--endpoint", metavar="NAME", help="Of this one alone.")
@limit_option
@click.pass_obj
def list_campaigns(
    invocation: Invocation, *, status: CampaignStatus | None, endpoint: str | None, limit: int
) -> None:
    """List campaigns of your organizations, the newest first."""
    chosen = find_endpoint(invocation.client, endpoint).id if endpoint else None
    pages = invocation.client.campaigns.list(endpoint_id=chosen, status=status)
    show_first(invocation, pages, limit, CAMPAIGNS, empty=_NONE)


@campaign.command("show", example="campaign show")
@_newest
@click.pass_obj
def show(invocation: Invocation, campaign: str | None) -> None:
    """Show a campaign and how far it is."""
    show_campaign(invocation, campaign_of(invocation, campaign))


@campaign.command("watch", example="campaign watch")
@_newest
@click.pass_context
def watch(context: click.Context, campaign: str | None) -> None:
    """Wait for the end of a campaign; exit codes as of start."""
    invocation: Invocation = context.obj
    context.exit(follow(invocation, campaign_of(invocation, campaign)))


@campaign.command("items", example="campaign items")
@_newest
@click.pass_obj
def list_items(invocation: Invocation, campaign: str | None) -> None:
    """List its rows: which model is at which stage."""
    found = campaign_of(invocation, campaign)
    show_items(invocation, list(invocation.client.campaigns.items(found.id)))


@campaign.command("results", example="campaign results\nresults ID")
@_newest
@click.pass_obj
def list_results(invocation: Invocation, campaign: str | None) -> None:
    """List what was found and measured."""
    found = campaign_of(invocation, campaign)
    results = list(invocation.client.campaigns.results(found.id))
    show_rows(invocation, results, RESULTS, empty="Nothing is done yet.")


@campaign.command("cancel", example="campaign cancel ID")
@click.argument("campaign", metavar="ID")
@click.pass_obj
def cancel(invocation: Invocation, campaign: str) -> None:
    """Stop a campaign; what is done stays."""
    show_campaign(invocation, invocation.client.campaigns.cancel(campaign))


@campaign.command("compare", example="campaign compare\ncampaign compare ID --previous ID")
@_newest
@click.option("--previous", metavar="ID", help="With which; default: the last one of the same scope.")
@click.option("--all", "is_whole", is_flag=True, help="List what has not changed, too.")
@click.pass_obj
def compare(invocation: Invocation, *, campaign: str | None, previous: str | None, is_whole: bool) -> None:
    """Say what has changed since an earlier campaign."""
    found = campaign_of(invocation, campaign)
    compared = invocation.client.campaigns.compare(found.id, previous=previous)
    if invocation.shown_as == "json":
        show_json(compared.as_dict())
        return
    changes = [change for change in compared.changes if change.is_changed or is_whole]
    show_rows(invocation, changes, CHANGES, empty="No model stands otherwise.")
    for word, items in (("New", compared.appeared), ("Gone", compared.vanished)):
        if items:
            say(invocation, f"{word}: {', '.join(item.served_name for item in items)}")


@campaign.command("export", example="campaign export --to campaign.json\ncampaign export ID -f csv")
@_newest
@click.option(
    "-f", "--format", type=click.Choice(["json", "csv"]), default="json", show_default=True,
    help="Of the file.",
)  # fmt: skip
@to_option
@click.pass_obj
def export(
    invocation: Invocation, *, campaign: str | None, format: Literal["json", "csv"], to: Path | None
) -> None:
    """Save all of a campaign: JSON has everything, CSV a line for each row."""
    export_campaign(invocation, campaign_of(invocation, campaign).id, format, to)


def export_campaign(
    invocation: Invocation, campaign_id: str, format: Literal["json", "csv"], to: Path | None
) -> None:
    def fetch(path: Path, tell: Any) -> None:
        invocation.client.campaigns.export(campaign_id, format, to=path, progress=tell)

    save(invocation, fetch, to=to, phase="Export of the campaign")
