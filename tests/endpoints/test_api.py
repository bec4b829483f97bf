import pytest

from exchange.api.pb import endpoints_pb2 as pb
from exchange.core.actors import Scope
from submissions.endpoints.api.grpc import EndpointService
from tests.factories.accounts import MembershipFactory, token_for
from tests.factories.endpoints import DeploymentFactory, EndpointFactory, LanguageModelFactory
from tests.factories.submissions import make_submission
from tests.rpc import RpcFailed, call

pytestmark = pytest.mark.django_db


@pytest.fixture
def member():
    return MembershipFactory(role="member")


@pytest.fixture
def client(api_as, member):
    return api_as(member.user)


def form(member, **changes):
    return {
        "organization_id": str(member.organization_id),
        "name": "Acme",
        "provider_name": "Acme Cloud",
        "base_url": "https://api.example.com/v1",
        "api_key": "sk-very-secret",
        **changes,
    }


class TestRest:
    def test_registers_and_never_shows_the_key(self, client, member):
        made = client.post("/api/v1/endpoints", form(member))
        shown = client.get(f"/api/v1/endpoints/{made.json()['id']}")

        assert made.status_code == 201
        assert shown.json() == made.json()
        assert shown.json()["has_credential"] is True
        assert "sk-very-secret" not in (made.content + shown.content).decode()

    def test_refuses_a_private_address_by_field(self, client, member):
        answer = client.post("/api/v1/endpoints", form(member, base_url="http://127.0.0.1:9/v1"))

        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "base_url"

    def test_changes_a_name(self, client, member):
        endpoint = EndpointFactory(organization=member.organization)

        answer = client.patch(f"/api/v1/endpoints/{endpoint.pk}", {"name": "Other"})
        assert answer.json()["name"] == "Other"

    def test_changes_the_protocol(self, client, member):
        endpoint = EndpointFactory(organization=member.organization)
        path = f"/api/v1/endpoints/{endpoint.pk}"

        assert client.patch(path, {"protocol": "messages"}).json()["protocol"] == "messages"
        refused = client.patch(path, {"protocol": "telepathy"})
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "protocol")

    def test_lists_own_rows_alone(self, client, member):
        mine = DeploymentFactory(endpoint__organization=member.organization)
        other = DeploymentFactory()

        assert [row["id"] for row in client.get("/api/v1/endpoints").json()["items"]] == [
            str(mine.endpoint_id)
        ]
        assert [row["id"] for row in client.get("/api/v1/deployments").json()["items"]] == [str(mine.pk)]
        for path in (f"endpoints/{other.endpoint_id}", f"deployments/{other.pk}"):
            assert client.get(f"/api/v1/{path}").status_code == 404

    def test_hides_a_foreign_endpoint_from_discovery(self, client):
        answer = client.post(f"/api/v1/endpoints/{EndpointFactory().pk}/discover")

        assert (answer.status_code, answer.json()["code"]) == (404, "endpoint_not_found")

    def test_shows_models_with_a_public_claim_to_everybody(self, api):
        model = make_submission().model
        other = make_submission(deployment=None).model
        LanguageModelFactory(name=f"{model.name} that nobody claims anything for")

        found = api.get(f"/api/v1/models?query={model.name.upper()}").json()["items"]
        assert [row["id"] for row in found] == [str(model.pk)]
        assert str(other.pk) in {row["id"] for row in api.get("/api/v1/models").json()["items"]}
        assert api.get(f"/api/v1/models/{model.pk}").json()["publisher_verified"] is False

    @pytest.mark.parametrize(
        ("visibility", "is_listed", "status"),
        [("public", True, 200), ("unlisted", False, 200), ("private", False, 404)],
    )
    def test_shows_a_model_as_its_claims_are_shown(self, visibility, is_listed, status, api, client):
        model = make_submission(visibility=visibility).model

        for reader in (api, client):
            assert reader.get(f"/api/v1/models/{model.pk}").status_code == status
            assert bool(reader.get("/api/v1/models").json()["items"]) == is_listed

    def test_shows_an_organization_what_it_serves_or_claims(self, api, client, member):
        served = DeploymentFactory(endpoint__organization=member.organization).model
        claimed = make_submission(
            organization=member.organization, deployment=None, visibility="private"
        ).model

        found = {row["id"] for row in client.get("/api/v1/models").json()["items"]}
        assert found == {str(served.pk), str(claimed.pk)}
        assert api.get("/api/v1/models").json()["items"] == []

    def test_shows_a_token_for_other_things_no_more_than_the_public(self, api_as, member):
        model = DeploymentFactory(endpoint__organization=member.organization).model

        answer = api_as(member.user, Scope.PROFILE_READ).get(f"/api/v1/models/{model.pk}")
        assert (answer.status_code, answer.json()["code"]) == (404, "model_not_found")


class TestGrpc:
    def test_registers_and_lists(self, member):
        service, token = EndpointService(), token_for(member.user)

        made = call(service.RegisterEndpoint, pb.RegisterEndpointRequest(**form(member)), token=token)
        listed = call(service.ListEndpoints, pb.ListEndpointsRequest(), token=token)

        assert list(listed.items) == [made]
        assert made.has_credential

    def test_changes_the_protocol_and_gives_it_back_to_the_url(self, member):
        endpoint = EndpointFactory(organization=member.organization)
        for protocol in ("messages", ""):
            request = pb.UpdateEndpointRequest(id=str(endpoint.pk), protocol=protocol)
            changed = call(EndpointService().UpdateEndpoint, request, token=token_for(member.user))
            assert changed.protocol == protocol

    def test_refuses_a_private_address_by_field(self, member):
        request = pb.RegisterEndpointRequest(**form(member, base_url="http://10.0.0.1/"))

        with pytest.raises(RpcFailed) as refusal:
            call(EndpointService().RegisterEndpoint, request, token=token_for(member.user))
        assert (refusal.value.grpc, refusal.value.fields) == ("INVALID_ARGUMENT", ["base_url"])

    def test_hides_a_foreign_deployment(self, member):
        request = pb.GetDeploymentRequest(id=str(DeploymentFactory().pk))

        with pytest.raises(RpcFailed) as refusal:
            call(EndpointService().GetDeployment, request, token=token_for(member.user))
        assert (refusal.value.grpc, refusal.value.code) == ("NOT_FOUND", "deployment_not_found")
