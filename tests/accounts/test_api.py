import pytest

from tests.factories.accounts import (
    PASSWORD,
    InvitationFactory,
    MembershipFactory,
    OrganizationFactory,
    UserFactory,
    link_key,
    token_for,
)

pytestmark = pytest.mark.django_db
NEW = {"username": "ada", "email": "ada@example.org", "password": PASSWORD}


def test_register_log_in_look_and_log_out(api):
    assert api.post("/api/v1/auth/register", NEW).status_code == 201
    session = api.post("/api/v1/auth/login", {"email_or_username": "ada", "password": PASSWORD}).json()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {session['access_token']}")

    assert session["access_token"].startswith("lbx_ses_")
    assert api.get("/api/v1/users/me").json()["username"] == "ada"
    assert api.post("/api/v1/auth/logout").status_code == 204
    answer = api.get("/api/v1/users/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "token_revoked")


def test_a_refusal_is_problem_details_with_a_request_id_of_ours(api):
    answer = api.post("/api/v1/auth/register", {**NEW, "admin": True}, HTTP_X_REQUEST_ID="mine")

    body = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert body["errors"] == [
        {"field": "admin", "code": "unknown_field", "message": "There is no such field."}
    ]
    assert body["request_id"] == answer["X-Request-ID"] != "mine"


@pytest.mark.parametrize("body", ["[1]", "null", '"x"', "{", '{"username": NaN}'])
def test_a_body_that_is_no_object_is_refused(api, body):
    answer = api.post("/api/v1/auth/login", body, content_type="application/json")
    assert answer.status_code == 400


def test_failed_log_ins_stay_counted(api, settings):
    settings.LOGIN_TRIES = 2
    codes = [
        api.post("/api/v1/auth/login", {"email_or_username": "x", "password": "y"}).json()["code"]
        for _ in range(3)
    ]
    assert codes == ["login_failed", "login_failed", "too_many_logins"]


def test_a_secret_is_shown_once(api_as):
    client = api_as(UserFactory())
    made = client.post("/api/v1/tokens", {"name": "ci", "scopes": ["benchmarks:read"]}).json()

    listed = client.get("/api/v1/tokens").content.decode()
    assert made["secret"].startswith("lbx_pat_")
    assert made["secret"] not in listed
    revoked = client.post(f"/api/v1/tokens/{made['token']['id']}/revoke").json()
    assert revoked["revoked_at"]


def test_members_are_managed_over_rest(api_as):
    owner = MembershipFactory()
    client, person = api_as(owner.user), UserFactory()
    path = f"/api/v1/organizations/{owner.organization_id}/members"

    assert client.post(path, {"username": person.username}).json()["role"] == "member"
    assert client.patch(f"{path}/{person.id}", {"role": "admin"}).json()["role"] == "admin"
    assert len(client.get(path + "/").json()["items"]) == 2
    assert client.delete(f"{path}/{person.id}").status_code == 204


def test_a_strangers_member_list_is_404(api_as):
    organization = OrganizationFactory()
    answer = api_as(UserFactory()).get(f"/api/v1/organizations/{organization.id}/members")
    assert (answer.status_code, answer.json()["code"]) == (404, "organization_not_found")


def test_older_paging_names_work(api_as):
    owner = MembershipFactory()
    for _ in range(4):
        MembershipFactory(user=owner.user)
    client = api_as(owner.user)

    everything = [item["id"] for item in client.get("/api/v1/organizations?page_size=5").json()["items"]]
    by_offset = client.get("/api/v1/organizations?limit=2&offset=2").json()
    by_page = client.get("/api/v1/organizations?per_page=2&page=2").json()
    assert [item["id"] for item in by_offset["items"]] == everything[2:4]
    assert [item["id"] for item in by_page["items"]] == everything[2:4]


def test_a_token_in_the_url_is_not_a_credential(api):
    secret = token_for(UserFactory())
    assert api.get(f"/api/v1/users/me?token={secret}").status_code == 401


def test_a_browser_session_needs_the_csrf_token(db):
    from rest_framework.test import APIClient

    client = APIClient(enforce_csrf_checks=True)
    client.force_login(UserFactory())
    answer = client.post("/api/v1/tokens", {"name": "x", "scopes": ["benchmarks:read"]}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")


class TestMailedLinks:
    def test_confirm_and_reset_over_rest(self, api):
        user = UserFactory(password=PASSWORD)
        confirmed = api.post("/api/v1/auth/confirm-email", {"key": link_key("confirm_email", user)})
        reset = {"key": link_key("reset_password", user), "password": f"another {PASSWORD}"}

        assert confirmed.status_code == 204
        assert api.post("/api/v1/auth/request-password-reset", {"email": user.email}).status_code == 204
        assert api.post("/api/v1/auth/reset-password", reset).status_code == 204
        again = api.post("/api/v1/auth/reset-password", reset)
        assert (again.status_code, again.json()["code"]) == (400, "reset_link_invalid")
        assert again.json()["errors"][0]["field"] == "key"

    def test_are_sent_so_often_and_no_more(self, api, api_as, settings):
        settings.MAILS_AN_HOUR = 1
        client = api_as(UserFactory())
        assert client.post("/api/v1/auth/send-confirmation").status_code == 204
        answer = client.post("/api/v1/auth/send-confirmation")
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_mails")
        assert int(answer["Retry-After"]) > 0


class TestPasswordsAndSessions:
    def session(self, api, user):
        form = {"email_or_username": user.username, "password": PASSWORD}
        return api.post("/api/v1/auth/login", form).json()["access_token"]

    @pytest.mark.parametrize(
        ("path", "form"),
        [
            ("/api/v1/users/me/password", {"current_password": PASSWORD, "password": f"x{PASSWORD}"}),
            ("/api/v1/users/me/sessions/end", {}),
        ],
    )
    def test_end_all_but_the_session_that_asks(self, api, path, form):
        user = UserFactory(password=PASSWORD)
        mine, other = self.session(api, user), self.session(api, user)
        api.credentials(HTTP_AUTHORIZATION=f"Bearer {mine}")
        assert len(api.get("/api/v1/users/me/sessions").json()["items"]) == 2

        assert api.post(path, form).status_code == 204
        assert len(api.get("/api/v1/users/me/sessions").json()["items"]) == 1
        api.credentials(HTTP_AUTHORIZATION=f"Bearer {other}")
        assert api.get("/api/v1/users/me").json()["code"] == "token_revoked"

    @pytest.mark.parametrize("taken", [True, False])
    def test_asks_for_another_address(self, api_as, taken):
        UserFactory(email="taken@example.org" if taken else "other@example.org")
        user = UserFactory(password=PASSWORD, email_verified=True)
        client = api_as(user)
        form = {"email": "taken@example.org", "current_password": PASSWORD}
        asked = client.post("/api/v1/users/me/email", form)
        link = {"key": link_key("confirm_email", user, "taken@example.org")}
        answer = client.post("/api/v1/auth/confirm-email", link)

        assert (asked.status_code, asked.content) == (204, b"")
        assert answer.status_code == (409 if taken else 204)
        now = client.get("/api/v1/users/me").json()["email"]
        assert now == (user.email if taken else "taken@example.org")

    def test_refuses_to_change_the_address_without_the_password(self, api_as, settings):
        settings.LOGIN_TRIES = 1
        client = api_as(UserFactory(password=PASSWORD))
        form = {"email": "new@example.org", "current_password": "x"}
        codes = [client.post("/api/v1/users/me/email", form).json()["code"] for _ in range(2)]
        assert codes == ["invalid_input", "too_many_logins"]

    def test_wrong_passwords_stay_counted(self, api_as, settings):
        settings.LOGIN_TRIES = 1
        client = api_as(UserFactory(password=PASSWORD))
        form = {"current_password": "x", "password": f"x{PASSWORD}"}
        codes = [client.post("/api/v1/users/me/password", form).json()["code"] for _ in range(2)]
        assert codes == ["invalid_input", "too_many_logins"]


class TestPeople:
    def test_show_what_they_chose_and_no_more(self, api, api_as):
        user = UserFactory()
        changed = api_as(user).patch("/api/v1/users/me", {"github_username": "ada-l"}).json()
        shown = api.get(f"/api/v1/users/{user.pk}").json()

        assert shown["github_username"] == changed["github_username"] == "ada-l"
        assert shown == api.get(f"/api/v1/users/username/{user.username}").json()
        assert "email" not in shown

    def test_get_roles_from_admins_alone(self, api_as):
        user, path = UserFactory(), "/api/v1/users/{}/role"
        admin = api_as(UserFactory(role=4))
        assert admin.patch(path.format(user.pk), {"role": "reviewer"}).json()["role"] == "reviewer"
        refused = api_as(user).patch(path.format(user.pk), {"role": "admin"})
        assert (refused.status_code, refused.json()["code"]) == (403, "operators_only")


class TestInvitations:
    def test_are_sent_read_and_accepted_over_rest(self, api_as):
        owner = MembershipFactory()
        path = f"/api/v1/organizations/{owner.organization_id}/invitations"
        invited = UserFactory(email_verified=True)
        sent = api_as(owner.user).post(path, {"email": invited.email, "role": "viewer"})
        assert sent.status_code == 201
        assert api_as(owner.user).get(path).json()["items"] == [sent.json()]
        assert "secret" not in sent.json()

        reader = api_as(invited)
        received = reader.get("/api/v1/users/me/invitations").json()["items"][0]
        accepted = reader.post("/api/v1/invitations/accept", {"secret": received["secret"]}).json()
        assert accepted["status"] == "accepted"
        closed = reader.post("/api/v1/invitations/decline", {"secret": received["secret"]})
        assert (closed.status_code, closed.json()["code"]) == (409, "invitation_closed")

    def test_are_revoked_by_those_who_may_invite(self, api_as):
        owner = MembershipFactory()
        invitation = InvitationFactory(organization=owner.organization)
        path = f"/api/v1/invitations/{invitation.pk}/revoke"
        assert api_as(UserFactory()).post(path).status_code == 404
        assert api_as(owner.user).post(path).json()["status"] == "revoked"
