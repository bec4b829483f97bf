"""Somebody with an account: forgets a password, accepts an invitation, shows themselves, makes a token."""

import pytest

from tests.e2e.people import PASSWORD

from .world import link_mailed_to, log_in

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

NEW_PASSWORD = "staple battery horse correct"
FRIEND = "fred@example.org"


@pytest.fixture(scope="module")
def owner(people, stack, lab):
    person = people()
    person.log_in(lab.name, PASSWORD)
    return person


@pytest.fixture(scope="module")
def friend(people):
    return people()


class TestInvitation:
    def test_is_mailed_to_somebody_without_an_account(self, owner, friend, stack):
        owner.go("/organizations/lab/members")
        owner.fill(email=FRIEND, role="member")
        owner.press("Invite", owner.main)
        friend.go(link_mailed_to(stack, FRIEND))
        friend.look("invitation-stranger")

    def test_is_answered_once_the_address_is_confirmed(self, friend, stack):
        invitation = friend.path
        friend.follow("Register", friend.main)
        friend.fill(email=FRIEND, username="fred", password=PASSWORD)
        friend.press("Register", friend.main)
        friend.is_at("^/invitations/")
        friend.look("invitation-unconfirmed")
        friend.go(link_mailed_to(stack, FRIEND, about="/confirm-email/"))
        friend.press("Yes, it is mine")
        friend.look("profile-invited")
        friend.go(invitation)
        friend.look("invitation")
        friend.press("Accept")
        friend.is_at("^/organizations/lab$")

    def test_shows_in_the_list_of_members(self, owner):
        owner.go("/organizations/lab/members")
        owner.sees("fred")
        owner.look("members-two")


class TestProfile:
    def test_says_who_somebody_is(self, friend):
        friend.go("/profile")
        friend.fill(display_name="Fred", bio="I measure things twice.", affiliation="The lab")
        friend.press("Save", friend.main)
        friend.follow("What others see")
        friend.sees("I measure things twice.")
        friend.look("person")

    def test_makes_a_token_that_is_shown_once(self, friend):
        friend.go("/profile")
        friend.page.get_by_text("Make a token").click()
        friend.fill(friend.page.locator("#tokens"), name="laptop", scopes=["benchmarks:read"])
        friend.press("Make it", friend.page.locator("#tokens"))
        friend.sees("Copy it now.")
        friend.look("token-shown")


class TestPassword:
    def test_is_set_anew_by_a_mailed_link(self, friend, stack):
        friend.context.clear_cookies()
        friend.go("/login")
        friend.follow("Forgot your password?")
        friend.look("password-forgotten")
        friend.fill(email=FRIEND)
        friend.press("Send the link")
        friend.look("password-asked")
        friend.go(link_mailed_to(stack, FRIEND, about="/password/"))
        friend.look("password-reset")
        friend.fill(password=NEW_PASSWORD)
        friend.press("Set it")
        friend.log_in("fred", NEW_PASSWORD)
        friend.is_at("^/organizations$")
        friend.look("organizations")


class TestOperator:
    def test_reads_people_and_what_may_be_done_to_them(self, people, stack):
        operator = log_in(people(), stack, "olga", role="admin")
        operator.go("/operate/")
        operator.look("operate")
        operator.follow("Users", operator.page.locator("#content"))
        operator.look("operate-users")
        operator.follow("lab", operator.page.locator("#result_list"))
        operator.look("operate-user")
