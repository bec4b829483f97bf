"""A campaign watched to its end, and what its end says as an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.failures import INTERRUPTED
from llm_benchmark.cli.frame.output import say
from llm_benchmark.cli.frame.progress import progress
from llm_benchmark.errors import NotFound, SdkError

from .rows import show_campaign, show_items

if TYPE_CHECKING:
    from llm_benchmark.cli.frame.invocation import Invocation
    from llm_benchmark.models import Campaign, CampaignItem

NOT_ALL_ACTIVE, WITH_ERRORS, FAILED, CANCELLED = 11, 12, 13, 14
_CODES = {"completed_with_errors": WITH_ERRORS, "failed": FAILED, "cancelled": CANCELLED}


class Detached(SdkError):
    """Whoever watched went away; the campaign goes on."""

    code = "detached"
    exit_code = INTERRUPTED

    def __init__(self, campaign_id: str) -> None:
        super().__init__("You no longer watch; the campaign goes on.")
        self.next_steps = [
            f"Look again: {PROGRAM} campaign watch {campaign_id}",
            f"Stop it: {PROGRAM} campaign cancel {campaign_id}",
        ]


def campaign_of(invocation: Invocation, given: str | None) -> Campaign:
    """A campaign by its id, or the newest one that you see.

    Raises:
        NotFound: there is none yet.
    """
    if given:
        return invocation.client.campaigns.get(given)
    newest = invocation.client.campaigns.list().first(1)
    if not newest:
        missing = NotFound("There is no campaign yet.", code="campaign_not_found")
        missing.next_steps = [f"Start one: {PROGRAM} campaign start ENDPOINT"]
        raise missing
    return newest[0]


def follow(invocation: Invocation, campaign: Campaign) -> int:
    """Wait for its end and show its rows; the exit code."""
    ended = _ended(invocation, campaign.id)
    items = list(invocation.client.campaigns.items(ended.id))
    if invocation.shown_as == "table":
        show_campaign(invocation, ended)
        say(invocation, "")
    show_items(invocation, items)
    return exit_code(ended, items)


def exit_code(campaign: Campaign, items: list[CampaignItem]) -> int:
    """0: all that was checked is active."""
    if campaign.status in _CODES:
        return _CODES[campaign.status]
    return 0 if all(item.final_status == "active" for item in items) else NOT_ALL_ACTIVE


def _ended(invocation: Invocation, campaign_id: str) -> Campaign:
    with progress(invocation) as tell:

        def look(now: Campaign) -> None:
            tell(now.done_count, now.item_count or None, _phase(now))

        try:
            return invocation.client.campaigns.wait(campaign_id, progress=look)
        except KeyboardInterrupt:
            raise Detached(campaign_id) from None


def _phase(campaign: Campaign) -> str:
    if campaign.status == "queued":
        return "Waiting for a worker"
    return "Asking what is served" if campaign.percent is None else "Checking models"
