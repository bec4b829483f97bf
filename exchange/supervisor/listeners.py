"""Which process listens on a port: a hint for whoever finds it taken."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from exchange.embedded.ports import free_port, is_free

from .errors import StackError

LISTEN = "0A"


def claim_port(port: int, *, option: str) -> int:
    """The port itself when it is free, any free one for 0. `StackError` names who has it."""
    if port == 0:
        return free_port()
    if is_free(port):
        return port
    raise StackError(
        f"Port {port} is taken{_by_whom(port)}. Stop that, or choose another: {option} {port + 1} "
        f"({option} 0 takes any free one)."
    )


def _by_whom(port: int) -> str:
    pid = _listener(port)
    if pid is None:
        return f" (`lsof -i :{port}` may tell by whom)"
    command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return f" by process {pid} ({command.strip()[:100]})"


def _listener(port: int) -> int | None:
    """Linux only; None elsewhere, and for processes of other users."""
    inodes = {f"socket:[{inode}]" for inode in _inodes(port)}
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if os.readlink(link) in inodes:
                return int(link.parts[2])
    return None


def _inodes(port: int) -> list[str]:
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    text = "".join(table.read_text() for table in tables if table.exists())
    rows = [row.split() for row in text.splitlines()]
    return [row[9] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == LISTEN]
