"""The two pictures of a verdict: the claim beside the re-run, and their difference on the tolerance."""

import math
from collections.abc import Mapping
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exchange.core.quantities import (
    MINUS,
    UNKNOWN,
    change,
    interval,
    is_share,
    plain,
    points,
    quantity,
    shown,
    shown_unit,
    tick_decimals,
)

from .caliper import caliper_marks, diamond, whisker
from .svg import Scale, el, figure, join, lean, line, numbers_table, picture, readable, scale_around, text

LEAST_SHARE = 6.0  # percent of the width between two numbers
Judgement = Mapping[str, Any]
Metric = Mapping[str, Any]


def claim_beside_rerun(judgement: Judgement, metric: Metric) -> SafeString:
    """Claim and re-measurement on one scale; empty when one of them is missing."""
    if judgement["claim"] is None or judgement["measured"] is None:
        return SafeString("")
    unit = metric["unit"]
    reading = reading_of(judgement)
    values = [
        v for v in (judgement["claim"], *(reading[k] for k in ("value", "low", "high"))) if v is not None
    ]
    scale, ticks = scale_around(values, floor=0.0, ceiling=1.0 if is_share(unit) else math.inf)
    claimed, measured = quantity(judgement["claim"], unit), quantity(judgement["measured"], unit)
    drawing = picture(
        claim_sentence(judgement, unit),
        *grid(scale, ticks, unit, 126),
        el("g", diamond(scale.at(judgement["claim"]), 40, 9), class_="cal c"),
        el("g", caliper_marks(scale, reading, 98, size=15), class_="cal"),
        beside(scale, judgement["claim"], 16, _("Claimed %(value)s") % {"value": claimed}, "c"),
        beside(scale, judgement["measured"], 74, _("Measured again %(value)s") % {"value": measured}, "m"),
        height=150,
    )
    return figure(drawing, claim_table(judgement, unit))


def reading_of(judgement: Judgement) -> dict[str, float | None]:
    """The re-measurement as a reading."""
    return {
        "value": judgement["measured"],
        "low": judgement["measured_low"],
        "high": judgement["measured_high"],
        "sample_count": judgement["sample_count"],
    }


def claim_sentence(judgement: Judgement, unit: str) -> str:
    """What the first picture shows."""
    words = {
        "claim": quantity(judgement["claim"], unit),
        "measured": quantity(judgement["measured"], unit),
        "interval": interval(judgement["measured_low"], judgement["measured_high"], unit),
    }
    if words["interval"] == UNKNOWN:
        return _("Claimed %(claim)s; measured again %(measured)s, without an interval.") % words
    return _("Claimed %(claim)s; measured again %(measured)s, 95 %% interval %(interval)s.") % words


def claim_table(judgement: Judgement, unit: str) -> SafeString:
    """The numbers of the first picture."""
    count = judgement["sample_count"]
    span = interval(judgement["measured_low"], judgement["measured_high"], unit)
    rows = [
        (_("Claimed"), quantity(judgement["claim"], unit), UNKNOWN, UNKNOWN),
        (
            _("Measured again"),
            quantity(judgement["measured"], unit),
            span,
            UNKNOWN if count is None else f"{count:,}",
        ),
    ]
    return numbers_table(_("The numbers"), ["", _("Value"), _("95 % interval"), _("Sample")], rows)


def grid(scale: Scale, ticks: list[float], unit: str, bottom: float) -> list[SafeString]:
    """Vertical hairlines with their numbers; the unit on the last one only."""
    decimals = tick_decimals(shown(ticks[1] - ticks[0], unit))
    labels = [plain(shown(tick, unit), decimals) for tick in ticks]
    labels[-1] += f"\u00a0{shown_unit(unit)}"
    parts = []
    for tick, label in zip(ticks, readable(labels), strict=True):
        parts.append(line(scale.at(tick), scale.at(tick), 0, bottom, "grid"))
        parts.append(text(scale.at(tick), bottom + 18, label, lean(scale.share(tick))))
    return parts


def beside(scale: Scale, value: float, y: float, words: str, role: str) -> SafeString:
    """A label over its mark that leans away from the nearer edge."""
    return text(scale.at(value), y, words, f"{role} {lean(scale.share(value), 25)}".strip())


def difference_on_tolerance(judgement: Judgement, metric: Metric, kind: str) -> SafeString:
    """The difference with its interval on the hatched tolerance band: the picture that decides.

    Args:
        kind: `quality` (difference in points, linear) or another (ratio re-run ÷ claim in %, logarithmic).
    """
    if judgement["difference"] is None or not judgement["tolerance"]:
        return SafeString("")
    view = Difference(judgement, metric, is_points=kind == "quality")
    return figure(view.drawing(), view.table())


class Difference:
    """Draws one difference; points and ratios differ in their scale and their words only."""

    def __init__(self, judgement: Judgement, metric: Metric, *, is_points: bool) -> None:
        self.is_points = is_points
        self.value, self.low, self.high = (
            judgement[name] for name in ("difference", "difference_low", "difference_high")
        )
        self.tolerance = judgement["tolerance"]
        self.confidence = judgement["difference_confidence"]
        self.is_up_better = metric["direction"] != "lower_is_better"
        self.scale = self.scale_for()

    def scale_for(self) -> Scale:
        """Symmetric around no difference, wide enough for the interval and twice the tolerance."""
        known = [v for v in (self.value, self.low, self.high, *self.edges()) if v is not None]
        if self.is_points:
            reach = 1.15 * max(2 * self.tolerance, *(abs(v) for v in known))
            return Scale(-reach, reach)
        known = [max(v, 1e-6) for v in known]
        reach = math.exp(1.15 * max(2 * math.log1p(self.tolerance), *(abs(math.log(v)) for v in known)))
        return Scale(1 / reach, reach, log=True)

    def edges(self) -> tuple[float, float]:
        """Both ends of the tolerance band."""
        if self.is_points:
            return -self.tolerance, self.tolerance
        return 1 / (1 + self.tolerance), 1 + self.tolerance

    def say(self, value: float | None) -> str:
        """A difference in words."""
        if not self.is_points:
            return change(value)
        return UNKNOWN if value is None else _("%(number)s points") % {"number": points(value)}

    def span(self) -> str:
        """The interval in words."""
        if self.low is None and self.high is None:
            return UNKNOWN
        if self.low is None:
            return _("at most %(high)s") % {"high": self.say(self.high)}
        if self.high is None:
            return _("at least %(low)s") % {"low": self.say(self.low)}
        return _("%(low)s to %(high)s") % {"low": self.say(self.low), "high": self.say(self.high)}

    def tolerance_words(self) -> str:
        """The tolerance with its unit."""
        number = f"{100 * self.tolerance:g}"
        if self.is_points:
            return _("tolerance ±%(number)s points") % {"number": number}
        return _("tolerance %(number)s %%") % {"number": number}

    def sentence(self) -> str:
        """What the picture shows."""
        words = {
            "difference": self.say(self.value),
            "interval": self.span(),
            "tolerance": self.tolerance_words(),
            "confidence": f"{100 * (self.confidence or 0):g}",
        }
        if self.low is None and self.high is None:
            inside = self.edges()[0] <= self.value <= self.edges()[1]
            if inside:
                return _("Difference %(difference)s, inside the %(tolerance)s; no interval.") % words
            return _("Difference %(difference)s, outside the %(tolerance)s; no interval.") % words
        if self.is_inside():
            said = _(
                "Difference %(difference)s, %(confidence)s %% interval %(interval)s:"
                " wholly inside the %(tolerance)s."
            )
            return said % words
        said = _(
            "Difference %(difference)s, %(confidence)s %% interval %(interval)s:"
            " not wholly inside the %(tolerance)s."
        )
        return said % words

    def is_inside(self) -> bool:
        """Whether the whole interval lies in the band."""
        left, right = self.edges()
        return self.low is not None and self.high is not None and left < self.low and self.high < right

    def drawing(self) -> SafeString:
        """The picture."""
        left, right = self.edges()
        side = lean(self.scale.share(self.value), 20)
        return picture(
            self.sentence(),
            el("rect", class_="tol", fill="url(#hatch)", x=self.scale.at(left), y="34", height="54",
               width=f"{self.scale.share(right) - self.scale.share(left):.2f}%"),
            *(line(self.scale.at(edge), self.scale.at(edge), 34, 88, "toledge") for edge in (left, right)),
            line("50%", "50%", 34, 88, "zero"),
            line("0%", "100%", 88, 88, "axis"),
            el("g", *whisker(self.scale, self.low, self.high, 61, 8),
               line(self.scale.at(self.value), self.scale.at(self.value), 45, 77, "pt"), class_="cal"),
            text(self.scale.at(self.value), 27, self.say(self.value), f"m {side}".strip()),
            text("50%", 9, self.tolerance_words(), "mid w"),
            *self.ticks(),
            *self.sides(),
            height=126,
        )  # fmt: skip

    def ticks(self) -> list[SafeString]:
        """Numbers under no difference and, where the band has room for them, under both edges."""
        left, right = self.edges()
        if self.scale.share(right) - 50 < LEAST_SHARE:
            return [text("50%", 104, "0", "mid")]
        number = f"{100 * self.tolerance:g}"
        near = MINUS + (number if self.is_points else f"{100 * (1 - left):.0f}")
        unit = "" if self.is_points else "\u00a0%"
        return [
            text(self.scale.at(left), 104, near, "mid"),
            text("50%", 104, "0", "mid"),
            text(self.scale.at(right), 104, f"+{number}{unit}", "mid"),
        ]

    def sides(self) -> list[SafeString]:
        """Which side is which."""
        better, worse = _("better than claimed"), _("worse than claimed")
        left, right = (worse, better) if self.is_up_better else (better, worse)
        return [text("0%", 122, f"← {left}"), text("100%", 122, f"{right} →", "end")]

    def table(self) -> SafeString:
        """The numbers."""
        name = _("Interval")
        if self.confidence:
            name = _("%(confidence)s %% interval") % {"confidence": f"{100 * self.confidence:g}"}
        rows = [
            (_("Difference"), self.say(self.value)),
            (name, self.span()),
            (_("Tolerance"), join([self.tolerance_words()])),
        ]
        return numbers_table(_("The numbers"), ["", _("Value")], rows)
