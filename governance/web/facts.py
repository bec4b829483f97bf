"""What an action changes, in words: the API's names and values as people read them."""

from collections.abc import Callable, Iterable, Mapping

from django.utils.translation import gettext as _

from exchange.web.words import CATEGORIES, FACTS, LICENSES, STATUSES, word

from .countdown import duration

Change = Mapping[str, str | None]
HASH_LENGTH = 64


def worded(changes: Iterable[Change]) -> list[dict[str, str]]:
    """{name, before, after} for people; a value that there is not is ""."""
    return [
        {
            "name": _fact(change["name"] or ""),
            "before": _value(change["name"] or "", change["before"]),
            "after": _value(change["name"] or "", change["after"]),
        }
        for change in changes
    ]


def _fact(name: str) -> str:
    """`tolerances.ttft_p50` is the tolerance of one metric."""
    family, _dot, part = name.partition(".")
    return f"{word(FACTS, family)}: {part}" if part else word(FACTS, name)


def _value(name: str, value: str | None) -> str:
    return "" if value is None else _WORDED.get(name, str)(value)


def _yes_or_no(value: str) -> str:
    return {"true": _("yes"), "false": _("no")}.get(value.lower(), value)


def _decided(value: str) -> str:
    return {"author": _("its author"), "proposal": _("a proposal")}.get(value, value)


def _lasting(value: str) -> str:
    return duration(int(value)) if value.isdigit() else value


def _short(value: str) -> str:
    return f"{value[:8]}…{value[-4:]}" if len(value) == HASH_LENGTH else value


_WORDED: dict[str, Callable[[str], str]] = {
    "status": lambda value: word(STATUSES, value),
    "category": lambda value: word(CATEGORIES, value),
    "license": lambda value: word(LICENSES, value),
    "is_endorsed": _yes_or_no,
    "decided_by": _decided,
    "voting_seconds": _lasting,
    "timelock_seconds": _lasting,
    "expiry_seconds": _lasting,
    "content_hash": _short,
}
