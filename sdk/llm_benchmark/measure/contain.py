"""Start a program that cannot outlive whoever started it: `python -I -S contain.py PARENT BYTES ARGUMENT…`.

A start-up step of its own, because code between fork and exec in a process with threads may deadlock.
"""

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def contained(command: Sequence[str], *, memory_bytes: int) -> list[str]:
    """The command line that runs `command` bound to this process and to that much address space."""
    starter = [sys.executable, "-I", "-S", str(Path(__file__).resolve())]
    return [*starter, str(os.getpid()), str(memory_bytes), *command]


def die_with_parent(parent_pid: int) -> bool:
    """Ask the kernel to kill this process with its parent (Linux); False when the parent is already gone.

    The signal follows the parent's thread that forked; elsewhere a watchdog pipe has to do.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return os.getppid() == parent_pid


def main(arguments: Sequence[str]) -> None:
    parent_pid, memory_bytes, command = int(arguments[0]), int(arguments[1]), arguments[2:]
    if not die_with_parent(parent_pid):
        sys.exit("The parent is gone.")
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.execv(command[0], list(command))  # noqa: S606  (replaces this process, no shell)


if __name__ == "__main__":
    main(sys.argv[1:])
