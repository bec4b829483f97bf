"""What every page gets: the theme, who looks at it, and the version that runs."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest

from .navigation import account_links, main_links

ASKED = {
    "version",
    "verified_only",
    "page_token",
    "page_size",
    "kind",
    "category",
    "status",
    "query",
    "verdict",
}
THEMES = ("auto", "light", "dark")


def theme_of(request: HttpRequest) -> str:
    """The theme chosen in the cookie; `auto` follows the device."""
    chosen = request.COOKIES.get("theme", "auto")
    return chosen if chosen in THEMES else "auto"


def next_theme(theme: str) -> str:
    """The theme that the switch offers."""
    return THEMES[(THEMES.index(theme) + 1) % len(THEMES)]


def viewer_of(request: HttpRequest) -> dict[str, Any]:
    """Whether somebody is logged in, under which name, and where they go."""
    actor = getattr(request, "actor", None)
    known = bool(actor and actor.is_authenticated)
    return {
        "is_authenticated": known,
        "username": request.user.get_username() if known else "",
        "links": account_links(request.path, actor) if known and actor else [],
    }


def here(request: HttpRequest) -> str:
    """This page's address, to come back to. Only what our pages ask for is repeated: never a token in it."""
    known = [(name, value) for name, value in request.GET.items() if name in ASKED]
    return f"{request.path}?{urlencode(known)}" if known else request.path


def site(request: HttpRequest) -> dict[str, Any]:
    """The context of every page."""
    theme = theme_of(request)
    return {
        "here": here(request),
        "theme": theme,
        "next_theme": next_theme(theme),
        "main_links": main_links(request.path),
        "viewer": viewer_of(request),
        "exchange_version": settings.VERSION,
    }
