"""`{% load words %}`: enum words, times, digests and look-ups for templates."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exchange.web.campaign_words import next_step, reason_words
from exchange.web.measured_words import figure_words, measured_sentences
from exchange.web.words import FAMILIES, policy_numbers
from exchange.web.words import word as word_of

register = template.Library()
DIGEST_LENGTH = 16
LISTED = 6

register.filter(figure_words)
register.filter(measured_sentences)
register.filter(policy_numbers)
register.filter(reason_words)
register.filter(next_step)


@register.filter
def word(value: str | None, family: str) -> str:
    """`{{ submission.level|word:"level" }}`."""
    return "" if value is None else word_of(FAMILIES[family], value)


@register.filter
def words_of(family: str) -> list[tuple[str, str]]:
    """All values of a family with their words, for a select."""
    return list(FAMILIES[family].items())


def moment_of(value: datetime | str | None) -> datetime | None:
    """A datetime or an ISO string as a time in UTC."""
    moment = parse_datetime(value) if isinstance(value, str) else value
    return moment.astimezone(UTC) if moment else None


@register.filter
def when(value: datetime | str | None) -> SafeString | str:
    """`30 Nov 2026, 18:52 UTC` in a `<time>`; unknown is a dash."""
    moment = moment_of(value)
    if moment is None:
        return "–"
    shown = _("%(day)s, %(time)s UTC") % {
        "day": date_format(moment, "j M Y"),
        "time": date_format(moment, "H:i"),
    }
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), shown)


@register.filter
def day(value: datetime | str | None) -> SafeString | str:
    """`30 Nov 2026` in a `<time>`; unknown is a dash."""
    moment = moment_of(value)
    if moment is None:
        return "–"
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), date_format(moment, "j M Y"))


@register.filter
def short_digest(value: str | None) -> SafeString | str:
    """The ends of a digest, the whole of it as the title."""
    if not value:
        return "–"
    bare = value.removeprefix("sha256:")
    shown = bare if len(bare) <= DIGEST_LENGTH else f"{bare[:8]}…{bare[-4:]}"
    return format_html('<code title="{}">{}</code>', value, shown)


@register.filter
def named(items: Iterable[Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    """The metric (or other item) of that name; a bare one when it is not listed."""
    bare = {
        "name": name,
        "title": name,
        "unit": "",
        "direction": "higher_is_better",
        "kind": "",
        "is_primary": False,
    }
    return next((item for item in items if item["name"] == name), bare)


@register.filter
def of(values: Mapping[str, Any], name: str) -> Any:
    """What a form's field was filled in with."""
    return values.get(name, "")


@register.filter
def has_any(values: Mapping[str, Any], prefix: str) -> bool:
    """Whether any field whose name begins so was filled in."""
    return any(value for name, value in values.items() if name.startswith(prefix))


@register.filter
def at(items: Mapping[str, Any], key: str) -> Any:
    """What stands under a key."""
    return items[key]


@register.filter
def at_or_none(items: Mapping[str, Any], key: str) -> Any:
    """What stands under a key; None where nothing does."""
    return items.get(key)


@register.filter
def export_query(filters: Mapping[str, Any], kind: str) -> str:
    """The query that exports what a board's filters show; `benchmark_id` is in the path."""
    given = {name: str(value) for name, value in filters.items() if value and name != "benchmark_id"}
    verified = "true" if filters["verified_only"] else "false"
    return urlencode({**given, "verified_only": verified, "format": kind})


@register.filter
def percent(value: float | None) -> str:
    """0.15 is `15 %`."""
    return "–" if value is None else f"{100 * value:g}\u00a0%"


@register.filter
def ratio(value: float | None) -> str:
    """1.2345 is `1.23`; unknown is a dash."""
    return "–" if value is None else f"{value:.2f}"


@register.filter
def grouped(value: float | None) -> str:
    """12000 is `12,000`."""
    return "–" if value is None else f"{value:,}".removesuffix(".0")


@register.filter
def error_of(errors: Iterable[Mapping[str, Any]] | None, field: str) -> Mapping[str, Any] | None:
    """The first error of a form's field."""
    return next((error for error in errors or () if error["field"] == field), None)


@register.filter
def shortlist(names: list[str]) -> str:
    """`A, B and 3 more`."""
    listed, more = ", ".join(names[:LISTED]), len(names) - LISTED
    if more <= 0:
        return listed
    return _("%(names)s and %(more)s more") % {"names": listed, "more": more}


@register.filter
def tolerances(version: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The policy's tolerances as {title, tolerance, decides}: deciding ones first, in the version's order."""
    policy = version["policy"]
    place = {metric["name"]: at for at, metric in enumerate(version["metrics"])}
    rows = [
        {
            "title": named(version["metrics"], name)["title"],
            "tolerance": policy["tolerances"][name],
            "decides": name in policy["deciding_metrics"],
        }
        for name in sorted(policy["tolerances"], key=lambda name: place.get(name, len(place)))
    ]
    return sorted(rows, key=lambda row: not row["decides"])


@register.filter
def typed(value: object) -> str:
    """A text area's content. A browser drops a line break at its start, so one of the value's is doubled."""
    text = str(value or "")
    return f"\n{text}" if text[:1] in {"\n", "\r"} else text
