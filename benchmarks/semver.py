"""Version numbers: https://semver.org 2.0.0 without build metadata, at most 64 characters."""

import re
from typing import Any

LONGEST = 64
_NUMBER = r"(?:0|[1-9][0-9]*)"
_PART = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_FORM = re.compile(rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-({_PART}(?:\.{_PART})*))?")


def is_semver(text: str) -> bool:
    return len(text) <= LONGEST and _FORM.fullmatch(text) is not None


def precedence(text: str) -> tuple[Any, ...]:
    """A key that sorts by semver's rule 11: a pre-release comes before its release."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise ValueError(text)
    *numbers, pre = match.groups()
    parts = tuple(_part(part) for part in pre.split(".")) if pre else ()
    return (*(int(number) for number in numbers), pre is None, parts)


def major(text: str) -> int:
    return int(text.partition(".")[0])


def are_compatible(earlier: str, later: str) -> bool:
    """The same major number; below 1.0.0 nothing is promised."""
    return major(earlier) == major(later) > 0


def is_breaking(earlier: str, later: str) -> bool:
    return major(later) > major(earlier)


def _part(part: str) -> tuple[bool, int, str]:
    """Numbers come before words."""
    return (False, int(part), "") if part.isdigit() else (True, 0, part)
