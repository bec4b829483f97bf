"""Starting and cancelling campaigns. What their runs bring them is in `progress`."""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from benchmarks import selectors as benchmarks
from benchmarks.models import BenchmarkKind, BenchmarkVersion, VersionStatus
from exchange.accounts.models import Organization
from exchange.core import throttle
from exchange.core.actors import Actor
from exchange.core.errors import InvalidInput
from llm_benchmark.measure.probing import State
from submissions.endpoints import selectors as endpoints
from submissions.endpoints.errors import DeploymentDisabled
from submissions.endpoints.models import Deployment, Endpoint

from . import permissions, progress, selectors
from .errors import (
    CampaignClosed,
    CampaignOpen,
    NothingToCheck,
    ProfileNotUsable,
    TooManyCampaigns,
)
from .models import OPEN, Campaign, CampaignEndpoint, CampaignMode, CampaignVia

MOST_OPEN = 5
STARTS, START_WINDOW_SECONDS = 30, 600
REFRESHING = (CampaignMode.FULL, CampaignMode.NEW)


@transaction.atomic
def start_campaign(
    *,
    actor: Actor,
    organization_id: UUID,
    mode: str,
    endpoint_id: UUID | None = None,
    deployment_id: UUID | None = None,
    profile_version_id: UUID | None = None,
    refresh: bool | None = None,
    via: str = CampaignVia.API,
) -> Campaign:
    """Check what one endpoint of an organization serves, or all of them do. All of it is queued, or nothing.

    Args:
        mode: which deployments, by how they stand; `one` needs `deployment_id`, and no other mode takes it.
        endpoint_id: None for every endpoint of the organization.
        profile_version_id: the load that is put on what answers; None for the shipped baseline, where it is
            installed, and else for none.
        refresh: ask the endpoints first what they serve; None does so in the modes `full` and `new`.

    Raises:
        CampaignOpen: one of the endpoints is in another campaign.
        NothingToCheck: no deployment is in a state of this mode, and the endpoints are not asked for more.
        ProfileNotUsable, TooManyCampaigns, LimitExceeded, DeploymentDisabled, InvalidInput
    """
    permissions.require_starter(actor, organization_id)
    mode = _known_mode(mode)
    throttle.count_try(key=f"campaign|{organization_id}", limit=STARTS, window_seconds=START_WINDOW_SECONDS)
    deployment = _only(actor, organization_id, mode, deployment_id)
    campaign = Campaign(
        organization_id=organization_id,
        endpoint=_endpoint(actor, organization_id, endpoint_id, deployment),
        deployment=deployment,
        mode=mode,
        profile=_profile(actor, profile_version_id),
        refresh=mode in REFRESHING if refresh is None else refresh,
        requested_by_id=actor.user_id,
        via=via,
    )
    _check_number(organization_id)
    _open(campaign, _swept(campaign))
    progress.begin(actor, campaign)
    return selectors.get_campaign(actor=actor, campaign_id=campaign.pk)


@transaction.atomic
def cancel_campaign(*, actor: Actor, campaign_id: UUID) -> Campaign:
    """Its queued runs end at once, one that is running at its next heartbeat; then the campaign is cancelled.

    Raises:
        CampaignClosed: it has ended. A second request to cancel changes nothing.
    """
    found = selectors.get_campaign(actor=actor, campaign_id=campaign_id)
    permissions.require_starter(actor, found.organization_id)
    campaign = selectors.lock_with_runs(actor=actor, campaign_id=campaign_id)
    if campaign.status not in OPEN:
        raise CampaignClosed
    if campaign.cancel_requested_at is None:
        progress.cancel(actor, campaign)
    return selectors.get_campaign(actor=actor, campaign_id=campaign_id)


def _known_mode(mode: str) -> CampaignMode:
    if mode not in CampaignMode.values:
        message = _("There is no such mode. Modes are %(modes)s.") % {"modes": ", ".join(CampaignMode.values)}
        raise InvalidInput.of("mode", "unknown_mode", message)
    return CampaignMode(mode)


def _only(actor: Actor, organization_id: UUID, mode: str, deployment_id: UUID | None) -> Deployment | None:
    """The deployment of mode `one`."""
    if (mode == CampaignMode.ONE) != (deployment_id is not None):
        message = _("The mode “one” needs a deployment, and only it takes one.")
        raise InvalidInput.of("deployment_id", "required" if deployment_id is None else "unexpected", message)
    if deployment_id is None:
        return None
    deployment = endpoints.get_deployment(actor=actor, deployment_id=deployment_id)
    _check_owner("deployment_id", deployment.organization_id, organization_id)
    if deployment.status == State.DISABLED:
        raise DeploymentDisabled
    return deployment


def _endpoint(
    actor: Actor, organization_id: UUID, endpoint_id: UUID | None, deployment: Deployment | None
) -> Endpoint | None:
    if endpoint_id is None:
        return deployment.endpoint if deployment else None
    endpoint = endpoints.get_endpoint(actor=actor, endpoint_id=endpoint_id)
    _check_owner("endpoint_id", endpoint.organization_id, organization_id)
    if deployment is not None and deployment.endpoint_id != endpoint.pk:
        message = _("The deployment is at another endpoint.")
        raise InvalidInput.of("deployment_id", "another_endpoints", message)
    return endpoint


def _check_owner(field: str, owner_id: UUID, organization_id: UUID) -> None:
    if owner_id != organization_id:
        raise InvalidInput.of(field, "another_organizations", _("It belongs to another organization."))


def _profile(actor: Actor, version_id: UUID | None) -> BenchmarkVersion | None:
    if version_id is None:
        return selectors.default_profile()
    version = benchmarks.get_version(actor=actor, version_id=version_id)
    if version.benchmark.kind != BenchmarkKind.PERFORMANCE or version.status != VersionStatus.PUBLISHED:
        raise ProfileNotUsable
    return version


def _check_number(organization_id: UUID) -> None:
    """Two that start at the same time: the second waits for the first, and then counts it."""
    Organization.objects.select_for_update(no_key=True).get(pk=organization_id)
    if selectors.open_campaigns(organization_id).count() >= MOST_OPEN:
        raise TooManyCampaigns


def _swept(campaign: Campaign) -> list[Endpoint]:
    """The endpoints that it takes, each held against a change of its address until the transaction ends.

    Those of an open campaign are not waited for: what ends its discovery holds them one after another.
    """
    rows = Endpoint.objects.filter(organization_id=campaign.organization_id)
    if campaign.endpoint_id is not None:
        rows = rows.filter(pk=campaign.endpoint_id)
    if CampaignEndpoint.objects.filter(endpoint__in=rows, is_open=True).exists():
        raise CampaignOpen
    swept = list(rows.order_by("pk").select_for_update(no_key=True))
    known = selectors.deployments_in_mode(campaign.mode, deployment_id=campaign.deployment_id)
    if not swept or not (campaign.refresh or known.filter(endpoint__in=swept).exists()):
        raise NothingToCheck
    return swept


def _open(campaign: Campaign, swept: list[Endpoint]) -> None:
    """Two that want the same endpoint: the database lets one through."""
    try:
        with transaction.atomic():
            campaign.save(force_insert=True)
            CampaignEndpoint.objects.bulk_create(
                CampaignEndpoint(campaign=campaign, endpoint=endpoint) for endpoint in swept
            )
    except IntegrityError as error:
        raise CampaignOpen from error
