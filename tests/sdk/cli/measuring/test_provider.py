import pytest

from exchange.core.actors import OrganizationRole
from llm_benchmark.simulator import Simulator, SimulatorConfig
from llm_benchmark.simulator.config import Behaviour
from submissions.endpoints.models import Endpoint
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.factories.endpoints import DeploymentFactory, EndpointFactory

pytestmark = pytest.mark.django_db
SECRET = "sk-provider-0123456789"
URL = "https://api.example.com/v1"


@pytest.fixture
def membership():
    return MembershipFactory(role=OrganizationRole.MEMBER)


@pytest.fixture
def program(exchange_as, membership):
    return exchange_as(membership.user)


class TestAdd:
    def test_registers_an_endpoint_with_the_key_of_a_variable(self, program, membership, monkeypatch):
        monkeypatch.setenv("EXAMPLE_KEY", SECRET)

        ended = program("provider", "add", "--url", URL, "--key-env", "EXAMPLE_KEY", "-o", "json")

        assert ended.code == 0, ended.err
        assert (ended.json["name"], ended.json["has_credential"]) == ("api.example.com", True)
        assert Endpoint.objects.get().organization == membership.organization

    @pytest.mark.parametrize("output", ["json", "plain", "table"])
    def test_never_shows_the_key(self, program, monkeypatch, output):
        monkeypatch.setenv("EXAMPLE_KEY", SECRET)

        ended = program("provider", "add", "--url", URL, "--key-env", "EXAMPLE_KEY", "-o", output, "-v")

        assert SECRET not in ended.out + ended.err

    def test_reads_the_key_from_a_file_and_from_a_pipe(self, program, tmp_path):
        file = tmp_path / "key"
        file.write_text(f"{SECRET}\n")

        first = program("provider", "add", "--url", URL, "--name", "one", "--key-file", file, "-o", "json")
        second = program(
            "provider", "add", "--url", URL, "--name", "two", "--key-file", "-", "-o", "json", piped=SECRET
        )

        assert first.json["has_credential"]
        assert second.json["has_credential"]

    def test_takes_an_endpoint_without_a_key(self, program):
        assert not program("provider", "add", "--url", URL, "--no-key", "-o", "json").json["has_credential"]

    def test_refuses_to_guess_whether_there_is_a_key(self, program):
        ended = program("provider", "add", "--url", URL)

        assert (ended.code, Endpoint.objects.count()) == (2, 0)
        assert "--key-env" in ended.err
        assert "--no-key" in ended.err

    def test_refuses_two_keys(self, program):
        assert program("provider", "add", "--url", URL, "--no-key", "--key-env", "X").code == 2

    def test_refuses_an_empty_variable_naming_the_option(self, program):
        ended = program("provider", "add", "--url", URL, "--key-env", "NO_SUCH_VARIABLE")

        assert ended.code == 2
        assert "--key-env" in ended.err

    def test_says_what_to_do_next(self, program):
        ended = program("provider", "add", "--url", URL, "--name", "two words", "--no-key", "-o", "table")

        assert "llm-benchmark provider discover 'two words'" in ended.out

    def test_says_it_in_words_that_a_shell_does_not_run(self, program):
        ended = program("provider", "add", "--url", URL, "--name", "$(id);x", "--no-key", "-o", "table")

        assert "llm-benchmark provider discover '$(id);x'" in ended.out

    def test_names_the_organizations_where_there_are_several(self, program, membership):
        other = MembershipFactory(user=membership.user, role=OrganizationRole.MEMBER).organization

        ended = program("provider", "add", "--url", URL, "--no-key")

        assert ended.code == 2
        assert all(slug in ended.err for slug in (membership.organization.slug, other.slug))
        assert "config set organization" in ended.err
        chosen = program("provider", "add", "--url", URL, "--no-key", "--organization", other.slug)
        assert (chosen.code, Endpoint.objects.get().organization) == (0, other)

    def test_takes_the_organization_that_is_kept(self, program, membership):
        other = MembershipFactory(user=membership.user, role=OrganizationRole.MEMBER).organization
        program("config", "set", "organization", other.slug)

        program("provider", "add", "--url", URL, "--no-key")

        assert Endpoint.objects.get().organization == other

    def test_refuses_an_organization_of_others(self, program):
        ended = program("provider", "add", "--url", URL, "--no-key", "--organization", "theirs")

        assert (ended.code, "theirs" in ended.err) == (2, True)

    def test_says_how_to_get_an_organization(self, exchange_as):
        ended = exchange_as(UserFactory())("provider", "add", "--url", URL, "--no-key")

        assert (ended.code, "/organizations" in ended.err) == (2, True)


class TestUpdate:
    def test_changes_what_is_named(self, program, membership):
        endpoint = EndpointFactory(organization=membership.organization, name="mine")

        ended = program("provider", "update", "mine", "--provider-name", "Acme 2", "-o", "json")

        assert (ended.json["provider_name"], ended.json["id"]) == ("Acme 2", str(endpoint.pk))
        assert ended.json["base_url"] == endpoint.base_url

    def test_changes_how_models_are_asked(self, program, membership):
        EndpointFactory(organization=membership.organization, name="mine")

        ended = program("provider", "update", "mine", "--protocol", "messages", "-o", "json")

        assert ended.json["protocol"] == "messages"

    def test_refuses_to_change_nothing(self, program):
        assert program("provider", "update", "mine").code == 2


class TestList:
    def test_lists_the_endpoints_of_ones_organizations(self, program, membership):
        EndpointFactory(organization=membership.organization, name="mine")
        EndpointFactory(name="theirs")

        assert [row["name"] for row in program("provider", "list").rows] == ["mine"]

    def test_says_how_to_add_one_where_there_is_none(self, program):
        assert "llm-benchmark provider add" in program("provider", "list", "-o", "table").out


class TestModels:
    def test_lists_what_one_endpoint_serves(self, program, membership):
        mine = EndpointFactory(organization=membership.organization, name="mine")
        DeploymentFactory(endpoint=mine, served_name="one")
        DeploymentFactory(endpoint=EndpointFactory(organization=membership.organization), served_name="other")

        assert [row["served_as"] for row in program("provider", "models", "mine").rows] == ["one"]
        assert [row["served_as"] for row in program("provider", "models").rows] == ["one", "other"]

    def test_names_what_there_is_where_the_name_is_wrong(self, program, membership):
        EndpointFactory(organization=membership.organization, name="mine")

        ended = program("provider", "models", "yours")

        assert (ended.code, "mine" in ended.err) == (5, True)


@pytest.mark.sockets
class TestDiscover:
    def test_lists_what_the_endpoint_answers(self, program, membership, settings):
        with Simulator(SimulatorConfig({"able": Behaviour()})) as simulator:
            settings.EGRESS_ALLOW = [simulator.host_and_port]
            EndpointFactory(organization=membership.organization, name="mine", base_url=simulator.base_url)

            ended = program("provider", "discover", "MINE")

        assert ended.code == 0, ended.err
        assert [row["served_as"] for row in ended.rows] == ["able"]

    def test_says_that_the_endpoint_is_not_there(self, program, membership, settings):
        settings.EGRESS_ALLOW = ["127.0.0.1:9"]
        EndpointFactory(organization=membership.organization, name="mine", base_url="http://127.0.0.1:9/v1")

        assert program("provider", "discover", "mine").code == 6
