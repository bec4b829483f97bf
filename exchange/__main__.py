"""`python -m exchange web`: become one of the processes. Images and units start them so."""

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
    parser.add_argument("process", choices=[*processes.NAMES, "migrate"])
    name = parser.parse_args().process
    try:
        env = Environment(os.environ)
        state_dir = Path(env.text("EXCHANGE_STATE_DIR") or processes.CHECKOUT / ".exchange")
        argv = processes.program(name, env, state_dir=state_dir).argv
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    os.execv(argv[0], argv)  # noqa: S606  our own command line, no shell


if __name__ == "__main__":
    main()
