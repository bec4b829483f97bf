"""What a scorer gives back."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

from llm_benchmark.measure.plans import Question


@dataclass(frozen=True, slots=True)
class Scored:
    """`value` is 0 to 1; `parsed` what was read as the answer; `error` a code saying why nothing could be."""

    value: float
    parsed: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a question cannot be published. `field` is a path such as `scorer_config.abs_tolerance`."""

    field: str
    code: str
    message: str


class Scorer(Protocol):
    def score(self, question: Question, text: str | None) -> Scored:
        """The same text always gets the same score, in time linear in its length."""

    def problems(self, question: Question) -> list[Problem]:
        """What stands in the way of scoring any answer to this question."""


class Unreadable(Exception):
    """No answer could be read; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def flag_problems(
    config: Mapping[str, Any], flags: Set[str], others: Set[str] = frozenset()
) -> list[Problem]:
    """Unknown options, and flags that are not true or false."""
    unknown = [name for name in config if name not in flags | others]
    not_boolean = [name for name in flags & config.keys() if not isinstance(config[name], bool)]
    return [
        *(
            Problem(f"scorer_config.{n}", "unknown_option", "This scorer has no such option.")
            for n in unknown
        ),
        *(Problem(f"scorer_config.{n}", "not_boolean", "This option is true or false.") for n in not_boolean),
    ]


def non_negative(value: Any) -> Decimal | None:
    """A tolerance as an exact number, or None when it is not one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() and number >= 0 else None
