"""Rights as tables: every service and selector of an app × who asks.

A table maps a function, with what it is done to in brackets if that matters, to a row and its arguments. The
row says for each of WHO `allowed`, `nothing` (an answer without anything in it) or the code of the refusal.
The arguments are made from a world, whose `actor` asks.
"""

import inspect
from collections.abc import Sized
from contextlib import contextmanager
from dataclasses import replace

from django.db import connection, transaction

from exchange.accounts.selectors import actor_for_user
from exchange.core.actors import ALL_SCOPES, ANONYMOUS, Scope, SiteRole
from exchange.core.errors import DomainError
from exchange.core.tenancy import acting_for
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory

ROLES = ("viewer", "member", "admin", "owner")
SITE_ROLES = {
    "contributor": SiteRole.CONTRIBUTOR,
    "reviewer": SiteRole.REVIEWER,
    "site_admin": SiteRole.ADMIN,
}
WHO = ("anonymous", "stranger", *ROLES, *SITE_ROLES, "read_only")
READ_SCOPES = frozenset(scope for scope in Scope if scope.endswith(":read"))
WRITE_SCOPES = frozenset(Scope) - READ_SCOPES
YES, NOTHING = "allowed", "nothing"


class World:
    """An organization, and `actors[who]` as seen from it. Apps add what theirs has."""

    def __init__(self):
        self.organization = OrganizationFactory()
        self.actor = ANONYMOUS
        self.actors = {who: _asker(who, self.organization) for who in WHO}
        self.write_only = _person(self.organization, "owner", scopes=WRITE_SCOPES)


def _asker(who, organization):
    """Site roles work for an organization of their own. The token that only reads is an owner's."""
    if who == "anonymous":
        return ANONYMOUS
    if who == "read_only":
        return _person(organization, "owner", scopes=READ_SCOPES)
    if who in ROLES:
        return _person(organization, who)
    return _person(OrganizationFactory(), "owner", site_role=SITE_ROLES.get(who, SiteRole.REGISTERED))


def _person(organization, role, *, site_role=SiteRole.REGISTERED, scopes=ALL_SCOPES):
    user = UserFactory(role=site_role)
    MembershipFactory(user=user, organization=organization, role=role)
    return replace(actor_for_user(user), scopes=scopes)


@contextmanager
def lasting(blocker):
    """For fixtures of a module: what is made inside stays for the module's tests, and no longer."""
    with blocker.unblock():
        with undone():
            yield
        connection.close()


@contextmanager
def undone():
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def row(default, **exceptions):
    """For each of WHO what they get; whoever is not named gets the default."""
    assert set(exceptions) <= set(WHO), exceptions
    return {who: exceptions.get(who, default) for who in WHO}


def changed(row, **exceptions):
    """The row with other cells."""
    assert set(exceptions) <= set(WHO), exceptions
    return {**row, **exceptions}


def nothing_else(_world):
    """The arguments of a function that wants only the actor."""
    return {}


def check(table, what, world, *modules):
    """Let each of WHO try one line of the table, and undo it. Who may write may read, so a token that only
    writes is its owner's equal.
    """
    expected, arguments = table[what]
    name = what.partition(" ")[0]
    function = next(getattr(module, name) for module in modules if hasattr(module, name))
    found = {}
    for who, actor in (*world.actors.items(), ("write_only", world.write_only)):
        world.actor = actor
        with undone():
            found[who] = outcome(function, actor=actor, **arguments(world))
    assert found == {**expected, "write_only": expected["owner"]}


def outcome(function, *, actor, **arguments):
    try:
        with acting_for(actor):
            answer = function(actor=actor, **arguments)
            _close(answer)
            return NOTHING if isinstance(answer, Sized) and len(answer) == 0 else YES
    except DomainError as refusal:
        return refusal.code


def _close(answer):
    """The files that a caller would close: the answer's own, or one beside its row."""
    beside = answer if isinstance(answer, tuple) else (getattr(answer, "content", None),)
    for part in (answer, *beside):
        if hasattr(part, "close"):
            part.close()


def named(table):
    """The functions that the table has rows for."""
    return {what.partition(" ")[0] for what in table}


def public(module):
    """The names of the functions that the module offers."""
    return {
        name
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if inspect.unwrap(function).__module__ == module.__name__ and not name.startswith("_")
    }
