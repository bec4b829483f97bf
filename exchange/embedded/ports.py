"""TCP ports on the loopback address that no server uses."""

from __future__ import annotations

import atexit
import errno
import random
import socket
import sys
from collections.abc import Iterator

LOOPBACK = "127.0.0.1"
# Below the ranges from which Linux (32768) and macOS (49152) take ports of outgoing connections,
# so that a server finds its port free again at the next start.
RANGE = range(20_000, 32_000)


def is_free(port: int) -> bool:
    """True when nothing listens on the port. REUSEADDR, as servers do, ignores closing ones."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                return False
            raise
    return not accepts(port)  # macOS lets one bind beside a listener on all addresses


def accepts(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((LOOPBACK, port)) == 0


def free_port() -> int:
    """One that, on Linux, nobody else is given while this process lives, even before a server takes it."""
    return next(port for port in random.sample(RANGE, len(RANGE)) if _reserve(port))


def _reserve(port: int) -> bool:
    """Hold the port without listening. A server may still take it, since servers set REUSEADDR;
    the next reservation does not set it before it is bound, and so finds the port taken."""
    if not is_free(port):
        return False
    if sys.platform != "linux":
        return True  # there a held port would be refused to servers too
    held = socket.socket()
    try:
        held.bind((LOOPBACK, port))
    except OSError:
        held.close()
        return False
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    atexit.register(held.close)
    return True


def candidates(preferred: int | None) -> Iterator[int]:
    """The preferred port first when it is free, then a few others: one may be lost in a race."""
    if preferred and is_free(preferred):
        yield preferred
    for _ in range(4):
        yield free_port()
