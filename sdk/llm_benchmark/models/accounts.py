"""People, organizations, invitations and API tokens."""

from __future__ import annotations

from datetime import datetime

from .base import Model


class OrganizationMembership(Model, frozen=True, kw_only=True):
    organization_id: str
    organization_slug: str
    organization_name: str
    role: str
    joined_at: datetime


class Person(Model, frozen=True, kw_only=True):
    """What somebody shows to everybody."""

    id: str
    username: str
    display_name: str
    bio: str
    affiliation: str
    website: str
    github_username: str
    orcid: str
    public_email: str
    role: str
    created_at: datetime


class User(Person, frozen=True, kw_only=True):
    """What somebody sees of the own account: also what others do not."""

    email: str
    email_verified: bool
    role_meaning: str
    organizations: list[OrganizationMembership]


class Session(Model, frozen=True, kw_only=True):
    """A log-in. `access_token` is a secret, as good as the password until `expires_at`."""

    user: User
    access_token: str
    expires_at: datetime


class OpenSession(Model, frozen=True, kw_only=True):
    """A program that is logged in. `prefix` is how its owner recognises the token."""

    id: str
    prefix: str
    expires_at: datetime
    last_used_at: datetime | None
    created_at: datetime


class ApiToken(Model, frozen=True, kw_only=True):
    """A token, without its secret. `prefix` is how its owner recognises it."""

    id: str
    name: str
    prefix: str
    scopes: list[str]
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    created_at: datetime


class NewApiToken(Model, frozen=True, kw_only=True):
    """`secret` is what `LLM_BENCHMARK_TOKEN` takes. It is shown this once."""

    token: ApiToken
    secret: str


class Organization(Model, frozen=True, kw_only=True):
    id: str
    slug: str
    name: str
    description: str
    website: str
    type: str
    verified: bool
    is_demo: bool
    created_at: datetime


class Member(Model, frozen=True, kw_only=True):
    user_id: str
    username: str
    display_name: str
    role: str
    joined_at: datetime


class Invitation(Model, frozen=True, kw_only=True):
    id: str
    organization_id: str
    organization_slug: str
    organization_name: str
    email: str
    role: str
    status: str
    invited_by_name: str
    expires_at: datetime
    created_at: datetime


class ReceivedInvitation(Model, frozen=True, kw_only=True):
    """`secret` accepts or declines it."""

    id: str
    organization_id: str
    organization_slug: str
    organization_name: str
    email: str
    role: str
    status: str
    invited_by_name: str
    expires_at: datetime
    created_at: datetime
    secret: str
