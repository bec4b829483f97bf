"""For which organization something is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.errors import NotConfigured

from .preferences import choose

if TYPE_CHECKING:
    from llm_benchmark.models import OrganizationMembership

    from .invocation import Invocation

organization_option = click.option(
    "--organization",
    metavar="SLUG",
    help="For which organization; default: `config set organization`, else the only one you belong to.",
)


def chosen_organization(invocation: Invocation, given: str | None) -> OrganizationMembership:
    """The one that is named, else the one that is kept, else the only one.

    Raises:
        NotConfigured: there is none, or several and none is named.
    """
    mine = invocation.client.account.profile().organizations
    chosen = choose("organization", option=given, kept=invocation.kept)
    if chosen.value:
        return _named(chosen.value, chosen.source, mine)
    if len(mine) == 1:
        return mine[0]
    if not mine:
        raise NotConfigured(
            f"You belong to no organization yet. Make one at {invocation.settings.api_url}/organizations, or "
            "accept an invitation there."
        )
    raise NotConfigured(
        f"You belong to several organizations: {_slugs(mine)}. Say --organization SLUG, or once and for all: "
        f"{PROGRAM} config set organization SLUG"
    )


def _named(slug: str, source: str, mine: list[OrganizationMembership]) -> OrganizationMembership:
    found = next((one for one in mine if slug in {one.organization_slug, one.organization_id}), None)
    if found is None:
        raise NotConfigured(
            f"{source}: you do not belong to {slug}. You belong to: {_slugs(mine) or 'none'}."
        )
    return found


def _slugs(mine: list[OrganizationMembership]) -> str:
    return ", ".join(one.organization_slug for one in mine)
