"""Programs that tests start, and that no package index brings."""

import shutil

import pytest

DEBIAN = {"curl": "curl", "node": "nodejs", "npm": "npm", "tmux": "tmux"}


def require(*names):
    """Fail, saying what to install, where one is missing; nothing is passed over silently."""
    if missing := [DEBIAN[name] for name in names if shutil.which(name) is None]:
        pytest.fail(f"Missing here; install Debian's {', '.join(missing)}.", pytrace=False)
