"""What building an image without an engine needs. What cannot be had is named."""

import os
import shutil
import sys
from pathlib import Path

from tests import apt

PACKAGES = ("buildah", "mmdebstrap")
ENTERING = ("unshare", "chroot")
FREE_BYTES = 12 * 1024**3
HADOLINT = Path(sys.executable).with_name("hadolint")


class Missing(Exception):
    """Says what is missing, and why it could not be had."""


def ensure(folder):
    """Both packages are installed, and `folder` has room for the layers. Raises Missing."""
    if os.geteuid() != 0:
        raise Missing(
            "root is missing: Debian's files have many owners, and the images are started by chroot"
        )
    if lacking := [name for name in ENTERING if not shutil.which(name)]:
        raise Missing(f"{lacking[0]} is missing")
    if lacking := [name for name in PACKAGES if not shutil.which(name)]:
        reason = apt.why_not_installable()
        if reason or not apt.install(*lacking):
            raise Missing(f"{' and '.join(lacking)} missing ({reason or 'apt-get could not install it'})")
    if shutil.disk_usage(folder).free < FREE_BYTES:
        raise Missing(
            f"{FREE_BYTES // 1024**3} GiB of room in {folder} are missing (TMPDIR names another folder)"
        )
    if not HADOLINT.exists():
        raise Missing("hadolint is missing: `make image` installs it, with all of requirements/deploy.txt")
