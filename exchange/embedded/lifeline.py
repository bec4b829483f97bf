"""Child processes that end with their parent, also when the parent is killed -9.

Linux: PR_SET_PDEATHSIG, which follows the forking *thread*, hence the main thread only.
Elsewhere: a small watchdog reads a pipe that closes with the parent and then signals the child.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from .home import Account

PR_SET_PDEATHSIG = 1
WATCHDOG = 'read -r _; kill -s "$0" "$1" 2>/dev/null'


class Child:
    """A running child in its own session; `pid` is also its process group."""

    def __init__(
        self,
        argv: Sequence[str | Path],
        *,
        log: Path,
        env: Mapping[str, str],
        death_signal: signal.Signals = signal.SIGTERM,
        account: Account | None = None,
        cwd: str | Path = "/",
        keep_open: Sequence[int] = (),
        stdin: bytes = b"",
        watchdog: bool = sys.platform != "linux",
    ) -> None:
        require_main_thread()
        identity = account.as_popen() if account else {}
        with log.open("ab") as output:
            self.log_start = output.tell()
            self._process = _popen(
                [str(part) for part in argv],
                preexec_fn=None if watchdog else _die_with_parent(death_signal),
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=dict(env),
                cwd=cwd,
                pass_fds=keep_open,
                start_new_session=True,
                **identity,
            )
        self.log = log
        self.pid = self._process.pid
        self._watchdog = _watch(self.pid, death_signal) if watchdog else None
        _send(self._process.stdin, stdin)

    def exit_code(self) -> int | None:
        """None while it runs; negative for a signal, as in `subprocess`."""
        return self._process.poll()

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def wait(self, timeout: float) -> bool:
        """True when it has ended within `timeout` seconds."""
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self, *steps: tuple[signal.Signals, float]) -> None:
        """Send each signal and wait its seconds for the end, then kill the whole group."""
        for number, seconds in steps:
            self.send(number)
            if self.wait(seconds):
                break
        self.end()

    def end(self) -> None:
        """Kill what is left of the group and reap the child and its watchdog."""
        with suppress(ProcessLookupError, PermissionError):  # macOS: EPERM for a zombie group
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        if self._watchdog:
            self._watchdog.kill()
            self._watchdog.communicate()

    def tail(self, lines: int = 15) -> str:
        """The last lines that this child (not an earlier one) wrote to its log."""
        with self.log.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(self.log_start, end - 20_000))
            text = log.read().decode(errors="replace")
        return "\n".join(text.splitlines()[-lines:])


def require_main_thread() -> None:
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("Start servers from the main thread: they end with the starting thread.")


def _popen(argv: list[str], **options: Any) -> subprocess.Popen[bytes]:
    with warnings.catch_warnings():
        # Python 3.12 warns of fork beside threads. The child calls prctl and getppid, no Python
        # lock, before exec.
        warnings.simplefilter("ignore", DeprecationWarning)
        return subprocess.Popen(argv, **options)


def _die_with_parent(number: signal.Signals) -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def in_child() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:  # it died before prctl
            os._exit(1)

    return in_child


def _watch(pid: int, number: signal.Signals) -> subprocess.Popen[bytes]:
    name = number.name.removeprefix("SIG")
    argv = ["/bin/sh", "-c", WATCHDOG, name, str(pid)]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, start_new_session=True)


def _send(pipe: IO[bytes] | None, content: bytes) -> None:
    if pipe is None:
        return
    with suppress(BrokenPipeError):  # it ended at once; its exit code and log say why
        pipe.write(content)
        pipe.close()
