"""How a claim becomes a rank, in four small pictures on one scale."""

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from .caliper import caliper_marks, diamond
from .svg import Scale, el, line, picture, text

HEIGHT = 64
SCALE = Scale(0.80, 0.92)
MEASURED = {"value": 0.861, "low": 0.8382, "high": 0.8811, "sample_count": 1000}


def step_picture(name: str) -> SafeString:
    """`claim`, `measure`, `rule` or `rank`."""
    return {"claim": claim, "measure": measure, "rule": rule, "rank": rank}[name]()


def floor() -> SafeString:
    """The line that all four stand on."""
    return line("0%", "100%", 56, 56, "axis")


def claim() -> SafeString:
    """One number, without an interval."""
    mark = el("g", diamond(SCALE.at(0.86), 32, 9), class_="cal c")
    label = text(SCALE.at(0.86), 14, "86.0\u00a0%", "c mid")
    return picture(_("A claim: one number, drawn as a hollow diamond."), floor(), mark, label, height=HEIGHT)


def measure() -> SafeString:
    """A point with its interval."""
    mark = el("g", caliper_marks(SCALE, MEASURED, 34, size=12), class_="cal")
    label = text(SCALE.at(0.861), 14, "86.1\u00a0%", "m mid")
    return picture(_("Our measurement: a point with its interval."), floor(), mark, label, height=HEIGHT)


def rule() -> SafeString:
    """The difference on the tolerance."""
    band = el("rect", class_="tol", fill="url(#hatch)", x="22%", width="56%", y="12", height="44")
    edges = [
        line(x, x, 12, 56, kind) for x, kind in (("22%", "toledge"), ("78%", "toledge"), ("50%", "zero"))
    ]
    reading = {"value": 0.514, "low": 0.35, "high": 0.68}
    mark = el("g", caliper_marks(Scale(0, 1), reading, 34, size=12), class_="cal")
    title = _("The difference lies inside the tolerance band: confirmed.")
    return picture(title, band, *edges, floor(), mark, height=HEIGHT)


def rank() -> SafeString:
    """Two rows that cannot be told apart share a bracket."""
    rows = ((0.44, 0.62, 0.80, 12), (0.38, 0.57, 0.76, 30), (0.20, 0.27, 0.34, 50))
    marks = [
        el("g", caliper_marks(Scale(0, 1), {"value": mid, "low": low, "high": high}, y, size=6), class_="cal")
        for low, mid, high, y in rows
    ]
    bracket = el("path", class_="bracket", d="M12 6H4V36H12")
    labels = [text("18", 25, "1–2", "b"), text("18", 55, "3", "b")]
    title = _("Two overlapping rows share a bracket, the third stands apart.")
    return picture(title, *marks, bracket, *labels, height=HEIGHT)
