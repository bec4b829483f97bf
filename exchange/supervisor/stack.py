"""A stack for the length of a block: for the demo, for journeys through it and for benches."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from exchange import embedded
from exchange.embedded.lifeline import Child
from exchange.processes import CHECKOUT

from .errors import StackError
from .status import Status

UP = (sys.executable, "-m", "exchange.supervisor", "up")
READY_SECONDS = 180.0
STOP_SECONDS = 60.0


class Stack:
    """Run `python -m exchange.supervisor up` (`command`) as a child, from ready to stopped.

    Port 0 takes any free one. `env` is added to this process's environment. After entry `base_url`
    (no slash at the end), `grpc_address` (`host:port`) and `env` (with the owner's URL, for
    `manage.py` beside it) are set; `pid_of` and `restarts_of` follow the processes as they change.
    Raises `StackError` when it does not become ready. Ends, with all it started, with this process.
    """

    base_url: str
    grpc_address: str
    env: dict[str, str]

    def __init__(
        self,
        state_dir: Path = embedded.DEFAULT_STATE_DIR,
        *,
        env: Mapping[str, str] | None = None,
        port: int = 0,
        grpc_port: int = 0,
        ready_seconds: float = READY_SECONDS,
        command: Sequence[str] = UP,
    ) -> None:
        self.state_dir = state_dir.resolve()
        self._env = {**os.environ, **(env or {})}
        self._command = [*command, "--state-dir", str(self.state_dir)]
        self._command += ["--port", str(port), "--grpc-port", str(grpc_port)]
        self._ready_seconds = ready_seconds
        self._child: Child | None = None

    def __enter__(self) -> Stack:
        log = self.state_dir / "log" / "supervisor.log"
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._child = Child(self._command, log=log, env=self._env, cwd=CHECKOUT)
        try:
            status = self._wait_until_ready(self._child)
        except BaseException:
            self.stop()
            raise
        self.base_url, self.grpc_address = status.base_url, status.grpc_address
        self.env = {**self._env, **status.env}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def status(self) -> Status:
        """As of now. `StackError` when the supervisor has ended."""
        status = Status.read(self.state_dir)
        if status is None or self._child is None or status.pid != self._child.pid:
            raise StackError(f"The stack on {self.state_dir} does not run.")
        return status

    def pid_of(self, name: str) -> int | None:
        """The process `web`, `grpc`, `worker`, `measure` or `beat`; None between two starts."""
        return self.status.pids[name]

    def restarts_of(self, name: str) -> int:
        return self.status.restarts[name]

    def manage(self, *arguments: str) -> str:
        """Run a `manage.py` command as the operator and return what it printed."""
        argv = [sys.executable, str(CHECKOUT / "manage.py"), *arguments]
        done = subprocess.run(argv, check=False, env=self.env, cwd=CHECKOUT, capture_output=True, text=True)
        if done.returncode:
            raise StackError(f"manage.py {arguments[0]} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def stop(self) -> None:
        """Stop all of it in order. Safe to repeat."""
        if self._child:
            self._child.stop((signal.SIGTERM, STOP_SECONDS))
            self._child = None

    def _wait_until_ready(self, child: Child) -> Status:
        deadline = time.monotonic() + self._ready_seconds
        while time.monotonic() < deadline:
            if child.exit_code() is not None:
                raise StackError(f"The stack did not start:\n{child.tail(40)}")
            status = Status.read(self.state_dir)
            if status and status.pid == child.pid and status.ready:
                return status
            time.sleep(0.1)
        raise StackError(f"The stack is not ready after {self._ready_seconds:.0f} s:\n{child.tail(40)}")
