"""What the header and the account menu lead to. A room that is not installed has no line."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exchange.core.actors import Actor, SiteRole


@dataclass(frozen=True, slots=True)
class Link:
    """A line of a menu. `is_here` is true on the page itself and below it."""

    label: str | Promise
    url: str
    is_here: bool


MAIN = (
    ("categories", _("Boards")),
    ("benchmarks", _("Benchmarks")),
    ("models", _("Models")),
    ("compare", _("Compare")),
    ("submissions", _("Submissions")),
    ("proposals", _("Proposals")),
)
ACCOUNT = (
    ("organizations", _("My organizations")),
    ("profile", _("Profile")),
)
REVIEWER = (("review-queue", _("Review queue")),)


def main_links(path: str) -> list[Link]:
    return list(_links(MAIN, path))


def account_links(path: str, actor: Actor) -> list[Link]:
    reviews = actor.site_role >= SiteRole.REVIEWER
    return list(_links((*ACCOUNT, *(REVIEWER if reviews else ())), path))


def _links(lines: tuple[tuple[str, Promise], ...], path: str) -> Iterator[Link]:
    for name, label in lines:
        try:
            url = reverse(name)
        except NoReverseMatch:
            continue
        yield Link(label, url, path == url or path.startswith(f"{url}/"))
