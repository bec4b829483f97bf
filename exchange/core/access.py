"""One line in the log for each request and each call, whoever serves it."""

import logging
from time import monotonic
from typing import Any

log = logging.getLogger("exchange.access")


class Access:
    """Begins when it is made. No path is written, which may hold a secret, and nobody's name."""

    def __init__(self) -> None:
        self._began = monotonic()

    def end(self, message: str, *, level: int = logging.INFO, **fields: Any) -> None:
        """`fields` stand in the line beside how long it took, in milliseconds."""
        fields["duration_ms"] = round((monotonic() - self._began) * 1000, 1)
        log.log(level, "%s", message, extra={"fields": fields})
