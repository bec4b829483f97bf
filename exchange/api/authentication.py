"""Who is asking: every door of programs turns its credentials into an Actor here."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication

from exchange.accounts.selectors import actor_for_token, actor_for_user
from exchange.core.actors import ANONYMOUS, Actor
from exchange.core.errors import PermissionDenied, Unauthenticated


class CsrfFailed(PermissionDenied):
    """A browser's session may write only with the CSRF token of its page. Programs send a bearer token."""

    code = "csrf_failed"


def actor_from_header(header: str) -> Actor:
    """The Actor of an `Authorization` header: `Bearer lbx_pat_…` or `Bearer lbx_ses_…`."""
    if not header:
        return ANONYMOUS
    scheme, _space, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret:
        raise Unauthenticated(_("Send `Authorization: Bearer <token>`."))
    return actor_for_token(secret=secret.strip())


def bearer(request: HttpRequest) -> Actor | None:
    """The Actor of the request's `Authorization` header, looked up once; None where it has none."""
    header = request.headers.get("Authorization", "")
    if header and not hasattr(request, "bearer"):
        request.bearer = actor_from_header(header)  # type: ignore[attr-defined]  # our own
    return getattr(request, "bearer", None)


class HeaderOrSession(BaseAuthentication):
    """A bearer token, or the website's session cookie together with its CSRF token."""

    def authenticate(self, request: Any) -> tuple[Actor, None]:
        if known := bearer(_django(request)):
            return known, None
        actor = actor_for_user(getattr(_django(request), "user", None))
        if actor.is_authenticated:
            _check_csrf(request)
        return actor, None

    def authenticate_header(self, request: Any) -> str:
        return "Bearer"


def _never_called(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()


class _CsrfCheck(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return HttpResponse(reason)


def _check_csrf(request: Any) -> None:
    check = _CsrfCheck(_never_called)
    check.process_request(_django(request))
    if check.process_view(_django(request), _never_called, (), {}):
        raise CsrfFailed


def _django(request: Any) -> HttpRequest:
    """DRF's request asks its authenticators for `user`; Django's knows it from the session."""
    return request._request  # noqa: SLF001  DRF has no other way to it


def actor_of(call: Any) -> Actor:
    """The Actor that the interceptor found for a gRPC call."""
    return call.actor
