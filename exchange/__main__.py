"""`python -m exchange web`: become one of the processes; `manage` takes an operator's command behind it.

Images and units start them so.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from django.core.exceptions import ImproperlyConfigured

from exchange import processes
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
        argv = _program(asked.process)
    os.execv(argv[0], argv)  # noqa: S606  our own command line, no shell


def _program(name: str) -> tuple[str, ...]:
    try:
        env = Environment(os.environ)
        state_dir = Path(env.text("EXCHANGE_STATE_DIR") or processes.CHECKOUT / ".exchange")
        return processes.program(name, env, state_dir=state_dir).argv
    except ImproperlyConfigured as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
