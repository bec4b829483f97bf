"""`llm-benchmark provider`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Group, choice_option
from llm_benchmark.cli.frame.finding import find_endpoint
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.organizations import chosen_organization, organization_option
from llm_benchmark.cli.frame.output import Column, say, show_facts, show_rows
from llm_benchmark.cli.frame.progress import progress
from llm_benchmark.cli.frame.secret_sources import ask_secret, read_token
from llm_benchmark.errors import NotConfigured
from llm_benchmark.models.choices import Protocol

if TYPE_CHECKING:
    from llm_benchmark.models import Endpoint

_ENDPOINTS = [
    Column("Name", lambda e: e.name),
    Column("Provider", lambda e: e.provider_name, is_spare=True),
    Column("URL", lambda e: e.base_url),
    Column("Models", lambda e: e.deployment_count, "right"),
    Column("Key", lambda e: e.has_credential),
    Column("Simulated", lambda e: e.is_simulated, is_spare=True),
    Column("Discovered", lambda e: e.discovered_at, is_spare=True),
    Column("ID", lambda e: e.id, only="plain"),
]
_DEPLOYMENTS = [
    Column("Served as", lambda d: d.served_name),
    Column("State", lambda d: d.status),
    Column("For", lambda d: d.capability),
    Column("Reason", lambda d: d.status_reason, is_spare=True),
    Column("Model", lambda d: _model(d.model_publisher, d.model_name, d.model_version), is_spare=True),
    Column("Provider", lambda d: d.provider_name, is_spare=True),
    Column("Listed", lambda d: d.is_listed, is_spare=True),
    Column("Simulated", lambda d: d.is_simulated, is_spare=True),
    Column("ID", lambda d: d.id, only="plain"),
]
_key_options = [
    click.option("--key", metavar="NAME", help="A key that `key set` keeps, or env:VARIABLE."),
    click.option("--key-env", metavar="NAME", help="Variable that holds the provider's key."),
    click.option("--key-file", metavar="FILE", help="File that holds it; - reads standard input."),
    click.option("--no-key", is_flag=True, help="The endpoint asks for none."),
]


def key_options(command: click.decorators.FC) -> click.decorators.FC:
    for option in reversed(_key_options):
        command = option(command)
    return command


@click.group(
    cls=Group,
    example="provider add --url https://api.example.com/v1 --key-env KEY\nprovider discover api.example.com",
)
def provider() -> None:
    """Endpoints of your organization and the models they serve."""


@provider.command("add", example="provider add --url https://api.example.com/v1 --key-env KEY")
@click.option("--url", required=True, help="What /chat/completions is appended to, such as https://…/v1.")
@click.option("--name", help="What you call it; default: its host.")
@click.option("--provider-name", metavar="NAME", help="Who runs it; default: the endpoint's name.")
@choice_option("--protocol", values=Protocol, help="How models are asked; default: by the URL:")
@key_options
@organization_option
@click.pass_obj
def add_endpoint(
    invocation: Invocation,
    /,
    *,
    url: str,
    name: str | None,
    provider_name: str | None,
    protocol: Protocol | None,
    organization: str | None,
    **key: Any,
) -> None:
    """Register an endpoint.

    Its key is sealed on arrival and never shown again.
    """
    api_key = key_from(url=url, **key)
    name = name or urlsplit(url).hostname or url
    made = invocation.client.endpoints.register(
        organization_id=chosen_organization(invocation, organization).organization_id,
        name=name,
        provider_name=provider_name or name,
        base_url=url,
        api_key=api_key,
        **({"protocol": protocol} if protocol else {}),
    )
    _show(invocation, made)
    say(invocation, f"Ask what it serves:\n  {PROGRAM} provider discover {shlex.quote(made.name)}")


@provider.command("update", example="provider update api.example.com --key-env KEY")
@click.argument("endpoint")
@click.option("--url", help="Another address; its key is wanted again.")
@click.option("--name", help="Another name.")
@click.option("--provider-name", metavar="NAME", help="Who runs it.")
@choice_option("--protocol", values=Protocol, help="How models are asked; they are to be discovered again:")
@key_options
@click.pass_obj
def update_endpoint(
    invocation: Invocation,
    /,
    *,
    endpoint: str,
    url: str | None,
    name: str | None,
    provider_name: str | None,
    protocol: Protocol | None,
    **key: Any,
) -> None:
    """Change an endpoint's key, address, protocol or names.

    What is not named stays. ENDPOINT is an id or a name.
    """
    changes = {"base_url": url, "name": name, "provider_name": provider_name, "protocol": protocol}
    given: dict[str, Any] = {field: value for field, value in changes.items() if value is not None}
    if not given and not any(key.values()):
        raise NotConfigured(
            "Say what changes: --url, --name, --provider-name, --protocol, --key, --key-env, --key-file or "
            "--no-key."
        )
    found = find_endpoint(invocation.client, endpoint)
    if any(key.values()):
        given["api_key"] = key_from(url=url or found.base_url, **key)
    _show(invocation, invocation.client.endpoints.update(found.id, **given))


@provider.command("list", example="provider list")
@organization_option
@click.pass_obj
def list_endpoints(invocation: Invocation, organization: str | None) -> None:
    """List the endpoints of your organizations."""
    chosen = chosen_organization(invocation, organization).organization_id if organization else None
    found = list(invocation.client.endpoints.list(organization_id=chosen))
    show_rows(
        invocation, found, _ENDPOINTS, empty=f"No endpoint yet. Add one: {PROGRAM} provider add --url URL"
    )


@provider.command("discover", example="provider discover api.example.com")
@click.argument("endpoint")
@click.pass_obj
def discover_models(invocation: Invocation, endpoint: str) -> None:
    """Ask an endpoint which models it serves.

    ENDPOINT is an id or a name.
    """
    client = invocation.client
    found = find_endpoint(client, endpoint)
    with progress(invocation) as tell:
        tell(0, None, f"Asking {found.name}")
        client.endpoints.discover(found.id)
    served = list(client.endpoints.deployments(found.id))
    show_rows(invocation, served, _DEPLOYMENTS, empty=f"{found.name} serves no model.")
    if served:
        name = shlex.quote(served[0].served_name)
        say(
            invocation,
            f"Claim a result of one:\n  {PROGRAM} submit --benchmark SLUG --deployment {name} --score …",
        )


@provider.command("models", example="provider models api.example.com")
@click.argument("endpoint", required=False)
@click.pass_obj
def list_deployments(invocation: Invocation, endpoint: str | None) -> None:
    """List what an endpoint serves, or all of yours."""
    client = invocation.client
    chosen = find_endpoint(client, endpoint).id if endpoint else None
    found = list(client.endpoints.deployments(chosen))
    empty = f"No model is known. Ask an endpoint: {PROGRAM} provider discover NAME"
    show_rows(invocation, found, _DEPLOYMENTS, empty=empty)


def key_from(*, url: str, key: str | None, key_env: str | None, key_file: str | None, no_key: bool) -> str:
    """The provider's key for this address; "" for none. Asked for where it is not said."""
    given = [source for source in (key, key_env, key_file, no_key) if source]
    if len(given) > 1:
        raise NotConfigured("Say one of --key, --key-env, --key-file and --no-key.")
    if no_key:
        return ""
    if key:
        return _kept(key, url)
    if key_env:
        return read_token(f"env:{key_env}", option="--key-env")
    if key_file:
        return read_token("-" if key_file == "-" else f"@{key_file}", option="--key-file")
    return ask_secret(
        "The provider's key", instead="Use --key NAME, --key-env NAME, --key-file FILE or --no-key."
    ).strip()


def _kept(name: str, url: str) -> str:
    if name.startswith("env:"):
        return read_token(name, option="--key")
    from .key import kept_keys  # noqa: PLC0415  only who names a key waits for it

    return kept_keys().key_for(name, url)


def _show(invocation: Invocation, endpoint: Endpoint) -> None:
    facts = [
        ("Name", endpoint.name),
        ("Provider", endpoint.provider_name),
        ("URL", endpoint.base_url),
        ("Key", "sealed" if endpoint.has_credential else "none"),
        ("ID", endpoint.id),
    ]
    show_facts(invocation, endpoint, facts)


def _model(publisher: str, name: str, version: str) -> str:
    return " ".join(filter(None, [f"{publisher}/{name}", version]))
