from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exchange.accounts import errors, operating, selectors
from exchange.accounts.models import User
from exchange.core.actors import ALL_SCOPES, SYSTEM, SiteRole
from exchange.core.errors import InvalidInput
from exchange.core.models import AuditEntry
from exchange.settings.environment import Environment
from tests.factories.accounts import OrganizationFactory, UserFactory, token_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin():
    return selectors.actor_for_user(UserFactory(role=SiteRole.ADMIN))


class TestGrantSiteRole:
    def test_is_audited_with_who_did_it(self, admin):
        user = operating.grant_site_role(actor=admin, user_id=UserFactory().pk, role="reviewer")

        entry = AuditEntry.objects.get(kind="user.role_granted")
        assert (user.role, entry.subject_id, entry.actor_id) == (SiteRole.REVIEWER, user.pk, admin.user_id)
        assert entry.facts == {"role": "reviewer"}

    @pytest.mark.parametrize("role", ["anonymous", "emperor", ""])
    def test_refuses_what_is_no_role(self, role):
        with pytest.raises(InvalidInput) as refused:
            operating.grant_site_role(actor=SYSTEM, user_id=UserFactory().pk, role=role)
        assert refused.value.errors[0].field == "role"

    def test_refuses_ones_own(self, admin):
        with pytest.raises(errors.OwnRole):
            operating.grant_site_role(actor=admin, user_id=admin.user_id, role="registered")

    def test_refuses_an_admins_token_that_lacks_a_scope(self):
        user = UserFactory(role=SiteRole.ADMIN)
        actor = selectors.actor_for_token(secret=token_for(user, *(ALL_SCOPES - {"governance:write"})))
        with pytest.raises(errors.OperatorsOnly):
            operating.grant_site_role(actor=actor, user_id=UserFactory().pk, role="admin")


class TestDeactivateUser:
    def test_shuts_out_browsers_and_tokens(self, admin, client):
        user = UserFactory()
        secret = token_for(user)
        client.force_login(user)
        operating.deactivate_user(actor=admin, user_id=user.pk)

        assert client.get("/profile").status_code == 302
        with pytest.raises(errors.TokenInvalid):
            selectors.actor_for_token(secret=secret)
        with pytest.raises(errors.PersonNotFound):
            selectors.get_person(actor=admin, user_id=user.pk)

    def test_does_not_bring_tokens_back(self, admin):
        user = UserFactory()
        secret = token_for(user)
        operating.deactivate_user(actor=admin, user_id=user.pk)
        operating.activate_user(actor=admin, user_id=user.pk)

        assert User.objects.get(pk=user.pk).is_active
        with pytest.raises(errors.TokenRevoked):
            selectors.actor_for_token(secret=secret)


class TestVerifyOrganization:
    def test_says_since_when(self, admin):
        organization = OrganizationFactory()
        first = operating.verify_organization(actor=admin, organization_id=organization.pk).verified_at
        again = operating.verify_organization(actor=admin, organization_id=organization.pk).verified_at

        assert first == again
        assert AuditEntry.objects.filter(kind="organization.verified").count() == 1
        assert (
            operating.unverify_organization(actor=admin, organization_id=organization.pk).verified_at is None
        )


def test_the_command_grants_a_role():
    user = UserFactory()
    call_command("grant_role", user.username, "contributor")
    assert User.objects.get(pk=user.pk).role == SiteRole.CONTRIBUTOR


class TestCreateAdmin:
    def test_asks_nobody_where_there_is_no_terminal(self, monkeypatch):
        monkeypatch.setattr("sys.stdin", StringIO("a password from a pipe"))
        with pytest.raises(CommandError, match=r"no terminal .* set EXCHANGE_ADMIN_PASSWORD"):
            call_command("create_admin", "first", "first@example.org")

    def test_names_what_is_wrong_with_the_password(self, monkeypatch, settings):
        monkeypatch.setattr(settings, "ENV", Environment({"EXCHANGE_ADMIN_PASSWORD": "short"}))
        with pytest.raises(CommandError, match=r"^password: This password is too short"):
            call_command("create_admin", "first", "first@example.org")
