import pytest

from exchange.core import clock
from exchange.core.actors import SYSTEM
from exchange.core.errors import InvalidInput
from exchange.core.models import AuditEntry
from exchange.core.tenancy import acting_for
from submissions.endpoints import credentials, errors, services
from submissions.endpoints.models import Endpoint, EndpointCredential
from tests.factories.accounts import OrganizationFactory
from tests.factories.endpoints import KEY, DeploymentFactory, EndpointFactory
from tests.factories.runs import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def organization():
    return OrganizationFactory()


@pytest.fixture
def owner(actor_of, organization):
    return actor_of(organization)


@pytest.fixture
def register(as_actor, owner, organization):
    def call(**changes):
        form = {
            "organization_id": organization.pk,
            "name": "Acme",
            "provider_name": "Acme",
            "base_url": "https://api.example.com/v1",
            "api_key": KEY,
        }
        return as_actor(owner, services.register_endpoint, **(form | changes))

    return call


def refused_field(call, *args, **arguments):
    with pytest.raises(InvalidInput) as refusal:
        call(*args, **arguments)
    (error,) = refusal.value.errors
    return error.field, error.code


class TestRegisterEndpoint:
    def test_keeps_the_address_in_one_spelling(self, register):
        endpoint = register(base_url="HTTPS://API.Example.com:443/v1/")

        assert endpoint.base_url == "https://api.example.com/v1"
        assert endpoint.origin == "https://api.example.com:443"
        assert endpoint.has_credential

    @pytest.mark.parametrize(
        ("url", "code"),
        [
            ("ftp://api.example.com", "url_scheme"),
            ("https://user:secret@api.example.com", "url_userinfo"),
            ("https://api.example.com/v1?key=1", "url_query"),
            ("http://127.0.0.1:8000/v1", "address_not_public"),
            ("http://10.1.2.3/v1", "address_not_public"),
            ("http://[::1]:9000/v1", "address_not_public"),
            ("http://169.254.169.254/v1", "address_not_public"),
            ("http://localhost:9000/v1", "host_not_public"),
            ("http://metadata.google.internal/v1", "host_not_public"),
            ("http://2130706433/v1", "host_number_form"),
        ],
    )
    def test_refuses_an_address_naming_the_field(self, register, url, code):
        assert refused_field(register, base_url=url) == ("base_url", code)
        assert not Endpoint.objects.exists()

    def test_takes_a_private_address_that_the_operator_lists(self, register, settings):
        settings.EGRESS_ALLOW = frozenset({"127.0.0.1:9000"})

        assert register(base_url="http://127.0.0.1:9000/v1").operator_allowed
        assert refused_field(register, base_url="http://127.0.0.1:9001/v1")[1] == "address_not_public"

    def test_says_who_can_allow_a_private_address(self, register):
        with pytest.raises(
            InvalidInput, match=r"is not a public address\. .* allow it in EXCHANGE_EGRESS_ALLOW"
        ):
            register(base_url="http://127.0.0.1:9001/v1")

    def test_refuses_the_platforms_own_address_even_when_listed(self, register, settings):
        settings.EGRESS_ALLOW = settings.EGRESS_REFUSE = frozenset({"127.0.0.1:8000"})

        assert refused_field(register, base_url="http://127.0.0.1:8000/v1") == ("base_url", "host_refused")

    @pytest.mark.parametrize("key", ["two words", "line\r\nbreak", "schlüssel", "x" * 513])
    def test_refuses_a_key_with_odd_bytes_and_keeps_nothing(self, register, key):
        assert refused_field(register, api_key=key) == ("api_key", "key_characters")
        assert not Endpoint.objects.exists()

    def test_refuses_a_second_endpoint_of_that_name(self, register):
        register()

        with pytest.raises(errors.EndpointNameTaken):
            register()

    def test_audits_it_without_the_key(self, register):
        endpoint = register()

        entry = AuditEntry.objects.get(kind="endpoint.registered")
        assert entry.subject_id == endpoint.pk
        assert KEY not in str(entry.facts)


class TestCredential:
    def test_is_sealed_in_the_table(self, register):
        register()

        with acting_for(SYSTEM):
            assert KEY.encode() not in bytes(EndpointCredential.objects.get().sealed_key)

    def test_opens_for_its_own_row_and_origin_alone(self, register):
        from exchange.core.envelopes import CannotOpen

        endpoint = register()
        other = EndpointFactory(key="another-key")
        with acting_for(SYSTEM):
            assert credentials.open_key(endpoint) == KEY
            sealed = EndpointCredential.objects.get(endpoint=endpoint).sealed_key
            EndpointCredential.objects.filter(endpoint=other).update(sealed_key=sealed)
            with pytest.raises(CannotOpen):
                credentials.open_key(other)
            endpoint.origin = "https://evil.example.com:443"
            with pytest.raises(CannotOpen):
                credentials.open_key(endpoint)


class TestUpdateEndpoint:
    @pytest.fixture
    def endpoint(self, register):
        return register()

    @pytest.fixture
    def update(self, as_actor, owner, endpoint):
        return lambda **changes: as_actor(owner, services.update_endpoint, endpoint_id=endpoint.pk, **changes)

    def test_changes_only_what_is_given(self, update):
        changed = update(name="Other")

        assert (changed.name, changed.provider_name, changed.has_credential) == ("Other", "Acme", True)

    def test_wants_the_key_again_for_another_origin(self, update):
        assert refused_field(update, base_url="https://api.example.org/v1") == (
            "api_key",
            "key_required_for_new_origin",
        )

    def test_keeps_the_key_for_another_path_of_the_same_origin(self, update):
        changed = update(base_url="https://api.example.com/v2")

        with acting_for(SYSTEM):
            assert credentials.open_key(changed) == KEY

    def test_moves_with_a_new_key_and_forgets_what_was_discovered(self, update, endpoint):
        Endpoint.objects.filter(pk=endpoint.pk).update(dialect={"name": "vllm"})

        changed = update(base_url="https://api.example.org/v1", api_key="another-key")

        with acting_for(SYSTEM):
            assert credentials.open_key(changed) == "another-key"
        assert (changed.dialect, changed.discovered_at) == ({}, None)

    def test_removes_the_key_when_it_is_given_empty(self, update):
        assert not update(api_key="").has_credential

    @pytest.mark.parametrize(
        "change", [{"protocol": "messages"}, {"base_url": "https://api.example.com/v1/messages"}]
    )
    def test_forgets_what_was_discovered_by_another_protocol(self, change, update, endpoint):
        Endpoint.objects.filter(pk=endpoint.pk).update(dialect={"name": "vllm"}, discovered_at=clock.now())
        deployment = DeploymentFactory(endpoint=endpoint, protocol="chat", status="active")
        changed = update(**change)

        deployment.refresh_from_db()
        assert services.target_for(deployment).protocol == "messages"
        assert (changed.dialect, changed.discovered_at) == ({}, None)
        assert (deployment.status, deployment.status_reason) == ("missing", "endpoint_moved")
        entry = AuditEntry.objects.get(kind="deployment.status_changed")
        assert (entry.subject_id, entry.facts["new_status"]) == (deployment.pk, "missing")

    @pytest.mark.parametrize("change", [{"protocol": "chat"}, {"protocol": ""}, {"name": "Other"}])
    def test_keeps_what_was_discovered_when_it_is_asked_as_before(self, change, update, endpoint):
        deployment = DeploymentFactory(endpoint=endpoint, protocol="completions", status="active")
        update(**change)

        deployment.refresh_from_db()
        assert (deployment.status, deployment.protocol) == ("active", "completions")

    def test_lets_the_url_name_the_protocol_again(self, update):
        update(protocol="messages")

        assert update(protocol="").protocol == ""

    @pytest.mark.parametrize(
        ("before", "change"),
        [
            ({"base_url": "https://api.example.com/v1/chat/completions"}, {"protocol": "messages"}),
            ({"protocol": "messages"}, {"base_url": "https://api.example.com/v1/chat/completions"}),
        ],
    )
    def test_refuses_a_protocol_that_is_not_the_urls(self, before, change, update, endpoint):
        update(**before)

        assert refused_field(update, **change) == ("base_url", "protocol_mismatch")
        endpoint.refresh_from_db()
        assert {name: getattr(endpoint, name) for name in before} == before

    @pytest.mark.parametrize(
        "change", [{"api_key": "new"}, {"base_url": "https://api.example.com/v2"}, {"protocol": "messages"}]
    )
    def test_refuses_another_address_protocol_or_key_while_runs_are_open(self, update, endpoint, change):
        RunFactory(deployment__endpoint=endpoint)

        with pytest.raises(errors.EndpointInUse):
            update(**change)
        assert update(name="Other").name == "Other"

    def test_allows_it_when_the_runs_have_ended(self, update, endpoint):
        RunFactory(deployment__endpoint=endpoint, status="succeeded")

        assert update(api_key="new").has_credential
