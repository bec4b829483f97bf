"""Where in a free text the answer stands: folding, final-answer markers, boxed content.

Every loop here is bounded or linear: a provider's text is hostile input.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MARKERS_READ = 100
SEGMENT_LENGTH = 300
WORDS_SKIPPED = 8

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SPACES = dict.fromkeys((0x00A0, 0x2007, 0x2009, 0x200A, 0x202F, 0x3000), " ")
_SIGNS = {0x2212: "-", 0x2010: "-", 0x2011: "-", 0x2012: "-", 0xFE63: "-", 0x3010: "[", 0x3011: "]"}
_NOTHING = dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF))
_FOLDING = _FULL_WIDTH | _SPACES | _SIGNS | _NOTHING

_MARKER = re.compile(
    r"(?P<final>final[ ]answer|最终答案|最后答案|####)"
    r"|(?P<plain>\b(?:correct|right|best)[ ](?:option|choice)|\banswer|\bi[ ](?:choose|pick|select)"
    r"|正确答案|答案|故选|应选|选择|选(?!项))",
    re.IGNORECASE,
)
_SKIPPED_WORD = re.compile(
    r"(?:is|was|are|be|would|should|must|will|the|option|choice|letter|number|value|approximately|about"
    r"|roughly|around|equals?|to|therefore|thus|clearly|definitely|probably|most|likely|simply|just|now|here"
    r"|text|mathrm|mathbf|textbf)(?![A-Za-z])|选项|应该|选择|大约|等于|[是为应选约]",
    re.IGNORECASE,
)
_SKIPPED_SIGNS = " \t\n:=*_`\"'“”‘’「」[(\\$~≈{>#-–—"


@dataclass(frozen=True, slots=True)
class Marked:
    """A place where the text announces its answer. `segment` is the rest of that line (or the next one)."""

    position: int
    final: bool
    segment: str


def fold(text: str) -> str:
    """One line ending, ASCII for full-width forms, one kind of space and minus, no invisible characters.

    A reasoning model's thoughts, closed by `</think>`, are not its answer.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_FOLDING)
    return text.rpartition("</think>")[2].strip()


def plain(text: str) -> str:
    """Without the signs of Markdown emphasis and inline mathematics."""
    return text.replace("**", "").replace("__", "").replace("`", "").replace("$", "").strip()


def marked(text: str) -> Iterator[Marked]:
    """Markers and boxes, the last first, final ones before others; at most MARKERS_READ of each."""
    found = list(_MARKER.finditer(text))
    boxes = [Marked(start, final=True, segment=content) for start, content in _boxes(text)]
    places = [_place(text, match) for match in found[-MARKERS_READ:]]
    ordered = sorted((place for place in [*boxes, *places] if place), key=lambda p: p.position, reverse=True)
    yield from (place for place in ordered if place.final)
    yield from (place for place in ordered if not place.final)


def _place(text: str, match: re.Match[str]) -> Marked | None:
    end = match.end()
    if match.group(0)[-1].isascii() and text[end : end + 1].isalpha() and text[end : end + 1].isascii():
        return None
    final = match.group("final") is not None
    return Marked(match.start(), final=final, segment=_first_line(text[end : end + SEGMENT_LENGTH]))


def _first_line(segment: str) -> str:
    """Up to the end of the first line that says anything."""
    start = next((i for i, sign in enumerate(segment) if sign not in _SKIPPED_SIGNS + "."), len(segment))
    end = segment.find("\n", start)
    return segment if end < 0 else segment[:end]


def _boxes(text: str) -> list[tuple[int, str]]:
    """Contents of the last `\\boxed{…}`, braces balanced; an unclosed box has the content `{`."""
    pieces: list[tuple[int, str]] = []
    end = len(text)
    while len(pieces) < MARKERS_READ and (start := text.rfind("\\boxed", 0, end)) >= 0:
        pieces.append((start, _braced(text[start + 6 : start + 6 + SEGMENT_LENGTH].lstrip())))
        end = start
    return pieces


def _braced(text: str) -> str:
    depth = 0
    for index, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return text[1:index]
    return "{"


def after_connectors(segment: str) -> str:
    """The segment from its first word that could be an answer: `: **(B)**` gives `B)**`."""
    position, words = 0, 0
    while position < len(segment) and words <= WORDS_SKIPPED:
        if segment[position] in _SKIPPED_SIGNS and not _is_sign_of_number(segment, position):
            position += 1
            continue
        word = _SKIPPED_WORD.match(segment, position)
        if word is None:
            break
        position, words = word.end(), words + 1
    return segment[position:]


def _is_sign_of_number(segment: str, position: int) -> bool:
    return segment[position] == "-" and segment[position + 1 : position + 2].isdigit()
