import pytest

from submissions.campaigns.models import Campaign
from submissions.endpoints.models import Deployment
from tests.factories.accounts import MembershipFactory
from tests.factories.endpoints import DeploymentFactory, EndpointFactory

from .answers import CAMPAIGN, campaign, item, page

pytestmark = pytest.mark.django_db


@pytest.fixture
def membership():
    return MembershipFactory(role="member")


@pytest.fixture
def program(exchange_as, membership):
    return exchange_as(membership.user)


@pytest.fixture
def deployment(membership):
    endpoint = EndpointFactory(organization=membership.organization, name="mine")
    return DeploymentFactory(endpoint=endpoint, served_name="chat", status="active")


class TestShow:
    def test_says_how_it_stands(self, program, deployment):
        shown = program("model", "show", "mine", "CHAT", "-o", "json").json

        assert (shown["id"], shown["status"]) == (str(deployment.pk), "active")

    def test_takes_ids(self, program, deployment):
        ended = program("model", "show", deployment.endpoint_id, deployment.pk, "-o", "json")

        assert ended.json["id"] == str(deployment.pk)

    def test_names_what_there_is_where_the_name_is_wrong(self, program, deployment):
        ended = program("model", "show", "mine", "other")

        assert (ended.code, "chat" in ended.err) == (5, True)


class TestChanges:
    def test_disable_and_enable(self, program, deployment):
        assert program("model", "disable", "mine", "chat", "-o", "json").json["status"] == "disabled"
        assert program("model", "enable", "mine", "chat", "-o", "json").json["status"] == "new"

    def test_set_what_it_is_for(self, program, deployment):
        program("model", "capability", "mine", "chat", "EMBEDDING")
        assert Deployment.objects.get().capability_source == "manual"

        program("model", "capability", "mine", "chat", "automatic")
        assert Deployment.objects.get().capability_source == "unknown"

    def test_refuse_what_is_no_capability(self, program, deployment):
        assert program("model", "capability", "mine", "chat", "bogus").code == 2


class TestHistory:
    @pytest.mark.parametrize("words", [["model", "history"], ["history"]])
    def test_lists_changes(self, program, deployment, membership, words):
        program("model", "disable", "mine", "chat")

        [row] = program(*words, "mine", "chat").rows
        assert (row["before"], row["after"], row["by"]) == ("active", "disabled", membership.user.username)


class TestPrice:
    def test_is_said_and_listed(self, program, deployment):
        said = ("--input-price", "0.15", "--output-price", "0.60", "--from", "2026-01-01")
        program("model", "price", "mine", "chat", *said)

        [row] = program("model", "price", "mine", "chat").rows
        assert (row["input"], row["output"]) == ("0.15", "0.6")
        assert row["from"].startswith("2026-01-01T00:00:00")

    def test_wants_both_numbers(self, program, deployment):
        assert program("model", "price", "mine", "chat", "--input-price", "1").code == 2

    def test_that_nobody_said_is_said_how(self, program, deployment):
        assert "--input-price" in program("model", "price", "mine", "chat", "-o", "table").out


def test_test_checks_one_model_and_waits(call, stub):
    served = {
        "id": "d", "endpoint_id": "e", "organization_id": "o", "provider_name": "p", "served_name": "chat",
        "model_id": "m", "model_name": "m", "model_publisher": "p", "model_version": "", "is_listed": True,
        "is_simulated": False, "is_demo": False, "created_at": "2026-03-01T12:00:00Z", "status": "new",
        "status_reason": None, "capability": "unknown", "capability_source": "unknown",
        "capability_confidence": 0.0, "protocol": None, "first_seen_at": "2026-03-01T12:00:00Z",
        "last_seen_at": None, "last_success_at": None, "last_failure_at": None,
    }  # fmt: skip
    endpoint = {
        "id": "e", "organization_id": "o", "name": "mine", "provider_name": "p", "base_url": "u",
        "dialect": "",
        "has_credential": False, "credential_source": "none", "operator_allowed": False,
        "is_simulated": False, "deployment_count": 1, "is_demo": False, "discovered_at": None,
        "created_at": "2026-03-01T12:00:00Z", "protocol": "",
    }  # fmt: skip
    http = stub(
        {
            "GET /endpoints": page(endpoint),
            "GET /deployments": page(served),
            "POST /campaigns": campaign("queued", mode="one"),
            f"GET /campaigns/{CAMPAIGN}": campaign(),
            f"GET /campaigns/{CAMPAIGN}/items": page(item("chat", "unstable")),
        }
    )

    ended = call("model", "test", "mine", "chat", http=http)
    assert ended.code == 11, ended.err
    assert Campaign.objects.count() == 0
    [sent] = [request for request in http.requests if request.method == "POST"]
    assert b'"deployment_id":"d"' in sent.content.replace(b" ", b"")
