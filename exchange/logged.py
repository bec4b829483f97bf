"""A `manage.py` command as a process, whose words are log records: `python -m exchange.logged migrate`."""

from __future__ import annotations

import io
import logging
import os
import signal
import sys


class LogLines(io.TextIOBase):
    """A stream whose lines go to a logger."""

    def __init__(self, logger: logging.Logger, level: int) -> None:
        self._logger, self._level = logger, level

    def write(self, text: str, /) -> int:
        for line in text.splitlines():
            if line.strip():
                self._logger.log(self._level, "%s", line.strip())
        return len(text)


def main(arguments: list[str]) -> int:
    """The exit code: 1 when it failed, with the reason in the log."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "exchange.settings.dev")
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # its core writes lines of its own about bad clients
    # As Ctrl-C: what PostgreSQL is at is cancelled, and what was begun is undone.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    import django  # noqa: PLC0415  settings are named first
    from django.core.management import CommandError, call_command  # noqa: PLC0415
    from django.db import OperationalError  # noqa: PLC0415

    from exchange import plainly  # noqa: PLC0415

    django.setup()
    name, *options = arguments
    logger = logging.getLogger(f"exchange.{name}")
    out, err = LogLines(logger, logging.INFO), LogLines(logger, logging.ERROR)
    try:
        call_command(name, *options, "--no-color", stdout=out, stderr=err, skip_checks=False)
    except CommandError as refusal:
        logger.error("%s", refusal)
        return 1
    except KeyboardInterrupt:
        logger.error("%s was stopped", name)
        return 1
    except OperationalError as error:
        if not plainly.is_unreachable(error):
            logger.exception("%s broke off", name)
        else:
            logger.error("%s", plainly.unreachable(error))
        return 1
    except Exception:
        logger.exception("%s broke off", name)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
