"""The processes of one machine, as command lines."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"


@dataclass(frozen=True)
class Program:
    """`death_signal` is what it gets when the supervisor itself is killed -9."""

    name: str
    argv: tuple[str, ...]
    death_signal: signal.Signals = signal.SIGTERM


def roster(*, port: int, schedule: Path) -> tuple[Program, ...]:
    """The five that run all the time. gRPC's address comes from the environment."""
    return (
        Program("web", _web(port)),
        Program("grpc", _manage("serve_grpc")),
        _worker("worker", queues="default,short"),
        _worker("measure", queues="performance,short"),
        Program("beat", _celery("beat", "--schedule", str(schedule), "--pidfile", "")),
    )


def migrate(*, as_owner: bool) -> Program:
    """Only the owner's role may make tables; an outside database may have a single role."""
    alias = "owner" if as_owner else "default"
    return Program("migrate", _manage("migrate", "--no-input", "--database", alias))


def _web(port: int) -> tuple[str, ...]:
    """Each thread has a connection to the database, which takes 100; without a bound there would be 512.

    More threads answer less, since they take turns, also while one of them holds a lock; fewer leave nobody
    to answer while some wait for a slow provider's list of models.
    """
    return (
        sys.executable, "-m", "granian", "--interface", "wsgi", "--host", HOST, "--port", str(port),
        "--workers", "2", "--blocking-threads", "6", "--no-ws", "exchange.wsgi:application",
    )  # fmt: skip


def _manage(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, str(CHECKOUT / "manage.py"), *arguments)


def _celery(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "celery", "-A", "exchange", *arguments)


def _worker(name: str, *, queues: str) -> Program:
    """The solo pool: the worker itself measures, in its main thread, which is what the child
    processes of a measurement are tied to. SIGTERM lets it finish; SIGQUIT, for when the
    supervisor and with it the database are gone, makes it stop at once and clean up."""
    arguments = (
        "worker", "-Q", queues, "--concurrency", "1", "--pool", "solo", "-n", f"{name}@%h",
        "--loglevel", "INFO", "--without-gossip", "--without-mingle",
    )  # fmt: skip
    return Program(name, _celery(*arguments), signal.SIGQUIT)
