"""Keys that stand in the exchange's environment, and keys of every kind that nobody gets to see."""

import logging

import pytest

from exchange.core.actors import SYSTEM
from exchange.core.envelopes import CannotOpen
from exchange.core.errors import InvalidInput
from exchange.core.tenancy import acting_for
from exchange.embedded.ports import free_port
from exchange.settings.references import KeyReferences
from submissions.endpoints import credentials, errors, services
from submissions.endpoints.models import EndpointCredential
from submissions.runs import services as runs
from tests.factories.accounts import MembershipFactory, OrganizationFactory, token_for
from tests.factories.endpoints import EndpointFactory
from tests.factories.runs import RunFactory

pytestmark = pytest.mark.django_db
ORIGIN, OTHER = "https://api.example.com:443", "https://api.example.org:443"
SECRET = "sk-of-the-environment-0123456789"


@pytest.fixture
def organization():
    return OrganizationFactory(slug="acme")


@pytest.fixture
def environ(settings):
    """The environment, in which acme may use ACME_KEY for one origin."""
    values = {"ACME_KEY": SECRET}
    settings.KEY_REFERENCES = KeyReferences(frozenset({f"acme/ACME_KEY@{ORIGIN}"}), values)
    return values


@pytest.fixture
def register(as_actor, actor_of, organization):
    def call(owner=organization, **changes):
        arguments = {
            "organization_id": owner.pk,
            "name": "Home",
            "provider_name": "Acme",
            "base_url": "https://api.example.com/v1",
            "api_key": "env:ACME_KEY",
            **changes,
        }
        return as_actor(actor_of(owner), services.register_endpoint, **arguments)

    return call


def opened(endpoint):
    with acting_for(SYSTEM):
        return credentials.open_key(endpoint)


class TestReference:
    def test_stands_for_the_variables_value_at_each_use(self, register, environ):
        endpoint = register()

        assert opened(endpoint) == SECRET
        environ["ACME_KEY"] = "sk-another"
        assert opened(endpoint) == "sk-another"

    def test_is_stored_in_place_of_the_value(self, register, environ):
        endpoint = register()

        with acting_for(SYSTEM):
            [row] = EndpointCredential.objects.all()
        assert SECRET.encode() not in bytes(row.sealed_key)
        assert (row.source, endpoint.credential_source) == ("environment", "environment")

    def test_is_replaced_by_a_key_and_by_none(self, register, environ, as_actor, actor_of, organization):
        endpoint, actor = register(), actor_of(organization)

        def update(api_key):
            found = as_actor(actor, services.update_endpoint, endpoint_id=endpoint.pk, api_key=api_key)
            return found.credential_source

        assert [update("sk-own"), update("env:ACME_KEY"), update("")] == ["stored", "environment", "none"]

    @pytest.mark.parametrize(
        "changes",
        [
            {"api_key": "env:OTHER_KEY"},
            {"api_key": "env:PATH"},
            {"api_key": "env:"},
            {"api_key": "env:acme/ACME_KEY"},
            {"base_url": "https://api.example.org/v1"},
            {"base_url": "http://api.example.com/v1"},
            {"base_url": "https://api.example.com:8443/v1"},
        ],
    )
    def test_is_refused_unless_listed_saying_what_to_do(self, register, environ, changes):
        with pytest.raises(InvalidInput, match=r"EXCHANGE_KEY_REFERENCES, as acme/") as refused:
            register(**changes)

        [error] = refused.value.errors
        assert (error.field, error.code) == ("api_key", "key_reference_not_allowed")
        assert SECRET not in str(refused.value)

    def test_is_refused_to_another_organization(self, register, environ):
        with pytest.raises(InvalidInput):
            register(OrganizationFactory(slug="acme-2"))

    def test_goes_to_another_origin_only_where_that_is_listed(
        self, register, environ, as_actor, actor_of, organization
    ):
        endpoint = register()
        move = {"endpoint_id": endpoint.pk, "base_url": "https://api.example.org/v1"}

        for api_key in ({}, {"api_key": "env:ACME_KEY"}):
            with pytest.raises(InvalidInput):
                as_actor(actor_of(organization), services.update_endpoint, **move, **api_key)
        assert opened(endpoint) == SECRET

    def test_is_of_no_use_when_it_is_not_listed_any_more(self, register, environ, settings):
        endpoint = register()
        settings.KEY_REFERENCES = KeyReferences(frozenset(), environ)

        with pytest.raises(errors.CredentialUnavailable):
            opened(endpoint)

    @pytest.mark.parametrize("value", [None, "", "  ", "two words"])
    def test_is_of_no_use_where_the_variable_holds_no_key(self, register, environ, value):
        endpoint = register()
        environ.pop("ACME_KEY")
        environ.update({} if value is None else {"ACME_KEY": value})

        with pytest.raises(errors.CredentialUnavailable):
            opened(endpoint)

    def test_copied_to_another_organizations_row_does_not_open(self, register, environ):
        mine, other = register(), EndpointFactory(key="another-key", base_url="https://api.example.com/v1")
        with acting_for(SYSTEM):
            copied = EndpointCredential.objects.filter(endpoint=mine).values("sealed_key", "source")[0]
            EndpointCredential.objects.filter(endpoint=other).update(**copied)

        with pytest.raises(CannotOpen):
            opened(other)

    def test_is_a_word_that_no_key_can_be(self):
        with pytest.raises(InvalidInput):
            credentials._checked(f"{credentials.REFERENCE}X")


class TestUnavailableKey:
    def test_ends_a_run_with_the_submitters_fault(self, register, environ):
        endpoint = register()
        run = RunFactory(deployment__endpoint=endpoint)
        environ.clear()

        assert runs.work_once(run.kind)

        run.refresh_from_db()
        assert (run.status, run.fault_side, run.fault_code) == (
            "failed",
            "submitter",
            "credential_unavailable",
        )

    def test_refuses_a_discovery(self, register, environ, as_actor, actor_of, organization):
        endpoint = register()
        environ.clear()

        with pytest.raises(errors.CredentialUnavailable):
            services.discover_models(actor=actor_of(organization), endpoint_id=endpoint.pk)


@pytest.mark.sockets
class TestNoKey:
    """No answer, refusal or line of the log has it."""

    @pytest.fixture
    def call(self, client, organization):
        headers = {"Authorization": f"Bearer {token_for(MembershipFactory(organization=organization).user)}"}

        def ask(method, path, **body):
            more = {} if method == "get" else {"content_type": "application/json"}
            return getattr(client, method)(
                f"/api/v1/endpoints{path}", headers=headers, data=body or None, **more
            )

        return ask

    @pytest.mark.parametrize("key", ["sk-given-0123456789abcdef", "env:ACME_KEY"])
    def test_leaves_by_an_answer_or_the_log(self, call, organization, environ, settings, caplog, *, key):
        caplog.set_level(logging.DEBUG)
        nobody = f"127.0.0.1:{free_port()}"
        settings.EGRESS_ALLOW = frozenset({nobody})
        settings.KEY_REFERENCES = KeyReferences(frozenset({f"acme/ACME_KEY@http://{nobody}"}), environ)
        address = {"base_url": f"http://{nobody}/v1", "provider_name": "Acme", "api_key": key}

        made = call("post", "", organization_id=str(organization.pk), name="Home", **address)
        assert made.status_code == 201, made.content
        place = f"/{made.json()['id']}"
        answers = [
            made,
            call("get", ""),
            call("get", place),
            call("patch", place, api_key=key),
            call("patch", place, base_url="https://api.example.org/v1"),
            call("patch", place, base_url="https://api.example.org/v1", api_key=f"{key} "),
            call("post", f"{place}/discover"),
        ]

        assert [answer.status_code for answer in answers[1:]] == [200, 200, 200, 400, 400, 409]
        said = b"".join(answer.content for answer in answers).decode() + caplog.text
        assert SECRET not in said
        assert "sk-given" not in said
        wanted = "environment" if key.startswith("env:") else "stored"
        assert made.json()["credential_source"] == wanted
