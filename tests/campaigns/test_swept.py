"""Campaigns at a simulated provider, from the list of models to the end."""

import pytest

from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from submissions.campaigns import selectors
from submissions.endpoints.models import Deployment
from submissions.runs import services as runs
from submissions.runs.models import Attempt, Run
from tests.factories.endpoints import KEY, EndpointFactory

pytestmark = [pytest.mark.sockets, pytest.mark.django_db]
MODELS = {
    "chat": Behaviour(),
    "chat-flaky": Behaviour(failure="503", fail_first=1, retry_after="0"),
    "chat-gone": Behaviour(failure="404"),
    "chat-broken": Behaviour(failure="bad_json"),
    "chat-refusing": Behaviour(failure="400"),
    "chat-images": Behaviour(failure="mismatch"),
    "embed-text": Behaviour(kind="embedding"),
    "guard": Behaviour(),
}
STATES = {
    "chat": "active",
    "chat-flaky": "unstable",
    "chat-gone": "not_available",
    "chat-broken": "failed",
    "chat-refusing": "failed",
    "chat-images": "incompatible",
    "embed-text": "active",
    "guard": "unsupported",
}


@pytest.fixture(scope="module")
def simulator():
    with Simulator(SimulatorConfig(MODELS, api_key=KEY)) as running:
        yield running


@pytest.fixture
def endpoint(simulator, settings, organization):
    settings.EGRESS_ALLOW = frozenset({simulator.host_and_port})
    return EndpointFactory(organization=organization, base_url=simulator.base_url, key=KEY)


def work():
    """As workers do, but for the pauses between tries."""
    while runs.work_once("health", "discovery") or _skip_pauses():
        pass


def _skip_pauses():
    waiting = Run.objects.filter(status="queued", kind="health")
    return waiting.update(not_before="2020-01-01T00:00Z")


class TestSweep:
    def test_finds_checks_and_classifies_what_an_endpoint_serves(self, endpoint, start, member):
        campaign = start(endpoint, refresh=None)
        work()

        campaign = selectors.get_campaign(actor=member, campaign_id=campaign.pk)
        assert (campaign.status, campaign.percent) == ("completed", 100)
        assert dict(Deployment.objects.values_list("served_name", "status")) == STATES
        items = selectors.list_items(actor=member, campaign_id=campaign.pk)
        assert {item.deployment.served_name: item.final_status for item in items} == STATES
        assert Deployment.objects.get(served_name="embed-text").capability == "embedding"

    def test_books_every_request(self, endpoint, serving, start, simulator):
        serving(endpoint, active=("chat", "embed-text"))
        before = {name: counts["requests"] for name, counts in simulator.counts().items()}
        campaign = start(endpoint)
        work()

        for item in campaign.items.all():
            name = item.deployment.served_name
            sent = Attempt.objects.filter(run=item.health_run).values_list("status", flat=True)
            assert list(sent) == ["settled"] * 4
            assert item.attempt_count == simulator.counts()[name]["requests"] - before[name] == 4
            steps = [probe["step"] for probe in item.probes]
            assert steps == ["smoke", "stability-1", "stability-2", "stability-3"]

    def test_stops_where_the_key_is_refused(self, endpoint, serving, start, member):
        serving(endpoint, active="chat", failed="chat-broken")
        with acting_for(SYSTEM):
            endpoint.credential.delete()
        campaign = start(endpoint)
        work()

        campaign = selectors.get_campaign(actor=member, campaign_id=campaign.pk)
        assert (campaign.status, campaign.fault_code) == ("failed", "authentication_failed")
        stands = dict(Deployment.objects.values_list("served_name", "status"))
        assert stands == {"chat": "active", "chat-broken": "failed"}
