"""`python -m exchange web`: become one of the processes; `manage` takes an operator's command behind it.

Images and units start them so.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from exchange import processes
from exchange.plainly import refused_plainly
from exchange.settings.environment import Environment


def main() -> NoReturn:
    parser = argparse.ArgumentParser(prog="python -m exchange", description=__doc__)
    parser.add_argument("process", choices=[*processes.NAMES, "migrate", "manage"])
    parser.add_argument("command", nargs=argparse.REMAINDER, help="of manage: create_admin NAME EMAIL")
    asked = parser.parse_args()
    if asked.process == "manage":
        argv = processes.manage(*asked.command)
    elif asked.command:
        parser.error(f"{asked.process} takes nothing behind it.")
    else:
        with refused_plainly():
            argv = _program(asked.process)
            prepare(asked.process)
    os.execv(argv[0], argv)  # noqa: S606  our own command line, no shell


def _program(name: str) -> tuple[str, ...]:
    env = Environment(os.environ)
    state_dir = Path(env.text("EXCHANGE_STATE_DIR") or processes.CHECKOUT / ".exchange")
    return processes.program(name, env, state_dir=state_dir).argv


def prepare(name: str) -> None:
    """Refuse settings that will not do before a server makes tracebacks of them, and make beat its folder."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "exchange.settings.dev")
    collected = settings.STATIC_ROOT
    if name == "web" and collected and not Path(collected, "staticfiles.json").exists():
        raise ImproperlyConfigured(
            "The pages' static files are not collected. Run `python manage.py collectstatic --no-input`, and "
            "again with each new version."
        )
    if name == "beat":
        _make(settings.STATE_DIR)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"EXCHANGE_STATE_DIR: {error}") from error


if __name__ == "__main__":
    main()
