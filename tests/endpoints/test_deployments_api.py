"""How deployments stand, what they are for and what they cost, at the doors of programs."""

import pytest

from exchange.api.pb import endpoints_pb2 as pb
from submissions.endpoints.api.grpc import EndpointService
from tests.factories.accounts import MembershipFactory, token_for
from tests.factories.endpoints import DeploymentFactory
from tests.rpc import call

pytestmark = pytest.mark.django_db


@pytest.fixture
def deployment():
    return DeploymentFactory(status="active", capability="chat_text", capability_source="probe")


@pytest.fixture
def person(deployment):
    return MembershipFactory(organization=deployment.organization, role="member").user


@pytest.fixture
def client(api_as, person):
    return api_as(person)


@pytest.fixture
def path(deployment):
    return f"/api/v1/deployments/{deployment.pk}"


class TestShowing:
    def test_says_how_it_stands_and_how_its_purpose_is_known(self, client, path):
        shown = client.get(path).json()

        assert (shown["status"], shown["status_reason"]) == ("active", None)
        assert (shown["capability"], shown["capability_source"]) == ("chat_text", "probe")
        assert shown["first_seen_at"] == shown["created_at"]

    @pytest.mark.parametrize("chosen", ["status=active", "capability=CHAT_TEXT", "capability=chat_text"])
    def test_lists_those_that_are_asked_for(self, client, deployment, chosen):
        DeploymentFactory(endpoint=deployment.endpoint)

        rows = client.get(f"/api/v1/deployments?{chosen}").json()["items"]
        assert [row["id"] for row in rows] == [str(deployment.pk)]


class TestChanging:
    @pytest.mark.parametrize("written", ["embedding", "EMBEDDING"])
    def test_keeps_a_capability_that_is_set_by_hand(self, client, path, written):
        shown = client.patch(path, {"capability": written}).json()

        assert (shown["capability"], shown["capability_source"]) == ("embedding", "manual")
        assert shown["capability_confidence"] == 1

    def test_goes_back_to_what_checks_find(self, client, path):
        client.patch(path, {"capability": "embedding"})

        shown = client.patch(path, {"capability": "automatic"}).json()
        assert (shown["capability"], shown["capability_source"]) == ("unknown", "unknown")

    @pytest.mark.parametrize("wrong", ["unknown", "chat", None, 1])
    def test_refuses_what_is_no_capability(self, client, path, wrong):
        answer = client.patch(path, {"capability": wrong})

        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "capability")

    def test_disables_and_enables(self, client, path):
        assert client.patch(path, {"is_disabled": True}).json()["status"] == "disabled"
        assert client.patch(path, {"is_disabled": False}).json()["status"] == "new"

    def test_is_for_members_alone(self, api_as, deployment, path):
        viewer = MembershipFactory(organization=deployment.organization, role="viewer").user

        assert api_as(viewer).patch(path, {"is_disabled": True}).status_code == 403
        assert api_as(MembershipFactory().user).patch(path, {"is_disabled": True}).status_code == 404


class TestHistory:
    def test_says_who_changed_what_and_why_newest_first(self, client, path, person):
        for is_disabled in (True, False):
            client.patch(path, {"is_disabled": is_disabled})

        newest, oldest = client.get(f"{path}/history").json()["items"]
        assert (oldest["old_status"], oldest["new_status"], oldest["reason"]) == (
            "active",
            "disabled",
            "disabled",
        )
        assert (newest["new_status"], newest["changed_by_name"]) == ("new", person.username)
        assert newest["campaign_id"] is None

    def test_goes_on_page_by_page(self, client, path):
        for is_disabled in (True, False, True):
            client.patch(path, {"is_disabled": is_disabled})
        first = client.get(f"{path}/history?page_size=2").json()
        rest = client.get(f"{path}/history?page_token={first['next_page_token']}").json()

        assert (len(first["items"]), len(rest["items"]), rest["next_page_token"]) == (2, 1, "")


class TestPrices:
    def test_are_exact_and_kept(self, client, path):
        client.post(f"{path}/prices", {"input_per_million": "0.15", "output_per_million": 0.6})
        made = client.post(f"{path}/prices", {"input_per_million": "0.10000000", "output_per_million": 1})

        assert made.status_code == 201
        shown = client.get(f"{path}/prices").json()["items"]
        assert [(row["input_per_million"], row["output_per_million"]) for row in shown] == [
            ("0.1", "1"),
            ("0.15", "0.6"),
        ]

    def test_may_begin_later(self, client, path):
        later = "2099-01-01T00:00:00Z"
        form = {"input_per_million": "1", "output_per_million": "1", "effective_at": later}

        assert client.post(f"{path}/prices", form).json()["effective_at"] == later

    @pytest.mark.parametrize(
        "wrong", ["-1", "NaN", "Infinity", "much", "", "0.123456789", "1e20", "1e-99", "9" * 99, True, None]
    )
    def test_that_are_none_are_refused(self, client, path, wrong):
        answer = client.post(f"{path}/prices", {"input_per_million": wrong, "output_per_million": "1"})

        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "input_per_million")

    @pytest.mark.parametrize("part", ["history", "prices"])
    def test_and_history_are_nobody_elses(self, api_as, path, part):
        answer = api_as(MembershipFactory().user).get(f"{path}/{part}")

        assert (answer.status_code, answer.json()["code"]) == (404, "deployment_not_found")


class TestGrpc:
    def test_changes_and_reads_as_rest_does(self, person, deployment):
        service, token, key = EndpointService(), token_for(person), str(deployment.pk)

        def ask(name, **fields):
            return call(getattr(service, name), getattr(pb, f"{name}Request")(**fields), token=token)

        changed = ask("UpdateDeployment", id=key, capability="rerank", is_disabled=True)
        price = ask("SetPrice", deployment_id=key, input_per_million="0.15", output_per_million="0")

        assert (changed.status, changed.capability) == (
            pb.DEPLOYMENT_STATUS_DISABLED,
            pb.CAPABILITY_RERANK,
        )
        assert (price.input_per_million, price.output_per_million) == ("0.15", "0")
        assert list(ask("ListPrices", deployment_id=key).items) == [price]
        [change] = ask("ListDeploymentStatusChanges", deployment_id=key).items
        assert change.old_status == pb.DEPLOYMENT_STATUS_ACTIVE
        assert [row.id for row in ask("ListDeployments", capability=pb.CAPABILITY_RERANK).items] == [key]
