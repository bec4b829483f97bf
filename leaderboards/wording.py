"""A comparison in plain sentences."""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmarks.models import Metric
from exchange.core.quantities import NO_BREAK, decimals_of, is_share, plain

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
        said += " " + _("That is one session each, which cannot show how sessions vary: there is no p-value.")
    return said


def _better(first: str, second: str, difference: Difference, metric: Metric) -> str:
    """Sizes without a sign, the nearer end first."""
    is_below = (difference.difference or 0.0) < 0
    words = {"first": first, "second": second, "metric": metric.title}
    words |= _numbers(difference.turned_up() if is_below else difference, metric, sign=False)
    if is_share(metric.unit):
        said = _("%(first)s is better than %(second)s by %(size)s (%(low)s to %(high)s).")
    elif is_below:
        said = _("%(first)s is better than %(second)s: %(metric)s is %(size)s lower (%(low)s to %(high)s).")
    else:
        said = _("%(first)s is better than %(second)s: %(metric)s is %(size)s higher (%(low)s to %(high)s).")
    return said % words


def _alike(first: str, second: str, difference: Difference, metric: Metric) -> str:
    said = _(
        "%(first)s and %(second)s cannot be told apart: the difference is %(size)s (%(low)s to %(high)s)."
    )
    return said % {"first": first, "second": second, **_numbers(difference, metric, sign=True)}


def _untested(first: str, second: str, difference: Difference) -> str:
    reasons = {
        Obstacle.ONE_SESSION: _("one session each cannot show how sessions vary"),
        Obstacle.NO_SPREAD: _("nothing shows how the values vary"),
        Obstacle.NO_VALUE: _("one of them has no value"),
    }
    words = {"first": first, "second": second, "reason": reasons[difference.obstacle or Obstacle.NO_VALUE]}
    return _("%(first)s and %(second)s cannot be told apart: %(reason)s.") % words


def _numbers(difference: Difference, metric: Metric, *, sign: bool) -> dict[str, str]:
    """The difference and its ends, the unit once in each place."""
    if difference.is_ratio:
        named = {"size": difference.percent, "low": difference.percent_low, "high": difference.percent_high}
        unit = "%"
    else:
        named = {"size": difference.difference, "low": difference.low, "high": difference.high}
        unit = _("points") if is_share(metric.unit) else metric.unit
    share = is_share(metric.unit) and not difference.is_ratio
    decimals = 1 if share or difference.is_ratio else decimals_of(named["size"] or 0.0, metric.unit)
    shown = {
        name: _("not known")
        if number is None
        else plain(100 * number if share else number, decimals, signed=sign)
        for name, number in named.items()
    }
    return {**shown, "size": f"{shown['size']}{NO_BREAK}{unit}", "high": f"{shown['high']}{NO_BREAK}{unit}"}
