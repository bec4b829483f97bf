"""The line in the log that each request leaves."""

import logging
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from exchange.core.access import Access

GOOD = 400


class AccessMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        access = Access()
        response = self.get_response(request)
        access.end(
            f"{request.method} {_route(request)} {response.status_code}",
            level=_level(request, response),
            method=request.method,
            route=_route(request),
            status=response.status_code,
            actor=_actor(request),
        )
        return response


def _level(request: HttpRequest, response: HttpResponse) -> int:
    """Probes come every few seconds and say something only when they fail."""
    is_probe = hasattr(request, "is_probe") and response.status_code < GOOD
    return logging.DEBUG if is_probe else logging.INFO


def _route(request: HttpRequest) -> str:
    """The pattern of the address, which has no values in it; "" for one that is none of ours."""
    if request.resolver_match is not None:
        return "/" + request.resolver_match.route.removeprefix("^").removesuffix("$").removesuffix("/?")
    is_static = request.path.startswith(settings.STATIC_URL)
    return f"{settings.STATIC_URL}*" if is_static else ""


def _actor(request: HttpRequest) -> str:
    """`token`, `session` or `anonymous`, as far as anybody asked: the log looks nobody up."""
    if hasattr(request, "bearer"):
        return "token"
    user = getattr(request, "_cached_user", None)
    return "session" if user is not None and user.is_authenticated else "anonymous"
