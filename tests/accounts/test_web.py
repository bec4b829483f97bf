"""The pages of people and organizations, as a browser uses them."""

import re

import pytest
from django.core import mail
from django.test import Client

from exchange.accounts import mailing, services
from exchange.accounts.models import Invitation, Membership, Token, User
from exchange.accounts.secrets import invitation_secret
from tests.factories.accounts import (
    PASSWORD,
    InvitationFactory,
    MembershipFactory,
    OrganizationFactory,
    UserFactory,
    link_key,
)

pytestmark = pytest.mark.django_db
NEW = {"username": "ada", "email": "ada@example.org", "password": PASSWORD}
OTHER = f"another {PASSWORD}"


@pytest.fixture
def owner():
    return MembershipFactory(user__password=PASSWORD)


@pytest.fixture
def browser(owner):
    client = Client()
    client.force_login(owner.user)
    return client


def link_in_mail(to=""):
    """Where the newest mail leads, or the newest to one address."""
    mailing.send_letters()
    message = next(message for message in reversed(mail.outbox) if to in message.to[0])
    return re.search(r"http://127\.0\.0\.1:8000(/\S+)", message.body)[1]


def text_of(answer):
    return answer.content.decode()


class TestSigningUp:
    def test_goes_from_the_form_over_the_mail_to_a_confirmed_address(self, client):
        page = client.post("/register", NEW, follow=True)
        assert "on its way to ada@example.org" in text_of(page)
        assert "is not confirmed yet" in text_of(page)

        link = link_in_mail()
        assert not User.objects.get().email_verified
        assert client.get(link).status_code == 200
        assert not User.objects.get().email_verified
        page = client.post(link, follow=True)
        assert "The address ada@example.org is confirmed" in text_of(page)
        assert User.objects.get().email_verified

    def test_comes_back_to_where_it_was_needed(self, client):
        answer = client.post("/register", {**NEW, "next": "/invitations/x"})
        assert answer["Location"] == "/invitations/x"

    def test_does_not_go_elsewhere(self, client):
        answer = client.post("/register", {**NEW, "next": "https://evil.example"})
        assert answer["Location"] == "/organizations"

    def test_shows_a_link_that_was_never_mailed(self, client):
        answer = client.post("/confirm-email/x")
        assert answer.status_code == 400
        assert "This link was used already" in text_of(answer)

    def test_sends_another_link_and_then_no_more(self, browser, settings):
        settings.MAILS_AN_HOUR = 1
        assert "on its way" in text_of(browser.post("/confirm-email", follow=True))
        assert "As many mails as are sent" in text_of(browser.post("/confirm-email", follow=True))

    def test_sends_nothing_to_nobody(self, client):
        assert client.post("/confirm-email")["Location"].startswith("/login")


class TestForgottenPassword:
    def test_is_replaced_through_the_mail(self, client, owner):
        assert "a link to set a new password" in text_of(
            client.post("/password/reset", {"email": owner.user.email})
        )
        link = link_in_mail()
        assert client.get(link)["Location"] == "/password/new"
        assert client.get("/password/new").status_code == 200
        assert client.post("/password/new", {"password": OTHER})["Location"] == "/login"
        assert client.get("/password/new").status_code == 400
        assert client.get(link).status_code == 400
        assert services.authenticate(email_or_username=owner.user.username, password=OTHER)

    def test_looks_the_same_for_an_unknown_address(self, client, owner):
        pages = [
            text_of(client.post("/password/reset", {"email": email})).replace(email, "")
            for email in (owner.user.email, "nobody@example.org")
        ]
        tokens = r'value="[A-Za-z0-9]{64}"|nonce="[^"]*"'
        assert re.sub(tokens, "", pages[0]) == re.sub(tokens, "", pages[1])

    def test_names_what_is_wrong_with_the_form(self, client, owner, caplog):
        assert client.post("/password/reset", {"email": "x"}).status_code == 400
        key = link_key("reset_password", owner.user)
        client.get(f"/password/reset/{key}")
        weak = client.post("/password/new", {"password": "short"})
        assert weak.status_code == 400
        assert key not in caplog.text
        assert 'aria-invalid="true"' in text_of(weak)


class TestProfile:
    def test_asks_who_is_there(self, client):
        assert client.get("/profile")["Location"] == "/login?next=%2Fprofile"

    @pytest.mark.parametrize(
        "path", ["/profile", "/profile/email", "/profile/password", "/profile/sessions/end", "/tokens"]
    )
    def test_takes_nothing_from_nobody(self, client, path):
        assert client.post(path)["Location"].startswith("/login")

    def test_says_the_role_and_what_makes_a_contributor(self, browser):
        page = text_of(browser.get("/profile"))
        assert "Registered" in page
        assert "make a contributor" in page

    def test_keeps_what_one_shows_and_shows_it(self, browser, owner, client):
        form = {"display_name": "Ada L.", "orcid": "0000-0002-1825-0097", "bio": "<b>Engines</b>"}
        assert browser.post("/profile", form)["Location"] == "/profile"

        page = text_of(client.get(f"/people/{owner.user.username}"))
        assert "Ada L." in page
        assert "https://orcid.org/0000-0002-1825-0097" in page
        assert "&lt;b&gt;Engines" in page
        assert owner.user.email not in page

    def test_empties_a_field(self, browser, owner):
        browser.post("/profile", {"bio": "x"})
        browser.post("/profile", {"bio": ""})
        owner.user.refresh_from_db()
        assert owner.user.bio == ""

    def test_names_the_field_that_is_wrong(self, browser, owner):
        answer = browser.post("/profile", {"orcid": "0000-0002-1825-0098", "website": "javascript:alert(1)"})
        assert answer.status_code == 400
        assert "#f-orcid" in text_of(answer)
        assert "#f-website" in text_of(answer)

    def test_changes_the_password_and_stays_logged_in_here_alone(self, browser, owner):
        elsewhere = Client()
        elsewhere.force_login(owner.user)
        form = {"current_password": PASSWORD, "password": OTHER}

        assert browser.post("/profile/password", form)["Location"] == "/profile"
        assert browser.get("/profile").status_code == 200
        assert elsewhere.get("/profile").status_code == 302

    def test_changes_the_address_once_the_new_one_is_confirmed(self, browser, owner):
        form = {"new_email": "new@example.org", "email_password": PASSWORD}
        assert "on its way to new@example.org" in text_of(browser.post("/profile/email", form, follow=True))
        link = link_in_mail("new@example.org")

        assert "The address new@example.org is confirmed" in text_of(browser.post(link, follow=True))
        owner.user.refresh_from_db()
        assert owner.user.email == "new@example.org"

    def test_names_the_fields_of_a_new_address_that_are_wrong(self, browser):
        answer = text_of(browser.post("/profile/email", {"new_email": "new@", "email_password": ""}))
        assert "#f-new_email" in answer
        assert "#f-email_password" in answer
        assert 'value="new@"' in answer

    def test_refuses_a_wrong_password(self, browser):
        answer = browser.post("/profile/password", {"current_password": "x", "password": OTHER})
        assert answer.status_code == 400
        assert "#f-current_password" in text_of(answer)

    def test_ends_other_sessions(self, browser, owner):
        elsewhere = Client()
        elsewhere.force_login(owner.user)
        browser.post("/profile/sessions/end")

        assert browser.get("/profile").status_code == 200
        assert elsewhere.get("/profile").status_code == 302

    def test_makes_a_token_shows_it_once_and_revokes_it(self, browser):
        made = text_of(browser.post("/tokens", {"name": "ci", "scopes": ["profile:read"]}))
        secret = re.search(r"lbx_pat_\w{49}", made)[0]
        token = Token.objects.get(kind="pat")

        assert secret not in text_of(browser.get("/profile"))
        assert browser.post(f"/tokens/{token.pk}/revoke")["Location"] == "/profile"
        token.refresh_from_db()
        assert token.revoked_at

    def test_names_what_is_wrong_with_a_token(self, browser):
        answer = browser.post("/tokens", {"scopes": ["profile:read"]})
        assert answer.status_code == 400
        assert "#f-token_name" in text_of(answer)


class TestPerson:
    def test_who_is_unknown_or_shut_out_is_not_found(self, client):
        gone = UserFactory(is_active=False)
        for name in ("nobody", gone.username):
            assert client.get(f"/people/{name}").status_code == 404


class TestInvitation:
    @pytest.fixture
    def invited(self, owner):
        return InvitationFactory(organization=owner.organization)

    @pytest.fixture
    def path(self, invited):
        return f"/invitations/{invitation_secret(invited.pk)}"

    def as_reader(self, invited, **changes):
        client = Client()
        client.force_login(UserFactory(**{"email": invited.email, "email_verified": True} | changes))
        return client

    def test_shows_itself_to_whoever_has_the_link(self, client, owner, path):
        page = text_of(client.get(path))
        assert owner.organization.name in page
        assert f"/login?next={path}" in page

    def test_makes_a_member_of_its_reader(self, invited, path, owner):
        reader = self.as_reader(invited)
        assert "You are invited" in text_of(reader.get("/organizations"))
        answer = reader.post(f"{path}/accept")
        assert answer["Location"] == f"/organizations/{owner.organization.slug}"
        assert owner.organization.memberships.count() == 2

    def test_says_why_it_is_not_accepted(self, invited, path):
        answer = self.as_reader(invited, email_verified=False).post(f"{path}/accept")
        assert answer.status_code == 403
        assert "Confirm your e-mail address first" in text_of(answer)

    def test_is_declined(self, invited, path):
        assert self.as_reader(invited).post(f"{path}/decline")["Location"] == "/organizations"
        assert "no longer open" in text_of(self.as_reader(invited, email="eve@example.org").get(path))

    def test_sends_nobody_to_the_log_in(self, client, path):
        for deed in ("accept", "decline"):
            assert client.post(f"{path}/{deed}")["Location"].startswith("/login")

    def test_that_never_was_is_not_found(self, client):
        assert client.get("/invitations/xyz").status_code == 404


class TestMembersPage:
    @pytest.fixture
    def home(self, owner):
        return f"/organizations/{owner.organization.slug}"

    def test_invites_and_revokes(self, browser, home):
        assert (
            browser.post(f"{home}/invitations", {"email": "eve@example.org", "role": "admin"}).status_code
            == 302
        )
        assert "eve@example.org" in text_of(browser.get(f"{home}/members"))
        browser.post(f"{home}/invitations/{Invitation.objects.get().pk}/revoke")
        assert Invitation.objects.get().status == "revoked"

    def test_names_what_is_wrong_with_an_invitation(self, browser, home):
        answer = browser.post(f"{home}/invitations", {"email": "x", "role": "member"})
        assert answer.status_code == 400
        assert "#f-email" in text_of(answer)

    def test_changes_roles_removes_and_lets_go(self, browser, home, owner):
        member = MembershipFactory(organization=owner.organization, role="viewer")
        one = f"{home}/members/{member.user_id}"
        assert browser.post(f"{one}/role", {"role": "owner"}).status_code == 302
        member.refresh_from_db()
        assert member.role == "owner"
        left = browser.post(f"{home}/members/{owner.user_id}/remove")
        assert left["Location"] == "/organizations"
        assert list(Membership.objects.values_list("user_id", flat=True)) == [member.user_id]

    def test_keeps_the_last_owner(self, browser, home, owner):
        answer = browser.post(f"{home}/members/{owner.user_id}/remove")
        assert answer.status_code == 409
        assert "keeps at least one owner" in text_of(answer)

    def test_offers_members_nothing_to_change(self, home, owner):
        client = Client()
        client.force_login(MembershipFactory(organization=owner.organization, role="member").user)
        page = text_of(client.get(f"{home}/members"))
        assert "Invite somebody" not in page
        assert (
            client.post(f"{home}/invitations", {"email": "a@b.example", "role": "member"}).status_code == 403
        )

    def test_is_not_found_by_strangers(self, home):
        client = Client()
        client.force_login(UserFactory())
        assert client.get(f"{home}/members").status_code == 404

    def test_edits_what_everybody_sees(self, browser, home, client):
        form = {"name": "Renamed", "description": "What we do.", "website": ""}
        assert browser.post(f"{home}/edit", form)["Location"] == home
        page = text_of(client.get(home))
        assert "Renamed" in page
        assert "What we do." in page

    def test_names_what_is_wrong_with_an_edit(self, browser, home):
        answer = browser.post(f"{home}/edit", {"name": "", "website": "x"})
        assert answer.status_code == 400
        assert "#f-name" in text_of(answer)

    def test_lets_only_admins_edit(self, client, home, owner):
        assert client.get(f"{home}/edit").status_code == 302
        client.force_login(MembershipFactory(organization=owner.organization, role="member").user)
        assert client.get(f"{home}/edit").status_code == 403


class TestOrganizationPage:
    def test_shows_strangers_the_profile_alone(self, client):
        organization = OrganizationFactory(description="Measures.")
        page = text_of(client.get(f"/organizations/{organization.slug}"))
        assert "Measures." in page
        assert "Register an endpoint" not in page
        assert "Members" not in page
