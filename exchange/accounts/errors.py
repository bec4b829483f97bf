from exchange.core.errors import (
    Conflict,
    InvalidInput,
    LimitExceeded,
    NotFound,
    PermissionDenied,
    Unauthenticated,
)


class LoginFailed(Unauthenticated):
    """The name or the password is wrong."""

    code = "login_failed"


class TooManyLogins(LimitExceeded):
    """Too many tries to log in. Wait, then try again."""

    code = "too_many_logins"


class TooManyAccounts(LimitExceeded):
    """Many accounts were opened from your network in the last hour. Wait, then try again."""

    code = "too_many_accounts"


class TokenInvalid(Unauthenticated):
    """This token is not known. Create a new one in your profile or log in again."""

    code = "token_invalid"


class TokenExpired(Unauthenticated):
    """This token has expired. Create a new one in your profile or log in again."""

    code = "token_expired"


class TokenRevoked(Unauthenticated):
    """This token was revoked. Create a new one in your profile or log in again."""

    code = "token_revoked"


class NoSession(Conflict):
    """This is no open session, so nothing was closed. Revoke an API token with POST /tokens/{id}/revoke."""

    code = "no_session"


class ScopeMissing(PermissionDenied):
    """This token was not given the scope that this needs. Create one that has it."""

    code = "scope_missing"


class OrganizationNotFound(NotFound):
    """There is no such organization, or you may not know of it."""

    code = "organization_not_found"


class MemberNotFound(NotFound):
    """There is no such member of this organization."""

    code = "member_not_found"


class TokenNotFound(NotFound):
    """You have no such token."""

    code = "token_not_found"


class NotYourOrganization(PermissionDenied):
    """Your role in this organization does not allow this. Ask one of its owners or admins."""

    code = "not_your_organization"


class OwnRole(PermissionDenied):
    """Nobody changes their own role. Another owner has to do it."""

    code = "own_role"


class LastOwner(Conflict):
    """An organization keeps at least one owner. Make somebody else an owner first."""

    code = "last_owner"


class AlreadyMember(Conflict):
    """This person is a member already."""

    code = "already_member"


class NameTaken(Conflict):
    """This name is taken. Choose another one."""

    code = "name_taken"


class PersonNotFound(NotFound):
    """There is no such person."""

    code = "person_not_found"


class TooManyMails(LimitExceeded):
    """As many mails as are sent in an hour were asked for. Look at those you have, or wait."""

    code = "too_many_mails"


class ConfirmationLinkInvalid(InvalidInput):
    """This link was used already, or is too old. Log in and have a new one sent from your profile."""

    code = "confirmation_link_invalid"


class EmailTaken(Conflict):
    """Another account has this e-mail address, so nothing was changed. Use that one, or another address."""

    code = "email_taken"


class AlreadyConfirmed(Conflict):
    """Your e-mail address is confirmed already. There is nothing to do."""

    code = "already_confirmed"


class ResetLinkInvalid(InvalidInput):
    """This link was used already, or is too old. Ask for a new one on the log-in page."""

    code = "reset_link_invalid"


class EmailNotVerified(PermissionDenied):
    """Confirm your e-mail address first: open the mailed link, or have it sent again from your profile."""

    code = "email_not_verified"


class InvitationNotFound(NotFound):
    """There is no such invitation, or you may not know of it."""

    code = "invitation_not_found"


class InvitationForAnother(PermissionDenied):
    """This invitation went to another e-mail address. Log in with the account that has that address."""

    code = "invitation_for_another_address"


class InvitationClosed(Conflict):
    """This invitation is no longer open. Ask an owner or admin of the organization for a new one."""

    code = "invitation_closed"


class AlreadyInvited(Conflict):
    """There is an open invitation to this address. Revoke it first to send another."""

    code = "already_invited"


class OperatorsOnly(PermissionDenied):
    """Only administrators of the site do this, in a session or with a token that has every scope."""

    code = "operators_only"
