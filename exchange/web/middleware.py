"""What every request gets: an id, and for pages the actor; refusals become pages or problem details."""

from collections.abc import Callable
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from exchange.accounts.selectors import actor_for_user
from exchange.api.addresses import address_of
from exchange.api.authentication import bearer
from exchange.api.refusals import MethodNotAllowed, problem
from exchange.core import deadlines, limits, requests
from exchange.core.errors import DomainError, TooLarge, Unauthenticated

from .pages import told

Handler = Callable[[HttpRequest], HttpResponse]
API_PREFIX = "/api/v1/"
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def refused(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    """A refusal outside any view: problem details for programs, a page for people."""
    shown = problem(refusal)
    response: HttpResponse
    if request.path.startswith(API_PREFIX):
        response = JsonResponse(shown, status=refusal.http, content_type="application/problem+json")
    else:
        response = render(request, "refused.html", {"refusal": shown}, status=refusal.http)
    return told(response, refusal)


def _not_allowed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """A page instead of the empty answer to an address that only takes forms."""
    told_so = refused(request, MethodNotAllowed(_("This address takes forms that are sent to it.")))
    told_so["Allow"] = response["Allow"]
    return told_so


class RequestIdMiddleware:
    """Bounds the request's time and names it for logs and refusals; a client's own id is never taken."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = requests.begin_request()
        with deadlines.within(None):
            response = self.get_response(request)
        response["X-Request-ID"] = request_id
        return response


class NoStoreMiddleware:
    """Nobody on the way keeps the answer to a write, which may show a secret, or one made for one reader."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method not in SAFE_METHODS:
            response["Cache-Control"] = "no-store"
        elif _names_its_reader(request):
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


def _names_its_reader(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers


class LimitMiddleware:
    """Counts the request before any view is asked, and tells its maker what is left of the minute."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        allowance = None
        try:
            allowance = limits.count_request(user_id=_asking(request), address=address_of(request))
            if allowance:
                allowance.check()
            response = self.get_response(request)
        except DomainError as refusal:
            response = refused(request, refusal)
        for name, value in allowance.headers.items() if allowance else ():
            response[name] = value
        return response


def _asking(request: HttpRequest) -> UUID | None:
    """Who is asking. Credentials that are none count as their address; the view refuses them."""
    try:
        known = bearer(request) if request.path.startswith(API_PREFIX) else None
    except Unauthenticated:
        return None
    return known.user_id if known else request.user.pk


class LargeBodyMiddleware:
    """Files of a form are written down before any view is asked: those of nobody in particular are no larger
    than other bodies. The API reads no file before it knows whose it is."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_large = _length(request) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if is_large and not request.path.startswith(API_PREFIX) and not request.user.is_authenticated:
            return refused(request, TooLarge())
        return self.get_response(request)


def _length(request: HttpRequest) -> int:
    said = str(request.META.get("CONTENT_LENGTH") or "")
    return int(said) if said.isascii() and said.isdigit() else 0


class ActorMiddleware:
    """Gives each page `request.actor`, and shows a refusal where no view did."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.actor = SimpleLazyObject(lambda: actor_for_user(request.user))  # type: ignore[attr-defined]  # our own
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not request.path.startswith(API_PREFIX):
            return _not_allowed(request, response)
        return response

    def process_exception(self, request: HttpRequest, exc: Exception) -> HttpResponse | None:
        if not isinstance(exc, DomainError):
            return None
        return refused(request, exc)
