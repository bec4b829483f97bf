"""The browser of the system. `python -m tests.browser.chromium` installs it where it may.

Exits 3 and says what is missing where it may not: a check that cannot run has not passed.
"""

import os
import shutil
import subprocess
import sys

PACKAGE = "chromium"
MISSING = 3


def executable():
    """Its path, or None."""
    return os.environ.get("CHROMIUM") or shutil.which(PACKAGE)


def why_not_installable():
    """What keeps us from installing it, or an empty string."""
    if not shutil.which("apt-get"):
        return "apt-get is not there"
    if os.geteuid() != 0:
        return "only root may run apt-get"
    return ""


def install():
    """Whether Debian's package is there now."""
    apt = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}

    def run(*arguments):
        done = subprocess.run([*apt, *arguments], check=False, env=env, stdout=sys.stderr)
        return done.returncode == 0

    wanted = ("install", "-y", "--no-install-recommends", PACKAGE)
    if not run(*wanted):  # the lists of packages may be old or missing
        run("update")
        run(*wanted)
    return executable() is not None


def main():
    if executable():
        return 0
    reason = why_not_installable()
    if not reason and install():
        return 0
    print(
        f"Chromium is missing ({reason or 'apt-get could not install it'}). Install the package "
        f"“{PACKAGE}”, or name a browser: make browser CHROMIUM=/path/to/chromium",
        file=sys.stderr,
    )
    return MISSING


if __name__ == "__main__":
    sys.exit(main())
