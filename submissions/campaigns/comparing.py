"""Two campaigns of one scope, held against each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from exchange.core.actors import Actor
from exchange.core.errors import InvalidInput

from . import selectors
from .models import Campaign, CampaignItem

RATIOS = ("ttft_p50", "request_latency_p50", "output_tokens_per_second", "requests_per_second")
"""Metrics of which the ratio, this campaign's value over the earlier one's, is shown."""


@dataclass(frozen=True, slots=True)
class ItemChange:
    """A deployment that both campaigns checked. `ratios` has the metrics that both measured."""

    item: CampaignItem
    previous: CampaignItem
    ratios: Mapping[str, float]

    @property
    def is_changed(self) -> bool:
        """Whether it stands otherwise than it did. False until both are done."""
        states = {self.item.final_status, self.previous.final_status}
        return len(states) > 1 and "" not in states


@dataclass(frozen=True, slots=True)
class Comparison:
    """`appeared`: checked now alone; `vanished`: checked before alone; `changes`: in both, all of them."""

    campaign: Campaign
    previous: Campaign
    appeared: Sequence[CampaignItem]
    vanished: Sequence[CampaignItem]
    changes: Sequence[ItemChange]

    @property
    def changed(self) -> Sequence[ItemChange]:
        return [change for change in self.changes if change.is_changed]


def compare_campaigns(*, actor: Actor, campaign_id: UUID, previous_id: UUID | None = None) -> Comparison:
    """A campaign against an earlier one of the same organization: by default the last of the same scope.

    Raises:
        NoPreviousCampaign: there is none.
    """
    campaign = selectors.get_campaign(actor=actor, campaign_id=campaign_id)
    previous = _previous(actor, campaign, previous_id)
    now, before = (_items(actor, one) for one in (campaign, previous))
    return Comparison(
        campaign=campaign,
        previous=previous,
        appeared=[item for key, item in now.items() if key not in before],
        vanished=[item for key, item in before.items() if key not in now],
        changes=[_change(item, before[key]) for key, item in now.items() if key in before],
    )


def _previous(actor: Actor, campaign: Campaign, previous_id: UUID | None) -> Campaign:
    if previous_id is None:
        return selectors.previous_of(campaign)
    previous = selectors.get_campaign(actor=actor, campaign_id=previous_id)
    if previous.organization_id != campaign.organization_id:
        message = _("It is another organization's campaign.")
        raise InvalidInput.of("previous_id", "another_organizations", message)
    return previous


def _items(actor: Actor, campaign: Campaign) -> dict[UUID, CampaignItem]:
    rows = selectors.list_items(actor=actor, campaign_id=campaign.pk)
    return {item.deployment_id: item for item in rows}


def _change(item: CampaignItem, previous: CampaignItem) -> ItemChange:
    values = {name: (item.figures.get(name), previous.figures.get(name)) for name in RATIOS}
    ratios = {name: now / before for name, (now, before) in values.items() if now is not None and before}
    return ItemChange(item, previous, ratios)
