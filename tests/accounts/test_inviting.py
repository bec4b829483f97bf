import re
from datetime import timedelta

import pytest
from django.core import mail

from exchange.accounts import errors, inviting, mailing, selectors
from exchange.accounts.models import Invitation, Membership, User
from exchange.accounts.secrets import invitation_secret
from exchange.core import clock
from exchange.core.models import AuditEntry
from tests.factories.accounts import InvitationFactory, MembershipFactory, OrganizationFactory, UserFactory

pytestmark = pytest.mark.django_db
EMAIL = "ada@example.org"


@pytest.fixture
def organization():
    return OrganizationFactory()


@pytest.fixture
def owner(actor_of, organization):
    return actor_of(organization)


@pytest.fixture
def invited(organization):
    return InvitationFactory(organization=organization, email=EMAIL)


def somebody(**changes):
    user = UserFactory(**{"email": "Ada@example.ORG", "email_verified": True} | changes)
    return selectors.actor_for_user(user)


def invite(actor, organization, email=EMAIL, role="member"):
    return inviting.invite_member(actor=actor, organization_id=organization.pk, email=email, role=role)


def accept(actor, invitation):
    return inviting.accept_invitation(actor=actor, secret=invitation_secret(invitation.pk))


class TestInviteMember:
    def test_mails_a_link_whose_secret_is_stored_nowhere(self, owner, organization):
        invitation = invite(owner, organization)
        mailing.send_letters()

        secret = re.search(r"/invitations/(\w+)", mail.outbox[0].body)[1]
        assert mail.outbox[0].to == [EMAIL]
        assert selectors.get_invitation_by_secret(actor=owner, secret=secret) == invitation
        assert secret not in str(Invitation.objects.values().get())
        assert EMAIL not in str(list(AuditEntry.objects.values_list("facts", flat=True)))

    def test_refuses_a_second_open_one_for_an_address(self, owner, organization, invited):
        with pytest.raises(errors.AlreadyInvited):
            invite(owner, organization, email=EMAIL.upper())

    def test_replaces_one_that_has_expired(self, owner, organization, invited):
        Invitation.objects.update(expires_at=clock.now() - timedelta(seconds=1))
        invite(owner, organization)
        assert sorted(Invitation.objects.values_list("status", flat=True)) == ["expired", "pending"]

    def test_refuses_a_member(self, owner, organization):
        MembershipFactory(organization=organization, user__email=EMAIL)
        with pytest.raises(errors.AlreadyMember):
            invite(owner, organization)

    @pytest.mark.parametrize(("role", "allowed"), [("viewer", 1), ("member", 1), ("admin", 0), ("owner", 0)])
    def test_lets_admins_ask_members_and_viewers(self, actor_of, organization, role, allowed):
        admin = actor_of(organization, role="admin")
        if allowed:
            assert invite(admin, organization, role=role).role == role
        else:
            with pytest.raises(errors.NotYourOrganization):
                invite(admin, organization, role=role)

    def test_is_limited_by_the_day(self, owner, organization, settings):
        settings.INVITATIONS_A_DAY = 1
        invite(owner, organization)
        with pytest.raises(errors.TooManyMails):
            invite(owner, organization, email="eve@example.org")

    def test_is_limited_by_the_day_over_all_organizations_of_a_person(self, owner, organization, settings):
        settings.INVITATIONS_A_DAY = 1
        invite(owner, organization)
        person = User.objects.get(pk=owner.user_id)
        other = MembershipFactory(user=person).organization

        with pytest.raises(errors.TooManyMails):
            invite(selectors.actor_for_user(person), other, email="eve@example.org")


class TestAcceptInvitation:
    def test_makes_a_member_with_the_role(self, organization, invited):
        actor = somebody()
        accept(actor, invited)

        member = Membership.objects.get(user_id=actor.user_id)
        assert (member.organization, member.role) == (organization, "member")
        assert AuditEntry.objects.filter(kind="invitation.accepted", subject_id=invited.pk).exists()
        assert AuditEntry.objects.filter(kind="member.added", subject_id=organization.pk).exists()

    def test_refuses_an_address_that_is_not_confirmed(self, invited):
        with pytest.raises(errors.EmailNotVerified) as refused:
            accept(somebody(email_verified=False), invited)
        assert refused.value.code == "email_not_verified"

    def test_refuses_another_address(self, invited):
        with pytest.raises(errors.InvitationForAnother):
            accept(somebody(email="eve@example.org"), invited)

    def test_happens_once(self, invited):
        actor = somebody()
        accept(actor, invited)
        Membership.objects.all().delete()
        with pytest.raises(errors.InvitationClosed):
            accept(actor, invited)
        assert not Membership.objects.exists()

    def test_refuses_one_that_has_expired(self, invited):
        Invitation.objects.update(expires_at=clock.now())
        with pytest.raises(errors.InvitationClosed):
            accept(somebody(), invited)

    def test_refuses_a_member(self, organization, invited):
        actor = somebody()
        MembershipFactory(organization=organization, user_id=actor.user_id, user=None)
        with pytest.raises(errors.AlreadyMember):
            accept(actor, invited)

    def test_knows_no_made_up_link(self):
        with pytest.raises(errors.InvitationNotFound):
            inviting.accept_invitation(actor=somebody(), secret="0" * 48)


class TestDeclineInvitation:
    def test_closes_it_without_a_member(self, invited):
        inviting.decline_invitation(actor=somebody(), secret=invitation_secret(invited.pk))
        assert Invitation.objects.get().status == "declined"
        assert not Membership.objects.exists()


class TestRevokeInvitation:
    def test_closes_it(self, owner, invited):
        inviting.revoke_invitation(actor=owner, invitation_id=invited.pk)
        with pytest.raises(errors.InvitationClosed):
            accept(somebody(), invited)

    def test_does_not_know_those_of_others(self, actor_of, invited):
        with pytest.raises(errors.InvitationNotFound):
            inviting.revoke_invitation(actor=actor_of(OrganizationFactory()), invitation_id=invited.pk)


class TestListReceivedInvitations:
    def test_shows_open_ones_to_a_confirmed_address(self, invited):
        InvitationFactory(email=EMAIL, status="declined")
        InvitationFactory()
        assert list(selectors.list_received_invitations(actor=somebody())) == [invited]

    def test_shows_none_to_an_address_that_is_not_confirmed(self, invited):
        actor = somebody(email_verified=False)
        assert not selectors.list_received_invitations(actor=actor)
