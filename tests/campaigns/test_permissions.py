"""Every service and selector of campaigns × who asks."""

import pytest

from submissions.campaigns import comparing, exports, selectors, services, standing
from submissions.campaigns.models import Campaign
from tests.contract.matrix import NOTHING, YES, World, check, lasting, nothing_else, row
from tests.factories.endpoints import DeploymentFactory, EndpointFactory, PriceFactory

from .conftest import check_all

WHO_ARE_YOU, SCOPE, NOT_YOURS = "unauthenticated", "scope_missing", "not_your_organization"
NO_CAMPAIGN = "campaign_not_found"
OWN = dict.fromkeys(("viewer", "member", "admin", "owner", "read_only"), YES)
WORKERS = {"member": YES, "admin": YES, "owner": YES, "read_only": SCOPE}
START = row(NOT_YOURS, anonymous=WHO_ARE_YOU, **WORKERS)
CANCEL = row(NO_CAMPAIGN, anonymous=WHO_ARE_YOU, viewer=NOT_YOURS, **WORKERS)


def readers(otherwise):
    return row(otherwise, anonymous=WHO_ARE_YOU, **OWN)


class Campaigns(World):
    """A campaign that has ended, and one at another endpoint that goes on."""

    def __init__(self):
        super().__init__()
        self.ended, self.going_on = self.start(), self.start()
        check_all()
        Campaign.objects.filter(pk=self.ended.pk).update(created_at="2026-01-01T00:00Z")
        self.ended.items.update(figures={"ttft_p50": 40.0})
        self.checked = self.ended.items.get().deployment
        PriceFactory(deployment=self.checked)
        DeploymentFactory(endpoint=self.ended.endpoint, status="active")
        self.going_on = self.start(self.ended.endpoint)
        self.going_on.items.filter(position=0).update(stage="capability")
        self.idle = DeploymentFactory(
            endpoint=EndpointFactory(organization=self.organization), status="active"
        )

    def start(self, endpoint=None):
        endpoint = endpoint or EndpointFactory(organization=self.organization)
        if not endpoint.deployments.exists():
            DeploymentFactory(endpoint=endpoint, status="active")
        return services.start_campaign(actor=self.actors["owner"], mode="active", **at(endpoint))


def at(endpoint):
    return {"organization_id": endpoint.organization_id, "endpoint_id": endpoint.pk}


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        yield Campaigns()


def new(world):
    return {"mode": "active", **at(world.idle.endpoint)}


def going_on(world):
    return {"campaign_id": world.going_on.pk}


def of_organization(world):
    return {"organization_id": world.organization.pk}


def at_checked(world):
    return {"endpoint_id": world.checked.endpoint_id}


MATRIX = {
    "start_campaign": (START, new),
    "cancel_campaign": (CANCEL, going_on),
    "list_campaigns": (readers(NOTHING), nothing_else),
    "get_campaign": (readers(NO_CAMPAIGN), going_on),
    "lock_campaign": (readers(NO_CAMPAIGN), going_on),
    "lock_with_runs": (readers(NO_CAMPAIGN), going_on),
    "list_items": (readers(NO_CAMPAIGN), going_on),
    "list_results": (readers(NO_CAMPAIGN), lambda world: {"campaign_id": world.ended.pk}),
    "compare_campaigns": (readers(NO_CAMPAIGN), going_on),
    "get_export": (readers(NO_CAMPAIGN), going_on),
    "count_states": (readers(NOTHING), of_organization),
    "last_sweeps": (readers(NOTHING), of_organization),
    "list_checks": (
        readers("deployment_not_found"),
        lambda world: {"deployment_id": world.checked.pk},
    ),
    "last_figures": (readers("endpoint_not_found"), at_checked),
    "prices_in_force": (readers("endpoint_not_found"), at_checked),
    "at_work": (readers(NO_CAMPAIGN), going_on),
    "next_up": (readers(NO_CAMPAIGN), going_on),
}
OUTSIDE = {
    "where every read starts": {"visible_to"},
    "of a campaign that its caller has found": {
        *("chosen_deployments", "deployments_in_mode", "idle_rows", "left_of", "next_to_check"),
        *("next_to_measure", "open_campaigns", "open_runs", "previous_of", "queue_at", "requests_sent"),
        *("staged", "stoppable_runs"),
    },
    "for projections, as the system": {"default_profile", "item_of_check", "item_of_load", "sweep_of_run"},
}


@pytest.mark.parametrize("what", MATRIX)
def test_is_for_those_whom_the_table_names(world, what):
    check(MATRIX, what, world, services, selectors, comparing, exports, standing)
