import pytest

from exchange.accounts.api.grpc import OrganizationService, UserService
from exchange.api.pb import users_pb2 as pb
from tests import rpc
from tests.factories.accounts import PASSWORD, UserFactory, token_for

pytestmark = pytest.mark.django_db


def test_register_and_look():
    request = pb.RegisterRequest(username="ada", email="ada@example.org", password=PASSWORD)
    session = rpc.call(UserService().Register, request)

    profile = rpc.call(UserService().GetProfile, pb.GetProfileRequest(), token=session.access_token)
    assert (profile.username, profile.role) == ("ada", pb.USER_ROLE_REGISTERED)


def test_a_refusal_names_code_and_field():
    with pytest.raises(rpc.RpcFailed) as failed:
        rpc.call(UserService().Register, pb.RegisterRequest(username="1", email="x", password="y"))
    assert (failed.value.grpc, failed.value.code) == ("INVALID_ARGUMENT", "invalid_input")
    assert "email" in failed.value.fields


def test_without_a_token_it_is_unauthenticated():
    with pytest.raises(rpc.RpcFailed) as failed:
        rpc.call(OrganizationService().ListOrganizations, pb.ListOrganizationsRequest())
    assert failed.value.grpc == "UNAUTHENTICATED"


def test_an_idempotency_key_answers_once():
    token = token_for(UserFactory())
    request = pb.CreateOrganizationRequest(slug="acme", name="Acme", type=pb.ORGANIZATION_TYPE_ENTERPRISE)

    def create():
        method = OrganizationService().CreateOrganization
        return rpc.call(method, request, token=token, key="k", answer_class=pb.Organization)

    assert create() == create()


def failed_log_in(name):
    with pytest.raises(rpc.RpcFailed) as failed:
        rpc.call(UserService().Login, pb.LoginRequest(email_or_username=name, password="y"))
    return failed.value.code


def test_failed_log_ins_stay_counted(settings):
    settings.LOGIN_TRIES = 2

    assert [failed_log_in("x") for _ in range(3)] == ["login_failed", "login_failed", "too_many_logins"]


def test_failed_log_ins_are_counted_by_host(settings):
    settings.LOGIN_TRIES = 1

    assert [failed_log_in(f"x{number}") for number in range(6)] == ["login_failed"] * 5 + ["too_many_logins"]
