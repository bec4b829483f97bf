"""What the header and the account menu lead to."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exchange.core.actors import Actor, SiteRole


@dataclass(frozen=True, slots=True)
class Link:
    """A line of a menu. `is_here` is true on the page itself and below it."""

    label: str | Promise
    url: str
    is_here: bool


Lines = tuple[tuple[str, Promise], ...]
MAIN: Lines = (
    ("categories", _("Boards")),
    ("benchmarks", _("Benchmarks")),
    ("models", _("Models")),
    ("compare", _("Compare")),
    ("submissions", _("Submissions")),
    ("proposals", _("Proposals")),
)
ACCOUNT: Lines = (
    ("organizations", _("My organizations")),
    ("profile", _("Profile")),
)
REVIEWER: Lines = (("review-queue", _("Review queue")),)
ADMIN: Lines = (("admin:index", _("Operate the site")),)


def main_links(path: str) -> list[Link]:
    return list(_links(MAIN, path))


def account_links(path: str, actor: Actor) -> list[Link]:
    lines = ACCOUNT
    if actor.site_role >= SiteRole.REVIEWER:
        lines += REVIEWER
    if actor.site_role >= SiteRole.ADMIN:
        lines += ADMIN
    return list(_links(lines, path))


def _links(lines: Lines, path: str) -> Iterator[Link]:
    for name, label in lines:
        url = reverse(name)
        yield Link(label, url, path == url or path.startswith(f"{url.rstrip('/')}/"))
