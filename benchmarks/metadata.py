"""What is said of a benchmark beside what it measures: tags, licence, citation, links. Pure functions."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from exchange.core.errors import FieldError, InvalidInput

from .models import LicenseType

FIRST_YEAR = 1950
MOST_TAGS = 20
CITATION_FIELDS = ("title", "authors", "venue", "year", "doi", "bibtex")
_is_link = URLValidator(schemes=["http", "https"])


def tidy_tags(tags: Iterable[str]) -> list[str]:
    """Lower case, each once, in the author's order."""
    return list(dict.fromkeys(tag.strip().lower() for tag in tags if tag.strip()))


def tidy_citation(citation: Mapping[str, Any]) -> dict[str, Any] | None:
    """With all its fields; one that says nothing is none."""
    blank: dict[str, Any] = {**dict.fromkeys(CITATION_FIELDS, ""), "authors": [], "year": None}
    whole = {**blank, **citation}
    return None if whole == blank else whole


def require_sound(said: Mapping[str, Any], *, this_year: int) -> None:
    """Raise InvalidInput naming everything in `said` (the fields of a benchmark) that cannot be."""
    found = [
        *_license_problems(said["license"], said["custom_license"]),
        *_citation_problems(said["citation"], this_year + 1),
        *_link_problems(said, "documentation_url", "source_url"),
    ]
    if len(said["tags"]) > MOST_TAGS:
        found.append(FieldError("tags", "too_many", _("At most %d tags.") % MOST_TAGS))
    if found:
        raise InvalidInput(errors=found)


def _license_problems(license: str | None, text: str) -> Iterator[FieldError]:
    if license == LicenseType.CUSTOM and not text:
        yield FieldError("custom_license", "required", _("Give the text of the licence, or its name."))
    if license != LicenseType.CUSTOM and text:
        message = _("Only a licence of its own has a text here. Choose “custom”, or leave the text out.")
        yield FieldError("custom_license", "not_for_this_license", message)


def _citation_problems(citation: Mapping[str, Any] | None, last_year: int) -> Iterator[FieldError]:
    if citation is None:
        return
    if not citation["title"]:
        yield FieldError("citation.title", "required", _("Say what is cited: give its title."))
    if citation["year"] is not None and not FIRST_YEAR <= citation["year"] <= last_year:
        text = _("This is a year from %(first)d to %(last)d.") % {"first": FIRST_YEAR, "last": last_year}
        yield FieldError("citation.year", "out_of_range", text)


def _link_problems(said: Mapping[str, Any], *names: str) -> Iterator[FieldError]:
    for name in names:
        try:
            if said[name]:
                _is_link(said[name])
        except ValidationError:
            text = _("Give a whole address that starts with https:// or http://.")
            yield FieldError(name, "invalid_url", text)
