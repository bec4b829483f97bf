"""A real PostgreSQL for one checkout, on loopback TCP with passwords."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from . import ports, programs, roles
from .errors import EmbeddedError
from .home import Home
from .lifeline import Child
from .record import Record

NAME = "postgres"
START_SECONDS = 60
BUILTIN_LOCALES_SINCE = 17
STOP = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0))
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
SETTINGS = {
    "listen_addresses": ports.LOOPBACK,
    "unix_socket_directories": "",
    "logging_collector": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
FOR_TESTS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}


@dataclass(frozen=True)
class Postgres:
    home: Home
    record: Record
    for_tests: bool
    chosen_bin: Path | None = None

    def answers(self) -> bool:
        return roles.answers(self.record)

    def launch(self, *, keep_open: int) -> Child:
        """Start it on the recorded port, or on another when that one is taken."""
        bin_dir = programs.postgres_bin(self.home, chosen=self.chosen_bin)
        data = self._cluster(bin_dir)
        for port in ports.candidates(self.record.ports.get(NAME)):
            child = self._start(bin_dir, data, port, keep_open)
            self.record.set_port(NAME, port)
            if self._wait_until_it_answers(child):
                roles.prepare(self.record)
                return child
            if ports.is_free(port):
                break
        raise EmbeddedError(f"PostgreSQL did not start:\n{child.tail()}")

    def _cluster(self, bin_dir: Path) -> Path:
        data = self.home.directory / "postgres"
        major = programs.postgres_major(bin_dir)
        if not data.exists():
            _initdb(self.home, self.record, bin_dir, major, sync=not self.for_tests)
        found = int((data / "PG_VERSION").read_text())
        if found != major:
            raise EmbeddedError(
                f"The data in {data} is of PostgreSQL {found}, the program of {major}. Dump it "
                f"with {found} and restore it, or remove the folder to start empty."
            )
        _clear_stale_pid(data)
        return data

    def _start(self, bin_dir: Path, data: Path, port: int, keep_open: int) -> Child:
        settings = SETTINGS | (FOR_TESTS if self.for_tests else {})
        flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return Child(
            [bin_dir / "postgres", "-D", data, "-p", str(port), *flags],
            log=self.home.log(NAME),
            env=ENVIRONMENT,
            death_signal=signal.SIGINT,
            account=self.home.account,
            keep_open=[keep_open],
        )

    def _wait_until_it_answers(self, child: Child) -> bool:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if child.exit_code() is not None:
                child.end()
                return False
            if roles.answers(self.record, user="postgres"):
                return True
            time.sleep(0.05)
        child.stop(*STOP)
        return False


def _initdb(home: Home, record: Record, bin_dir: Path, major: int, *, sync: bool) -> None:
    """Make the cluster beside its place and rename it, so that half a one is never used."""
    shutil.rmtree(home.directory / "postgres.new", ignore_errors=True)
    draft = home.make("postgres.new")
    password = home.directory / "postgres.password"
    password.unlink(missing_ok=True)
    password.touch(mode=0o600)
    password.write_text(record.passwords["postgres"], encoding="utf-8")
    home.give(password)
    try:
        _run_initdb(home, [
            bin_dir / "initdb", "-D", draft, "-U", "postgres", "--auth=scram-sha-256",
            f"--pwfile={password}", "--encoding=UTF8", *locale_flags(major),
            *([] if sync else ["--no-sync"]),
        ])  # fmt: skip
    finally:
        password.unlink()
    draft.rename(home.directory / "postgres")


def _run_initdb(home: Home, argv: list[str | Path]) -> None:
    identity = home.account.as_popen() if home.account else {}
    done = subprocess.run(
        argv, check=False, capture_output=True, text=True, env=ENVIRONMENT, cwd="/", **identity
    )
    if done.returncode:
        raise EmbeddedError(f"initdb failed:\n{done.stdout}{done.stderr}")


def locale_flags(major: int) -> list[str]:
    """Byte order for sorting and Unicode for case, the same on every machine.

    17 has a provider of its own for that; 15 and 16 take the case rules from the C library.
    """
    if major >= BUILTIN_LOCALES_SINCE:
        return ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    return ["--locale=C", f"--lc-ctype={'UTF-8' if sys.platform == 'darwin' else 'C.UTF-8'}"]


def _clear_stale_pid(data: Path) -> None:
    """Remove the pid file of a server that is gone: its number may be another process's by now.

    The caller holds the lock that every server started here keeps while it lives; only one that
    somebody started by hand on this data could still be running.
    """
    pid_file = data / "postmaster.pid"
    if not pid_file.exists():
        return
    first = pid_file.read_text().split("\n", 1)[0].strip()
    if first.isdigit() and _is_postgres(int(first)):
        raise EmbeddedError(f"Process {first} is a PostgreSQL on {data}; stop it first.")
    pid_file.unlink()


def _is_postgres(pid: int) -> bool:
    """False for a zombie too: in a container nobody may ever reap it."""
    if sys.platform == "linux":
        try:
            return b"postgres" in Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False
    argv = ["ps", "-o", "state=,comm=", "-p", str(pid)]
    shown = subprocess.run(argv, check=False, capture_output=True, text=True).stdout
    return "postgres" in shown and not shown.startswith("Z")
