"""Every service and selector of accounts × who asks."""

import pytest

from exchange.accounts import selectors, services
from exchange.accounts.models import User
from exchange.core.actors import Scope
from tests.contract.matrix import NOTHING, YES, World, changed, check, lasting, nothing_else, row
from tests.factories.accounts import MembershipFactory, UserFactory

WHO_ARE_YOU, SCOPE = "unauthenticated", "scope_missing"
NOT_YOURS, NO_ORGANIZATION = "not_your_organization", "organization_not_found"
NO_TOKEN = "token_not_found"

EVERYBODY = row(YES)
READERS = row(YES, anonymous=WHO_ARE_YOU)
WRITERS = changed(READERS, read_only=SCOPE)
MEMBERS = row(
    NO_ORGANIZATION, anonymous=WHO_ARE_YOU, viewer=YES, member=YES, admin=YES, owner=YES, read_only=YES
)
ADMINS = row(NOT_YOURS, anonymous=WHO_ARE_YOU, admin=YES, owner=YES, read_only=SCOPE)
OWNERS = changed(ADMINS, admin=NOT_YOURS)
REMOVERS = row(
    NO_ORGANIZATION, anonymous=WHO_ARE_YOU, viewer=NOT_YOURS, member=NOT_YOURS,
    admin=YES, owner=YES, read_only=SCOPE,
)  # fmt: skip


class Accounts(World):
    def __init__(self):
        super().__init__()
        self.another = UserFactory()
        self.member, self.admin = (
            MembershipFactory(organization=self.organization, role=role).user for role in ("member", "admin")
        )


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        yield Accounts()


def organization(world):
    return {"organization_id": world.organization.pk}


def member(world):
    return {**organization(world), "user_id": world.member.pk}


def admin(world):
    return {**organization(world), "user_id": world.admin.pk}


def new_member(role):
    return lambda world: {**organization(world), "username": world.another.username, "role": role}


def own_token(world):
    """A new API token of who asks; of anybody, when nobody asks."""
    owner = User.objects.filter(pk=world.actor.user_id).first() or world.another
    return {"token_id": _token_of(owner)}


def anothers_token(world):
    return {"token_id": _token_of(world.another)}


def _token_of(user):
    actor = selectors.actor_for_user(user)
    return services.create_api_token(actor=actor, name="ci", scopes=[Scope.PROFILE_READ])[1].pk


MATRIX = {
    "get_profile": (READERS, nothing_else),
    "update_profile": (WRITERS, nothing_else),
    "log_out": (READERS, nothing_else),
    "list_api_tokens": (row(NOTHING, anonymous=WHO_ARE_YOU), nothing_else),
    "create_api_token": (WRITERS, lambda _: {"name": "ci", "scopes": [Scope.PROFILE_READ]}),
    "get_api_token (own)": (READERS, own_token),
    "get_api_token (another's)": (row(NO_TOKEN, anonymous=WHO_ARE_YOU), anothers_token),
    "revoke_api_token (own)": (WRITERS, own_token),
    "revoke_api_token (another's)": (
        row(NO_TOKEN, anonymous=WHO_ARE_YOU, read_only=SCOPE),
        anothers_token,
    ),
    "list_organizations": (READERS, nothing_else),
    "create_organization": (WRITERS, lambda _: {"slug": "new", "name": "New", "type": "enterprise"}),
    "get_organization": (EVERYBODY, organization),
    "get_organization_by_slug": (EVERYBODY, lambda world: {"slug": world.organization.slug}),
    "update_organization": (ADMINS, lambda world: {**organization(world), "name": "Other"}),
    "list_members": (MEMBERS, organization),
    "get_member": (MEMBERS, member),
    "add_member (as member)": (ADMINS, new_member("member")),
    "add_member (as admin)": (OWNERS, new_member("admin")),
    "add_member (as owner)": (OWNERS, new_member("owner")),
    "change_member_role": (OWNERS, lambda world: {**member(world), "role": "viewer"}),
    "remove_member (a member)": (REMOVERS, member),
    "remove_member (an admin)": (changed(REMOVERS, admin=NOT_YOURS), admin),
}
OUTSIDE = {
    "before anybody is known": {
        "register",
        "authenticate",
        "note_session",
        "open_session",
        "actor_for_token",
        "actor_for_user",
    },
    "for operators": {"mark_demo", "grant_site_role"},
}


@pytest.mark.parametrize("what", MATRIX)
def test_is_for_those_whom_the_table_names(world, what):
    check(MATRIX, what, world, services, selectors)
