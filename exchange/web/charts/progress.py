"""A measurement on the line of time: what is done, now, and between when and when it will end."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from llm_benchmark.measure.statistics import beta_quantile

from .caliper import whisker
from .svg import Scale, el, lean, line, picture, text

LEAST_DONE = 5
CONFIDENCE = 0.9
_NEAR = timedelta(minutes=10)
Verification = Mapping[str, Any]


def expected_end(verification: Verification, now: datetime) -> tuple[datetime, datetime] | None:
    """Between when and when it will end at the pace so far; None before there is a pace.

    Requests that end at random moments with an unknown rate: with d done and r left, the time left divided by
    the time used is X/(1−X), X ~ Beta(r, d).
    """
    done, planned = verification["done_count"], verification["planned_count"]
    began = _moment(verification["started_at"])
    if began is None or done < LEAST_DONE or planned <= done or now <= began:
        return None
    tail = (1 - CONFIDENCE) / 2
    low, high = (beta_quantile(p, planned - done, done) for p in (tail, 1 - tail))
    return now + (now - began) * (low / (1 - low)), now + (now - began) * (high / (1 - high))


def end_words(verification: Verification, now: datetime) -> str:
    """The range in words; empty where there is none."""
    ends = expected_end(verification, now)
    if ends is None:
        return ""
    low, high = (_clock(end, now, ends) for end in ends)
    if low == high:
        return _("At this pace it ends at about %(time)s UTC.") % {"time": low}
    return _("At this pace it ends between %(low)s and %(high)s UTC.") % {"low": low, "high": high}


def progress_line(verification: Verification, now: datetime) -> SafeString:
    """What is used of the time, and the range of the end; empty where there is none."""
    ends, began = expected_end(verification, now), _moment(verification["started_at"])
    if ends is None or began is None:
        return SafeString("")
    scale = Scale(0, (ends[1] - began).total_seconds())
    at, low, high = ((moment - began).total_seconds() for moment in (now, *ends))
    first, here, soonest, latest = (_clock(moment, now, ends) for moment in (began, now, *ends))
    title = _("Began %(began)s, now %(now)s.") % {"began": first, "now": here}
    return picture(
        f"{title} {end_words(verification, now)}",
        line("0%", "100%", 32, 32, "axis"),
        el(
            "g",
            line("0%", scale.at(at), 32, 32, "core"),
            *whisker(scale, low, high, 32, 7),
            line(scale.at(at), scale.at(at), 21, 43, "pt"),
            class_="cal",
        ),
        text(scale.at(at), 14, _("now %(time)s") % {"time": here}, f"b {lean(scale.share(at), 15)}"),
        text("0%", 60, first),
        text("100%", 60, _("end %(low)s to %(high)s") % {"low": soonest, "high": latest}, "end"),
        height=66,
    )


def _moment(value: datetime | str | None) -> datetime | None:
    return parse_datetime(value) if isinstance(value, str) else value


def _clock(moment: datetime, now: datetime, ends: tuple[datetime, datetime]) -> str:
    """Hours and minutes; seconds where the end is near, the day where it is another one."""
    shown = moment.astimezone(UTC)
    time = date_format(shown, "H:i:s" if ends[1] - now < _NEAR else "H:i")
    if shown.date() == now.astimezone(UTC).date():
        return time
    return _("%(day)s, %(time)s") % {"day": date_format(shown, "j M"), "time": time}
