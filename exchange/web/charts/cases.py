"""All cases of a verification as one grid: right twice, only ours, only claimed, wrong twice."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from .svg import el, figure, numbers_table

Case = Mapping[str, Any]
OUTCOMES = ("both", "ours", "claim", "neither", "unknown")
CELL = 10
FEW = 60  # up to so many cells are drawn larger


def outcome_of(case: Case) -> str:
    """Which of the five outcomes a case has; a case is right when its score is full."""
    claimed, measured = case["claimed_score"], case["measured_score"]
    if claimed is None or measured is None:
        return "unknown"
    if claimed >= 1 and measured >= 1:
        return "both"
    if measured >= 1:
        return "ours"
    return "claim" if claimed >= 1 else "neither"


def outcome_words(outcome: str) -> str:
    """An outcome for people."""
    return {
        "both": _("right both times"),
        "ours": _("right only in our run"),
        "claim": _("right only in the claim"),
        "neither": _("wrong both times"),
        "unknown": _("an answer is missing"),
    }[outcome]


def shape(outcome: str, x: float, y: float) -> str:
    """The path of one cell; each outcome has its own form, not its colour alone."""
    return {
        "both": f"M{x + 1.5:g} {y + 1.5:g}h7v7h-7z",
        "ours": f"M{x + 0.5:g} {y + 8.5:g}h9l-4.5-7.5z",
        "claim": f"M{x + 0.5:g} {y + 1.5:g}h9l-4.5 7.5z",
        "neither": f"M{x + 2.5:g} {y + 2.5:g}h5v5h-5z",
        "unknown": f"M{x + 2:g} {y + 4.5:g}h6v1h-6z",
    }[outcome]


def columns_for(count: int) -> int:
    """Columns of the grid: wide for many cases, at most 50."""
    return max(10, min(50, math.ceil(math.sqrt(count * 2.5))))


def case_grid(cases: Sequence[Case]) -> SafeString:
    """The grid with its legend and its table; empty without cases."""
    if not cases:
        return SafeString("")
    outcomes = [outcome_of(case) for case in cases]
    counts = Counter(outcomes)
    across = columns_for(len(cases))
    paths: dict[str, list[str]] = {outcome: [] for outcome in OUTCOMES}
    for at, outcome in enumerate(outcomes):
        paths[outcome].append(shape(outcome, at % across * CELL, at // across * CELL))
    down = math.ceil(len(cases) / across)
    drawing = el(
        "svg",
        el("title", sentence(counts, len(cases))),
        *(el("path", class_=outcome, d="".join(paths[outcome])) for outcome in OUTCOMES if paths[outcome]),
        class_="waf" if len(cases) > FEW else "waf few",
        viewBox=f"0 0 {across * CELL} {down * CELL}",
        role="img",
    )
    rows = [(outcome_words(outcome), f"{counts[outcome]:,}") for outcome in OUTCOMES if counts[outcome]]
    table = numbers_table(_("The numbers"), [_("Outcome"), _("Cases")], rows)
    return figure(el("div", drawing, legend(counts)), table)


def sentence(counts: Mapping[str, int], total: int) -> str:
    """What the grid shows."""
    said = _(
        "%(total)s cases: %(both)s right both times, %(ours)s right only in our run,"
        " %(claim)s right only in the claim, %(neither)s wrong both times."
    )
    return said % {"total": f"{total:,}", **{name: f"{counts.get(name, 0):,}" for name in OUTCOMES}}


def legend(counts: Mapping[str, int]) -> SafeString:
    """Form, number and words of each outcome that occurs."""
    items = [
        el("span", outcome_icon(outcome), f"{counts[outcome]:,} {outcome_words(outcome)}")
        for outcome in OUTCOMES
        if counts.get(outcome)
    ]
    return el("p", *items, class_="key")


def outcome_icon(outcome: str) -> SafeString:
    """One cell as an icon."""
    path = el("path", class_=outcome, d=shape(outcome, 0, 0))
    return el(
        "svg", path, class_="waf icon", viewBox="0 0 10 10", width="12", height="12", aria_hidden="true"
    )
