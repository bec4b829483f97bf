"""Paths end without a slash; one is accepted silently."""

from django.urls import URLPattern, re_path
from rest_framework.routers import SimpleRouter
from rest_framework.viewsets import ViewSet


class Router(SimpleRouter):
    def __init__(self) -> None:
        super().__init__(trailing_slash=False)
        self.trailing_slash = "/?"


UUID = r"[0-9a-fA-F-]{36}"


def route(pattern: str, viewset: type[ViewSet], name: str, **methods: str) -> URLPattern:
    """A path that is not a plain collection: `route("users/me", ProfileViewSet, "profile", get="retrieve")`.

    `<name>` in the pattern matches an id.
    """
    regex = pattern.replace("<", "(?P<").replace(">", r">[^/]+)")
    return re_path(rf"^{regex}/?$", viewset.as_view({**methods}), name=name)
