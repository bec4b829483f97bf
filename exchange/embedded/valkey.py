"""A real Valkey for one checkout, on loopback TCP with a password."""

from __future__ import annotations

import os
import signal
import socket
import time
from dataclasses import dataclass

from . import ports, programs
from .errors import EmbeddedError
from .home import Home
from .lifeline import Child
from .record import Record

NAME = "valkey"
START_SECONDS = 30
STOP = ((signal.SIGTERM, 10.0),)


@dataclass(frozen=True)
class Valkey:
    home: Home
    record: Record
    for_tests: bool

    def answers(self) -> bool:
        return answers(self.record)

    def launch(self, *, keep_open: int) -> Child:
        """Start it on the recorded port, or on another when that one is taken."""
        program = programs.valkey_server(self.home)
        self.home.make("valkey")
        for port in ports.candidates(self.record.ports.get(NAME)):
            self.record.set_port(NAME, port)
            child = Child(
                [program, "-"],
                stdin=self._configuration(port).encode(),
                log=self.home.log(NAME),
                env={"PATH": os.defpath, "LC_ALL": "C"},
                account=self.home.account,
                keep_open=[keep_open],
            )
            if self._wait_until_it_answers(child):
                return child
            if ports.is_free(port):
                break
        raise EmbeddedError(f"Valkey did not start:\n{child.tail()}")

    def _configuration(self, port: int) -> str:
        """Sent by standard input: the password never stands in a process list."""
        return "\n".join([
            f"bind {ports.LOOPBACK}",
            f"port {port}",
            f"requirepass {self.record.passwords[NAME]}",
            f"dir {self.home.directory / 'valkey'}",
            "maxmemory-policy noeviction",
            f"appendonly {'no' if self.for_tests else 'yes'}",
            'save ""',
            "daemonize no",
            "",
        ])  # fmt: skip

    def _wait_until_it_answers(self, child: Child) -> bool:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if child.exit_code() is not None:
                child.end()
                return False
            if answers(self.record):
                return True
            time.sleep(0.02)
        child.stop(*STOP)
        return False


def url(record: Record) -> str:
    return f"redis://:{record.passwords[NAME]}@{ports.LOOPBACK}:{record.ports[NAME]}/0"


def answers(record: Record) -> bool:
    """True when our Valkey is there and has loaded its data: only it knows the password."""
    if NAME not in record.ports:
        return False
    command = f"AUTH {record.passwords[NAME]}\r\nPING\r\n".encode()
    try:
        with socket.create_connection((ports.LOOPBACK, record.ports[NAME]), timeout=5) as link:
            link.sendall(command)
            with link.makefile("rb") as lines:
                return lines.readline() == b"+OK\r\n" and lines.readline() == b"+PONG\r\n"
    except OSError:
        return False
