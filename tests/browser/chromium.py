"""The browser of the system. `python -m tests.browser.chromium` installs it where it may.

Exits 3 and says what is missing where it may not: a check that cannot run has not passed.
"""

import os
import shutil
import sys

from tests import apt

PACKAGE = "chromium"
MISSING = 3


def executable():
    """Its path, or None."""
    return os.environ.get("CHROMIUM") or shutil.which(PACKAGE)


def main():
    if executable():
        return 0
    reason = apt.why_not_installable()
    if not reason and apt.install(PACKAGE) and executable():
        return 0
    print(
        f"Chromium is missing ({reason or 'apt-get could not install it'}). Install the package "
        f"“{PACKAGE}”, or name a browser: make browser CHROMIUM=/path/to/chromium",
        file=sys.stderr,
    )
    return MISSING


if __name__ == "__main__":
    sys.exit(main())
