"""One machine's whole system under one process: embedded servers, migrations, five programs."""

from __future__ import annotations

import logging
import os
import time
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from exchange import embedded
from exchange.embedded.lifeline import Child
from exchange.embedded.locks import Lock
from exchange.embedded.ports import LOOPBACK, accepts
from exchange.processes import CHECKOUT, NAMES, Program, program
from exchange.settings.environment import Environment

from .demo import Demo
from .errors import StackError
from .keeper import Keeper, describe
from .listeners import claim_port
from .signals import StopSignals
from .status import STATUS_FILE, Status

logger = logging.getLogger(__name__)

GRACE_SECONDS = 30.0
LOOK_SECONDS = 0.5
MIGRATE_SECONDS = 600.0
REMIND_SECONDS = 30.0
OWNERS = {name + end for name in ("DATABASE_OWNER_URL", "DATABASE_ADMIN_URL") for end in ("", "_FILE")}
PUBLISHED = (
    "DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE",
    "EXCHANGE_STATE_DIR", "EXCHANGE_GRPC_ADDRESS",
)  # fmt: skip


@dataclass
class Supervisor:
    """`run` blocks until SIGTERM or SIGINT, in the main thread.

    Without `programs` it runs the system's own and its migrations.
    """

    state_dir: Path
    port: int = 8000
    grpc_port: int = 50051
    programs: Sequence[Program] | None = None
    migrations: Program | None = None
    env: dict[str, str] = field(default_factory=dict, init=False, repr=False)
    servers: embedded.Servers | None = field(default=None, init=False)
    keepers: list[Keeper] = field(default_factory=list, init=False)

    def run(self) -> None:
        self.state_dir = self.state_dir.resolve()
        (self.state_dir / "log").mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = self._only_one()
        signals = StopSignals()
        try:
            self._start()
            self._watch(signals)
        finally:
            self._stop()
            lock.close()

    @property
    def base_url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def grpc_address(self) -> str:
        return f"{LOOPBACK}:{self.grpc_port}"

    def _only_one(self) -> Lock:
        lock = Lock.take(self.state_dir / "supervisor.lock")
        if lock:
            return lock
        other = Status.read(self.state_dir)
        at = f" (process {other.pid}, {other.base_url})" if other else ""
        raise StackError(
            f"The stack already runs on {self.state_dir}{at}. Stop that one, or choose another "
            "folder: --state-dir."
        )

    def _start(self) -> None:
        self.port = claim_port(self.port, option="--port")
        self.grpc_port = claim_port(self.grpc_port, option="--grpc-port")
        self.env = self._environment()
        if self.programs is None:
            self.programs = [self._program(name) for name in NAMES]
            self.migrations = self._program("migrate")
        if self.migrations:
            self._migrate(self.migrations)
        env = without_owner(self.env)
        self.keepers = [Keeper(program, log=self._log(program), env=env) for program in self.programs]
        for keeper in self.keepers:
            keeper.start()

    def _program(self, name: str) -> Program:
        return program(name, Environment(self.env), state_dir=self.state_dir)

    def _environment(self) -> dict[str, str]:
        env = {**os.environ, "EXCHANGE_STATE_DIR": str(self.state_dir), "PYTHONUNBUFFERED": "1"}
        env.setdefault("DJANGO_SETTINGS_MODULE", "exchange.settings.dev")
        env["EXCHANGE_WEB_ADDRESS"] = f"{LOOPBACK}:{self.port}"
        env["EXCHANGE_GRPC_ADDRESS"] = self.grpc_address
        env.setdefault("EXCHANGE_SITE_URL", self.base_url)
        if "EXCHANGE_EGRESS_ALLOW" not in env and (demo := Demo.read(self.state_dir)):
            env["EXCHANGE_EGRESS_ALLOW"] = demo.egress_allow
        given = [name for name in ("DATABASE_URL", "REDIS_URL") if env.get(name)]
        if len(given) == 1:
            raise StackError(f"Only {given[0]} is set: set both DATABASE_URL and REDIS_URL, or neither.")
        if not given:
            self.servers = embedded.start(self.state_dir)
            env |= self.servers.environment()
        env["EXCHANGE_EGRESS_REFUSE"] = self._own_addresses(env)
        return env

    def _own_addresses(self, env: Mapping[str, str]) -> str:
        """Where no endpoint may point, whatever the operator allows."""
        urls = [urlsplit(env[name]) for name in ("DATABASE_URL", "REDIS_URL")]
        servers = [f"{url.hostname}:{url.port}" for url in urls if url.port]
        given = filter(None, [env.get("EXCHANGE_EGRESS_REFUSE")])
        return ",".join([*given, f"{LOOPBACK}:{self.port}", self.grpc_address, *servers])

    def _log(self, program: Program) -> Path:
        return self.state_dir / "log" / f"{program.name}.log"

    def _migrate(self, program: Program) -> None:
        log = self._log(program)
        child = Child(program.argv, log=log, env=self.env, cwd=CHECKOUT)
        ended = child.wait(MIGRATE_SECONDS)
        tail = child.tail()
        code = child.exit_code()
        child.end()
        if not ended or code:
            reason = describe(code) if code else f"no end in {MIGRATE_SECONDS:.0f} s"
            raise StackError(f"{program.name} failed ({reason}); see {log}:\n{tail}")

    def _watch(self, signals: StopSignals) -> None:
        ready, shown = False, None
        remind_at = time.monotonic() + REMIND_SECONDS
        while not signals.received:
            self._revive_servers()
            for keeper in self.keepers:
                keeper.look()
            was_ready, ready = ready, ready or self._is_ready()
            if shown != (status := self._status(ready=ready)):
                status.write(self.state_dir)
                shown = status
            if ready and not was_ready:
                self._say_ready()
            elif not ready and time.monotonic() > remind_at:
                remind_at += REMIND_SECONDS
                logger.info("Still waiting for %s/ready and gRPC %s", self.base_url, self.grpc_address)
            signals.wait(LOOK_SECONDS)

    def _say_ready(self) -> None:
        logger.info("Ready: %s   gRPC %s   logs %s/log", self.base_url, self.grpc_address, self.state_dir)
        if not self.env.get("EXCHANGE_EMAIL_URL"):
            logger.info("No EXCHANGE_EMAIL_URL: mails are written to %s/mail", self.state_dir)
        if demo := Demo.read(self.state_dir):
            logger.info(
                "Demo log-in: user %s, password %s (also demo-reviewer, demo-voter-1)",
                demo.username,
                demo.password,
            )

    def _is_ready(self) -> bool:
        """True when the web process says so and gRPC takes connections."""
        try:
            with urllib.request.urlopen(f"{self.base_url}/ready", timeout=5) as answer:  # noqa: S310 - our own
                return answer.status == HTTPStatus.OK and accepts(self.grpc_port)
        except (OSError, HTTPException):
            return False

    def _revive_servers(self) -> None:
        """Bring servers back that crashed, or whose starter, another process, has ended."""
        if self.servers is None or self.servers.live():
            return
        logger.error("A database server ended; starting it again.")
        self.servers.stop()
        self.servers = embedded.start(self.state_dir)
        urls = self.servers.environment()
        if urls.items() <= self.env.items():
            return
        self.env |= urls  # a port was lost to somebody else meanwhile
        for keeper in self.keepers:
            keeper.env = without_owner(self.env)
            keeper.ask_to_stop()

    def _status(self, *, ready: bool) -> Status:
        return Status(
            pid=os.getpid(),
            ready=ready,
            base_url=self.base_url,
            grpc_address=self.grpc_address,
            pids={keeper.program.name: keeper.pid for keeper in self.keepers},
            restarts={keeper.program.name: keeper.restarts for keeper in self.keepers},
            env={name: self.env[name] for name in PUBLISHED if name in self.env},
        )

    def _stop(self) -> None:
        """Ask all at once, give them the same grace, then the servers that they used."""
        for keeper in self.keepers:
            keeper.ask_to_stop()
        deadline = time.monotonic() + GRACE_SECONDS
        for keeper in self.keepers:
            keeper.finish(deadline - time.monotonic())
        if self.servers:
            self.servers.stop()
        (self.state_dir / STATUS_FILE).unlink(missing_ok=True)


def without_owner(env: Mapping[str, str]) -> dict[str, str]:
    """What the running processes get: only migrations and operators act as the owner."""
    return {name: value for name, value in env.items() if name not in OWNERS}
