"""The route names of LLM Benchmark Manager."""

import pytest

from submissions.endpoints import deployments, discovering
from submissions.endpoints.discovering import Listing
from submissions.runs.models import Run
from tests.factories.accounts import MembershipFactory, OrganizationFactory
from tests.factories.endpoints import EndpointFactory
from tests.factories.runs import RunFactory
from tests.factories.submissions import make_submission

from .conftest import check_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(organization):
    return MembershipFactory(organization=organization, role="member").user


@pytest.fixture
def client(api_as, person):
    return api_as(person)


@pytest.fixture
def endpoint(serving, organization):
    return serving(EndpointFactory(organization=organization, name="My provider"), new="a")


@pytest.fixture
def campaign(endpoint, start):
    made = start(endpoint)
    check_all()
    return made


# The manager's name → ours.
READS = {
    "providers": "endpoints",
    "providers/{endpoint}": "endpoints/{endpoint}",
    "providers/My provider": "endpoints/{endpoint}",
    "providers/MY%20PROVIDER/": "endpoints/{endpoint}",
    "providers/{endpoint}/models": "deployments?endpoint_id={endpoint}",
    "providers/My provider/models": "deployments?endpoint_id={endpoint}",
    "runs/{campaign}": "campaigns/{campaign}",
    "runs/{campaign}/progress": "campaigns/{campaign}/items",
    "runs/{campaign}/results": "campaigns/{campaign}/results",
    "models/{deployment}": "deployments/{deployment}",
    "models/{deployment}/history": "deployments/{deployment}/history",
}


class TestReads:
    @pytest.mark.parametrize("path", READS)
    def test_answer_as_ours_do(self, client, campaign, path):
        deployment = campaign.endpoint.deployments.get()
        ids = {"endpoint": campaign.endpoint_id, "campaign": campaign.pk, "deployment": deployment.pk}

        answer = client.get(f"/api/v1/{path.format(**ids)}")
        ours = client.get(f"/api/v1/{READS[path].format(**ids)}")
        assert (answer.status_code, answer.json()) == (200, ours.json())

    @pytest.mark.parametrize("path", ["runs/{0}", "models/{0}", "models/{0}/history"])
    def test_know_nothing_of_what_others_have(self, api_as, campaign, path):
        stranger = api_as(MembershipFactory().user)

        for known in (campaign.pk, campaign.endpoint.deployments.get().pk):
            assert stranger.get(f"/api/v1/{path.format(known)}").status_code == 404


class TestWrites:
    def test_register_a_provider(self, client, organization):
        form = {
            "organization_id": str(organization.pk),
            "name": "Acme",
            "provider_name": "Acme",
            "base_url": "https://api.example.com/v1",
        }

        assert client.post("/api/v1/providers", form).json()["name"] == "Acme"

    @pytest.mark.parametrize("by", ["id", "name"])
    def test_ask_a_provider_for_its_models(self, client, endpoint, by, monkeypatch):
        monkeypatch.setattr(discovering, "ask", lambda target, is_probed: Listing(target.base_url, [], None))
        name = str(endpoint.pk) if by == "id" else "my provider"

        answer = client.post(f"/api/v1/providers/{name}/discover")
        assert answer.status_code == 200, answer.json()
        assert (answer.json()["id"], answer.json()["deployment_count"]) == (str(endpoint.pk), 0)

    @pytest.mark.parametrize("by", ["id", "name"])
    def test_start_a_campaign_at_a_provider(self, client, endpoint, by):
        provider = str(endpoint.pk) if by == "id" else endpoint.name

        answer = client.post("/api/v1/runs", {"provider": provider, "mode": "new"})
        assert answer.status_code == 202
        assert (answer.json()["endpoint_id"], answer.json()["mode"]) == (str(endpoint.pk), "new")
        assert Run.objects.get().kind == "discovery"

    @pytest.mark.parametrize("provider", [1, None, ["x"]])
    def test_refuse_a_provider_that_is_no_name(self, client, endpoint, provider):
        answer = client.post("/api/v1/runs", {"provider": provider, "mode": "new"})

        assert answer.status_code == 400
        assert "provider" in {error["field"] for error in answer.json()["errors"]}

    def test_refuse_an_unknown_provider_and_an_unknown_mode(self, client, endpoint):
        for other in ("other", "-" * 36):
            asked = {"provider": other, "mode": "new"}
            assert client.post("/api/v1/runs", asked).status_code == 404
        answer = client.post("/api/v1/runs", {"provider": endpoint.name, "mode": "bogus"})
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "mode")
        assert not Run.objects.exists()

    def test_cancel_a_campaign(self, client, endpoint, start):
        running = start(endpoint)

        assert client.post(f"/api/v1/runs/{running.pk}/cancel").json()["status"] == "cancelled"


class TestIdsOfOurs:
    def test_of_a_run_are_answered_with_the_run(self, api_as):
        run = RunFactory()
        viewer = api_as(MembershipFactory(organization=run.organization).user)

        assert viewer.get(f"/api/v1/runs/{run.pk}").json()["kind"] == "quality"

    def test_of_a_language_model_are_answered_with_the_model(self, api):
        model = make_submission().model

        assert api.get(f"/api/v1/models/{model.pk}").json()["name"] == model.name
        assert api.get(f"/api/v1/models/{model.pk}/history").json()["items"] == []

    def test_of_nothing_are_refused_as_before(self, client):
        nothing = "5f6c1b1e-0000-4000-8000-000000000000"

        codes = [client.get(f"/api/v1/{path}/{nothing}").json()["code"] for path in ("runs", "models")]
        assert codes == ["run_not_found", "model_not_found"]


class TestNames:
    def test_that_two_organizations_use_are_refused(self, client, endpoint, person):
        other = OrganizationFactory()
        MembershipFactory(user=person, organization=other)
        EndpointFactory(organization=other, name=endpoint.name)

        answer = client.get(f"/api/v1/providers/{endpoint.name}")
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "ambiguous")

    def test_of_others_are_not_found(self, api_as, endpoint):
        stranger = api_as(MembershipFactory().user)

        assert stranger.get(f"/api/v1/providers/{endpoint.name}").status_code == 404

    def test_are_for_those_who_are_logged_in(self, api, endpoint):
        assert api.get(f"/api/v1/providers/{endpoint.name}").status_code == 401


def test_history_of_a_deployment_is_that_of_its_states(client, member, endpoint):
    deployment = endpoint.deployments.get()
    deployments.disable_deployment(actor=member, deployment_id=deployment.pk)

    [change] = client.get(f"/api/v1/models/{deployment.pk}/history").json()["items"]
    assert (change["old_status"], change["new_status"]) == ("new", "disabled")
