"""Campaigns whose workers are killed, and one that is cancelled under load."""

import signal
import time
from collections import Counter

import pytest

from exchange.core import clock
from exchange.core.models import AuditEntry
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from submissions.campaigns import selectors, services
from submissions.endpoints.models import Deployment
from submissions.runs import services as runs
from submissions.runs.models import Attempt, Run
from tests.factories.endpoints import KEY, EndpointFactory
from tests.factories.runs import load_version
from tests.runs.worker import Workers

pytestmark = [pytest.mark.sockets, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
MODELS = {
    "chat": Behaviour(),
    "chat-gone": Behaviour(failure="404"),
    "chat-later": Behaviour(),
    "a-slow-chat": Behaviour(ttft_ms=30, itl_ms=50),
}
PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def simulator():
    with Simulator(SimulatorConfig(MODELS, api_key=KEY)) as running:
        yield running


@pytest.fixture(scope="module")
def workers(django_db_setup):
    with Workers() as running:
        yield running


@pytest.fixture
def endpoint(simulator, settings, organization, tmp_path):
    settings.EGRESS_ALLOW = frozenset({simulator.host_and_port})
    settings.EVIDENCE_URL, settings.STATE_DIR = (tmp_path / "evidence").as_uri(), tmp_path
    return EndpointFactory(organization=organization, base_url=simulator.base_url, key=KEY)


@pytest.fixture
def campaign_over(endpoint, serving, start):
    """`campaign_over("chat", …)`: one that checks these."""
    return lambda *names, **form: start(serving(endpoint, new=names), **form)


def until(condition, process=None):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        assert process is None or process.is_alive(), "the worker ended"
        time.sleep(0.02)


def outlive_lease():
    """What the passing of time does, without the waiting."""
    Run.objects.filter(status="running").update(lease_until=clock.now())
    return runs.reap_runs()


class TestKilledWorker:
    @pytest.mark.parametrize(
        "failpoint", ["after_claim:1", "after_send_started:3", "after_response_before_commit:2"]
    )
    def test_is_followed_by_one_that_goes_on_with_the_check(
        self, failpoint, workers, campaign_over, simulator
    ):
        before = requests_to(simulator)
        campaign = campaign_over("chat", "chat-gone", "chat-later")
        assert workers.start("health", failpoint=failpoint).wait() == -signal.SIGKILL
        assert outlive_lease() == 1
        while runs.work_once("health"):
            pass

        campaign.refresh_from_db()
        assert campaign.status == "completed"
        states = dict(Deployment.objects.values_list("served_name", "status"))
        assert states == {"chat": "active", "chat-gone": "not_available", "chat-later": "active"}
        assert Run.objects.filter(kind="health").count() == campaign.items.count() == 3
        assert AuditEntry.objects.filter(kind="campaign.completed", subject_id=campaign.pk).count() == 1
        books = Counter(Attempt.objects.values_list("status", flat=True))
        asked = sum((requests_to(simulator) - before).values())
        assert books["settled"] == 4 + 1 + 4  # each question was answered once
        assert books["settled"] <= asked <= books["settled"] + books["lost"]
        assert books["lost"] <= 1


def requests_to(simulator):
    return Counter({name: counts["requests"] for name, counts in simulator.counts().items()})


class TestCancelUnderLoad:
    def test_ends_the_load_and_then_the_campaign(self, workers, endpoint, campaign_over, member):
        """AIPerf is on its way; both it and the gateway are gone when the run has ended."""
        sizes = {"input_tokens": 16, "output_tokens": 128, "requests": 50, "warmup_requests": 1}
        profile = load_version(organization=endpoint.organization, **sizes)
        campaign = campaign_over("a-slow-chat", "chat", profile_version_id=profile.pk)
        while runs.work_once("health"):
            pass
        process = workers.start("performance")
        load = Run.objects.get(kind="performance")
        assert load.deployment.served_name == "a-slow-chat"
        requests = load.attempts.filter(purpose="request", status__in=["sent", "settled"])
        until(requests.exists, process)
        services.cancel_campaign(actor=member, campaign_id=campaign.pk)
        assert process.wait() == 0

        campaign = selectors.get_campaign(actor=member, campaign_id=campaign.pk)
        assert (campaign.status, campaign.outcomes) == ("cancelled", {"cancelled": 2})
        assert set(Run.objects.filter(kind="performance").values_list("status", flat=True)) == {"cancelled"}
        assert not load.attempts.filter(status__in=["reserved", "sent"]).exists()
        assert set(Deployment.objects.values_list("status", flat=True)) == {"active"}
