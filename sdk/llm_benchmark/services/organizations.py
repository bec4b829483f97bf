"""Organizations, their members and invitations."""

from __future__ import annotations

from llm_benchmark.errors import NotFound
from llm_benchmark.identifiers import is_id
from llm_benchmark.models import Invitation, Member, Organization
from llm_benchmark.models.choices import OrganizationRole, OrganizationType
from llm_benchmark.paging import Pages

from .base import UNSET, Nothing, Service, Unset, at


class Organizations(Service):
    def list(self) -> Pages[Organization]:
        """Those that the token's owner belongs to."""
        return self._pages("organizations", Organization)

    def get(self, id_or_slug: str) -> Organization:
        """Any by its id; by its slug one of the own.

        Raises:
            NotFound: there is none, or the slug is none of the own organizations'.
        """
        if is_id(id_or_slug):
            return self._transport.get(at("organizations", id_or_slug), Organization)
        own = {organization.slug: organization for organization in self.list()}
        if id_or_slug not in own:
            known = ", ".join(own) or "none"
            text = f"You do not belong to an organization {id_or_slug!r}. Yours: {known}."
            raise NotFound(text, code="organization_not_found")
        return own[id_or_slug]

    def create(
        self,
        *,
        slug: str,
        name: str,
        type: OrganizationType,
        description: str | Unset = UNSET,
        website: str | Unset = UNSET,
    ) -> Organization:
        """A new one, of which the token's owner is the owner."""
        body = {"slug": slug, "name": name, "type": type, "description": description, "website": website}
        return self._transport.write("POST", "organizations", Organization, body)

    def update(
        self,
        organization_id: str,
        *,
        name: str | Unset = UNSET,
        description: str | Unset = UNSET,
        website: str | Unset = UNSET,
    ) -> Organization:
        """Change what is named; the rest stays."""
        body = {"name": name, "description": description, "website": website}
        return self._transport.write("PATCH", at("organizations", organization_id), Organization, body)

    def members(self, organization_id: str) -> Pages[Member]:
        return self._pages(at("organizations", organization_id, "members"), Member)

    def add_member(
        self, organization_id: str, *, username: str, role: OrganizationRole | Unset = UNSET
    ) -> Member:
        path = at("organizations", organization_id, "members")
        return self._transport.write("POST", path, Member, {"username": username, "role": role})

    def change_role(self, organization_id: str, user_id: str, *, role: OrganizationRole) -> Member:
        path = at("organizations", organization_id, "members", user_id)
        return self._transport.write("PATCH", path, Member, {"role": role})

    def remove_member(self, organization_id: str, user_id: str) -> None:
        path = at("organizations", organization_id, "members", user_id)
        self._transport.write("DELETE", path, Nothing)

    def invitations(self, organization_id: str) -> Pages[Invitation]:
        """Those that were sent."""
        return self._pages(at("organizations", organization_id, "invitations"), Invitation)

    def invite(
        self, organization_id: str, *, email: str, role: OrganizationRole | Unset = UNSET
    ) -> Invitation:
        """By mail. Whoever gets it accepts with `account.accept_invitation`."""
        path = at("organizations", organization_id, "invitations")
        return self._transport.write("POST", path, Invitation, {"email": email, "role": role})

    def revoke_invitation(self, invitation_id: str) -> Invitation:
        return self._transport.write("POST", at("invitations", invitation_id, "revoke"), Invitation)
