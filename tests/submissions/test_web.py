import pytest

from exchange.accounts.models import Token
from tests.factories.accounts import MembershipFactory, token_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(client):
    membership = MembershipFactory(role="member")
    token_for(membership.user)
    client.force_login(membership.user)
    return membership


class TestRevokeToken:
    def revoke(self, client, member, **form):
        token = Token.objects.get(user=member.user, kind="pat")
        return client.post(f"/tokens/{token.pk}/revoke", form)

    def test_leads_back_to_the_organization(self, client, member):
        answer = self.revoke(client, member, organization=member.organization.slug)
        assert (answer.status_code, answer["Location"]) == (302, f"/organizations/{member.organization.slug}")
        assert Token.objects.get(kind="pat").revoked_at is not None

    @pytest.mark.parametrize("slug", ["", "no such", "nosuch", "\0"])
    def test_revokes_nothing_for_an_organization_that_there_is_not(self, client, member, slug):
        assert self.revoke(client, member, organization=slug).status_code == 404
        assert Token.objects.get(kind="pat").revoked_at is None
