"""The token's owner: log-in, profile, sessions, tokens and invitations; and other people's profiles."""

from __future__ import annotations

from collections.abc import Sequence

from llm_benchmark.identifiers import is_id
from llm_benchmark.models import (
    ApiToken,
    Invitation,
    NewApiToken,
    OpenSession,
    Person,
    ReceivedInvitation,
    Session,
    User,
)
from llm_benchmark.models.choices import Scope, SiteRole
from llm_benchmark.paging import Pages

from .base import UNSET, Nothing, Service, Unset, at


class Account(Service):
    def register(
        self, *, email: str, username: str, password: str, display_name: str | Unset = UNSET
    ) -> Session:
        """A new account, logged in as with `log_in`. A mail asks to confirm the address."""
        body = {"email": email, "username": username, "password": password, "display_name": display_name}
        return self._transport.write("POST", "auth/register", Session, body, has_key=False)

    def log_in(self, email_or_username: str, password: str) -> Session:
        """A new session, for which `client.with_token(session.access_token)` acts."""
        body = {"email_or_username": email_or_username, "password": password}
        return self._transport.write("POST", "auth/login", Session, body, has_key=False)

    def log_out(self) -> None:
        """End the session whose token the client has."""
        self._transport.write("POST", "auth/logout", Nothing, has_key=False)

    def send_confirmation(self) -> None:
        """Mail the link that confirms the address once more."""
        self._transport.write("POST", "auth/send-confirmation", Nothing, has_key=False)

    def confirm_email(self, key: str) -> None:
        """`key`: from the mail's link."""
        self._transport.write("POST", "auth/confirm-email", Nothing, {"key": key}, has_key=False)

    def request_password_reset(self, email: str) -> None:
        """Mail a link that sets a new password, if there is such an account."""
        self._transport.write("POST", "auth/request-password-reset", Nothing, {"email": email}, has_key=False)

    def reset_password(self, *, key: str, password: str) -> None:
        """`key`: from the mail's link."""
        body = {"key": key, "password": password}
        self._transport.write("POST", "auth/reset-password", Nothing, body, has_key=False)

    def profile(self) -> User:
        return self._transport.get("users/me", User)

    def update_profile(
        self,
        *,
        display_name: str | Unset = UNSET,
        bio: str | Unset = UNSET,
        affiliation: str | Unset = UNSET,
        website: str | Unset = UNSET,
        github_username: str | Unset = UNSET,
        orcid: str | Unset = UNSET,
        public_email: str | Unset = UNSET,
    ) -> User:
        """Change what is named; the rest stays. "" empties a field."""
        body = {
            "display_name": display_name, "bio": bio, "affiliation": affiliation, "website": website,
            "github_username": github_username, "orcid": orcid, "public_email": public_email,
        }  # fmt: skip
        return self._transport.write("PATCH", "users/me", User, body)

    def change_password(self, *, current_password: str, password: str) -> None:
        body = {"current_password": current_password, "password": password}
        self._transport.write("POST", "users/me/password", Nothing, body, has_key=False)

    def change_email(self, *, email: str, current_password: str) -> None:
        """Mail a link to the new address, which confirms it."""
        body = {"email": email, "current_password": current_password}
        self._transport.write("POST", "users/me/email", Nothing, body, has_key=False)

    def sessions(self) -> Pages[OpenSession]:
        """Those of programs that are logged in."""
        return self._pages("users/me/sessions", OpenSession)

    def end_sessions(self) -> None:
        """Log all programs and browsers out."""
        self._transport.write("POST", "users/me/sessions/end", Nothing)

    def tokens(self) -> Pages[ApiToken]:
        return self._pages("tokens", ApiToken)

    def create_token(
        self, *, name: str, scopes: Sequence[Scope], expires_in_days: int | Unset | None = UNSET
    ) -> NewApiToken:
        """Its `secret` is shown this once."""
        body = {"name": name, "scopes": scopes, "expires_in_days": expires_in_days}
        return self._transport.write("POST", "tokens", NewApiToken, body)

    def revoke_token(self, token_id: str) -> ApiToken:
        return self._transport.write("POST", at("tokens", token_id, "revoke"), ApiToken)

    def invitations(self) -> Pages[ReceivedInvitation]:
        """Those that were received."""
        return self._pages("users/me/invitations", ReceivedInvitation)

    def accept_invitation(self, secret: str) -> Invitation:
        """`secret`: of a received invitation, or from the mail's link."""
        return self._transport.write("POST", "invitations/accept", Invitation, {"secret": secret})

    def decline_invitation(self, secret: str) -> Invitation:
        return self._transport.write("POST", "invitations/decline", Invitation, {"secret": secret})

    def person(self, id_or_username: str) -> Person:
        """What anybody shows to everybody."""
        if is_id(id_or_username):
            return self._transport.get(at("users", id_or_username), Person)
        return self._transport.get(at("users", "username", id_or_username), Person)

    def grant_site_role(self, user_id: str, *, role: SiteRole) -> Person:
        """For those who run the exchange."""
        return self._transport.write("PATCH", at("users", user_id, "role"), Person, {"role": role})
