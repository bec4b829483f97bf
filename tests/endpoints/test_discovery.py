from contextlib import contextmanager

import pytest
from django.db import connections

from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from submissions.endpoints import discovering, errors, services
from submissions.endpoints.models import LanguageModel, ModelAlias
from tests.factories.endpoints import KEY, DeploymentFactory, EndpointFactory, LanguageModelFactory
from tests.factories.runs import RunFactory

pytestmark = [pytest.mark.django_db, pytest.mark.sockets]


@pytest.fixture(scope="module")
def simulator():
    models = {"sim-a": Behaviour(), "sim-b": Behaviour(strict=True)}
    with Simulator(SimulatorConfig(models, api_key=KEY)) as running:
        yield running


@pytest.fixture
def endpoint(simulator, settings):
    settings.EGRESS_ALLOW = frozenset({simulator.host_and_port})
    return EndpointFactory(base_url=simulator.base_url, key=KEY)


@pytest.fixture
def discover(endpoint, actor_of):
    actor = actor_of(endpoint.organization, role="member")
    return lambda: services.discover_models(actor=actor, endpoint_id=endpoint.pk)


class TestDiscoverModels:
    def test_makes_a_deployment_for_each_model(self, discover, endpoint):
        found = discover()

        names = set(endpoint.deployments.values_list("served_name", "model__publisher", "model__name"))
        assert names == {("sim-a", "simulated", "sim-a"), ("sim-b", "simulated", "sim-b")}
        assert (found.is_simulated, found.deployment_count) == (True, 2)
        assert found.discovered_at is not None

    def test_stores_the_dialect_that_the_first_model_speaks(self, discover):
        assert discover().dialect["name"] == "vllm"

    def test_finds_the_same_rows_again(self, discover, endpoint):
        discover()
        before = set(endpoint.deployments.values_list("pk", "model_id"))
        discover()

        assert set(endpoint.deployments.values_list("pk", "model_id")) == before

    def test_uses_the_model_that_a_curator_named(self, discover, endpoint):
        model = LanguageModelFactory()
        ModelAlias.objects.create(model=model, publisher="Simulated", name="SIM-A")
        discover()

        assert endpoint.deployments.get(served_name="sim-a").model == model
        assert not LanguageModel.objects.filter(name="sim-a").exists()

    def test_unlists_a_name_that_is_not_returned_any_more(self, discover, endpoint):
        gone = DeploymentFactory(endpoint=endpoint, served_name="gone")
        back = DeploymentFactory(endpoint=endpoint, served_name="sim-a", is_listed=False)
        discover()

        gone.refresh_from_db()
        back.refresh_from_db()
        assert (gone.is_listed, back.is_listed) == (False, True)

    def test_sends_no_extra_requests_while_a_run_is_open(self, discover, endpoint, simulator):
        RunFactory(deployment__endpoint=endpoint)
        before = simulator.counts()["sim-a"]["requests"]
        discover()

        assert simulator.counts()["sim-a"]["requests"] == before

    def test_says_what_the_endpoint_did_wrong(self, endpoint, discover):
        with acting_for(SYSTEM):
            endpoint.credential.delete()

        with pytest.raises(errors.DiscoveryFailed) as refusal:
            discover()
        (error,) = refusal.value.errors
        assert (error.field, error.code) == ("base_url", "authentication_failed")

    def test_refuses_a_second_one_of_the_organization_at_the_same_time(self, endpoint, discover, simulator):
        before = simulator.counts()["sim-a"]["requests"]
        with held_by_another_connection(endpoint.organization_id):
            with pytest.raises(errors.DiscoveryRunning):
                discover()
            assert not endpoint.deployments.exists()
            assert simulator.counts()["sim-a"]["requests"] == before

        assert discover().deployment_count == 2

    def test_leaves_no_lock_behind_when_it_fails(self, endpoint, discover):
        with acting_for(SYSTEM):
            endpoint.credential.delete()
        with pytest.raises(errors.DiscoveryFailed):
            discover()
        with held_by_another_connection(endpoint.organization_id) as is_held:
            assert is_held

    def test_shares_its_seconds_out_to_what_it_asks(self, discover, monkeypatch):
        given = {}
        for name in ("discover", "probe_dialect"):
            ask = getattr(discovering, name)
            monkeypatch.setattr(
                discovering,
                name,
                lambda target, *, ask=ask, **times: given.update(times) or ask(target, **times),
            )
        discover()

        assert given["seconds"] <= discovering.LISTING_SECONDS
        assert 0 < given["within"] < discovering.DISCOVERY_SECONDS


@contextmanager
def held_by_another_connection(organization_id):
    other = connections.create_connection("default")
    other.settings_dict = {**other.settings_dict, **connections["default"].settings_dict}
    try:
        with other.cursor() as cursor:
            key = [services._DISCOVERY_LOCK, str(organization_id)]
            cursor.execute("SELECT pg_try_advisory_lock(%s, hashtext(%s))", key)
            yield cursor.fetchone()[0]
    finally:
        other.close()


def test_target_for_opens_the_key_for_a_worker(endpoint):
    endpoint.dialect = {"name": "vllm", "max_tokens_field": "max_tokens", "extra_body": {"ignore_eos": True}}
    endpoint.save()
    deployment = DeploymentFactory(endpoint=endpoint, served_name="sim-a")

    target = services.target_for(deployment)

    assert (target.base_url, target.model, target.api_key) == (endpoint.base_url, "sim-a", KEY)
    assert target.dialect.extra_body == {"ignore_eos": True}
    assert KEY not in repr(target)
