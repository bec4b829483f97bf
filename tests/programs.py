"""Programs that tests start, and that no package index brings."""

import os
import shutil

import pytest

DEBIAN = {"curl": "curl", "node": "nodejs", "npm": "npm", "tmux": "tmux"}
MUST_BE_THERE = "PROGRAMS_MUST_BE_THERE"


def require(*names):
    """Where one is missing: skip, saying what to install; fail where all must be there, as in CI."""
    if missing := [DEBIAN[name] for name in names if shutil.which(name) is None]:
        decline = pytest.fail if os.environ.get(MUST_BE_THERE) else pytest.skip
        decline(f"Missing here; install Debian's {', '.join(missing)}.")
