import pytest

from exchange.accounts.api.grpc import OrganizationService, UserService
from exchange.api.pb import users_pb2 as pb
from tests import rpc
from tests.factories.accounts import PASSWORD, MembershipFactory, UserFactory, link_key, token_for

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


class TestMailedLinks:
    def test_confirm_and_reset(self):
        user = UserFactory()
        service = UserService()
        rpc.call(service.ConfirmEmail, pb.ConfirmEmailRequest(key=link_key("confirm_email", user)))
        rpc.call(service.RequestPasswordReset, pb.RequestPasswordResetRequest(email=user.email))
        reset = pb.ResetPasswordRequest(key=link_key("reset_password", user), password=PASSWORD)
        rpc.call(service.ResetPassword, reset)

        with pytest.raises(rpc.RpcFailed) as failed:
            rpc.call(service.ResetPassword, reset)
        assert (failed.value.grpc, failed.value.code) == ("INVALID_ARGUMENT", "reset_link_invalid")
        assert failed.value.fields == ["key"]

    def test_are_not_sent_to_who_has_confirmed(self):
        token = token_for(UserFactory(email_verified=True))
        with pytest.raises(rpc.RpcFailed) as failed:
            rpc.call(UserService().SendConfirmation, pb.SendConfirmationRequest(), token=token)
        assert failed.value.code == "already_confirmed"


def test_a_password_is_changed_and_other_sessions_end():
    user = UserFactory(password=PASSWORD)
    service, login = UserService(), pb.LoginRequest(email_or_username=user.username, password=PASSWORD)
    mine, _other = (rpc.call(service.Login, login).access_token for _ in range(2))
    form = pb.ChangePasswordRequest(current_password=PASSWORD, password=f"another {PASSWORD}")
    rpc.call(service.ChangePassword, form, token=mine)

    assert len(rpc.call(service.ListSessions, pb.ListSessionsRequest(), token=mine).items) == 1
    rpc.call(service.EndSessions, pb.EndSessionsRequest(), token=mine)
    assert rpc.call(service.GetProfile, pb.GetProfileRequest(), token=mine).username == user.username


def test_another_address_is_asked_for_with_the_password():
    token, service = token_for(UserFactory(password=PASSWORD)), UserService()
    form = pb.ChangeEmailRequest(email="new@example.org", current_password=PASSWORD)
    assert rpc.call(service.ChangeEmail, form, token=token) == pb.ChangeEmailResponse()

    wrong = pb.ChangeEmailRequest(email="new@example.org", current_password="x")
    with pytest.raises(rpc.RpcFailed) as failed:
        rpc.call(service.ChangeEmail, wrong, token=token)
    assert (failed.value.code, failed.value.fields) == ("invalid_input", ["current_password"])


def test_people_are_shown_and_get_roles():
    user, admin = UserFactory(bio="Engines"), token_for(UserFactory(role=4))
    service = UserService()
    by_name = rpc.call(service.GetPersonByUsername, pb.GetPersonByUsernameRequest(username=user.username))
    assert by_name == rpc.call(service.GetPerson, pb.GetPersonRequest(id=str(user.pk)))
    assert by_name.bio == "Engines"
    role = pb.GrantSiteRoleRequest(id=str(user.pk), role=pb.USER_ROLE_REVIEWER)
    assert rpc.call(service.GrantSiteRole, role, token=admin).role == pb.USER_ROLE_REVIEWER
    with pytest.raises(rpc.RpcFailed) as failed:
        rpc.call(service.GrantSiteRole, role, token=token_for(user))
    assert failed.value.code == "operators_only"


def test_invitations_are_sent_read_and_answered():
    owner, invited = MembershipFactory(), UserFactory(email_verified=True)
    service, token = OrganizationService(), token_for(owner.user)
    one = {"organization_id": str(owner.organization_id)}
    sent = rpc.call(service.InviteMember, pb.InviteMemberRequest(**one, email=invited.email), token=token)
    assert sent.role == pb.ORGANIZATION_ROLE_MEMBER
    listed = rpc.call(service.ListInvitations, pb.ListInvitationsRequest(**one), token=token)
    assert list(listed.items) == [sent]

    reader = token_for(invited)
    ask = pb.ListReceivedInvitationsRequest()
    received = rpc.call(service.ListReceivedInvitations, ask, token=reader).items[0]
    declined = rpc.call(
        service.DeclineInvitation, pb.DeclineInvitationRequest(secret=received.secret), token=reader
    )
    assert declined.status == pb.INVITATION_STATUS_DECLINED
    for method, request in (
        (service.AcceptInvitation, pb.AcceptInvitationRequest(secret=received.secret)),
        (service.RevokeInvitation, pb.RevokeInvitationRequest(id=sent.id)),
    ):
        with pytest.raises(rpc.RpcFailed) as failed:
            rpc.call(method, request, token=reader if "secret" in str(request) else token)
        assert failed.value.code == "invitation_closed"
