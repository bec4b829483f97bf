"""numeric_v1: one number, compared exactly: |x − r| ≤ max(abs_tolerance, rel_tolerance·|r|).

Read in this order: an announced answer (the last one, final ones and `\\boxed{}` first), else the only number
of the text. Expressions such as 1/2 are not calculated. `1,234`, `1 234` and `１２３４` are whole numbers.
"""

import re
from collections.abc import Mapping
from decimal import Context, Decimal
from typing import Any

from llm_benchmark.measure.plans import Question

from .numerals import Numeral, numeral_at, numerals, the_one
from .reading import Marked, after_connectors, fold, marked, plain
from .result import Problem, Scored, Unreadable, flag_problems, non_negative

_TOLERANCES = ("abs_tolerance", "rel_tolerance")
_FLAGS = {"percent_is_fraction"}
_EXACT = Context(prec=700, Emax=10**9, Emin=-(10**9), traps=[])
_HUNDRED = Decimal(100)
_NON_FINITE = re.compile(r"[-+]?(?:nan|inf|infinity|\\infty|∞)(?![A-Za-z])", re.IGNORECASE)
_OTHER = re.compile(
    r"[ ,]{0,3}(?:or|and|to|或者|或|和|到|至)\s{0,3}[-$]?[0-9]|,\s{1,3}[-$]?[0-9]", re.IGNORECASE
)


class Numeric:
    """Options: `abs_tolerance` and `rel_tolerance` (0), `percent_is_fraction` (false: 5 % reads as 5)."""

    def score(self, question: Question, text: str | None) -> Scored:
        try:
            reference = _reference(question)
            tolerance = _tolerance(question.scorer_config, reference)
            given = _value(read_number(text or ""), question.scorer_config)
        except Unreadable as unreadable:
            return Scored(0.0, error=unreadable.code)
        near = abs(_EXACT.subtract(given, reference)) <= tolerance
        return Scored(float(near), str(given))

    def problems(self, question: Question) -> list[Problem]:
        found = flag_problems(question.scorer_config, _FLAGS, set(_TOLERANCES))
        found += [
            Problem(f"scorer_config.{name}", "invalid_tolerance", "A tolerance is a number from 0.")
            for name in _TOLERANCES
            if non_negative(question.scorer_config.get(name, 0)) is None
        ]
        try:
            _reference(question)
        except Unreadable:
            found.append(Problem("reference", "invalid_reference_answer", "The reference is not one number."))
        return found


def _reference(question: Question) -> Decimal:
    text = plain(fold(question.reference))
    numeral = numeral_at(text)
    if numeral is None or numeral.value is None or text[numeral.end :].strip(" %)"):
        raise Unreadable("invalid_reference_answer")
    return _value(numeral, question.scorer_config)


def _tolerance(config: Mapping[str, Any], reference: Decimal) -> Decimal:
    absolute, relative = (non_negative(config.get(name, 0)) for name in _TOLERANCES)
    if absolute is None or relative is None:
        raise Unreadable("invalid_tolerance")
    return max(absolute, _EXACT.multiply(relative, abs(reference)))


def _value(numeral: Numeral, config: Mapping[str, Any]) -> Decimal:
    if numeral.value is None:
        raise Unreadable("numeric_not_found")
    if numeral.percent and config.get("percent_is_fraction", False):
        return _EXACT.divide(numeral.value, _HUNDRED)
    return numeral.value


def read_number(text: str) -> Numeral:
    """The number given as the answer, or Unreadable."""
    text = _without_spacing_commands(fold(text))
    if not text:
        raise Unreadable("empty_response")
    announced = _announced(text)
    if announced:
        return announced
    text = plain(text)
    if _NON_FINITE.fullmatch(text.rstrip(".")):
        raise Unreadable("non_finite_number")
    return the_one(numerals(text))


def _without_spacing_commands(text: str) -> str:
    return text.replace("{,}", ",").replace("\\,", "").replace("\\!", "").replace("\\%", "%")


def _announced(text: str) -> Numeral | None:
    unread = -1
    for place in marked(text):
        numeral = _in_box(place) if _is_box(text, place) else _in_segment(plain(place.segment))
        if numeral and place.position > unread:
            return numeral
        if place.final and not numeral:
            unread = max(unread, place.position)
    if unread >= 0:
        raise Unreadable("numeric_not_found")
    return None


def _is_box(text: str, place: Marked) -> bool:
    return text.startswith("\\boxed", place.position)


def _in_box(place: Marked) -> Numeral:
    content = plain(place.segment)
    if _NON_FINITE.match(content):
        raise Unreadable("non_finite_number")
    try:
        return the_one(numerals(content.rpartition("=")[2]))
    except Unreadable as unreadable:
        if unreadable.code == "invalid_numeric_expression":
            raise
        raise Unreadable("invalid_boxed_numeric") from None


def _in_segment(segment: str) -> Numeral | None:
    """The number an announcement gives; None when it gives none at all."""
    opening = after_connectors(segment)
    if _NON_FINITE.match(opening):
        raise Unreadable("non_finite_number")
    numeral = numeral_at(opening)
    if numeral and numeral.error is None:
        if _OTHER.match(opening, numeral.end):
            raise Unreadable("ambiguous_numeric")
        return numeral
    rest = opening.rpartition("=")[2]
    if next(numerals(rest), None) is None:
        return None
    return the_one(numerals(rest))
