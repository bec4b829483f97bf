"""Small marks: shape first, colour second, words always. Their words are in `exchange.web.words`."""

from django.utils.safestring import SafeString

from exchange.web.words import VERDICTS, word

from .svg import el

GLYPHS = {
    "confirmed": "M2 7.5l3.2 3.2L12 3.5",
    "consistent": "M2 5q2.5-3 5 0t5 0M2 10q2.5-3 5 0t5 0",
    "understated": "M7 12V2.5M3 6.5l4-4 4 4",
    "refuted": "M3 3l8 8M11 3l-8 8",
    "inconclusive": "M7 8.5V7.5q2.8-1 2.8-3T7 2.3 4.2 4.2M7 11v1.5",
    "failed": "M2 7h10",
}
TONES = {
    "confirmed": "ok",
    "consistent": "up",
    "understated": "up",
    "refuted": "no",
    "inconclusive": "op",
    "failed": "na",
}


def verdict_word(verdict: str) -> str:
    """The verdict for people; `failed` is a verification without a measurement."""
    return word(VERDICTS, verdict)


def verdict_tone(verdict: str) -> str:
    """The class that colours a verdict."""
    return TONES.get(verdict, "na")


def verdict_icon(verdict: str) -> SafeString:
    """The glyph of a verdict."""
    path = el("path", d=GLYPHS.get(verdict, GLYPHS["failed"]))
    return el("svg", path, viewBox="0 0 14 14", width="14", height="14", aria_hidden="true")


def level_icon(level: str) -> SafeString:
    """Dotted ring, half disc, disc with a tick, disc with a tick in a ring."""
    return el(
        "svg",
        *level_shapes(level),
        viewBox="0 0 16 16",
        width="16",
        height="16",
        class_="lv",
        aria_hidden="true",
    )


def level_shapes(level: str) -> list[SafeString]:
    """The shapes of a level."""
    if level == "community_verified":
        half = el("path", class_="f", d="M8 2.5a5.5 5.5 0 0 1 0 11z")
        return [el("circle", cx="8", cy="8", r="5.5"), half]
    if level == "platform_verified":
        return [
            el("circle", class_="f", cx="8", cy="8", r="5.7"),
            el("path", class_="k", d="M5.2 8.2l2 2 3.6-4"),
        ]
    if level == "audited":
        ring, disc = el("circle", cx="8", cy="8", r="7.4"), el("circle", class_="f", cx="8", cy="8", r="5")
        return [ring, disc, el("path", class_="k", d="M5.6 8.1l1.7 1.7 3-3.4")]
    return [el("circle", class_="lv-0", cx="8", cy="8", r="5.5")]
