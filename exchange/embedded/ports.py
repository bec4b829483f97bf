"""TCP ports on the loopback address that no server uses."""

from __future__ import annotations

import errno
import random
import socket
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
    return next(port for port in random.sample(RANGE, len(RANGE)) if is_free(port))


def candidates(preferred: int | None) -> Iterator[int]:
    """The preferred port first when it is free, then a few others: one may be lost in a race."""
    if preferred and is_free(preferred):
        yield preferred
    for _ in range(4):
        yield free_port()
