"""`llm-benchmark model`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, get_args

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Group
from llm_benchmark.cli.frame.finding import find_deployment_at, find_endpoint
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, show_facts, show_rows
from llm_benchmark.errors import NotConfigured
from llm_benchmark.models.choices import CapabilityByHand

from .following import follow

if TYPE_CHECKING:
    from llm_benchmark.models import Deployment

_CHANGES = [
    Column("When", lambda c: c.changed_at),
    Column("Before", lambda c: c.old_status),
    Column("After", lambda c: c.new_status),
    Column("Reason", lambda c: c.reason),
    Column("By", lambda c: c.changed_by_name, is_spare=True),
    Column("Campaign", lambda c: c.campaign_id, is_spare=True),
]
_PRICES = [
    Column("From", lambda p: p.effective_at),
    Column("Input", lambda p: p.input_per_million, "right"),
    Column("Output", lambda p: p.output_per_million, "right"),
    Column("Set by", lambda p: p.set_by_name, is_spare=True),
]


def _deployment_arguments(command: click.decorators.FC) -> click.decorators.FC:
    command = click.argument("model", metavar="MODEL")(command)
    return click.argument("endpoint", metavar="ENDPOINT")(command)


@click.group(
    cls=Group,
    example="model show api.example.com some-chat\nmodel test api.example.com some-chat",
)
def model() -> None:
    """Models at your endpoints: how they stand, what for, what they cost.

    ENDPOINT and MODEL are names or ids: MODEL is what the endpoint calls it.
    """


@model.command("show", example="model show api.example.com some-chat")
@_deployment_arguments
@click.pass_obj
def show(invocation: Invocation, endpoint: str, model: str) -> None:
    """Show how a model stands."""
    _show(invocation, _found(invocation, endpoint, model))


@model.command("test", example="model test api.example.com some-chat")
@_deployment_arguments
@click.pass_context
def test(context: click.Context, endpoint: str, model: str) -> None:
    """Check one model now; exit codes as of campaign start."""
    invocation: Invocation = context.obj
    found = _found(invocation, endpoint, model)
    made = invocation.client.campaigns.start(
        organization_id=found.organization_id,
        mode="one",
        endpoint_id=found.endpoint_id,
        deployment_id=found.id,
    )
    context.exit(follow(invocation, made))


@model.command("history", example="model history api.example.com some-chat\nhistory ENDPOINT MODEL")
@_deployment_arguments
@click.pass_obj
def history(invocation: Invocation, endpoint: str, model: str) -> None:
    """List how a model stood, the newest change first."""
    found = _found(invocation, endpoint, model)
    changes = list(invocation.client.endpoints.history(found.id))
    show_rows(invocation, changes, _CHANGES, empty=f"It has been {found.status} from the beginning.")


@model.command("disable", example="model disable api.example.com some-chat")
@_deployment_arguments
@click.pass_obj
def disable(invocation: Invocation, endpoint: str, model: str) -> None:
    """Have campaigns and verifications leave a model alone."""
    _change(invocation, endpoint, model, is_disabled=True)


@model.command("enable", example="model enable api.example.com some-chat")
@_deployment_arguments
@click.pass_obj
def enable(invocation: Invocation, endpoint: str, model: str) -> None:
    """Bring a disabled model back, as new."""
    _change(invocation, endpoint, model, is_disabled=False)


@model.command(
    "capability",
    example="model capability api.example.com some-model embedding\n"
    "model capability api.example.com some-model automatic",
)
@_deployment_arguments
@click.argument(
    "capability", type=click.Choice(get_args(CapabilityByHand), case_sensitive=False), metavar="CAPABILITY"
)
@click.pass_obj
def capability(invocation: Invocation, *, endpoint: str, model: str, capability: CapabilityByHand) -> None:
    """Say what a model is for, which checks then keep.

    CAPABILITY is chat_text, embedding, vision, multimodal, parser, translation, safety, rerank, special, or
    automatic, which lets the next check find out.
    """
    _change(invocation, endpoint, model, capability=capability)


@model.command(
    "price",
    example="model price api.example.com some-chat\n"
    "model price api.example.com some-chat --input-price 0.15 --output-price 0.60",
)
@_deployment_arguments
@click.option("--input-price", metavar="USD", help="For a million tokens read.")
@click.option("--output-price", metavar="USD", help="For a million tokens written.")
@click.option(
    "--from", "begins", type=click.DateTime(), metavar="DATE", help="From when, in UTC; default: now."
)
@click.pass_obj
def price(
    invocation: Invocation,
    *,
    endpoint: str,
    model: str,
    input_price: str | None,
    output_price: str | None,
    begins: datetime | None,
) -> None:
    """Show what a model costs in US dollars, or say it."""
    client = invocation.client
    found = _found(invocation, endpoint, model)
    if input_price or output_price or begins:
        if not (input_price and output_price):
            raise NotConfigured("Say both --input-price and --output-price; 0 for what costs nothing.")
        since = {"effective_at": begins.replace(tzinfo=UTC)} if begins else {}
        client.endpoints.set_price(
            found.id, input_per_million=input_price, output_per_million=output_price, **since
        )
    known = f"{PROGRAM} model price … --input-price USD --output-price USD"
    show_rows(
        invocation, list(client.endpoints.prices(found.id)), _PRICES, empty=f"Nobody said it yet. Do: {known}"
    )


def _found(invocation: Invocation, endpoint: str, model: str) -> Deployment:
    client = invocation.client
    return find_deployment_at(client, find_endpoint(client, endpoint).id, model)


def _change(invocation: Invocation, endpoint: str, model: str, **changes: Any) -> None:
    found = _found(invocation, endpoint, model)
    _show(invocation, invocation.client.endpoints.update_deployment(found.id, **changes))


def _show(invocation: Invocation, deployment: Deployment) -> None:
    known = f"{deployment.capability} ({deployment.capability_source})"
    facts = [
        ("Model", deployment.served_name),
        ("State", deployment.status),
        ("Reason", deployment.status_reason),
        ("Capability", known),
        ("Protocol", deployment.protocol),
        ("Last answer", deployment.last_success_at),
        ("Last failure", deployment.last_failure_at),
        ("Simulated", deployment.is_simulated or None),
        ("ID", deployment.id),
    ]
    show_facts(invocation, deployment, facts)
