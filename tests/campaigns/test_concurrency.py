"""Two at the same time, each with a connection of its own."""

import threading
import time

import pytest
from django.db import connection, transaction

from exchange.core import events
from exchange.core.actors import SYSTEM
from llm_benchmark.measure.probing import DiscoveredModel
from submissions.campaigns import errors, selectors, services
from submissions.campaigns.models import Campaign, CampaignItem
from submissions.endpoints import selectors as endpoint_rows
from submissions.endpoints import services as endpoints
from submissions.endpoints.discovering import Listing
from submissions.endpoints.models import Deployment
from submissions.runs import measuring, settling
from submissions.runs import services as runs
from submissions.runs.models import Run
from tests.factories.endpoints import EndpointFactory
from tests.threads import together

from .conftest import check_all, claimed, end_load, finding

pytestmark = pytest.mark.django_db(transaction=True)


class TestStartCampaign:
    def test_lets_one_of_two_have_the_endpoint(self, serving, start):
        endpoint = serving(active="a")
        brought = together(lambda: start(endpoint), start, lambda: start(endpoint, mode="active"))

        assert sorted(type(one).__name__ for one in brought) == ["Campaign", "CampaignOpen", "CampaignOpen"]
        assert (Campaign.objects.count(), CampaignItem.objects.count(), Run.objects.count()) == (1, 1, 1)


class TestCancelCampaign:
    def test_stops_what_workers_go_on_with(self, serving, start, member):
        names = [f"m{number:02}" for number in range(15)]
        for _ in range(3):
            campaign = start(serving(active=names))

            def cancel(campaign=campaign):
                return services.cancel_campaign(actor=member, campaign_id=campaign.pk)

            _checked, cancelled = together(check_all, cancel)
            campaign = selectors.get_campaign(actor=member, campaign_id=campaign.pk)
            came_late = isinstance(cancelled, errors.CampaignClosed)
            assert campaign.status == ("completed" if came_late else "cancelled"), cancelled
            assert campaign.percent == 100
            assert not Run.objects.filter(status__in=["queued", "running"]).exists()

    def test_looks_again_when_a_check_was_queued_meanwhile(self, serving, start, member, monkeypatch):
        campaign = start(serving(active=("a", "b")))
        claimed()
        locked, calls = selectors._locked, []
        missed = lambda rows: calls.append(rows) or (locked(rows) if len(calls) > 1 else set())  # noqa: E731
        monkeypatch.setattr(selectors, "_locked", missed)
        services.cancel_campaign(actor=member, campaign_id=campaign.pk)

        assert len(calls) == 2
        assert Run.objects.exclude(cancel_requested_at=None).count() == 1


WAITERS = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
PATIENCE_SECONDS = 60


def while_held(hold, act):
    """Another transaction locks something by `hold`, waits until `act` comes to it, and then tells of a fact,
    as every writer does in the end. Raises what either raised.
    """

    held = threading.Event()

    def first():
        with transaction.atomic():
            hold()
            held.set()
            wait_until(somebody_waits_for_us)
            events.publish("test.held", actor=SYSTEM)

    def second():
        assert held.wait(PATIENCE_SECONDS)
        act()

    brought = together(first, second)
    for one in reversed(brought):
        if isinstance(one, Exception):
            raise one


def somebody_waits_for_us():
    with connection.cursor() as cursor:
        cursor.execute(WAITERS)
        return cursor.fetchone()[0] > 0


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


def hold(endpoint):
    endpoint_rows.lock_endpoints_of_system([endpoint.pk])


class TestTheChainOfFacts:
    """It is held last: whoever waited for something else with it in hand would lock up with its holder."""

    def test_is_not_held_by_a_check_that_waits_for_its_campaign(self, serving, start):
        campaign = start(serving(new="a"))
        _run, lease = claimed()
        while_held(
            lambda: selectors.lock_campaign(actor=SYSTEM, campaign_id=campaign.pk),
            lambda: settling.settle_check(lease, finding()),
        )

        campaign.refresh_from_db()
        assert (campaign.status, Deployment.objects.get().status) == ("completed", "active")

    def test_is_not_held_by_a_discovery_that_waits_for_other_endpoints(self, serving, start, organization):
        first, other = (serving(EndpointFactory(organization=organization), missing=name) for name in "ab")
        Deployment.objects.update(is_listed=False)
        campaign = start(refresh=True)
        leases = {}
        for _ in range(2):
            run, lease = claimed("discovery")
            leases[run.endpoint_id] = lease

        def settle(place, name):
            listing = Listing(place.base_url, [DiscoveredModel(name)], None)
            settling.settle_discovery(leases[place.pk], listing)

        settle(first, "a")
        while_held(lambda: hold(first), lambda: settle(other, "b"))

        assert campaign.items.count() == 2

    def test_is_not_held_by_a_load_that_waits_for_its_endpoint(self, serving, start, profile):
        endpoint = serving(new=("a", "b"))
        campaign = start(endpoint, profile_version_id=profile.pk)
        check_all()
        while_held(lambda: hold(endpoint), lambda: end_load({"error_rate": 0.5}))

        assert campaign.items.get(deployment__served_name="a").outcome == "unstable"
        assert Run.objects.filter(kind="performance", status="queued").count() == 1

    def test_is_not_held_by_a_list_of_models_that_waits_for_a_deployment(self, serving, member, monkeypatch):
        endpoint = serving(active=("gone", "kept"))
        listing = Listing(endpoint.base_url, [DiscoveredModel("kept")], None)
        monkeypatch.setattr(endpoints.discovering, "ask", lambda *_args, **_options: listing)
        kept = Deployment.objects.get(served_name="kept")
        while_held(
            lambda: endpoint_rows.lock_deployment(actor=member, deployment_id=kept.pk),
            lambda: endpoints.discover_models(actor=member, endpoint_id=endpoint.pk),
        )

        assert Deployment.objects.get(served_name="gone").status == "missing"


class TestBeginChecks:
    def test_lets_an_endpoint_that_hangs_keep_nobody_waiting(self, serving, start, member, monkeypatch):
        answers = threading.Event()

        def status_of(campaign):
            return selectors.get_campaign(actor=member, campaign_id=campaign.pk).status

        def measure(run, lease, *_):
            if run.deployment.served_name == "hangs":
                assert answers.wait(PATIENCE_SECONDS)
            settling.settle_check(lease, finding())

        monkeypatch.setattr(measuring, "measure", measure)
        hanging, quick = start(serving(active="hangs")), start(serving(active=("a", "b")))
        runs.begin_checks()
        try:
            wait_until(lambda: status_of(quick) == "completed")
            assert status_of(hanging) == "running"
        finally:
            answers.set()
            wait_until(lambda: not runs._checkers)
        assert status_of(hanging) == "completed"
