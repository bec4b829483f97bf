import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from exchange.embedded import home


@contextmanager
def reachable_folder():
    """A folder that every user can reach, unlike pytest's own, which is private."""
    path = Path(tempfile.mkdtemp(prefix="exchange-test-"))
    path.chmod(0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path)


@pytest.fixture
def state_dir():
    with reachable_folder() as path:
        yield path


@pytest.fixture(scope="module")
def shared_state_dir():
    with reachable_folder() as path:
        yield path


@pytest.fixture
def private_state_dir(state_dir, monkeypatch):
    """A folder below one that only its owner may enter; the servers' place is then elsewhere."""
    private = state_dir / "private"
    private.mkdir(mode=0o700)
    elsewhere = state_dir / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    monkeypatch.setattr(home, "ELSEWHERE", elsewhere)
    return private / "state"


@pytest.fixture
def as_root():
    if os.geteuid() != 0:
        pytest.skip("needs root: it checks what root gives up")
