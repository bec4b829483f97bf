"""A vote on two scales, and what its execution changes. Before the close only what is needed is drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exchange.web.words import CHOICES, word

from .svg import Scale, el, figure, join, lean, line, numbers_table, pct, picture, text

Proposal = Mapping[str, Any]
Change = Mapping[str, Any]
ORDER = ("approve", "reject", "abstain")
PATTERNS = {"reject": "url(#diag)", "abstain": "url(#dots)"}
WHOLE = 100
HALF = WHOLE / 2
BESIDE = 1.2  # percent of the width between a tick and its number
LONGEST_VALUE, LONGEST_NAME = 20, 42  # letters that a phone has room for
ROW = 46


def threshold_picture(proposal: Proposal) -> SafeString:
    """The share of approving votes on the part of the scale that passes; the scale alone until the close."""
    rules, tally = proposal["rules"], proposal["tally"]
    needed = 100 * rules["threshold_numerator"] / rules["threshold_denominator"]
    fraction = f"{rules['threshold_numerator']}/{rules['threshold_denominator']}"
    share = approving(tally)
    parts = [
        el(
            "rect",
            class_="tol",
            fill="url(#hatch)",
            x=pct(needed),
            width=pct(100 - needed),
            y="22",
            height="36",
        ),
        line(pct(needed), pct(needed), 18, 58, "toledge"),
        text(pct(needed), 13, _("%(fraction)s needed") % {"fraction": fraction}, needs_at(needed, share)),
        *percent_axis(58),
    ]
    if share is not None:
        parts += reached(share)
    return el(
        "div",
        picture(threshold_sentence(fraction, share), *parts, height=84, kind="cal votes"),
        class_="chart",
    )


def reached(share: float) -> list[SafeString]:
    """The tick of what was voted, its number on the side that has room."""
    is_right = share > HALF
    place = pct(share - BESIDE if is_right else share + BESIDE)
    words = _("%(share)s approve") % {"share": percent(share)}
    return [line(pct(share), pct(share), 26, 58, "pt"), text(place, 44, words, "b end" if is_right else "b")]


def approving(tally: Mapping[str, int] | None) -> float | None:
    """Approving votes among those that approve or reject, in percent; None when nobody did either."""
    if tally is None or not tally["approve"] + tally["reject"]:
        return None
    return 100 * tally["approve"] / (tally["approve"] + tally["reject"])


def percent(share: float) -> str:
    """One decimal, and none where it would be 0."""
    return f"{share:.1f}".removesuffix(".0") + "\u00a0%"


def needs_at(needed: float, share: float | None) -> str:
    """What is needed is written inwards from its line."""
    return "w end" if needed > HALF or share is None else "w"


def threshold_sentence(fraction: str, share: float | None) -> str:
    """What the first picture shows."""
    if share is None:
        return _("Of the votes that approve or reject, at least %(fraction)s must approve.") % {
            "fraction": fraction
        }
    return _("%(share)s of the votes that approve or reject approve; at least %(fraction)s was needed.") % {
        "share": percent(share),
        "fraction": fraction,
    }


def percent_axis(y: float) -> list[SafeString]:
    """0 to 100 with the unit on the last number."""
    parts = [line("0%", "100%", y, y, "axis")]
    for tick in (0, 25, 50, 75, WHOLE):
        label = _("100 %") if tick == WHOLE else str(tick)
        parts += [
            line(pct(tick), pct(tick), y - 4, y + 4, "axis"),
            text(pct(tick), y + 22, label, lean(tick)),
        ]
    return parts


def quorum_picture(proposal: Proposal) -> SafeString:
    """The ballots on the electorate and how many were needed; the empty electorate until the close."""
    size, needed, tally = proposal["electorate_size"], proposal["ballots_needed"], proposal["tally"]
    scale = Scale(0, max(size, 1))
    label = ngettext("%(number)s ballot needed", "%(number)s ballots needed", needed) % {
        "number": f"{needed:,}"
    }
    parts = [
        el("rect", class_="roll", x="0", width="100%", y="22", height="28"),
        *cast(tally, size, scale),
        line(scale.at(needed), scale.at(needed), 22, 50, "under"),
        line(scale.at(needed), scale.at(needed), 16, 56, "toledge"),
        text(scale.at(needed), 13, label, f"w {lean(scale.share(needed), 30)}".strip()),
        text("0", 74, "0"),
        text("100%", 74, entitled(size), "end"),
    ]
    drawing = picture(quorum_sentence(size, needed, tally), *parts, height=80, kind="votes")
    if tally is None:
        return el("div", drawing, class_="chart")
    return figure(join([drawing, legend(tally, size)]), count_table(tally, size))


def entitled(size: int) -> str:
    """How many people the electorate has."""
    return ngettext("%(number)s entitled", "%(number)s entitled", size) % {"number": f"{size:,}"}


def quorum_sentence(size: int, needed: int, tally: Mapping[str, int] | None) -> str:
    """What the second picture shows."""
    numbers = {"size": f"{size:,}", "needed": f"{needed:,}"}
    if tally is None:
        return (
            _("Of %(size)s people entitled to vote, %(needed)s must vote, not counting the proposer.")
            % numbers
        )
    counted = {"without": f"{tally['ballots_without_proposer']:,}", "cast": f"{tally['ballot_count']:,}"}
    return _(
        "%(cast)s of %(size)s people voted, %(without)s without the proposer; %(needed)s were needed."
    ) % {**numbers, **counted}


def cast(tally: Mapping[str, int] | None, size: int, scale: Scale) -> list[SafeString]:
    """The ballots by choice, side by side."""
    if tally is None:
        return []
    parts, before = [], 0
    for name in ORDER:
        if tally[name]:
            parts.append(ballots(name, scale.at(before), pct(100 * tally[name] / max(size, 1)), 22, 28))
            before += tally[name]
    return parts


def ballots(name: str, x: str, width: str, y: float, height: float) -> SafeString:
    """One part of the bar; each choice has its own pattern."""
    return el(
        "rect",
        class_=f"seg v-{name}",
        fill=PATTERNS.get(name),
        x=x,
        width=width,
        y=f"{y:g}",
        height=f"{height:g}",
    )


def legend(tally: Mapping[str, int], size: int) -> SafeString:
    """Swatch, number and word of each choice, and who did not vote."""
    items = [swatch(ballots(name, "0", "100%", 0, 16), tally[name], word(CHOICES, name)) for name in ORDER]
    empty = el("rect", class_="roll", x="0", width="100%", y="0", height="16")
    items.append(swatch(empty, size - tally["ballot_count"], _("did not vote")))
    return el("p", *items, class_="key gap")


def swatch(shape: SafeString, count: int, words: str) -> SafeString:
    """One item of the legend."""
    sample = el("svg", shape, class_="votes", width="16", height="16", aria_hidden="true")
    return el("span", sample, el("b", f"{count:,}"), " ", words)


def count_table(tally: Mapping[str, int], size: int) -> SafeString:
    """The numbers of both pictures."""
    counts = [(word(CHOICES, name), tally[name]) for name in ORDER]
    counts.append((_("Did not vote"), size - tally["ballot_count"]))
    rows = [(name, f"{count:,}", percent(100 * count / max(size, 1))) for name, count in counts]
    return numbers_table(_("The numbers"), [_("Choice"), _("People"), _("Share of the electorate")], rows)


def before_after(changes: Sequence[Change]) -> SafeString:
    """Each changed fact as a line from what it was to what it is; the facts are listed beside it as a table.

    Args:
        changes: {name, before, after}, all as text; an empty value is drawn as a dash.
    """
    if not changes:
        return SafeString("")
    parts = [
        text("40%", 12, _("Before"), "b end"),
        text("60%", 12, _("After"), "b"),
        *(mark for at, change in enumerate(changes) for mark in step(change, 30 + ROW * at)),
    ]
    names = ", ".join(change["name"] for change in changes)
    title = _("What changes from before to after: %(names)s.") % {"names": names}
    return el("div", picture(title, *parts, height=24 + ROW * len(changes), kind="slope"), class_="chart")


def step(change: Change, y: float) -> list[SafeString]:
    """The name over the line, a value at each end."""
    kind = "st" if change["before"] == change["after"] else "mv"
    return [
        text("50%", y + 6, cut(change["name"], LONGEST_NAME), "mid dimmed"),
        line("40%", "60%", y + 20, y + 20, kind),
        el("circle", cx="40%", cy=f"{y + 20:g}", r="4"),
        el("circle", class_="now", cx="60%", cy=f"{y + 20:g}", r="4"),
        text("38%", y + 24, cut(change["before"], LONGEST_VALUE), "end"),
        text("62%", y + 24, cut(change["after"], LONGEST_VALUE), "b"),
    ]


def cut(value: str, longest: int) -> str:
    """As much of a value as there is room for."""
    shown = str(value) or "–"
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"
