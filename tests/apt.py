"""Programs of the system that a check needs. Root on Debian gets those that are missing."""

import os
import shutil
import subprocess
import sys


def why_not_installable():
    """What keeps us from installing, or an empty string."""
    if not shutil.which("apt-get"):
        return "apt-get is not there"
    if os.geteuid() != 0:
        return "only root may run apt-get"
    return ""


def install(*packages):
    """Whether apt-get says that they are there now."""
    apt = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}

    def run(*arguments):
        done = subprocess.run([*apt, *arguments], check=False, env=env, stdout=sys.stderr)
        return done.returncode == 0

    wanted = ("install", "-y", "--no-install-recommends", *packages)
    if run(*wanted):
        return True
    run("update")  # the lists of packages may be old or missing
    return run(*wanted)
