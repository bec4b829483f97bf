"""Every service and selector of accounts × who asks."""

import pytest

from exchange.accounts import selectors, services
from exchange.accounts.models import User
from exchange.core.actors import Scope
from tests.contract.matrix import asker, cells, named, outcome, public
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory

pytestmark = pytest.mark.django_db

YES, WHO_ARE_YOU, SCOPE = "allowed", "unauthenticated", "scope_missing"
NOT_YOURS, NO_ORGANIZATION = "not_your_organization", "organization_not_found"
READ = [Scope.PROFILE_READ, Scope.ORGANIZATIONS_READ]

EVERYBODY = (YES,) * 7
READERS = (WHO_ARE_YOU, *(YES,) * 6)
WRITERS = (WHO_ARE_YOU, *(YES,) * 5, SCOPE)
NOBODYS_TOKEN = (WHO_ARE_YOU, *("token_not_found",) * 5, SCOPE)
MEMBERS = (WHO_ARE_YOU, NO_ORGANIZATION, YES, YES, YES, YES, YES)
ADMINS = (WHO_ARE_YOU, NOT_YOURS, NOT_YOURS, NOT_YOURS, YES, YES, SCOPE)
OWNERS = (WHO_ARE_YOU, NOT_YOURS, NOT_YOURS, NOT_YOURS, NOT_YOURS, YES, SCOPE)
REMOVERS = (WHO_ARE_YOU, NO_ORGANIZATION, NOT_YOURS, NOT_YOURS, YES, YES, SCOPE)
REMOVERS_OF_ADMINS = (WHO_ARE_YOU, NO_ORGANIZATION, NOT_YOURS, NOT_YOURS, NOT_YOURS, YES, SCOPE)
MATRIX = {
    "get_profile": READERS,
    "update_profile": WRITERS,
    "log_out": READERS,
    "list_api_tokens": READERS,
    "create_api_token": WRITERS,
    "get_api_token (own)": READERS,
    "get_api_token (another's)": (WHO_ARE_YOU, *("token_not_found",) * 6),
    "revoke_api_token (own)": WRITERS,
    "revoke_api_token (another's)": NOBODYS_TOKEN,
    "list_organizations": READERS,
    "create_organization": WRITERS,
    "get_organization": EVERYBODY,
    "get_organization_by_slug": EVERYBODY,
    "update_organization": ADMINS,
    "list_members": MEMBERS,
    "get_member": MEMBERS,
    "add_member (as member)": ADMINS,
    "add_member (as admin)": OWNERS,
    "add_member (as owner)": OWNERS,
    "change_member_role": OWNERS,
    "remove_member (a member)": REMOVERS,
    "remove_member (an admin)": REMOVERS_OF_ADMINS,
}
WITHOUT_AN_ACTOR = {
    "register",
    "authenticate",
    "note_session",
    "open_session",
    "actor_for_token",
    "actor_for_user",
}
FOR_OPERATORS = {"mark_demo", "grant_site_role"}


def token_of(user_id):
    """The id of a new API token of that person; of anybody, when it is nobody."""
    actor = selectors.actor_for_user(User.objects.filter(pk=user_id).first() or UserFactory())
    return services.create_api_token(actor=actor, name="ci", scopes=[Scope.PROFILE_READ])[1].pk


def arguments(what, actor, organization):
    """What the function gets beside the actor."""
    one = {"organization_id": organization.pk}
    person = {**one, "user_id": MembershipFactory(organization=organization, role="member").user_id}
    another = UserFactory()
    return {
        "create_api_token": lambda: {"name": "ci", "scopes": [Scope.PROFILE_READ]},
        "get_api_token (own)": lambda: {"token_id": token_of(actor.user_id)},
        "get_api_token (another's)": lambda: {"token_id": token_of(another.pk)},
        "revoke_api_token (own)": lambda: {"token_id": token_of(actor.user_id)},
        "revoke_api_token (another's)": lambda: {"token_id": token_of(another.pk)},
        "create_organization": lambda: {"slug": "new", "name": "New", "type": "enterprise"},
        "get_organization": lambda: one,
        "get_organization_by_slug": lambda: {"slug": organization.slug},
        "update_organization": lambda: {**one, "name": "Other"},
        "list_members": lambda: one,
        "get_member": lambda: person,
        "add_member (as member)": lambda: {**one, "username": another.username, "role": "member"},
        "add_member (as admin)": lambda: {**one, "username": another.username, "role": "admin"},
        "add_member (as owner)": lambda: {**one, "username": another.username, "role": "owner"},
        "change_member_role": lambda: {**person, "role": "viewer"},
        "remove_member (a member)": lambda: person,
        "remove_member (an admin)": lambda: {
            **one,
            "user_id": MembershipFactory(organization=organization, role="admin").user_id,
        },
    }.get(what, dict)()


@pytest.mark.parametrize(("what", "who", "expected"), cells(MATRIX))
def test_is_for_those_whom_the_table_names(what, who, expected, actor_of):
    organization = OrganizationFactory()
    actor = asker(who, actor_of=actor_of, organization=organization, read_scopes=READ)
    name = what.partition(" ")[0]
    function = getattr(services, name, None) or getattr(selectors, name)

    assert outcome(function, actor=actor, **arguments(what, actor, organization)) == expected


def test_nothing_is_missing_from_the_table():
    assert public(services, selectors) == named(MATRIX) | WITHOUT_AN_ACTOR | FOR_OPERATORS
