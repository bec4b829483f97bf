"""The oldest PostgreSQL that is supported: what locks, ranks and counts is tested on it too."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from exchange import embedded, processes
from tests.embedded.conftest import reachable_folder

DEBIAN_15 = Path("/usr/lib/postgresql/15/bin")
HEART = (
    "tests/core/test_tenancy.py",
    "tests/runs/test_leases.py",
    "tests/leaderboards/test_concurrency.py",
    "tests/governance/test_concurrency.py",
)
pytestmark = [
    pytest.mark.sockets,
    pytest.mark.skipif(not DEBIAN_15.exists(), reason=f"no PostgreSQL 15 in {DEBIAN_15}"),
]


def test_migrates_from_nothing_and_bears_the_heart_of_the_tests():
    """Their own database is made by `migrate`, on a server of this test's own."""
    with reachable_folder() as folder:
        servers = embedded.start(folder, for_tests=True, postgres_bin=DEBIAN_15)
        try:
            argv = [sys.executable, "-m", "pytest", "-q", "--create-db", "-p", "no:cacheprovider", *HEART]
            env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
            done = subprocess.run(
                argv, env=env | servers.environment(), cwd=processes.CHECKOUT, check=False,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600,
            )  # fmt: skip
        finally:
            servers.stop()
    assert done.returncode == 0, done.stdout
