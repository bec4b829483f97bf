"""Pages that belong to no app: the theme switch, and what is shown when something is missing or broken."""

import sys

from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.api.authentication import CsrfFailed
from exchange.api.refusals import InternalError, problem
from exchange.core.errors import InvalidInput, NotFound, PermissionDenied, TooLarge, Unavailable

from .context import THEMES
from .middleware import API_PREFIX, refused
from .pages import safe_next, told

_YEAR = 365 * 24 * 3600
_RETRY = 60


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Light, dark, or as the reader's system says; kept in a cookie."""
    response = HttpResponseRedirect(safe_next(request, "/"))
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=_YEAR, samesite="Lax", httponly=True)
    else:
        response.delete_cookie("theme")
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's CSRF_FAILURE_VIEW."""
    text = _("This form is too old, or came from elsewhere. Load its page again; nothing was changed.")
    return refused(request, CsrfFailed(text))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Also a body that is too large, which is seen before any view."""
    if isinstance(exception, RequestDataTooBig):
        return refused(request, TooLarge())
    return refused(request, InvalidInput(_("The request cannot be read.")))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refused(request, PermissionDenied())


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if request.path.startswith(API_PREFIX):
        return refused(request, NotFound())
    return render(request, "404.html", {"refusal": problem(NotFound())}, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """A fault of ours; when the database does not answer, a pause. Pages that need nothing but themselves."""
    is_away = isinstance(sys.exc_info()[1], OperationalError)
    refusal = Unavailable(retry_after_seconds=_RETRY) if is_away else InternalError()
    if request.path.startswith(API_PREFIX):
        return refused(request, refusal)
    context = {"refusal": problem(refusal)}
    return told(render(None, f"{refusal.http}.html", context, status=refusal.http), refusal)
