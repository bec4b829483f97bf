"""Who is asking. Built by a door, required by every service and selector."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from uuid import UUID


class SiteRole(IntEnum):
    """Rights over the whole site; each includes those below it."""

    ANONYMOUS = 0
    REGISTERED = 1
    CONTRIBUTOR = 2
    REVIEWER = 3
    ADMIN = 4


class OrganizationRole(StrEnum):
    VIEWER = "viewer"
    MEMBER = "member"
    ADMIN = "admin"
    OWNER = "owner"


class Scope(StrEnum):
    """What a token may be used for. A session has all of them."""

    BENCHMARKS_READ = "benchmarks:read"
    BENCHMARKS_WRITE = "benchmarks:write"
    ENDPOINTS_READ = "endpoints:read"
    ENDPOINTS_WRITE = "endpoints:write"
    SUBMISSIONS_READ = "submissions:read"
    SUBMISSIONS_WRITE = "submissions:write"
    GOVERNANCE_READ = "governance:read"
    GOVERNANCE_WRITE = "governance:write"
    ORGANIZATIONS_READ = "organizations:read"
    ORGANIZATIONS_WRITE = "organizations:write"
    PROFILE_READ = "profile:read"
    PROFILE_WRITE = "profile:write"


ALL_SCOPES = frozenset(Scope)
_MEMBERS = frozenset({OrganizationRole.MEMBER, OrganizationRole.ADMIN, OrganizationRole.OWNER})
_ADMINS = frozenset({OrganizationRole.ADMIN, OrganizationRole.OWNER})


@dataclass(frozen=True, slots=True)
class Actor:
    """A person, a program acting for one, nobody, or the system itself."""

    user_id: UUID | None = None
    site_role: SiteRole = SiteRole.ANONYMOUS
    organizations: Mapping[UUID, OrganizationRole] = field(default_factory=dict)
    scopes: frozenset[str] = frozenset()
    is_system: bool = False
    # when the API token that was shown ends; None for people, and for tokens without an end
    expires_at: datetime | None = None

    @property
    def is_authenticated(self) -> bool:
        return self.user_id is not None

    @property
    def organization_ids(self) -> frozenset[UUID]:
        return frozenset(self.organizations)

    def has_scope(self, scope: Scope) -> bool:
        """Who may write something may also read it."""
        writing = scope.replace(":read", ":write")
        return scope in self.scopes or writing in self.scopes

    def belongs_to(self, organization_id: UUID) -> bool:
        """Any role, viewers included."""
        return organization_id in self.organizations

    def works_for(self, organization_id: UUID) -> bool:
        """May write in the organization's name: member, admin or owner."""
        return self.organizations.get(organization_id) in _MEMBERS

    def administers(self, organization_id: UUID) -> bool:
        return self.organizations.get(organization_id) in _ADMINS

    def owns(self, organization_id: UUID) -> bool:
        return self.organizations.get(organization_id) == OrganizationRole.OWNER


ANONYMOUS = Actor()
SYSTEM = Actor(is_system=True)
