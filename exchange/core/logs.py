"""One JSON line per log record, with the request id and without secrets."""

import json
import logging
import re
from datetime import UTC, datetime

from .requests import _current

_LOGIN = r"(://[^\s/:@]*:)[^\s/@]+(?=@)"
_NAMED = r"(?i:((?:api[_-]?key|secret|password|passwd|token|signature|authorization)[\"']?\s*[=:]\s*[\"']?))"
_SECRETS = re.compile(
    rf"(lbx_(?:pat|ses)_)\w+|(?i:(bearer\s+))[^\s\"']+|\b(sk-)[\w-]{{8,}}"
    rf"|{_NAMED}(?!bearer\b)[^\s\"'&,;}})]+|{_LOGIN}"
)
MOST_MESSAGE, MOST_EXCEPTION, MOST_VALUE = 4000, 16_000, 200


class WithoutPath(logging.Filter):
    """Django's lines about a request end with its path, which may hold a secret."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = record.getMessage().partition(":")[0], ()
        return True


class JsonLines(logging.Formatter):
    """One line of ASCII, whatever is in the record, and of bounded length.

    `extra={"fields": {…}}` of a log call adds fields of its own.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redact(_cut(record.getMessage(), MOST_MESSAGE)),
        }
        if _current.get():
            line["request_id"] = _current.get()
        if record.exc_info:
            line["exception"] = redact(_end_of(self.formatException(record.exc_info), MOST_EXCEPTION))
        return json.dumps({**line, **_fields(record)})


def _fields(record: logging.LogRecord) -> dict[str, object]:
    return {
        name: value if isinstance(value, int | float | None) else redact(_cut(str(value), MOST_VALUE))
        for name, value in getattr(record, "fields", {}).items()
    }


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _end_of(text: str, most: int) -> str:
    """Whole lines of it, where it has lines: what went wrong stands at the end of a traceback."""
    if len(text) <= most:
        return text
    kept = text[-most:]
    return f"…{kept.partition(chr(10))[2] or kept}"


def redact(text: str) -> str:
    """Token secrets, bearer credentials, passwords in URLs and values named `api_key=…` or alike replaced."""
    return _SECRETS.sub(lambda match: f"{next(filter(None, match.groups()))}[redacted]", text)
