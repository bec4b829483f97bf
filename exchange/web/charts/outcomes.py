"""All verdicts so far as one bar; each part has a pattern and a word, not its colour alone."""

from collections.abc import Mapping

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from .marks import verdict_word
from .svg import el, figure, join, numbers_table, pct, picture

ORDER = ("confirmed", "consistent", "understated", "inconclusive", "refuted", "failed")
PATTERNS = {"consistent": "url(#dots)", "understated": "url(#bars)", "refuted": "url(#diag)"}


def verdict_counts_bar(counts: Mapping[str, int]) -> SafeString:
    """The bar with legend and table.

    Args:
        counts: verdict -> how many verifications; `failed` are those without a measurement. Missing is none.
    """
    parts = [(name, counts[name]) for name in ORDER if counts.get(name)]
    total = sum(count for _name, count in parts)
    if not total:
        return SafeString("")
    segments, before = [], 0
    for name, count in parts:
        segments.append(segment(name, pct(100 * before / total), pct(100 * count / total), 30))
        before += count
    listed = ", ".join(f"{count:,} {verdict_word(name)}" for name, count in parts)
    title = _("%(total)s checks so far: %(listed)s.") % {"total": f"{total:,}", "listed": listed}
    drawing = picture(title, *segments, height=30, kind="out")
    rows = [(verdict_word(name), f"{count:,}", f"{100 * count / total:.1f}\u00a0%") for name, count in parts]
    table = numbers_table(_("The numbers"), [_("Outcome"), _("Checks"), _("Share")], rows)
    return figure(join([drawing, legend(parts)]), table)


def segment(name: str, x: str, width: str, height: float) -> SafeString:
    """One part of the bar."""
    fill = PATTERNS.get(name)
    return el("rect", class_=f"seg s-{name}", fill=fill, x=x, width=width, y="0", height=f"{height:g}")


def legend(parts: list[tuple[str, int]]) -> SafeString:
    """Swatch, number and word of each part."""
    items = []
    for name, count in parts:
        swatch = el(
            "svg", segment(name, "0%", "100%", 16), class_="out", width="16", height="16", aria_hidden="true"
        )
        items.append(el("span", swatch, el("b", f"{count:,}"), " ", verdict_word(name)))
    return el("p", *items, class_="key gap")
