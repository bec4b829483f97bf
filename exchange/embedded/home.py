"""Where the embedded servers live, and as which user they run.

`state_dir` belongs to whoever starts the servers: locks, passwords (0600), logs. The servers' own
directory (0700: clusters, copied programs) is `state_dir/servers`. Root drops to `nobody`, or to
the owner of data that is already there; when that user cannot reach `state_dir` (a private home),
the directory is `/var/lib/exchange-<hash of state_dir>` (macOS: `/var/db`), noted in
`state_dir/servers.at`. Modes of folders that are not ours are never changed.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import EmbeddedError

ELSEWHERE = Path("/var/db" if sys.platform == "darwin" else "/var/lib")


@dataclass(frozen=True)
class Account:
    """The user that root drops to."""

    uid: int
    gid: int

    def as_popen(self) -> dict[str, Any]:
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def can_run(self, path: Path) -> bool:
        """True when this user can enter the folder, or execute the file."""
        argv = ["/bin/sh", "-c", 'test -r "$0" && test -x "$0"', str(path)]
        return subprocess.run(argv, check=False, cwd="/", **self.as_popen()).returncode == 0


@dataclass(frozen=True)
class Home:
    state_dir: Path
    directory: Path
    account: Account | None

    def log(self, name: str) -> Path:
        return self.state_dir / "log" / f"{name}.log"

    def make(self, name: str) -> Path:
        """A folder (0700) of the servers' own."""
        path = self.directory / name
        path.mkdir(mode=0o700, exist_ok=True)
        self.give(path)
        return path

    def give(self, path: Path) -> None:
        if self.account:
            os.chown(path, self.account.uid, self.account.gid)

    def can_run(self, program: Path) -> bool:
        return self.account is None or self.account.can_run(program)


def find_home(state_dir: Path) -> Home:
    """Make the folders as needed. `EmbeddedError` when they belong to somebody else."""
    state_dir = state_dir.resolve()
    try:
        state_dir.mkdir(parents=True, exist_ok=True)
        (state_dir / "log").mkdir(mode=0o700, exist_ok=True)
        return _find(state_dir)
    except PermissionError as error:
        raise EmbeddedError(
            f"{error}. The state belongs to another user: run as that user, or choose another "
            "folder by EXCHANGE_STATE_DIR."
        ) from error


def _find(state_dir: Path) -> Home:
    directory = state_dir / "servers"
    if os.geteuid() != 0:
        _make_private(directory, owner=os.geteuid())
        return Home(state_dir, directory, None)
    account = _account_for(directory)
    if not account.can_run(state_dir):
        directory = _elsewhere(state_dir)
    home = Home(state_dir, directory, account)
    if _make_private(directory, owner=account.uid):
        home.give(directory)
    return home


def _account_for(directory: Path) -> Account:
    if directory.exists() and (owner := directory.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    nobody = pwd.getpwnam("nobody")
    return Account(nobody.pw_uid, nobody.pw_gid)


def _elsewhere(state_dir: Path) -> Path:
    digest = hashlib.sha256(str(state_dir).encode()).hexdigest()[:16]
    place = ELSEWHERE / f"exchange-{digest}"
    note = state_dir / "servers.at"
    if not note.exists():
        if place.exists():  # left by a state_dir that was removed, and its passwords with it
            _require_owner(place, {pwd.getpwnam("nobody").pw_uid})
            shutil.rmtree(place)
        note.write_text(f"{place}\n", encoding="utf-8")
    return place


def _make_private(directory: Path, *, owner: int) -> bool:
    """Make the folder 0700 if it is not there; True when it was made, or never handed over."""
    try:
        directory.mkdir(mode=0o700)
    except FileExistsError:
        _require_owner(directory, {owner, os.geteuid()})
        return directory.lstat().st_uid != owner
    return True


def _require_owner(directory: Path, uids: set[int]) -> None:
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in uids:
        raise EmbeddedError(f"{directory} is not a folder of this user's; move it away.")
