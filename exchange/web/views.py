"""Pages that belong to no app: the theme switch, and what is shown when something is missing or broken."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exchange.api.authentication import CsrfFailed
from exchange.api.refusals import InternalError
from exchange.core import requests
from exchange.core.errors import InvalidInput, NotFound

from .context import THEMES
from .middleware import API_PREFIX, refused
from .pages import safe_next

_YEAR = 365 * 24 * 3600


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
    text = _("This form is too old, or came from elsewhere. Load the page again.")
    return refused(request, CsrfFailed(text))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refused(request, InvalidInput(_("The request cannot be read.")))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if request.path.startswith(API_PREFIX):
        return refused(request, NotFound())
    return render(request, "404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:
    if request.path.startswith(API_PREFIX):
        return refused(request, InternalError())
    return render(request, "500.html", {"request_id": requests.request_id()}, status=500)
