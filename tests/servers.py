"""A pytest plugin: starts the embedded PostgreSQL and Valkey before Django's settings are read.

Loaded by `-p tests.servers`. With DATABASE_URL, DATABASE_OWNER_URL and REDIS_URL set, it uses those.
"""

import os
from pathlib import Path

from exchange import embedded

STATE = Path(os.environ.get("TEST_STATE_DIR", Path(__file__).resolve().parents[1] / ".exchange" / "test"))
_servers = None

if "DATABASE_URL" not in os.environ:
    _servers = embedded.start(STATE, for_tests=True)
    os.environ.update(_servers.environment())


def pytest_unconfigure(config) -> None:
    if _servers is not None and not hasattr(config, "workerinput"):
        _servers.stop()
