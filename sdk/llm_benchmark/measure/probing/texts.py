"""What an endpoint says when it refuses, short and without what identifies anybody."""

import re
from collections.abc import Sequence
from typing import Any

import orjson

LONGEST = 512
_NAMES_OF_MESSAGES = ("detail", "message", "error")
"""Where a message stands; the last one is looked at first."""
_HIDDEN: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"\bBearer\s+\S+", re.IGNORECASE), "Bearer <redacted>"),
    (re.compile(r"\b((sk|pk|gsk|nvapi|xai)[-_]|(hf|gh[ps])_)[\w-]{8,}"), "<redacted>"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE), "<uuid>"),
    (
        re.compile(
            r"\b(account|acct|org|organization|project|tenant)[-_:/ ]+['\"]?[\w-]*\d[\w-]{5,}", re.IGNORECASE
        ),
        "<account_id>",
    ),
)


def error_text(body: bytes) -> str:
    """The message of an error body, or the body as text; whole, to be matched and not to be stored."""
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError:
        return body.decode("utf-8", "replace")
    return _message(data) or body.decode("utf-8", "replace")


def excerpt(text: str) -> str:
    """One printable line of at most 512 characters; keys, UUIDs and account ids are blotted out."""
    line = " ".join(
        "".join(letter if letter.isprintable() else " " for letter in text[: 4 * LONGEST]).split()
    )
    for pattern, instead in _HIDDEN:
        line = pattern.sub(instead, line)
    return line[:LONGEST]


def _message(data: Any) -> str | None:
    """OpenAI's `error.message`, and the shorter forms of others."""
    waiting = [data]
    while waiting:
        told = waiting.pop()
        if isinstance(told, str) and told:
            return told
        if isinstance(told, dict):
            waiting += [told.get(name) for name in _NAMES_OF_MESSAGES]
    return None
