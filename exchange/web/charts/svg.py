"""SVG as escaped text: elements, scales in percent of the width, and the frame that makes a chart readable.

Geometry stands in attributes and looks in classes: strict CSP, themes, print and forced colours all hold.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

NARROWEST, LETTER, LABEL_GAP = 300.0, 6.0, 8.0  # pixels: a chart on a phone, a digit, the least space


def el(tag: str, *children: Any, **attrs: Any) -> SafeString:
    """One element. In attribute names a trailing `_` is dropped, others become `-`; None leaves one out."""
    names = (
        (name.rstrip("_").replace("_", "-"), value) for name, value in attrs.items() if value is not None
    )
    listed = "".join(f' {name}="{conditional_escape(value)}"' for name, value in names)
    return mark_safe(f"<{tag}{listed}>{join(children)}</{tag}>")  # noqa: S308 - all parts escaped


def join(parts: Iterable[Any]) -> SafeString:
    """Parts in a row, each escaped unless it is markup of ours."""
    return mark_safe("".join(conditional_escape(part) for part in parts))  # noqa: S308 - all parts escaped


def pct(share: float) -> str:
    """A percent coordinate; never outside 0 to 100."""
    return f"{min(100.0, max(0.0, share)):.2f}".rstrip("0").rstrip(".") + "%"


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to percent of the width. On a logarithmic scale `low` is above 0."""

    low: float
    high: float
    log: bool = False

    def share(self, value: float) -> float:
        """0 to 100 inside the scale; may lie outside it."""
        if self.log:
            value = max(value, self.low * 1e-9)
            return 100 * math.log(value / self.low) / math.log(self.high / self.low)
        return 100 * (value - self.low) / (self.high - self.low)

    def at(self, value: float) -> str:
        """The percent coordinate of a value, held at the edge when it lies outside."""
        return pct(self.share(value))

    def holds(self, value: float) -> bool:
        """Whether the value lies on the scale."""
        return abs(self.share(value) - 50) <= 50 + 1e-9


def step_for(span: float, parts: int = 5) -> float:
    """The round step (1, 2, 2.5 or 5 times a power of ten) that cuts `span` into about `parts`."""
    raw = span / parts
    power = 10 ** math.floor(math.log10(raw))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw * 0.999)


def scale_around(
    values: Sequence[float], *, floor: float = -math.inf, ceiling: float = math.inf
) -> tuple[Scale, list[float]]:
    """A linear scale with round ends around the values, inside the bounds, and its ticks."""
    low, high = min(values), max(values)
    margin = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
    low, high = max(floor, low - margin), min(ceiling, high + margin)
    step = step_for(high - low)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = [step * n for n in range(first, last + 1)]
    return Scale(ticks[0], ticks[-1]), ticks


def readable(labels: Sequence[str]) -> list[str]:
    """Tick labels at even distances, blanked where they would touch on a phone; the last one stays."""
    room = NARROWEST / max(1, len(labels) - 1)
    needed = [LETTER * len(label) + LABEL_GAP for label in labels]
    step = 2 if max(needed[:-1], default=0.0) > room else 1
    last = len(labels) - 1
    kept = {at for at in range(last + 1) if (last - at) % step == 0}
    if last > 1 and needed[last] + needed[last - step] / 2 > room * step:
        kept.discard(last - step)
    return [label if at in kept else "" for at, label in enumerate(labels)]


def line(x1: str, x2: str, y1: float, y2: float, kind: str) -> SafeString:
    """A line between two percent coordinates."""
    return el("line", class_=kind, x1=x1, x2=x2, y1=f"{y1:g}", y2=f"{y2:g}")


def text(x: str, y: float, words: Any, kind: str = "") -> SafeString:
    """A label; `kind` sets role and anchor (b, c, m, w; mid, end)."""
    return el("text", words, class_=kind or None, x=x, y=f"{y:g}")


def lean(share: float, edge: float = 6) -> str:
    """Which side of its point a label hangs on: inwards when it is nearer to an edge than `edge` percent."""
    return "" if share < edge else "end" if share > 100 - edge else "mid"


def picture(title: Any, *parts: Any, height: float, kind: str | None = None) -> SafeString:
    """A chart as wide as its place, named by a sentence that says what it shows."""
    named = el("title", title)
    return el("svg", named, *parts, class_=kind, width="100%", height=f"{height:g}", role="img")


def numbers_table(summary: Any, head: Sequence[Any], rows: Iterable[Sequence[Any]]) -> SafeString:
    """The numbers behind a chart, folded. The first cell of a row names it; a corner may be empty."""
    heads = join(
        el("th", cell, scope="col", class_="n" if i else None) if cell else el("td", "")
        for i, cell in enumerate(head)
    )
    lines = join(
        el("tr", el("th", row[0], scope="row"), *(el("td", cell, class_="n") for cell in row[1:]))
        for row in rows
    )
    return format_html(
        '<details class="more"><summary>{}</summary><div class="scroll reveal" tabindex="0" role="group"'
        ' aria-label="{}"><table class="tbl"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
        "</details>",
        summary, summary, heads, lines,
    )  # fmt: skip


def figure(drawing: SafeString, table: SafeString) -> SafeString:
    """A chart above its table."""
    return format_html('<div class="chart">{}</div>{}', drawing, table)
