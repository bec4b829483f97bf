"""The processes of the exchange, as command lines: what `python -m exchange NAME` becomes."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from exchange.settings.environment import Environment

CHECKOUT = Path(__file__).resolve().parents[1]
NAMES = ("web", "grpc", "worker", "measure", "beat")


@dataclass(frozen=True)
class Program:
    """`death_signal` is what it gets when the supervisor itself is killed -9."""

    name: str
    argv: tuple[str, ...]
    death_signal: signal.Signals = signal.SIGTERM


def program(name: str, env: Environment, *, state_dir: Path) -> Program:
    """One of NAMES, which run all the time, or `migrate`, which runs once and ends.

    Where they listen and how wide they are comes from `env`; beat keeps its schedule in `state_dir`.
    """
    match name:
        case "web":
            return Program(name, _web(env))
        case "grpc":
            return Program(name, _logged("serve_grpc"))
        case "worker":
            return _worker(name, queues="default,short")
        case "measure":
            return _worker(name, queues="performance,short")
        case "beat":
            schedule = str(state_dir / "celerybeat-schedule")
            return Program(name, _celery("beat", "--schedule", schedule, "--pidfile", ""))
        case "migrate":
            return Program(name, _logged("migrate", "--no-input"))
    raise ValueError(f"{name} is none of {', '.join((*NAMES, 'migrate'))}.")


def _web(env: Environment) -> tuple[str, ...]:
    """Each thread has a connection to the database, which takes 100; without a bound there would be 512.

    More threads answer less, since they take turns, also while one of them holds a lock; fewer leave nobody
    to answer while some wait for a slow provider's list of models. A client has ten seconds for its headers,
    which have at most 64 KiB; exchange/front bounds the rest. Who still takes an answer when the process is
    to stop has 25 seconds of the orchestrator's 30.
    """
    host, port = env.address("EXCHANGE_WEB_ADDRESS")
    return (
        sys.executable, "-m", "granian", "--interface", "rsgi", "--host", host, "--port", str(port),
        "--workers", str(env.count("EXCHANGE_WEB_WORKERS", least=1)), "--workers-kill-timeout", "25",
        "--http", "1", "--http1-header-read-timeout", "10000", "--http1-buffer-size", "65536", "--no-ws",
        "--backpressure", "1000",
        "--log-config", str(CHECKOUT / "exchange" / "settings" / "granian.json"), "exchange.front.server:web",
    )  # fmt: skip


def _logged(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "exchange.logged", *arguments)


def manage(*arguments: str) -> tuple[str, ...]:
    """Django's command line."""
    return (sys.executable, str(CHECKOUT / "manage.py"), *arguments)


def _celery(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "celery", "--quiet", "-A", "exchange", *arguments)


def _worker(name: str, *, queues: str) -> Program:
    """The solo pool: the worker itself measures, in its main thread, which is what the child
    processes of a measurement are tied to. SIGTERM lets it finish; SIGQUIT, for when the
    supervisor and with it the database are gone, makes it stop at once and clean up."""
    arguments = (
        "worker", "-Q", queues, "--concurrency", "1", "--pool", "solo", "-n", f"{name}@%h",
        "--loglevel", "INFO", "--without-gossip", "--without-mingle",
    )  # fmt: skip
    return Program(name, _celery(*arguments), signal.SIGQUIT)
