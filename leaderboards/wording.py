"""A comparison in plain sentences."""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmarks.models import Metric
from exchange.core.quantities import MINUS, NO_BREAK, is_share, plain, points, quantity

from .differences import Difference, Method, Obstacle
from .models import Entry

_DIGEST_SHOWN = 6


def names_of(entries: Sequence[Entry]) -> dict[UUID, str]:
    """What each row is called among these: its model, with version, provider, configuration where needed."""
    found = {entry.pk: entry.submission.model.name for entry in entries}
    for more in (_version, _provider, _configuration):
        count = Counter(found.values())
        same = [entry for entry in entries if count[found[entry.pk]] > 1]
        if len(set(map(more, same))) > 1:
            found |= {entry.pk: f"{found[entry.pk]} ({more(entry)})" for entry in same}
    return found


def _version(entry: Entry) -> str:
    return entry.submission.model.version or _("no version named")


def _provider(entry: Entry) -> str:
    deployment = entry.submission.deployment
    return deployment.endpoint.provider_name if deployment else _("no provider named")


def _configuration(entry: Entry) -> str:
    return entry.fingerprint[:_DIGEST_SHOWN]


def summary(sentences: Sequence[str], told_apart: int) -> str:
    """The one sentence of a comparison: of a single pair its own, else how many pairs differ."""
    if len(sentences) == 1:
        return sentences[0]
    message = ngettext(
        "Of %(pairs)d pairs %(number)d can be told apart.",
        "Of %(pairs)d pairs %(number)d can be told apart.",
        told_apart,
    )
    return message % {"pairs": len(sentences), "number": told_apart}


def sentence(
    first: str, second: str, difference: Difference, *, metric: Metric, higher_is_better: bool
) -> str:
    """Who is better and by how much, or that it cannot be told."""
    if difference.method is Method.NONE:
        return _untested(first, second, difference)
    sign = difference.sign if higher_is_better else -difference.sign
    if sign < 0:
        first, second, difference = second, first, difference.turned()
    said = _better(first, second, difference, metric) if sign else _alike(first, second, difference, metric)
    if difference.obstacle is Obstacle.ONE_SESSION:
        said += " " + _("One session each cannot show how sessions vary, so there is no p-value.")
    return said


def _better(first: str, second: str, difference: Difference, metric: Metric) -> str:
    words = {"first": first, "second": second, "metric": metric.title, **_numbers(difference, metric)}
    if is_share(metric.unit):
        return _("%(first)s is better than %(second)s by %(size)s (%(low)s to %(high)s).") % words
    if (difference.difference or 0.0) < 0:
        return (
            _("%(first)s is better than %(second)s: %(metric)s is %(size)s lower (%(low)s to %(high)s).")
            % words
        )
    return (
        _("%(first)s is better than %(second)s: %(metric)s is %(size)s higher (%(low)s to %(high)s).") % words
    )


def _alike(first: str, second: str, difference: Difference, metric: Metric) -> str:
    low, high = _ends(difference)
    signed = _percent if difference.is_ratio else _in_unit(metric.unit)
    words = {
        "first": first,
        "second": second,
        "difference": signed(difference.percent if difference.is_ratio else difference.difference),
        "low": signed(low),
        "high": signed(high),
    }
    said = _(
        "%(first)s and %(second)s cannot be told apart: the difference is %(difference)s"
        " (%(low)s to %(high)s)."
    )
    return said % words


def _untested(first: str, second: str, difference: Difference) -> str:
    reasons = {
        Obstacle.ONE_SESSION: _("one session each cannot show how sessions vary"),
        Obstacle.NO_SPREAD: _("nothing shows how the values vary"),
        Obstacle.NO_VALUE: _("one of them has no value"),
    }
    words = {"first": first, "second": second, "reason": reasons[difference.obstacle or Obstacle.NO_VALUE]}
    return _("%(first)s and %(second)s cannot be told apart: %(reason)s.") % words


def _ends(difference: Difference) -> tuple[float | None, float | None]:
    if difference.is_ratio:
        return difference.percent_low, difference.percent_high
    return difference.low, difference.high


def _numbers(difference: Difference, metric: Metric) -> dict[str, str]:
    """Sizes without a sign: the nearer end first."""
    low, high = _ends(difference)
    is_below = (difference.difference or 0.0) < 0
    nearer, further = (high, low) if is_below else (low, high)
    value = difference.percent if difference.is_ratio else difference.difference
    size = _percent if difference.is_ratio else _in_unit(metric.unit)
    shown = {"size": value, "low": nearer, "high": further}
    named = {
        name: size(None if number is None else abs(number)).lstrip("+") for name, number in shown.items()
    }
    unit = f"{NO_BREAK}%" if difference.is_ratio else ""
    return {**named, "low": named["low"].removesuffix(unit) if unit else named["low"].split(NO_BREAK)[0]}


def _percent(value: float | None) -> str:
    return _("not known") if value is None else f"{plain(value, 1, signed=True)}{NO_BREAK}%"


def _in_unit(unit: str):  # noqa: ANN202  a function of a value
    def say(value: float | None) -> str:
        if value is None:
            return _("not known")
        if is_share(unit):
            return _("%(number)s points") % {"number": points(value)}
        return f"{'+' if value >= 0 else MINUS}{quantity(abs(value), unit)}"

    return say
