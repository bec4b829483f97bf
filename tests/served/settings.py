"""The tests' settings in processes of their own: `SERVED_SETTINGS` is JSON of what a test wants otherwise."""

import json
from os import environ
from pathlib import Path

from exchange.settings.test import *  # noqa: F403  settings are names of a module

for _name, _value in json.loads(environ["SERVED_SETTINGS"]).items():
    globals()[_name] = Path(_value) if _name.endswith("_DIR") else _value
