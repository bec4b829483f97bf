from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

ROUTES = "exchange.inside"


class InsideMiddleware:
    """Answers those who watch this process, under whatever address they know it and without a session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            found = resolve(request.path_info, ROUTES)
        except Resolver404:
            return self.get_response(request)
        request.resolver_match = found
        request.is_probe = True  # type: ignore[attr-defined]  # for the log
        return found.func(request)
