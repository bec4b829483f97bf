"""Two at the same time, each with a connection of its own."""

import pytest

from submissions.campaigns import errors, selectors, services
from submissions.campaigns.models import Campaign, CampaignItem
from submissions.runs.models import Run
from tests.threads import together

from .conftest import check_all, claimed

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
