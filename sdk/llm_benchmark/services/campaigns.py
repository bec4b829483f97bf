"""Campaigns: started, followed to their end, read, compared and kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from llm_benchmark.models import Campaign, CampaignComparison, CampaignItem, CampaignResult
from llm_benchmark.models.choices import CampaignMode, CampaignOutcome, CampaignStatus, DeploymentStatus
from llm_benchmark.paging import Pages
from llm_benchmark.upload import Progress

from .base import UNSET, Service, Unset, at

CampaignFormat = Literal["json", "csv"]
OPEN = {"queued", "running"}


class Campaigns(Service):
    def list(
        self,
        *,
        organization_id: str | None = None,
        endpoint_id: str | None = None,
        status: CampaignStatus | None = None,
    ) -> Pages[Campaign]:
        """Those of the token owner's organizations, the newest first."""
        return self._pages(
            "campaigns", Campaign, organization_id=organization_id, endpoint_id=endpoint_id, status=status
        )

    def get(self, campaign_id: str) -> Campaign:
        return self._transport.get(at("campaigns", campaign_id), Campaign)

    def start(
        self,
        *,
        organization_id: str,
        mode: CampaignMode,
        endpoint_id: str | Unset | None = UNSET,
        deployment_id: str | Unset | None = UNSET,
        profile_version_id: str | Unset | None = UNSET,
        refresh: bool | Unset | None = UNSET,
    ) -> Campaign:
        """Check what an organization's endpoints serve, and measure what answers. `wait` follows it.

        Args:
            mode: which deployments, by how they stand; `one` needs `deployment_id`.
            endpoint_id: of all endpoints when left out.
            profile_version_id: the load that is put on what answers: a published version of a performance
                benchmark. Left out, the shipped baseline, where it is installed.
            refresh: ask the endpoints first what they serve; left out, in the modes `full` and `new`.
        """
        body = {
            "organization_id": organization_id, "mode": mode, "endpoint_id": endpoint_id,
            "deployment_id": deployment_id, "profile_version_id": profile_version_id, "refresh": refresh,
        }  # fmt: skip
        return self._transport.write("POST", "campaigns", Campaign, body)

    def wait(
        self,
        campaign_id: str,
        *,
        progress: Callable[[Campaign], None] | None = None,
        timeout: float | None = None,
    ) -> Campaign:
        """Ask, less and less often, until it has ended.

        Args:
            progress: called with each answer.
            timeout: seconds; None waits for ever.

        Raises:
            TimedOut: it still goes on. Waiting again takes up where this stopped.
        """
        return self._wait(
            lambda: self.get(campaign_id),
            is_open=lambda now: now.status in OPEN,
            still=lambda now: f"Campaign {campaign_id} is still {now.status}.",
            progress=progress,
            timeout=timeout,
        )

    def cancel(self, campaign_id: str) -> Campaign:
        """What runs stops within seconds; what is done stays."""
        return self._transport.write("POST", at("campaigns", campaign_id, "cancel"), Campaign)

    def items(
        self,
        campaign_id: str,
        *,
        status: DeploymentStatus | None = None,
        outcome: CampaignOutcome | None = None,
    ) -> Pages[CampaignItem]:
        """A row for each deployment that is checked, in the order in which they are."""
        path = at("campaigns", campaign_id, "items")
        return self._pages(path, CampaignItem, status=status, outcome=outcome)

    def results(
        self,
        campaign_id: str,
        *,
        status: DeploymentStatus | None = None,
        outcome: CampaignOutcome | None = None,
    ) -> Pages[CampaignResult]:
        """The rows that are done, with probes and figures."""
        path = at("campaigns", campaign_id, "results")
        return self._pages(path, CampaignResult, status=status, outcome=outcome)

    def compare(self, campaign_id: str, *, previous: str | None = None) -> CampaignComparison:
        """What has changed since an earlier campaign: by default the last one of the same scope."""
        path = at("campaigns", campaign_id, "comparison")
        return self._transport.get(path, CampaignComparison, previous=previous)

    def export(
        self,
        campaign_id: str,
        format: CampaignFormat = "json",
        *,
        to: Path | str,
        progress: Progress | None = None,
    ) -> Path:
        """Write all of it to the file `to`: JSON has everything, CSV a line for each row."""
        path = at("campaigns", campaign_id, "export")
        return self._transport.download(path, Path(to), progress=progress, format=format)
