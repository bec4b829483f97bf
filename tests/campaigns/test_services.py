import pytest

from exchange.core.errors import InvalidInput, LimitExceeded
from submissions.campaigns import errors, selectors, services
from submissions.campaigns.models import Campaign, CampaignItem
from submissions.endpoints.errors import DeploymentDisabled, DeploymentNotFound, EndpointNotFound
from submissions.runs import settling
from submissions.runs.models import Run
from tests.factories.endpoints import DeploymentFactory, EndpointFactory
from tests.factories.runs import load_version, question_version

from .conftest import asked, check_all, claimed, finding

pytestmark = pytest.mark.django_db
EVERY = {
    "new": "n", "active": "a", "unstable": "u", "failed": "f", "not_available": "g", "incompatible": "i",
    "unsupported": "s", "disabled": "d", "missing": "m",
}  # fmt: skip


def rows():
    return Campaign.objects.count(), CampaignItem.objects.count(), Run.objects.count()


class TestStartCampaign:
    @pytest.mark.parametrize(
        ("mode", "chosen"),
        [
            ("full", "afginsu"),
            ("new", "n"),
            ("active", "a"),
            ("unstable", "u"),
            ("failed", "f"),
            ("unstable_failed", "fu"),
        ],
    )
    def test_makes_a_row_for_each_deployment_of_its_mode(self, mode, chosen, serving, start):
        campaign = start(serving(**EVERY), mode=mode)

        names = [item.deployment.served_name for item in campaign.items.order_by("position")]
        assert "".join(names) == chosen
        assert (campaign.item_count, campaign.done_count, campaign.percent) == (len(chosen), 0, 0)

    def test_takes_one_deployment_alone(self, serving, start):
        endpoint = serving(active=("a", "b"))
        one = endpoint.deployments.get(served_name="b")
        campaign = start(mode="one", deployment_id=one.pk)

        assert campaign.endpoint == endpoint
        assert [item.deployment for item in campaign.items.all()] == [one]

    def test_takes_all_endpoints_of_the_organization(self, serving, start):
        serving(active="a")
        serving(new="b")
        DeploymentFactory()

        campaign = start()
        assert (campaign.endpoint, campaign.item_count) == (None, 2)
        assert Run.objects.filter(kind="health", status="queued").count() == 2

    @pytest.mark.parametrize(("mode", "refreshes"), [("full", True), ("new", True), ("active", False)])
    def test_asks_first_what_is_served_where_that_matters(self, mode, refreshes, serving, start):
        campaign = start(serving(active="a"), mode=mode, refresh=None)

        assert campaign.refresh == refreshes
        assert Run.objects.get().kind == ("discovery" if refreshes else "health")
        assert campaign.percent == (None if refreshes else 0)

    def test_measures_with_the_shipped_baseline_where_it_is_installed(self, serving, start):
        baseline = load_version()
        baseline.benchmark.slug = selectors.DEFAULT_PROFILE
        baseline.benchmark.status = "active"
        baseline.benchmark.save()

        assert start(serving(active="a")).profile == baseline

    def test_measures_nothing_without_a_profile(self, serving, start):
        assert start(serving(active="a")).profile is None


class TestStartCampaignRefuses:
    @pytest.fixture(autouse=True)
    def leaves_no_row(self, db):
        yield
        assert rows() == (0, 0, 0)

    def test_an_unknown_mode(self, serving, start):
        with pytest.raises(InvalidInput) as refusal:
            start(serving(active="a"), mode="everything")
        assert refusal.value.errors[0].code == "unknown_mode"

    def test_a_mode_that_selects_nothing(self, serving, start):
        with pytest.raises(errors.NothingToCheck):
            start(serving(active="a"), mode="failed")

    def test_an_organization_without_endpoints(self, start):
        with pytest.raises(errors.NothingToCheck):
            start(refresh=True)

    def test_one_without_a_deployment_and_another_mode_with_one(self, serving, start):
        endpoint = serving(active="a")
        for form in ({"mode": "one"}, {"deployment_id": endpoint.deployments.get().pk}):
            with pytest.raises(InvalidInput) as refusal:
                start(endpoint, **form)
            assert refusal.value.errors[0].field == "deployment_id"

    def test_a_deployment_at_another_endpoint(self, serving, start):
        one = serving(active="a").deployments.get()
        with pytest.raises(InvalidInput):
            start(serving(active="b"), mode="one", deployment_id=one.pk)

    def test_a_disabled_deployment(self, serving, start):
        one = serving(disabled="d").deployments.get()
        with pytest.raises(DeploymentDisabled):
            start(mode="one", deployment_id=one.pk)

    def test_another_organizations_endpoint_and_deployment(self, start):
        other = DeploymentFactory()
        with pytest.raises(EndpointNotFound):
            start(other.endpoint)
        with pytest.raises(DeploymentNotFound):
            start(mode="one", deployment_id=other.pk)

    def test_an_endpoint_of_another_organization_of_the_same_person(self, start, organization, actor_of):
        other = EndpointFactory()
        with pytest.raises(InvalidInput) as refusal:
            start(other, actor=actor_of(organization, other.organization))
        assert refusal.value.errors[0].field == "endpoint_id"

    def test_what_is_no_published_load(self, serving, start, organization):
        endpoint = serving(active="a")
        draft = load_version(organization=organization)
        type(draft).objects.filter(pk=draft.pk).update(status="superseded")
        for version in (question_version(1, organization=organization), draft):
            with pytest.raises(errors.ProfileNotUsable):
                start(endpoint, profile_version_id=version.pk)


class TestLimits:
    def test_keep_an_endpoint_to_one_open_campaign(self, serving, start):
        endpoint = serving(active="a", new="b")
        start(endpoint)
        before = rows()

        for form in ({"mode": "new"}, {"mode": "one", "deployment_id": endpoint.deployments.first().pk}):
            with pytest.raises(errors.CampaignOpen):
                start(endpoint, **form)
        with pytest.raises(errors.CampaignOpen):
            start()
        assert rows() == before

        check_all()
        assert start(endpoint).status == "queued"

    def test_keep_an_organization_to_five_open_campaigns(self, serving, start):
        for _ in range(services.MOST_OPEN):
            start(serving(active="a"))
        with pytest.raises(errors.TooManyCampaigns):
            start(serving(active="a"))

    def test_slow_down_who_starts_again_and_again(self, serving, start, monkeypatch):
        monkeypatch.setattr(services, "STARTS", 1)
        start(serving(active="a"))
        with pytest.raises(LimitExceeded):
            start(serving(active="b"))


class TestCancelCampaign:
    def test_ends_at_once_while_nothing_runs(self, serving, start, member):
        campaign = start(serving(active=("a", "b")))
        campaign = services.cancel_campaign(actor=member, campaign_id=campaign.pk)

        assert (campaign.status, campaign.outcomes, campaign.percent) == ("cancelled", {"cancelled": 2}, 100)
        assert set(Run.objects.values_list("status", flat=True)) == {"cancelled"}
        assert set(campaign.items.values_list("final_status", flat=True)) == {"active"}

    def test_ends_while_the_endpoint_is_asked_what_it_serves(self, serving, start, member):
        campaign = start(serving(active="a"), refresh=True)
        campaign = services.cancel_campaign(actor=member, campaign_id=campaign.pk)

        assert (campaign.status, campaign.item_count) == ("cancelled", 0)

    def test_waits_for_the_run_that_is_running(self, serving, start, member):
        campaign = start(serving(active=("a", "b")))
        run, _lease = claimed()
        campaign = services.cancel_campaign(actor=member, campaign_id=campaign.pk)
        run.refresh_from_db()
        assert (campaign.status, campaign.done_count) == ("running", 1)
        assert run.cancel_requested_at is not None

        assert services.cancel_campaign(actor=member, campaign_id=campaign.pk).status == "running"

    def test_starts_nothing_after_a_check_that_ended_all_the_same(self, serving, start, member, profile):
        campaign = start(serving(new=("a", "b")), profile_version_id=profile.pk)
        _run, lease = claimed()
        services.cancel_campaign(actor=member, campaign_id=campaign.pk)
        settling.settle_check(lease, finding())

        campaign = selectors.get_campaign(actor=member, campaign_id=campaign.pk)
        assert (campaign.status, campaign.outcomes) == ("cancelled", {"active": 1, "cancelled": 1})
        assert not Run.objects.filter(kind="performance").exists()

    def test_asks_as_much_of_the_database_for_many_rows_as_for_few(self, serving, start, member):
        def queries(count):
            campaign = start(serving(active=[f"m{number}" for number in range(count)]))
            return asked(lambda: services.cancel_campaign(actor=member, campaign_id=campaign.pk))

        assert queries(3) == queries(30)

    def test_refuses_one_that_has_ended(self, serving, start, member):
        campaign = start(serving(active="a"))
        check_all()
        with pytest.raises(errors.CampaignClosed):
            services.cancel_campaign(actor=member, campaign_id=campaign.pk)
