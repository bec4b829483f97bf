"""A sweep: throughput and waiting over the number of requests at a time, with the knee between them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exchange.core.quantities import plain, quantity, shown_unit, tick_decimals

from .svg import Scale, el, figure, lean, line, numbers_table, picture, scale_around, text

Level = Mapping[str, Any]
LEFT, RIGHT = 9.0, 96.0  # percent of the width
PANEL, HEAD, APART = 96.0, 38.0, 56.0  # pixels
RATES = (("output_tokens_per_second", "tokens/s"), ("requests_per_second", "requests/s"))
TIMES = ("request_latency_p50", "ms")
MOST_TICKS = 5
WIDE = 1000.0  # of the nested drawing that lines are in


def sweep_curve(sweep: Mapping[str, Any]) -> SafeString:
    """The two curves over one axis, with their table; empty where nothing was measured.

    Args:
        sweep: as `llm_benchmark.measure.performance.sweep.findings` gives it.
    """
    levels = sweep["levels"]
    rate = next((each for each in RATES if any(level[each[0]] is not None for level in levels)), None)
    if rate is None:
        return SafeString("")
    across = _across(levels)
    second = HEAD + PANEL + APART
    height = second + PANEL + 62
    parts = [
        *_panel(levels, across, *rate, top=HEAD, head=_("Throughput")),
        *_panel(levels, across, *TIMES, top=second, head=_("Time a request takes, median")),
        *_knee(sweep, across, second + PANEL),
        *_axis(levels, across, second + PANEL),
    ]
    drawing = picture(sweep_sentence(sweep), *parts, height=height, kind="sweep")
    return figure(drawing, _table(sweep))


def sweep_sentence(sweep: Mapping[str, Any]) -> str:
    """What a sweep found, in words."""
    levels = {level["concurrency"]: level for level in sweep["levels"]}
    if sweep["knee"] is None:
        return _("No level of the sweep was answered.")
    knee, peak = levels[sweep["knee"]], levels.get(sweep["peak"])
    words = {
        "knee": sweep["knee"],
        "latency": quantity(knee["request_latency_p50"], "ms"),
        "peak": sweep["peak"],
        "rate": quantity(peak["output_tokens_per_second"], "tokens/s") if peak else "",
    }
    said = _("The knee is at %(knee)s requests at a time, where a request takes %(latency)s.") % words
    if peak is None:
        return said
    return f"{said} " + _("The most that came out is %(rate)s, at %(peak)s.") % words


def _across(levels: Sequence[Level]) -> Callable[[int], float]:
    """Concurrency → percent of the width, on a logarithmic scale."""
    low, high = levels[0]["concurrency"], levels[-1]["concurrency"]
    scale = Scale(low, high, log=True) if high > low else None

    def place(concurrency: int) -> float:
        share = scale.share(concurrency) if scale else 50.0
        return LEFT + (RIGHT - LEFT) * share / 100

    return place


def _panel(
    levels: Sequence[Level], across: Callable[[int], float], name: str, unit: str, *, top: float, head: str
) -> list[SafeString]:
    known = [level for level in levels if level[name] is not None]
    title = text("0%", top - 24, f"{head}, {shown_unit(unit)}", "b")
    if not known:
        return [title, text("0%", top + PANEL / 2, _("not measured"))]
    scale, ticks = scale_around([0.0, *(level[name] for level in known)], floor=0.0)
    points = [(across(level["concurrency"]), _down(scale, level[name], top), level) for level in known]
    return [title, *_grid(scale, ticks, top), _thread(points, top), *_dots(points, name, unit)]


def _down(scale: Scale, value: float, top: float) -> float:
    return round(top + PANEL * (1 - scale.share(value) / 100), 2)


def _grid(scale: Scale, ticks: Sequence[float], top: float) -> list[SafeString]:
    decimals = tick_decimals(ticks[1] - ticks[0])
    parts = []
    for tick in ticks[:: 1 if len(ticks) <= MOST_TICKS else 2]:
        y = _down(scale, tick, top)
        parts += [line("0%", "100%", y, y, "grid"), text("0%", y - 4, plain(tick, decimals))]
    return parts


def _thread(points: Sequence[tuple[float, float, Level]], top: float) -> SafeString:
    """The curve. Its numbers are those of a drawing as wide as the picture, which may be stretched."""
    listed = " ".join(f"{x * WIDE / 100:.1f},{y - top:.1f}" for x, y, _level in points)
    curve = el("polyline", class_="curve", points=listed, vector_effect="non-scaling-stroke")
    return el(
        "svg", curve, x="0", y=f"{top:g}", width="100%", height=f"{PANEL:g}",
        viewBox=f"0 0 {WIDE:g} {PANEL:g}", preserveAspectRatio="none",
    )  # fmt: skip


def _dots(points: Sequence[tuple[float, float, Level]], name: str, unit: str) -> list[SafeString]:
    """A dot for each level; one with failed requests is hollow."""
    return [
        el(
            "circle",
            el("title", f"{level['concurrency']}: {quantity(level[name], unit)}"),
            class_="hollow" if level["errors"] else "level", cx=f"{x:.2f}%", cy=f"{y:g}", r="4.5",
        )
        for x, y, level in points
    ]  # fmt: skip


def _knee(sweep: Mapping[str, Any], across: Callable[[int], float], bottom: float) -> list[SafeString]:
    if sweep["knee"] is None:
        return []
    x = across(sweep["knee"])
    return [
        line(f"{x:.2f}%", f"{x:.2f}%", HEAD, bottom, "toledge"),
        text(f"{x:.2f}%", bottom + 36, _("knee"), f"w {lean(x)}".strip()),
    ]


def _axis(levels: Sequence[Level], across: Callable[[int], float], bottom: float) -> list[SafeString]:
    parts = [line("0%", "100%", bottom, bottom, "axis")]
    for level in levels:
        x = f"{across(level['concurrency']):.2f}%"
        parts += [
            line(x, x, bottom, bottom + 5, "axis"),
            text(x, bottom + 19, str(level["concurrency"]), "mid"),
        ]
    return [*parts, text("100%", bottom + 54, _("requests at a time"), "end")]


def _table(sweep: Mapping[str, Any]) -> SafeString:
    head = [
        *(_("At a time"), _("Output"), _("Requests"), _("First token, median"), _("Latency, median")),
        *(_("Failed"), _("Good")),
    ]
    return numbers_table(_("The numbers"), head, [_row(level) for level in sweep["levels"]])


def _row(level: Level) -> tuple[Any, ...]:
    marks = {_("knee"): level["is_knee"], _("peak"): level["is_peak"]}
    named = ", ".join(name for name, is_set in marks.items() if is_set)
    good, of = level.get("good_requests"), {"of": level["requests"]}
    return (
        f"{level['concurrency']} ({named})" if named else level["concurrency"],
        quantity(level["output_tokens_per_second"], "tokens/s"),
        quantity(level["requests_per_second"], "requests/s"),
        quantity(level["ttft_p50"], "ms"),
        quantity(level["request_latency_p50"], "ms"),
        _("%(failed)s of %(of)s") % {"failed": level["errors"], **of},
        "–" if good is None else _("%(good)s of %(of)s") % {"good": good, **of},
    )
