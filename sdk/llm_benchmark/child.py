"""A server in a process of its own that never outlives the one that started it."""

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

START_SECONDS = 60.0
STOP_SECONDS = 5.0
_PR_SET_PDEATHSIG = 1


class ChildFailed(Exception):
    """The process ended, or said nothing, instead of becoming ready."""


class ChildServer:
    """`python -m MODULE`, given its configuration on stdin; it answers with one line of JSON when ready.

    It ends when its stdin closes, and on Linux the kernel kills it with the thread that started it.
    """

    def __init__(self, module: str, config: Mapping[str, Any]) -> None:
        self._command: Sequence[str] = [sys.executable, "-m", module]
        self._config = json.dumps(dict(config))
        self._process: subprocess.Popen[str] | None = None
        self.ready: dict[str, Any] = {}

    @property
    def base_url(self) -> str:
        """`http://127.0.0.1:PORT/v1`."""
        return f"http://{self.host_and_port}/v1"

    @property
    def host_and_port(self) -> str:
        """As `EgressRules.allow` wants it."""
        return f"127.0.0.1:{self.ready['port']}"

    @property
    def pid(self) -> int:
        if self._process is None:
            raise ChildFailed("the server was not started")
        return self._process.pid

    def start(self) -> Self:
        """Start and wait until it is ready. Raises ChildFailed."""
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        pipes = self._process.stdin, self._process.stdout
        if pipes[0] is None or pipes[1] is None:
            raise ChildFailed("no pipes to the server")
        pipes[0].write(self._config + "\n")
        pipes[0].flush()
        too_late = threading.Timer(START_SECONDS, self._process.kill)
        too_late.start()
        line = pipes[1].readline()
        too_late.cancel()
        if not line:
            self.stop()
            raise ChildFailed(f"{self._command[-1]} ended before it was ready")
        self.ready = json.loads(line)
        return self

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def read_config() -> dict[str, Any]:
    """In the child: what the parent wrote, after tying this process to the parent's life."""
    config: dict[str, Any] = json.loads(sys.stdin.readline())
    _die_with_parent()
    return config


def say_ready(**facts: Any) -> None:
    """In the child: the line that the parent waits for."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # Also covers a parent that died before the call above, and other systems.
    threading.Thread(target=_end_with_stdin, daemon=True).start()


def _end_with_stdin() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGKILL)
