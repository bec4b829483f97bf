from exchange.core.errors import Conflict, LimitExceeded, NotFound, PermissionDenied, Unauthenticated


class LoginFailed(Unauthenticated):
    """The name or the password is wrong."""

    code = "login_failed"


class TooManyLogins(LimitExceeded):
    """Too many tries to log in. Wait, then try again."""

    code = "too_many_logins"


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
