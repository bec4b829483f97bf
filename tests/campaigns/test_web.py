import pytest

from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from llm_benchmark.measure.probing import State
from submissions.campaigns import standing
from submissions.campaigns.models import Campaign
from submissions.endpoints import deployments
from submissions.endpoints.models import Endpoint, EndpointCredential
from tests.factories.accounts import MembershipFactory, OrganizationFactory
from tests.factories.endpoints import DeploymentFactory, EndpointFactory, PriceFactory

from .conftest import UNAUTHORISED, check_all, claimed, end_load, finding

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(client, organization):
    """Logged in, a member."""
    membership = MembershipFactory(organization=organization, role="member")
    client.force_login(membership.user)
    return membership


@pytest.fixture
def look(client, person):
    """`look("/campaigns/…")`: the page's text."""

    def call(path, status=200):
        answer = client.get(path)
        assert answer.status_code == status
        return answer.content.decode()

    return call


@pytest.fixture
def send(client, person):
    """`send("/…", mode="full")`: where it leads, or the page that refuses it."""

    def call(path, status=302, **form):
        answer = client.post(path, form)
        assert answer.status_code == status, answer.content.decode()
        return answer["Location"] if status == 302 else answer.content.decode()

    return call


@pytest.fixture
def of(organization):
    return f"/organizations/{organization.slug}"


class TestEndpoints:
    def test_lead_somebody_new_to_the_first_one(self, look, of):
        assert "Register the first one" in look(f"{of}/endpoints")

    def test_are_registered_and_never_show_the_key(self, send, look, of):
        form = {"name": "Home", "provider_name": "Acme", "base_url": "https://api.example.com/v1"}
        path = send(f"{of}/endpoints", **form, api_key="sk-secret-0123", protocol="chat")

        html = look(path)
        assert "stored encrypted; never shown" in html
        assert "sk-secret" not in html

    def test_are_refused_beside_their_field(self, send, of):
        form = {"name": "Home", "provider_name": "Acme", "base_url": "http://127.0.0.1:1/v1"}
        html = send(f"{of}/endpoints", 400, **form, api_key="sk-secret-0123")

        assert '<a href="#f-base_url">' in html
        assert "sk-secret" not in html

    def test_stand_with_their_states_and_last_campaign(self, look, serving, start, of):
        endpoint = serving(active=("a", "b"), failed="c")
        campaign = start(endpoint)

        html = look(f"{of}/endpoints")
        assert "3 deployments: 2 active, 1 failed." in html
        assert f'href="/campaigns/{campaign.pk}"' in html

    @pytest.mark.parametrize("path", ["endpoints", "campaigns", "campaigns/start"])
    def test_of_others_are_not_found(self, look, path):
        look(f"/organizations/{OrganizationFactory().slug}/{path}", status=404)

    def test_send_strangers_to_the_log_in(self, client, of):
        assert client.get(f"{of}/endpoints")["Location"].startswith("/login?next=")


class TestEndpoint:
    def test_shows_what_it_serves_with_prices_and_reasons(self, look, serving):
        endpoint = serving(unstable="shaky")
        shaky = endpoint.deployments.get()
        shaky.status_reason = "unstable_probes"
        shaky.save()
        PriceFactory(deployment=shaky)

        html = look(f"/endpoints/{endpoint.pk}")
        assert "It answered once, and not every time after that." in html
        assert "$2.5 / $10" in html

    def test_narrows_to_one_state(self, look, serving):
        endpoint = serving(active="steady", failed="broken")
        path = f"/endpoints/{endpoint.pk}?status=failed&utm_source=letter"

        html = look(path)
        assert "broken" in html
        assert "steady" not in html

    def test_refuses_a_state_that_there_is_not(self, look, serving):
        look(f"/endpoints/{serving(active='a').pk}?status=splendid", status=400)

    def test_of_others_is_not_found(self, look):
        look(f"/endpoints/{EndpointFactory().pk}", status=404)

    def test_is_renamed_while_a_campaign_runs_and_keeps_its_address(self, send, serving, start):
        endpoint = serving(active="a")
        start(endpoint)
        settings = f"/endpoints/{endpoint.pk}/settings"
        form = {"name": "Renamed", "provider_name": "Acme"}

        send(settings, **form, base_url=endpoint.base_url)
        html = send(settings, 409, **form, base_url="https://other.example.com/v1")

        assert "Change its address, protocol or key when they have ended." in html
        assert Endpoint.objects.get(pk=endpoint.pk).name == "Renamed"

    def test_loses_its_key_only_where_that_is_ticked(self, send, organization):
        endpoint = EndpointFactory(organization=organization, key="sk-test-0123456789")
        settings, form = f"/endpoints/{endpoint.pk}/settings", {"name": "N", "provider_name": "P"}

        send(settings, **form, base_url=endpoint.base_url, api_key="")
        with acting_for(SYSTEM):
            assert EndpointCredential.objects.filter(endpoint=endpoint).exists()
        send(settings, **form, base_url=endpoint.base_url, remove_key="1")
        with acting_for(SYSTEM):
            assert not EndpointCredential.objects.filter(endpoint=endpoint).exists()


class TestDeployment:
    @pytest.fixture
    def deployment(self, organization):
        return DeploymentFactory(endpoint=EndpointFactory(organization=organization), status="new")

    def test_tells_its_history_with_reasons_and_what_to_do(self, look, deployment):
        deployments.change_status(deployment, State.NOT_AVAILABLE, "model_not_found")

        html = look(f"/deployments/{deployment.pk}")
        assert html.count("The endpoint does not serve this model.") == 2  # the sentence, and the timeline
        assert "Look for models again" in html
        assert "was new" in html

    def test_is_for_what_somebody_says_until_they_take_it_back(self, send, deployment):
        path = f"/deployments/{deployment.pk}/update"
        send(path, capability="embedding")
        deployment.refresh_from_db()
        assert (deployment.capability, deployment.capability_source) == ("embedding", "manual")

        send(path, capability="automatic")
        deployment.refresh_from_db()
        assert deployment.capability_source == "unknown"

    def test_is_disabled_and_enabled(self, send, look, deployment):
        path = f"/deployments/{deployment.pk}"
        send(f"{path}/update", is_disabled="true")
        assert "Enable it again" in look(path)
        assert "Check it now" not in look(path)

        send(f"{path}/update", is_disabled="false")
        assert "Check it now" in look(path)

    def test_has_a_price_and_says_what_is_none(self, send, look, deployment):
        path = f"/deployments/{deployment.pk}"
        send(f"{path}/prices", input_per_million="0.15", output_per_million="0.6")
        assert "$0.15 / $0.6" in look(path)

        html = send(f"{path}/prices", 400, input_per_million="-1", output_per_million="0.6")
        assert "A price is at least 0" in html

    def test_is_checked_alone(self, send, of, deployment):
        path = send(f"{of}/campaigns/start", mode="one", deployment_id=deployment.pk)

        campaign = Campaign.objects.get()
        assert path == f"/campaigns/{campaign.pk}"
        assert (campaign.mode, campaign.via, campaign.deployment) == ("one", "web", deployment)

    def test_shows_what_campaigns_measured(self, look, deployment, start, profile):
        start(deployment.endpoint, profile_version_id=profile.pk)
        check_all()
        end_load({"ttft_p50": 41.25, "output_tokens_per_second": 402.0, "error_rate": 0.0})

        html = look(f"/deployments/{deployment.pk}")
        assert "41.2\u00a0ms" in html
        assert "measured" in html

    def test_of_others_is_not_found(self, look):
        look(f"/deployments/{DeploymentFactory().pk}", status=404)


class TestStarting:
    def test_says_how_many_models_each_mode_takes(self, look, serving, of):
        serving(active=("a", "b"), failed="c", disabled="d")

        html = look(f"{of}/campaigns/start")
        assert "3 models" in html  # full: all but the disabled one
        assert "2 models" in html
        assert _is_disabled(html, "unstable")
        assert not _is_disabled(html, "failed")
        assert not _is_disabled(html, "new")  # it asks first what is served

    def test_counts_at_the_endpoint_that_is_chosen(self, look, serving, of):
        serving(active="a")
        chosen = serving(failed="b")

        html = look(f"{of}/campaigns/start?endpoint={chosen.pk}")
        assert _is_disabled(html, "active")
        assert f'name="endpoint_id" value="{chosen.pk}"' in html

    def test_takes_a_broken_link_for_all_endpoints(self, look, serving, of):
        serving(active="a")
        assert not _is_disabled(look(f"{of}/campaigns/start?endpoint=nonsense"), "active")

    def test_starts_with_the_load_that_is_chosen(self, send, serving, of, profile):
        endpoint = serving(active="a")
        form = {"mode": "active", "endpoint_id": endpoint.pk, "profile_version_id": profile.pk}
        send(f"{of}/campaigns/start", **form)

        assert Campaign.objects.get().profile == profile

    def test_is_refused_with_what_to_do(self, send, serving, start, of):
        start(serving(active="a"))

        html = send(f"{of}/campaigns/start", 409, mode="active")
        assert "A campaign is going on at this endpoint. Wait for its end, or cancel it." in html

    def test_is_not_for_viewers(self, client, organization, of, serving):
        serving(active="a")
        client.force_login(MembershipFactory(organization=organization, role="viewer").user)

        assert client.post(f"{of}/campaigns/start", {"mode": "full"}).status_code == 403
        assert "can start campaigns" in client.get(f"{of}/campaigns/start").content.decode()


def _is_disabled(html, mode):
    return "disabled" in html.partition(f'value="{mode}"')[2].partition(">")[0]


class TestCampaign:
    def test_shows_exactly_how_far_it_is(self, look, serving, start):
        campaign = start(serving(active=("a", "b", "c", "d")))
        claimed()

        html = look(f"/campaigns/{campaign.pk}/progress")
        assert "0 of 4 models done." in html
        assert "a: finding out what it is for" in html

    def test_answers_unchanged_progress_with_304(self, client, person, serving, start):
        path = f"/campaigns/{start(serving(active='a')).pk}/progress"
        tag = client.get(path)["ETag"]
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 304

        check_all()
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 200

    def test_is_polled_until_it_ends(self, look, serving, start):
        campaign = start(serving(active="a"))
        assert f'data-poll="/campaigns/{campaign.pk}/progress"' in look(f"/campaigns/{campaign.pk}")
        check_all()

        assert "data-poll" not in look(f"/campaigns/{campaign.pk}")
        assert "data-done" in look(f"/campaigns/{campaign.pk}/progress")

    def test_is_cancelled_and_a_late_request_is_told_how_it_ended(self, client, look, send, serving, start):
        campaign = start(serving(active=("a", "b")))
        path = f"/campaigns/{campaign.pk}"
        send(f"{path}/cancel")
        assert "It was cancelled" in look(path)

        send(f"{path}/cancel")
        assert "The campaign has ended." in look(path)

    def test_says_what_changed_since_the_one_before(self, look, serving, start):
        endpoint = serving(active=("a", "b"))
        start(endpoint)
        check_all()
        second = start(endpoint)
        broken = finding("failed", reason="invalid_response", error="invalid_response")
        check_all({"b": broken})

        html = look(f"/campaigns/{second.pk}")
        changed = html.partition("What changed")[2].partition("Results")[0]
        assert "The response is no answer of the endpoint&#x27;s protocol." in changed
        assert "1 of 2 models are active." in html

    def test_narrows_its_results_to_one_outcome(self, look, serving, start):
        campaign = start(serving(active=("steady", "broken")))
        check_all({"broken": finding("failed", reason="invalid_response", error="invalid_response")})

        results = look(f"/campaigns/{campaign.pk}?outcome=failed").partition('id="results"')[2]
        assert "broken" in results
        assert "steady" not in results

    def test_names_the_way_out_of_a_refused_key(self, look, serving, start):
        campaign = start(serving(active="a"))
        check_all(default=UNAUTHORISED)

        assert "Enter the endpoint’s key again" in look(f"/campaigns/{campaign.pk}")

    def test_of_others_is_not_found(self, client, serving, start):
        campaign = start(serving(active="a"))
        client.force_login(MembershipFactory().user)

        for path in ("", "/progress"):
            assert client.get(f"/campaigns/{campaign.pk}{path}").status_code == 404
        assert client.post(f"/campaigns/{campaign.pk}/cancel").status_code == 404


class TestCampaigns:
    def test_are_listed_newest_first(self, look, serving, start, of):
        endpoint = serving(active="a")
        first = start(endpoint)
        check_all()
        second = start(endpoint)

        html = look(f"{of}/campaigns")
        assert html.index(str(second.pk)) < html.index(str(first.pk))

    def test_lead_from_nothing_to_the_first(self, look, of):
        html = look(f"{of}/campaigns")

        assert "No campaign yet" in html
        assert f'href="{of}/campaigns/start"' in html


class TestNumberChosen:
    STATES = {"active": 2, "unstable": 1, "failed": 3, "new": 4, "missing": 5, "disabled": 6}

    @pytest.mark.parametrize(
        ("mode", "number"),
        [("full", 10), ("new", 4), ("active", 2), ("unstable", 1), ("failed", 3), ("unstable_failed", 4)],
    )
    def test_is_what_a_campaign_of_the_mode_checks(self, mode, number):
        assert standing.number_chosen(mode, self.STATES) == number
