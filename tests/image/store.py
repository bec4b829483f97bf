"""Images by buildah in a folder of their own: the base from Debian, the wheels, and our two."""

import json
import os
import shutil
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
WHEELS = CHECKOUT / ".venv" / "wheels"  # of the base's Python; checked by hash again when they are installed
BASE = "localhost/base"
SUITE, PACKAGES = "trixie", "python3,python3-venv,ca-certificates"
CERTIFICATES = "/etc/ssl/certs"
DOWNLOAD = (
    "python3 -m venv /tmp/pip && /tmp/pip/bin/pip --disable-pip-version-check download "
    "--quiet --only-binary :all: --require-hashes "
    "--find-links /wheels --dest /wheels -r /requirements/measure.txt"
)


class Store:
    """Images below `folder`, in overlay layers; where the kernel refuses those, in whole copies."""

    def __init__(self, folder):
        self.folder = folder
        self._common = ["buildah", "--root", str(folder / "store"), "--runroot", str(folder / "run")]
        tried = self._run("--storage-driver", "overlay", "info", check=False)
        self._common += ["--storage-driver", "vfs" if tried.returncode else "overlay"]
        if tried.returncode:
            shutil.rmtree(folder / "store", ignore_errors=True)

    def buildah(self, *arguments):
        return self._run(*arguments).stdout.strip()

    def make_base(self):
        """Debian with Python, as the registry's images are; for a machine without a registry."""
        context = self.folder / "base"
        context.mkdir()
        (context / "Dockerfile").write_text("FROM scratch\nADD root.tar /\n")
        self._call(
            "mmdebstrap",
            "--quiet",
            "--variant=minbase",
            f"--include={PACKAGES}",
            SUITE,
            str(context / "root.tar"),
        )
        self.buildah("bud", "--isolation", "chroot", "-t", BASE, str(context))
        shutil.rmtree(context)

    def fetch_wheels(self):
        """By the base's own pip: only it knows which wheels fit."""
        WHEELS.mkdir(exist_ok=True)
        name = self.buildah("from", BASE)
        index = [f"--env={name}={os.environ[name]}" for name in ["PIP_INDEX_URL"] if name in os.environ]
        self.buildah(
            "run", "--isolation", "chroot", *index, f"--env=PIP_CERT={CERTIFICATES}/ca-certificates.crt",
            "-v", f"{CERTIFICATES}:{CERTIFICATES}:ro", "-v", f"{CHECKOUT}/requirements:/requirements:ro",
            "-v", f"{WHEELS}:/wheels", name, "--", "sh", "-c", DOWNLOAD,
        )  # fmt: skip
        self.buildah("rm", name)

    def build(self, target, *, version):
        """The image of a target of docker/Dockerfile, with no package index."""
        self.buildah(
            "bud", "--isolation", "chroot", "--format", "docker", "--layers", "--pull-never",
            f"--build-arg=BASE={BASE}", f"--build-arg=VERSION={version}",
            "--build-arg=PIP_NO_INDEX=1", "--build-arg=PIP_FIND_LINKS=/wheels", "-v", f"{WHEELS}:/wheels:ro",
            "-f", str(CHECKOUT / "docker" / "Dockerfile"), "--target", target, "-t", f"localhost/{target}",
            str(CHECKOUT),
        )  # fmt: skip

    def configuration(self, target):
        """Of the image, as Docker would read it: User, Env, Entrypoint, Healthcheck …"""
        return json.loads(self.buildah("inspect", "--type", "image", f"localhost/{target}"))["Docker"][
            "config"
        ]

    def root(self, target):
        """The folder of its files."""
        return Path(self.buildah("mount", self.buildah("from", f"localhost/{target}")))

    def close(self):
        for command in (["umount", "--all"], ["rm", "--all"]):
            self._run(*command, check=False)

    def _run(self, *arguments, check=True):
        return self._call(*self._common, *arguments, check=check)

    @staticmethod
    def _call(*argv, check=True):
        done = subprocess.run(argv, check=False, capture_output=True, text=True)
        if check and done.returncode:
            said = (done.stdout + done.stderr)[-3000:]
            raise SystemExit(f"{' '.join(argv[:1] + argv[7:9])} ended with {done.returncode}:\n{said}")
        return done
