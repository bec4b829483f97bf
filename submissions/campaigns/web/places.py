"""Whose pages these are: found by slug or by row, and only for those who belong there."""

from uuid import UUID

from exchange.accounts import selectors as accounts
from exchange.accounts.api.serializers import OrganizationSerializer
from exchange.accounts.errors import OrganizationNotFound


def organization_of(request, slug):
    """The organization of a page under its address.

    Raises:
        OrganizationNotFound: there is none, or the reader is no member: its endpoints are nobody else's.
    """
    found = accounts.get_organization_by_slug(actor=request.actor, slug=slug)
    if not request.actor.belongs_to(found.pk):
        raise OrganizationNotFound
    return found


def head_of(request, organization):
    """What the top of a page needs."""
    return {
        "organization": OrganizationSerializer(organization).data,
        "is_member": True,
        "may_write": request.actor.works_for(organization.pk),
        "may_administer": request.actor.administers(organization.pk),
    }


def known_id(text):
    """An id from an address, or None."""
    try:
        return UUID(text)
    except ValueError:
        return None
