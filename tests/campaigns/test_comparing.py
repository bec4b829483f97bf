import pytest

from exchange.core.errors import InvalidInput
from submissions.campaigns import comparing, errors
from submissions.campaigns.models import Campaign
from tests.factories.accounts import OrganizationFactory

from .conftest import check_all, end_load, finding

pytestmark = pytest.mark.django_db


@pytest.fixture
def compare(member):
    return lambda campaign, **form: comparing.compare_campaigns(actor=member, campaign_id=campaign.pk, **form)


def began(campaign, day):
    """All that a test makes is made at one moment."""
    Campaign.objects.filter(pk=campaign.pk).update(created_at=f"2026-01-{day:02}T00:00Z")


class TestCompareCampaigns:
    def test_names_what_appeared_vanished_and_changed(self, serving, start, compare, member):
        endpoint = serving(active=("gone", "kept", "worse"))
        first = start(endpoint)
        began(first, 1)
        check_all()
        endpoint.deployments.filter(served_name="gone").update(status="missing")
        serving(endpoint, new="fresh")
        second = start(endpoint)
        check_all({"worse": finding("failed")})

        found = compare(second)
        assert found.previous == first
        assert [item.deployment.served_name for item in found.appeared] == ["fresh"]
        assert [item.deployment.served_name for item in found.vanished] == ["gone"]
        (change,) = found.changed
        assert (change.previous.final_status, change.item.final_status) == ("active", "failed")
        assert len(found.changes) == 2

    def test_gives_the_ratios_of_what_both_measured(self, serving, start, profile, compare):
        endpoint = serving(active="a")
        for day, figures in ((1, {"ttft_p50": 40.0, "requests_per_second": 0.0}), (2, {"ttft_p50": 50.0})):
            campaign = start(endpoint, profile_version_id=profile.pk)
            began(campaign, day)
            check_all()
            end_load(figures)

        (change,) = compare(campaign).changes
        assert (change.ratios, change.is_changed) == ({"ttft_p50": 1.25}, False)

    def test_takes_the_last_one_of_the_same_scope(self, serving, start, compare):
        endpoint = serving(active="a")
        same = start(endpoint)
        began(same, 1)
        check_all()
        for day, form in ((2, {"mode": "one", "deployment_id": endpoint.deployments.get().pk}), (3, {})):
            began(start(**form), day)
            check_all()
        campaign = start(endpoint, mode="active")
        check_all()

        assert compare(campaign).previous == same

    def test_refuses_the_first_one_and_another_organizations(self, serving, start, compare, actor_of):
        campaign = start(serving(active="a"))
        check_all()
        with pytest.raises(errors.NoPreviousCampaign):
            compare(campaign)
        with pytest.raises(errors.CampaignNotFound):
            comparing.compare_campaigns(actor=actor_of(), campaign_id=campaign.pk)

    def test_refuses_one_of_another_organization_of_the_same_person(
        self, serving, start, organization, actor_of
    ):
        campaign = start(serving(active="a"))
        check_all()
        other = Campaign.objects.create(
            organization=OrganizationFactory(), mode="full", refresh=False, via="api", status="completed"
        )
        actor = actor_of(organization, other.organization)
        with pytest.raises(InvalidInput):
            comparing.compare_campaigns(actor=actor, campaign_id=campaign.pk, previous_id=other.pk)
