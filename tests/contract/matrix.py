"""One table for the rights in an app: every service and selector × who asks.

A table maps a function, with what it is done to in brackets if that matters, to a row: for each of WHO either
`allowed` or the code of the refusal.
"""

import inspect

from exchange.core.actors import ANONYMOUS, OrganizationRole
from exchange.core.errors import DomainError
from tests.factories.accounts import OrganizationFactory

WHO = ("anonymous", "stranger", "viewer", "member", "admin", "owner", "read_only")


def asker(who, *, actor_of, organization, read_scopes):
    """One of WHO, as seen from `organization`. The token that only reads is its owner's."""
    if who == "anonymous":
        return ANONYMOUS
    if who == "stranger":
        return actor_of(OrganizationFactory())
    if who == "read_only":
        return actor_of(organization, role="owner", scopes=read_scopes)
    return actor_of(organization, role=OrganizationRole(who))


def outcome(call, **arguments):
    """`allowed`, or the code of the refusal."""
    try:
        call(**arguments)
    except DomainError as refusal:
        return refusal.code
    return "allowed"


def cells(table):
    """(what, who, expected) of each cell; every row is whole."""
    return [
        (what, who, expected) for what, row in table.items() for who, expected in zip(WHO, row, strict=True)
    ]


def public(*modules):
    """The names of the functions that the modules offer."""
    return {
        name
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }


def named(table):
    """The functions that the table has rows for."""
    return {what.partition(" ")[0] for what in table}
