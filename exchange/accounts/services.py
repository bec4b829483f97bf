"""Every write to accounts. Doors call these; nothing else saves."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.password_validation import validate_password
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from exchange.core import clock, events, throttle
from exchange.core.actors import ALL_SCOPES, SYSTEM, Actor, Scope, SiteRole
from exchange.core.errors import FieldError, InvalidInput
from exchange.core.limits import network_of

from . import permissions, secrets, selectors
from .confirming import begin_confirmation
from .errors import (
    AlreadyMember,
    LastOwner,
    LoginFailed,
    NameTaken,
    NoSession,
    NotYourOrganization,
    OwnRole,
    TooManyAccounts,
    TooManyLogins,
)
from .identifiers import check, github_form, name_form, orcid_form, username_form
from .models import Membership, Organization, OrganizationRole, Token, TokenKind, User

SESSION = timedelta(hours=24)
_NAMES_AN_ADDRESS = 5  # people behind one address may each mistype
_ADDRESSES_A_NAME = 10  # that somebody who guesses has to have before others are shut out
_HOUR = 3600


def register(*, username: str, email: str, password: str, display_name: str = "", address: str = "") -> User:
    """Open an account, and mail the link that confirms its address. There is no other way to an account.

    Runs outside a transaction of its caller, so that each try from `address` counts.
    """
    if address:
        _count_account(address)
    return _open_account(username.lower(), email, password, display_name)


def _count_account(address: str) -> None:
    limit = settings.ACCOUNTS_AN_HOUR
    try:
        throttle.count_try(key=f"register-from|{network_of(address)}", limit=limit, window_seconds=_HOUR)
    except throttle.LimitExceeded as error:
        raise TooManyAccounts(retry_after_seconds=error.retry_after_seconds) from error


@transaction.atomic
def _open_account(username: str, email: str, password: str, display_name: str) -> User:
    user = User(username=username, email=email, display_name=display_name)
    check("username", username_form, username)
    check("display_name", name_form, display_name)
    check("password", lambda value: validate_password(value, user), password)
    if User.objects.filter(username=username).exists():
        raise _taken("username", _("This user name is taken."))
    if User.objects.filter(email__iexact=email).exists():
        raise _taken("email", _("There is an account with this e-mail address. Log in instead."))
    user.set_password(password)
    _save_new(user)
    begin_confirmation(user=user)
    events.publish("user.registered", actor=SYSTEM, subject_id=user.pk)
    return user


def _taken(field: str, message: str) -> NameTaken:
    return NameTaken(message, errors=[FieldError(field, "taken", message)])


def _save_new(row: User | Organization) -> None:
    """Two at the same time: the database lets one through."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        raise NameTaken from error


def authenticate(*, email_or_username: str, password: str, address: str = "") -> User:
    """The user with this password. Failed tries are limited, before any password is hashed.

    Runs outside a transaction of its caller, so that a failed try counts.
    """
    name = email_or_username.strip().lower()
    user = User.objects.filter(Q(username=name) | Q(email__iexact=name), is_active=True).first()
    limits = _login_limits(str(user.pk) if user else name, address)
    _count_login(limits)
    known = user.password if user else _unknown_user()
    if not check_password(password, known) or user is None:
        raise LoginFailed
    for key in limits:
        throttle.give_back(key=key)
    return user


def _login_limits(account: str, address: str) -> dict[str, int]:
    """In this order, so that an address which is refused uses up nobody's account.

    One address alone shuts nobody out elsewhere: the account's own limit is that of ten.
    """
    tries, network = settings.LOGIN_TRIES, network_of(address)
    if not address:
        return {f"login|{account}": tries}
    return {
        f"login-from|{network}": tries * _NAMES_AN_ADDRESS,
        f"login|{account}|{network}": tries,
        f"login|{account}": tries * _ADDRESSES_A_NAME,
    }


def _count_login(limits: Mapping[str, int]) -> None:
    try:
        for key, limit in limits.items():
            throttle.count_try(key=key, limit=limit, window_seconds=settings.LOGIN_WINDOW_SECONDS)
    except throttle.LimitExceeded as error:
        raise TooManyLogins(retry_after_seconds=error.retry_after_seconds) from error


def _unknown_user() -> str:
    """A hash to compare with, so that an unknown name takes as long as a wrong password."""
    if not hasattr(_unknown_user, "hash"):
        _unknown_user.hash = make_password("no such user")  # type: ignore[attr-defined]  # kept on the function
    return str(_unknown_user.hash)  # type: ignore[attr-defined]  # kept on the function


@transaction.atomic
def open_session(*, user: User) -> tuple[str, Token]:
    """A session token for 24 hours: its secret, shown this once, and its row."""
    expires_at = clock.now() + SESSION
    secret, token = _new_token(user.pk, TokenKind.SESSION, ALL_SCOPES, expires_at=expires_at)
    events.publish("session.opened", actor=SYSTEM, subject_id=user.pk)
    return secret, token


@transaction.atomic
def note_session(*, user: User) -> None:
    """The fact of a log-in whose session a browser keeps."""
    events.publish("session.opened", actor=SYSTEM, subject_id=user.pk)


@transaction.atomic
def log_out(*, actor: Actor, secret: str = "") -> None:
    """Revoke the session token `secret`; without one, close the browser's session that the actor came with.

    Raises:
        NoSession: `secret` is an API token, which is revoked by its id.
    """
    user_id = permissions.require(actor, Scope.PROFILE_READ)
    if secret:
        mine = Token.objects.filter(user_id=user_id, kind=TokenKind.SESSION, revoked_at=None)
        if not mine.filter(digest=secrets.digest_of(secret)).update(revoked_at=clock.now()):
            raise NoSession
    events.publish("session.closed", actor=actor, subject_id=user_id)


@transaction.atomic
def update_profile(
    *,
    actor: Actor,
    display_name: str | None = None,
    bio: str | None = None,
    affiliation: str | None = None,
    website: str | None = None,
    github_username: str | None = None,
    orcid: str | None = None,
    public_email: str | None = None,
) -> User:
    """Change what a person shows of themselves. None leaves a field as it is, "" empties it."""
    permissions.require(actor, Scope.PROFILE_WRITE)
    if github_username:
        check("github_username", github_form, github_username)
    if orcid:
        check("orcid", orcid_form, orcid)
    for field, text in (("display_name", display_name), ("affiliation", affiliation)):
        check(field, name_form, text or "")
    wished = {
        "display_name": display_name,
        "bio": bio,
        "affiliation": affiliation,
        "website": website,
        "github_username": github_username,
        "orcid": orcid,
        "public_email": public_email,
    }
    user = selectors.get_profile(actor=actor)
    changes = {name: value for name, value in wished.items() if value not in {None, getattr(user, name)}}
    if changes:
        for name, value in changes.items():
            setattr(user, name, value)
        user.save(update_fields=[*changes, "updated_at"])
        events.publish("user.profile_updated", actor=actor, subject_id=user.pk, fields=sorted(changes))
    return user


@transaction.atomic
def create_api_token(
    *, actor: Actor, name: str, scopes: Iterable[str], expires_in_days: int | None = None
) -> tuple[str, Token]:
    """An API token: its secret, shown this once, and its row.

    It gets no scope that the actor lacks. Made with another API token, it ends no later than that one.
    """
    user_id = permissions.require(actor, Scope.PROFILE_WRITE)
    wanted = frozenset(scopes)
    if beyond := sorted(scope for scope in wanted if not actor.has_scope(Scope(scope))):
        raise InvalidInput.of("scopes", "beyond_your_own", _("You do not have: %s") % ", ".join(beyond))
    wished = clock.now() + timedelta(days=expires_in_days) if expires_in_days else None
    expires_at = min(filter(None, [wished, actor.expires_at]), default=None)
    secret, token = _new_token(user_id, TokenKind.PERSONAL, wanted, name=name, expires_at=expires_at)
    events.publish("api_token.created", actor=actor, subject_id=token.pk, scopes=sorted(wanted))
    return secret, token


def _new_token(
    user_id: UUID,
    kind: TokenKind,
    scopes: frozenset[str],
    *,
    name: str = "",
    expires_at: datetime | None,
) -> tuple[str, Token]:
    secret = secrets.new_secret(kind.value)
    token = Token.objects.create(
        user_id=user_id,
        kind=kind,
        name=name,
        prefix=secrets.shown_prefix(secret),
        digest=secrets.digest_of(secret),
        scopes=sorted(scopes),
        expires_at=expires_at,
    )
    return secret, token


@transaction.atomic
def revoke_api_token(*, actor: Actor, token_id: UUID) -> Token:
    permissions.require(actor, Scope.PROFILE_WRITE)
    token = selectors.get_api_token(actor=actor, token_id=token_id)
    if token.revoked_at is None:
        token.revoked_at = clock.now()
        token.save(update_fields=["revoked_at", "updated_at"])
        events.publish("api_token.revoked", actor=actor, subject_id=token.pk)
    return token


@transaction.atomic
def create_organization(
    *,
    actor: Actor,
    slug: str,
    name: str,
    type: str,
    description: str = "",
    website: str = "",
) -> Organization:
    """Found an organization; its founder is its first owner."""
    user_id = permissions.require(actor, Scope.ORGANIZATIONS_WRITE)
    check("name", name_form, name)
    organization = Organization(slug=slug, name=name, type=type, description=description, website=website)
    if Organization.objects.filter(slug=slug).exists():
        raise _taken("slug", _("This short name is taken."))
    _save_new(organization)
    Membership.objects.create(user_id=user_id, organization=organization, role=OrganizationRole.OWNER)
    _publish("organization.created", actor, organization)
    return organization


@transaction.atomic
def update_organization(
    *,
    actor: Actor,
    organization_id: UUID,
    name: str | None = None,
    description: str | None = None,
    website: str | None = None,
) -> Organization:
    organization = selectors.get_organization(actor=actor, organization_id=organization_id, lock=True)
    permissions.require_admin(actor, organization_id, Scope.ORGANIZATIONS_WRITE)
    check("name", name_form, name or "")
    changes = {"name": name, "description": description, "website": website}
    for field, value in changes.items():
        if value is not None:
            setattr(organization, field, value)
    organization.save()
    _publish("organization.updated", actor, organization)
    return organization


@transaction.atomic
def add_member(*, actor: Actor, organization_id: UUID, username: str, role: str) -> Membership:
    """Owners add anybody; admins add members and viewers."""
    organization = selectors.get_organization(actor=actor, organization_id=organization_id, lock=True)
    permissions.require_appointer(actor, organization_id, role)
    user = User.objects.filter(username=username.lower(), is_active=True).first()
    if user is None:
        raise InvalidInput.of("username", "no_such_user", _("There is no such user."))
    member, added = Membership.objects.get_or_create(
        user=user, organization=organization, defaults={"role": role}
    )
    if not added:
        raise AlreadyMember
    _publish("member.added", actor, organization, user_id=str(user.pk), role=role)
    return member


@transaction.atomic
def change_member_role(*, actor: Actor, organization_id: UUID, user_id: UUID, role: str) -> Membership:
    organization = _lock_for_roles(actor, organization_id)
    member = selectors.get_member(actor=actor, organization_id=organization_id, user_id=user_id)
    if user_id == actor.user_id:
        raise OwnRole
    if not permissions.can_change_roles(actor, organization_id):
        raise NotYourOrganization(_("Only owners change roles."))
    _keep_an_owner(member, becomes=role)
    member.role = role
    member.save(update_fields=["role", "updated_at"])
    _publish("member.role_changed", actor, organization, user_id=str(user_id), role=role)
    return member


@transaction.atomic
def remove_member(*, actor: Actor, organization_id: UUID, user_id: UUID) -> None:
    """Owners remove anybody, admins remove members and viewers, everybody may leave."""
    permissions.require(actor, Scope.ORGANIZATIONS_WRITE)
    organization = selectors.get_organization(actor=actor, organization_id=organization_id, lock=True)
    member = selectors.get_member(actor=actor, organization_id=organization_id, user_id=user_id)
    lesser = member.role in {OrganizationRole.MEMBER, OrganizationRole.VIEWER}
    leaving = user_id == actor.user_id
    if not (leaving or actor.owns(organization_id) or (lesser and actor.administers(organization_id))):
        raise NotYourOrganization
    _keep_an_owner(member, becomes="")
    member.delete()
    _publish("member.removed", actor, organization, user_id=str(user_id))


def _lock_for_roles(actor: Actor, organization_id: UUID) -> Organization:
    """The organization row serialises changes of its members, so that the last owner stays."""
    organization = selectors.get_organization(actor=actor, organization_id=organization_id, lock=True)
    permissions.require_admin(actor, organization_id, Scope.ORGANIZATIONS_WRITE)
    return organization


def _keep_an_owner(member: Membership, *, becomes: str) -> None:
    owner = OrganizationRole.OWNER
    if member.role != owner or becomes == owner:
        return
    others = Membership.objects.filter(organization_id=member.organization_id, role=owner)
    if not others.exclude(pk=member.pk).exists():
        raise LastOwner


@transaction.atomic
def promote_contributor(*, user_id: UUID) -> None:
    """Let somebody with a verified address, who has contributed, propose and vote. A higher role stays."""
    # waits for an address that is being verified at this moment, which could not see the contribution
    rows = User.objects.select_for_update(no_key=True).filter(pk=user_id, role=SiteRole.REGISTERED)
    user = rows.first()
    if user is not None and user.email_verified:
        User.objects.filter(pk=user_id).update(role=SiteRole.CONTRIBUTOR, updated_at=clock.now())
        why = "contribution"
        events.publish("user.role_granted", actor=SYSTEM, subject_id=user_id, role="contributor", reason=why)


def _publish(kind: str, actor: Actor, organization: Organization, **facts: str) -> None:
    events.publish(kind, actor=actor, subject_id=organization.pk, organization_id=organization.pk, **facts)
