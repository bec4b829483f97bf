"""One JSON line per log record, with the request id and without secrets."""

import json
import logging
import re
from datetime import UTC, datetime

from .requests import _current

_NAMED = r"(?i:((?:[\w-]*(?:api[_-]?key|secret|password|passwd|token)|authorization)[\"']?\s*[=:]\s*[\"']?))"
_SECRETS = re.compile(
    rf"(lbx_(?:pat|ses)_)\w+|(?i:(bearer\s+))[^\s\"']+|\b(sk-)[\w-]{{8,}}|{_NAMED}(?!bearer\b)[^\s\"'&,;}})]+"
)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redact(record.getMessage()),
        }
        if _current.get():
            line["request_id"] = _current.get()
        if record.exc_info:
            line["exception"] = redact(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def redact(text: str) -> str:
    """Token secrets, bearer credentials and values named `api_key=…` or alike replaced."""
    return _SECRETS.sub(lambda match: f"{match[1] or match[2] or match[3] or match[4]}[redacted]", text)
