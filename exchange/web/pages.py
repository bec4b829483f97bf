"""What every page view is: one transaction in the reader's name."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from rest_framework.serializers import Serializer

from exchange.core.errors import DomainError
from exchange.core.storable import unstorable
from exchange.core.tenancy import acting_for

View = Callable[..., HttpResponse]


def page(view: View) -> View:
    """Open the transaction that the view's selectors and services run in.

    An address that names what cannot be stored names nothing: it is not found.
    """

    @wraps(view)
    def call(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if any(unstorable(kwargs)):
            raise Http404
        with acting_for(request.actor):  # type: ignore[attr-defined]  # ActorMiddleware sets it
            return view(request, *args, **kwargs)

    return call


def signed_in(view: View) -> View:
    """Send whoever has not logged in to do so, and back afterwards."""

    @wraps(view)
    def call(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.actor.is_authenticated:  # type: ignore[attr-defined]  # ActorMiddleware sets it
            return to_login(request)
        return view(request, *args, **kwargs)

    return call


def refused_fields(refusal: DomainError) -> list[dict[str, str]]:
    """What a form shows of a refusal: an error for each wrong field, or one for the whole."""
    found = [error.as_dict() for error in refusal.errors]
    return found or [{"field": "", "code": refusal.code, "message": str(refusal)}]


def told(response: HttpResponse, refusal: DomainError) -> HttpResponse:
    """The response that shows a refusal, with the header that says when to try again."""
    if refusal.retry_after_seconds is not None:
        response["Retry-After"] = str(refusal.retry_after_seconds)
    return response


def form_data(request: HttpRequest) -> dict[str, Any]:
    """A posted form as a request's data; empty fields were not filled in."""
    return {
        name: value
        for name, value in request.POST.items()
        if value != "" and name not in {"csrfmiddlewaretoken", "next"}
    }


def asked(request: HttpRequest, form: type[Serializer] | None = None) -> dict[str, str]:
    """A page's query without empty fields and, for a `form`, without what others hang on to links."""
    known = form().fields if form else request.GET
    return {name: str(value) for name, value in request.GET.items() if value and name in known}


def to_login(request: HttpRequest) -> HttpResponse:
    """Send a reader who has to log in first to the log-in page, and back afterwards."""
    return HttpResponseRedirect(f"{reverse('login')}?{urlencode({'next': _page_of(request)})}")


def _page_of(request: HttpRequest) -> str:
    """This page's address; of a form that was sent, that of the page it is on: its own shows nothing."""
    if request.method in {"GET", "HEAD"}:
        return request.get_full_path()
    sent_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(sent_from, {request.get_host()}):
        return reverse("home")
    page = urlsplit(sent_from)
    return urlunsplit(("", "", page.path or "/", page.query, ""))


def safe_next(request: HttpRequest, default: str) -> str:
    """Where a form says to go next, if that is a page of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    return wanted if url_has_allowed_host_and_scheme(wanted, {request.get_host()}) else default
