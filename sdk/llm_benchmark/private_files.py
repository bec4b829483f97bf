"""Files that their owner alone reads, written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import NotConfigured

try:
    import fcntl
except ImportError:  # not on Windows: there two calls are not kept apart
    fcntl = None  # type: ignore[assignment]

# Windows has other rights, which these bits do not tell.
_OTHERS = 0 if os.name == "nt" else stat.S_IRWXG | stat.S_IRWXO
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class UnsafeFile(NotConfigured):
    """Somebody else could read or replace the file, or it holds something else."""

    code = "unsafe_file"


def make_folder(path: Path) -> None:
    """With nobody else's rights. Raises UnsafeFile for a link, and for a folder of somebody else."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or not _is_ours(found):
        raise UnsafeFile(f"{path} is not a folder of your own. Remove it, or name another home.")
    if found.st_mode & _OTHERS:
        path.chmod(0o700)


def read(path: Path) -> bytes | None:
    """None: it is not there. Raises UnsafeFile for a link, and for what others may read or wrote."""
    try:
        handle = os.open(path, os.O_RDONLY | _NO_FOLLOW)
    except FileNotFoundError:
        return None
    except OSError as wrong:
        raise UnsafeFile(f"{path} cannot be read: {wrong.strerror}. A link is not followed.") from None
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or not _is_ours(found) or found.st_mode & _OTHERS:
            raise UnsafeFile(f"{path} is not yours alone. Look who wrote it, then: chmod 600 {path}")
        return file.read()


def write(path: Path, content: bytes) -> None:
    """Raises UnsafeFile where a link stands in its place."""
    if path.is_symlink():
        raise UnsafeFile(f"{path} is a link, which is not followed. Remove it.")
    replace(path, content)


def replace(path: Path, content: bytes) -> None:
    """The whole file at once, readable by its owner alone."""
    import tempfile  # noqa: PLC0415  `--help` does not wait for it

    handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(part).replace(path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """While no other call of the program changes what is in the folder."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _is_ours(found: os.stat_result) -> bool:
    return os.name == "nt" or found.st_uid == os.getuid()
