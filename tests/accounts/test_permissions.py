"""Every service and selector of accounts × who asks."""

import pytest

from exchange.accounts import confirming, inviting, operating, passwords, readdressing, selectors, services
from exchange.accounts.models import User
from exchange.accounts.secrets import invitation_secret
from exchange.core.actors import Scope
from tests.contract.matrix import NOTHING, YES, World, changed, check, lasting, nothing_else, row
from tests.factories.accounts import PASSWORD, InvitationFactory, MembershipFactory, UserFactory, link_key

WHO_ARE_YOU, SCOPE = "unauthenticated", "scope_missing"
NOT_YOURS, NO_ORGANIZATION = "not_your_organization", "organization_not_found"
NO_TOKEN, NO_INVITATION, OPERATORS = "token_not_found", "invitation_not_found", "operators_only"
FOR_ANOTHER = "invitation_for_another_address"

OUTSIDERS = ("stranger", "contributor", "reviewer", "site_admin")
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
ADMIN_READERS = row(
    NO_ORGANIZATION,
    anonymous=WHO_ARE_YOU,
    viewer=NOT_YOURS,
    member=NOT_YOURS,
    admin=YES,
    owner=YES,
    read_only=YES,
)
INVITATIONS = row(
    NO_INVITATION, anonymous=WHO_ARE_YOU, viewer=NOT_YOURS, member=NOT_YOURS,
    admin=YES, owner=YES, read_only=SCOPE,
)  # fmt: skip
MEMBERS_OF_INVITATION = changed(MEMBERS, **dict.fromkeys(OUTSIDERS, NO_INVITATION))
OPERATORS_ONLY = row(OPERATORS, anonymous=WHO_ARE_YOU, site_admin=YES)


class Accounts(World):
    def __init__(self):
        super().__init__()
        self.another = UserFactory()
        self.member, self.admin = (
            MembershipFactory(organization=self.organization, role=role).user for role in ("member", "admin")
        )
        self.invitation = InvitationFactory(organization=self.organization)


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


def invited(world):
    return {"invitation_id": world.invitation.pk}


def invited_by_link(world):
    return {"secret": invitation_secret(world.invitation.pk)}


def invited_as(role):
    return lambda world: {**organization(world), "email": "new@example.org", "role": role}


def own_password(world):
    """With the right password of who asks."""
    user = User.objects.filter(pk=world.actor.user_id).first() or world.another
    user.set_password(PASSWORD)
    user.save()
    return {"current_password": PASSWORD, "password": f"another {PASSWORD}"}


def new_email(world):
    shown = own_password(world)
    return {"current_password": shown["current_password"], "email": "new@example.org"}


def another(world):
    return {"user_id": world.another.pk}


MATRIX = {
    "confirm_email": (EVERYBODY, lambda world: {"key": link_key("confirm_email", world.another)}),
    "send_confirmation": (WRITERS, nothing_else),
    "request_password_reset": (EVERYBODY, lambda _: {"email": "nobody@example.org"}),
    "reset_password": (
        EVERYBODY,
        lambda world: {"key": link_key("reset_password", world.another), "password": PASSWORD},
    ),
    "change_password": (WRITERS, own_password),
    "change_email": (WRITERS, new_email),
    "end_sessions": (WRITERS, nothing_else),
    "list_sessions": (row(NOTHING, anonymous=WHO_ARE_YOU), nothing_else),
    "get_person": (EVERYBODY, another),
    "get_person_by_username": (EVERYBODY, lambda world: {"username": world.another.username}),
    "list_invitations": (ADMIN_READERS, organization),
    "list_received_invitations": (row(NOTHING, anonymous=WHO_ARE_YOU), nothing_else),
    "get_invitation": (MEMBERS_OF_INVITATION, invited),
    "get_invitation_by_secret": (EVERYBODY, invited_by_link),
    "invite_member (as viewer)": (ADMINS, invited_as("viewer")),
    "invite_member (as member)": (ADMINS, invited_as("member")),
    "invite_member (as admin)": (OWNERS, invited_as("admin")),
    "invite_member (as owner)": (OWNERS, invited_as("owner")),
    "revoke_invitation": (INVITATIONS, invited),
    "accept_invitation": (row(FOR_ANOTHER, anonymous=WHO_ARE_YOU, read_only=SCOPE), invited_by_link),
    "decline_invitation": (row(FOR_ANOTHER, anonymous=WHO_ARE_YOU, read_only=SCOPE), invited_by_link),
    "grant_site_role": (OPERATORS_ONLY, lambda world: {**another(world), "role": "reviewer"}),
    "deactivate_user": (OPERATORS_ONLY, another),
    "activate_user": (OPERATORS_ONLY, another),
    "mark_demo": (OPERATORS_ONLY, lambda world: {"slug": world.organization.slug}),
    "verify_organization": (OPERATORS_ONLY, organization),
    "unverify_organization": (OPERATORS_ONLY, organization),
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
    "for the system": {"promote_contributor"},
    "about a row in hand": {"is_open"},
}


@pytest.mark.parametrize("what", MATRIX)
def test_is_for_those_whom_the_table_names(world, what):
    check(MATRIX, what, world, services, selectors, confirming, passwords, inviting, operating, readdressing)
