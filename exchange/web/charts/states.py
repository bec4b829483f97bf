"""How many deployments stand how, and how a campaign's rows ended, as one bar each."""

from collections.abc import Mapping, Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exchange.web.campaign_words import OUTCOMES, STATES
from exchange.web.words import word

from .svg import el, join, pct, picture

# In the order of the bar: class, and the pattern that says the same without colour.
LOOKS: Mapping[str, tuple[str, str | None]] = {
    "active": ("f-ok", None),
    "skipped_unsupported_profile": ("f-ok", "url(#okdiag)"),
    "unstable": ("f-open", None),
    "new": ("f-new", "url(#dots)"),
    "failed": ("f-no", "url(#diag)"),
    "benchmark_error": ("f-no", "url(#greydiag)"),
    "auth_error": ("f-no", "url(#greydiag)"),
    "not_available": ("f-grey", None),
    "incompatible": ("f-grey", "url(#bars)"),
    "unsupported": ("f-none", "url(#greydots)"),
    "missing": ("f-none", None),
    "disabled": ("f-none", "url(#greydiag)"),
    "cancelled": ("f-none", "url(#greydots)"),
}
GLYPHS = {
    "active": "M2 7.5l3.2 3.2L12 3.5",
    "unstable": "M2 5q2.5-3 5 0t5 0M2 10q2.5-3 5 0t5 0",
    "new": "M7 2v10M2 7h10",
    "failed": "M3 3l8 8M11 3l-8 8",
    "missing": "M7 8.5V7.5q2.8-1 2.8-3T7 2.3 4.2 4.2M7 11v1.5",
}
TONES = {"active": "ok", "unstable": "op", "new": "up", "failed": "no"}
CAMPAIGN_TONES = {"completed": "ok", "completed_with_errors": "op", "failed": "no", "cancelled": "na"}
REST = "rest"
Part = tuple[str, int]


def state_icon(state: str) -> SafeString:
    """The glyph of a state; those that are not about health share a dash."""
    path = el("path", d=GLYPHS.get(state, "M2 7h10"))
    return el("svg", path, viewBox="0 0 14 14", width="14", height="14", aria_hidden="true")


def state_tone(state: str) -> str:
    """The class that colours a state."""
    return TONES.get(state, "na")


def campaign_tone(status: str) -> str:
    """The class that colours a campaign by its status."""
    return CAMPAIGN_TONES.get(status, "up")


def states_bar(counts: Mapping[str, int]) -> SafeString:
    """How deployments stand: a bar with its legend; empty where there are none.

    Args:
        counts: state → how many deployments.
    """
    parts = ordered(counts)
    total = sum(count for _name, count in parts)
    if not total:
        return SafeString("")
    listed = ", ".join(f"{count:,} {word(STATES, name)}" for name, count in parts)
    title = _("%(total)s deployments: %(listed)s.") % {"total": f"{total:,}", "listed": listed}
    drawing = picture(title, *segments(parts, total, 18), height=18, kind="out")
    return el("div", drawing, legend(parts, STATES), class_="chart")


def campaign_bar(outcomes: Mapping[str, int], item_count: int) -> SafeString:
    """How the rows of a campaign ended, and how many have not; empty before its rows are known.

    Args:
        outcomes: outcome → how many rows ended so.
    """
    if not item_count:
        return SafeString("")
    parts = ordered(outcomes)
    done = sum(count for _name, count in parts)
    left = max(0, item_count - done)
    drawn = [*parts, (REST, left)] if left else parts
    title = _("%(done)s of %(all)s models done.") % {"done": f"{done:,}", "all": f"{item_count:,}"}
    drawing = picture(title, *segments(drawn, item_count, 24), height=24, kind="out")
    return el("div", drawing, legend(drawn, {**OUTCOMES, REST: _("to do")}), class_="chart")


def ordered(counts: Mapping[str, int]) -> list[Part]:
    """What there is of it, in the order of the bar; what has no look comes last."""
    known = [name for name in LOOKS if counts.get(name)]
    return [(name, counts[name]) for name in [*known, *(n for n in counts if n not in LOOKS and counts[n])]]


def segments(parts: Sequence[Part], total: int, height: float) -> list[SafeString]:
    drawn, before = [], 0
    for name, count in parts:
        drawn.append(segment(name, pct(100 * before / total), pct(100 * count / total), height))
        before += count
    return drawn


def segment(name: str, x: str, width: str, height: float) -> SafeString:
    """One part of the bar. What is to do is an outline."""
    kind, pattern = LOOKS.get(name, ("f-none", None))
    return el("rect", class_=f"seg {kind}", fill=pattern, x=x, width=width, y="0", height=f"{height:g}")


def legend(parts: Sequence[Part], words: Mapping[str, object]) -> SafeString:
    """Swatch, number and word of each part."""
    items = []
    for name, count in parts:
        shape = segment(name, "0%", "100%", 14)
        swatch = el("svg", shape, class_="out", width="14", height="14", aria_hidden="true")
        items.append(el("span", swatch, el("b", f"{count:,}"), " ", word(words, name)))
    return el("p", *join_spans(items), class_="key gap")


def join_spans(items: Sequence[SafeString]) -> Sequence[SafeString]:
    """Spaces between them, for those who read without the picture."""
    return [join([item, " "]) for item in items]
