"""Every service and selector of endpoints × who asks."""

from decimal import Decimal

import pytest

from llm_benchmark.measure.probing import State
from submissions.endpoints import deployments, discovering, selectors, services
from tests.contract.matrix import NOTHING, YES, World, changed, check, lasting, nothing_else, row
from tests.factories.endpoints import DeploymentFactory, EndpointFactory, PriceFactory
from tests.factories.submissions import make_submission

WHO_ARE_YOU, SCOPE, NOT_YOURS = "unauthenticated", "scope_missing", "not_your_organization"
NO_ENDPOINT, NO_DEPLOYMENT, NO_MODEL = "endpoint_not_found", "deployment_not_found", "model_not_found"
OWN = dict.fromkeys(("viewer", "member", "admin", "owner", "read_only"), YES)
WORKERS = {"member": YES, "admin": YES, "owner": YES, "read_only": SCOPE}

EVERYBODY = row(YES)
REGISTER = row(NOT_YOURS, anonymous=WHO_ARE_YOU, **WORKERS)
KEEPERS = row(NO_DEPLOYMENT, anonymous=WHO_ARE_YOU, viewer=NOT_YOURS, **WORKERS)
WRITERS = row(NO_ENDPOINT, anonymous=WHO_ARE_YOU, viewer=NOT_YOURS, **WORKERS)


def readers(otherwise):
    return row(otherwise, anonymous=WHO_ARE_YOU, **OWN)


class Endpoints(World):
    """An endpoint with one deployment, whose model nobody else knows, and a model that a claim made known."""

    def __init__(self):
        super().__init__()
        self.endpoint = EndpointFactory(organization=self.organization)
        self.deployment = DeploymentFactory(endpoint=self.endpoint)
        self.claimed = make_submission()
        deployments.change_status(self.deployment, State.ACTIVE, "answered")
        PriceFactory(deployment=self.deployment)


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        yield Endpoints()


@pytest.fixture(autouse=True)
def nothing_is_dialled(monkeypatch):
    monkeypatch.setattr(discovering, "discover", lambda target, **seconds: [])


def endpoint(world):
    return {"endpoint_id": world.endpoint.pk}


def deployment(world):
    return {"deployment_id": world.deployment.pk}


def price(world):
    return {**deployment(world), "input_per_million": Decimal(1), "output_per_million": Decimal(2)}


def new_endpoint(world):
    return {
        "organization_id": world.organization.pk,
        "name": "New",
        "provider_name": "Acme",
        "base_url": "https://api.example.com",
    }


MATRIX = {
    "register_endpoint": (REGISTER, new_endpoint),
    "update_endpoint": (WRITERS, lambda world: {**endpoint(world), "name": "Other"}),
    "discover_models": (WRITERS, endpoint),
    "list_endpoints": (readers(NOTHING), nothing_else),
    "list_endpoints (of an organization)": (
        readers(NOTHING),
        lambda world: {"organization_id": world.organization.pk},
    ),
    "get_endpoint": (readers(NO_ENDPOINT), endpoint),
    "get_endpoint_by_name": (readers(NO_ENDPOINT), lambda world: {"name": world.endpoint.name}),
    "lock_endpoint": (readers(NO_ENDPOINT), endpoint),
    "list_deployments": (readers(NOTHING), endpoint),
    "get_deployment": (readers(NO_DEPLOYMENT), deployment),
    "lock_deployment": (readers(NO_DEPLOYMENT), deployment),
    "list_status_changes": (readers(NO_DEPLOYMENT), deployment),
    "list_prices": (readers(NO_DEPLOYMENT), deployment),
    "update_deployment": (KEEPERS, lambda world: {**deployment(world), "is_disabled": True}),
    "set_capability": (KEEPERS, lambda world: {**deployment(world), "capability": "rerank"}),
    "disable_deployment": (KEEPERS, deployment),
    "enable_deployment": (KEEPERS, deployment),
    "set_price": (KEEPERS, price),
    "list_models": (EVERYBODY, nothing_else),
    "list_models (only served)": (
        changed(readers(NOTHING), anonymous=NOTHING),
        lambda world: {"query": world.deployment.model.name},
    ),
    "get_model (claimed in public)": (EVERYBODY, lambda world: {"model_id": world.claimed.model_id}),
    "get_model (only served)": (
        changed(readers(NO_MODEL), anonymous=NO_MODEL),
        lambda world: {"model_id": world.deployment.model_id},
    ),
}
OUTSIDE = {
    "where every read starts": {"visible_to"},
    "for workers, as the system": {
        *("target_for", "target_at", "egress_rules", "deployment_of_system", "lock_endpoints_of_system"),
    },
    "of what its caller has found": {
        *("has_open_runs", "without_address", "known_of", "price_in_force", "change_status", "tell"),
    },
}


@pytest.mark.parametrize("what", MATRIX)
def test_is_for_those_whom_the_table_names(world, what):
    check(MATRIX, what, world, services, deployments, selectors)
