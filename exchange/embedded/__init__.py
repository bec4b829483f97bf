"""PostgreSQL and a Redis-compatible server from wheels, for a machine that has neither.

The server processes end with the process that started them; the data stays in `state_dir`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from . import postgres, roles, valkey
from .errors import EmbeddedError
from .home import Home, find_home
from .lifeline import Child, require_main_thread
from .locks import Lock, is_taken, locked
from .postgres import Postgres
from .record import Record
from .valkey import Valkey

__all__ = ["DEFAULT_STATE_DIR", "EmbeddedError", "Servers", "running", "start"]

DEFAULT_STATE_DIR = Path(__file__).resolve().parents[2] / ".exchange"
PATIENCE_SECONDS = 45
STOP = {postgres.NAME: postgres.STOP, valkey.NAME: valkey.STOP}


@dataclass
class Running:
    """One server: started here (`child`), or by another live process and only used here."""

    name: str
    held: Path
    child: Child | None = None
    lock: Lock | None = None

    def lives(self) -> bool:
        """False once it has ended, or its starter has and it is about to."""
        return self.child.exit_code() is None if self.child else is_taken(self.held)

    def stop(self) -> None:
        if self.child:
            self.child.stop(*STOP[self.name])
            self.child = None
        if self.lock:
            self.lock.close()
            self.lock = None


@dataclass
class Servers:
    """The running servers; the URLs contain their passwords."""

    database_owner_url: str = field(repr=False)
    database_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    servers: tuple[Running, ...]

    def environment(self) -> dict[str, str]:
        return {
            "DATABASE_OWNER_URL": self.database_owner_url,
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
        }

    @property
    def started_here(self) -> bool:
        return any(server.child for server in self.servers)

    def live(self) -> bool:
        """False when one has ended: `stop`, then `start` again, keeps URLs while ports are free."""
        return all(server.lives() for server in self.servers)

    def stop(self) -> None:
        """Stop what was started here, cleanly; servers that were only joined go on."""
        for server in reversed(self.servers):
            server.stop()


def start(
    state_dir: Path = DEFAULT_STATE_DIR,
    *,
    for_tests: bool = False,
    postgres_bin: Path | None = None,
) -> Servers:
    """Start both servers, or join those that another live process runs on the same folder.

    Call it from the main thread: on Linux the servers end with the thread that started them.
    `for_tests` gives up durability for speed. `postgres_bin` names another PostgreSQL (15-18).
    Raises `EmbeddedError`, whose message tells what to do.
    """
    home = find_home(state_dir)
    with locked(home.state_dir / "start.lock", timeout=2 * PATIENCE_SECONDS):
        record = Record.load(home.state_dir / "servers.json")
        database = _ensure(postgres.NAME, Postgres(home, record, for_tests, postgres_bin), home)
        try:
            broker = _ensure(valkey.NAME, Valkey(home, record, for_tests), home)
        except BaseException:
            database.stop()
            raise
    return Servers(**_urls(record), servers=(database, broker))


def running(state_dir: Path = DEFAULT_STATE_DIR) -> dict[str, str] | None:
    """The environment of servers that another process runs on the folder; None when none answer."""
    path = state_dir / "servers.json"
    if not path.exists():
        return None
    record = Record.load(path)
    if not (roles.answers(record) and valkey.answers(record)):
        return None
    return Servers(**_urls(record), servers=()).environment()


def _urls(record: Record) -> dict[str, str]:
    return {
        "database_owner_url": roles.url(record, roles.OWNER),
        "database_url": roles.url(record, roles.APP),
        "redis_url": valkey.url(record),
    }


def _ensure(name: str, server: Postgres | Valkey, home: Home) -> Running:
    held = home.state_dir / f"{name}.held"
    lock = _hold_or_join(held, server)
    if lock is None:
        return Running(name, held)
    alive = Lock.take(home.state_dir / f"{name}.alive", timeout=PATIENCE_SECONDS)
    try:
        require_main_thread()
        if alive is None:
            raise EmbeddedError(f"An earlier {name} on {home.directory} does not end.")
        return Running(name, held, server.launch(keep_open=alive.fd), lock)
    except BaseException:
        lock.close()
        raise
    finally:
        if alive:
            alive.close()  # the server has inherited it and keeps it until its last process ends


def _hold_or_join(held: Path, server: Postgres | Valkey) -> Lock | None:
    """The starter's lock, or None when a live starter has it and its server answers."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        if lock := Lock.take(held):
            return lock
        if server.answers():
            return None
        if time.monotonic() > deadline:
            raise EmbeddedError(f"The process that holds {held} runs a server that does not answer.")
        time.sleep(0.1)
