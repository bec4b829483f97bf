"""multiple_choice_v1: the letter of one choice.

Read in this order: an announced answer (`Answer: B`, `\\boxed{B}`, 答案是B; the last one, final ones first),
a text that is nothing but a choice, lines that are nothing but a choice. Two different letters where one is
asked for are an error, and an English article is not a choice: "the answer is a dog" chooses nothing.
"""

import re
from collections.abc import Mapping
from string import ascii_uppercase

from llm_benchmark.measure.plans import Question

from .reading import after_connectors, fold, marked, plain
from .result import Problem, Scored, Unreadable, flag_problems

FEWEST_CHOICES = 2
LINES_READ = 2000
LONGEST_LINE = 300

_WRAPPED = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\{([^{}]{0,40})\}")
_LABEL = re.compile(r"[(\[]?([A-Za-z])(?![A-Za-z0-9'’_-])")
_ALTERNATIVE = re.compile(
    r"[)\].]?\s{0,3}(?:or|and|,|/|\||&|或者|或|和|、)\s{0,3}(?:option\s)?[(\[]?([A-Z])(?![A-Za-z0-9'’])"
)
_ENDS = re.compile(
    r"\s*$|\s*\n|\s?[)\]}>:,;!?\"”’。，、；：！？）」]|\s?\.(?![A-Za-z0-9])|\s?[*_]|\s[-–—(\[]"
)
_GOES_ON = re.compile(
    r"\s{1,3}(?:because|since|as|is|are|was|for|due|which|that|but|given|where|with|while|if|based|the)\b",
    re.IGNORECASE,
)
_ARTICLES = frozenset("AI")


class MultipleChoice:
    """`question.choices` maps letters A–Z to texts; the reference is one of the letters. No options."""

    def score(self, question: Question, text: str | None) -> Scored:
        try:
            choices = _choices(question)
            letter = read_choice(text or "", choices)
        except Unreadable as unreadable:
            return Scored(0.0, error=unreadable.code)
        return Scored(float(letter == question.reference.strip()), letter)

    def problems(self, question: Question) -> list[Problem]:
        found = flag_problems(question.scorer_config, set())
        try:
            _choices(question)
        except Unreadable as unreadable:
            field = "reference" if unreadable.code == "invalid_reference_answer" else "choices"
            found.append(Problem(field, unreadable.code, _MESSAGES[unreadable.code]))
        return found


_MESSAGES = {
    "invalid_choices_config": "Choices are two to 26 texts, each under one letter A to Z.",
    "invalid_reference_answer": "The reference answer is not one of the choices' letters.",
}


def _choices(question: Question) -> Mapping[str, str]:
    choices = question.choices or {}
    lettered = all(len(key) == 1 and key in ascii_uppercase for key in choices)
    if len(choices) < FEWEST_CHOICES or not lettered:
        raise Unreadable("invalid_choices_config")
    if question.reference.strip() not in choices:
        raise Unreadable("invalid_reference_answer")
    return choices


def read_choice(text: str, choices: Mapping[str, str]) -> str:
    """The chosen letter, or Unreadable."""
    text = fold(text)
    if not text:
        raise Unreadable("empty_response")
    letter = _announced(text, choices) or _alone(plain(_unwrapped(text)), choices) or _on_lines(text, choices)
    if letter is None:
        raise Unreadable("choice_not_found")
    if letter not in choices:
        raise Unreadable("invalid_choice")
    return letter


def _announced(text: str, choices: Mapping[str, str]) -> str | None:
    unread = -1
    for place in marked(text):
        segment = after_connectors(plain(_unwrapped(place.segment)))
        letter = _letter_at_start(segment, choices)
        if letter and place.position > unread:
            return letter
        if place.final and not letter:
            unread = max(unread, place.position)
    if unread >= 0:
        raise Unreadable("choice_not_found")
    return None


def _letter_at_start(segment: str, choices: Mapping[str, str]) -> str | None:
    """The choice that the segment opens with; Unreadable when it opens with several."""
    label = _LABEL.match(segment)
    if label is None:
        return None
    letter, rest = label.group(1).upper(), segment[label.end() :]
    other = _ALTERNATIVE.match(rest)
    if other and other.group(1) != letter:
        raise Unreadable("ambiguous_choice")
    return letter if _is_label(label.group(1), rest, choices) else None


def _is_label(written: str, rest: str, choices: Mapping[str, str]) -> bool:
    """Whether a letter stands for a choice rather than for a word, judged by what follows it."""
    own = choices.get(written.upper(), "").casefold()
    if own and rest.lstrip(" .):]").casefold().startswith(own):
        return True
    following = rest[:1]
    if _ENDS.match(rest) or _GOES_ON.match(rest) or (following and not following.isascii()):
        return True
    return written.isupper() and written not in _ARTICLES and following.isspace()


def _alone(text: str, choices: Mapping[str, str]) -> str | None:
    """`B`, `(B)`, `B. Paris` as the whole of one line."""
    if "\n" in text or len(text) > LONGEST_LINE:
        return None
    text = re.sub(r"^(?:option|choice|选项)\s{0,3}", "", text, flags=re.IGNORECASE)
    return _letter_at_start(text, choices) if _opens_with_label(text, choices) else None


def _opens_with_label(line: str, choices: Mapping[str, str]) -> bool:
    """Stricter than after a marker: the letter stands alone, or before a sign or its own text."""
    label = _LABEL.match(line)
    if label is None:
        return False
    rest = line[label.end() :]
    own = choices.get(label.group(1).upper(), "").casefold()
    bare = not rest.strip(" .)]:。,")
    listed = rest[:1] in {")", "]", ".", ":", ","} and not re.match(r"\.[A-Za-z]\.", rest)
    repeated = bool(own) and rest.strip(" .)]:-").casefold().startswith(own)
    return bare or listed or repeated or bool(_ALTERNATIVE.match(rest))


def _on_lines(text: str, choices: Mapping[str, str]) -> str | None:
    lines = (plain(_unwrapped(line)) for line in text.split("\n")[-LINES_READ:] if len(line) <= LONGEST_LINE)
    letters = {letter for line in lines if (letter := _alone(line, choices))}
    if len(letters) > 1:
        raise Unreadable("ambiguous_choice")
    return letters.pop() if letters else None


def _unwrapped(text: str) -> str:
    return _WRAPPED.sub(r"\1", text)
