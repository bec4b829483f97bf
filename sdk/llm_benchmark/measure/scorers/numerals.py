"""Numbers as people and models write them, found in one pass over a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from .result import Unreadable

LONGEST_NUMBER = 256
LARGEST_EXPONENT = 100_000
EXPONENT_DIGITS = 7

_START = re.compile(r"\.?[0-9]")
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,3}(?:[ '’][0-9]{3})+(?![0-9])")
_PLAIN = re.compile(r"[0-9]+")
_BEYOND = re.compile(r"[^0-9.,:'’]|$")
_PERCENT = re.compile(r"\s{0,2}(?:%|percent\b|per cent\b)")
_FRACTION = re.compile(r"\.[0-9]+")
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]+)(?![A-Za-z])")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_OPERATOR = re.compile(
    r"\s{0,3}(?:[*×·÷+/^]|\\(?:times|cdot|div|frac|sqrt)|[-–]|[x]\s{0,3}(?=[0-9]))\s{0,3}[-+(\\{√]?\s{0,3}[0-9\\√]"
    r"|\s{0,3}[²³¹⁰⁴-⁹⁄½¼¾]|\s{0,3}\^"
)
_OPENERS = ("√", "\\frac{", "\\frac", "\\sqrt{", "\\dfrac{", "/", "^", "^{", "*", "×", "÷")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text. `error` says why it is not a plain one."""

    start: int
    end: int
    value: Decimal | None = None
    percent: bool = False
    error: str | None = None


def numerals(text: str) -> Iterator[Numeral]:
    """Each number that stands for itself: not `GPT-4`, not `2nd`."""
    position = 0
    while (match := _START.search(text, position)) is not None:
        numeral = _read(text, match.start())
        position = max(numeral.end, match.start() + 1)
        if not _is_part_of_a_word(text, match.start()) and not _ORDINAL.match(text, numeral.end):
            yield numeral


def numeral_at(text: str) -> Numeral | None:
    """The number the text opens with, its sign and a currency sign before it allowed."""
    lead = re.match(r"[ ($€£¥]{0,4}[-+]?[ ]?[$€£¥]?", text)
    start = lead.end() if lead else 0
    following = text[start : start + 2]
    if following[:1].isdigit() or (following[:1] == "." and following[1:].isdigit()):
        return _read(text, start)
    return None


def _read(text: str, start: int) -> Numeral:
    whole = _GROUPED.match(text, start) or _PLAIN.match(text, start)
    end = whole.end() if whole else start
    fraction = _FRACTION.match(text, end)
    end = fraction.end() if fraction else end
    exponent = _EXPONENT.match(text, end)
    end = exponent.end() if exponent else end
    error = _fault(text, start, end, exponent)
    if error:
        beyond = _BEYOND.search(text, end)
        return Numeral(start, beyond.start() if beyond else len(text), error=error)
    digits = re.sub(r"[,'’ ]", "", text[start:end])
    sign = "-" if _is_negative(text, start) else ""
    return Numeral(start, end, Decimal(sign + digits), _PERCENT.match(text, end) is not None)


def _fault(text: str, start: int, end: int, exponent: re.Match[str] | None) -> str | None:
    if end - start > LONGEST_NUMBER:
        return "invalid_numeric"
    if exponent and (
        len(exponent.group(1)) > EXPONENT_DIGITS or abs(int(exponent.group(1))) > LARGEST_EXPONENT
    ):
        return "invalid_numeric"
    if re.match(r"[.,:'’][0-9]", text[end : end + 2]):
        return "invalid_numeric"
    if _OPERATOR.match(text, end) or text[max(start - 7, 0) : start].rstrip().endswith(_OPENERS):
        return "invalid_numeric_expression"
    return None


def _is_negative(text: str, start: int) -> bool:
    before = text[max(start - 4, 0) : start].rstrip(" $€£¥")
    return before.endswith("-") and not (len(before) > 1 and before[-2].isalnum())


def _is_part_of_a_word(text: str, start: int) -> bool:
    before = text[max(start - 2, 0) : start]
    joined = before[-1:].isascii() and (before[-1:].isalpha() or before[-1:] == "_")
    return joined or (before[-1:] == "-" and before[:1].isascii() and before[:1].isalpha())


def the_one(found: Iterator[Numeral]) -> Numeral:
    """The only number there is, however often; Unreadable otherwise."""
    first: Numeral | None = None
    for numeral in found:
        if numeral.error:
            raise Unreadable(numeral.error)
        if first and numeral.value != first.value:
            raise Unreadable("ambiguous_numeric")
        first = first or numeral
    if first is None:
        raise Unreadable("numeric_not_found")
    return first
