"""Whether this host's worker, measure or beat works: `python -m exchange.alive --kind measure`.

Exit code 1 when it has made no progress for a while although the database and Redis answer. While one of
them is away nothing can make progress, and a restart would not help: that is 0. Without Django, to be cheap.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

import psycopg

from exchange.settings.environment import Environment

KINDS = ("worker", "measure", "beat")
STALLED_SECONDS = 120.0
_CONNECT_SECONDS = 3
_SILENCE = """
SELECT extract(epoch FROM clock_timestamp() - max(last_progress_at))::float8
FROM core_workerprocess WHERE kind = %s AND host = %s"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m exchange.alive", description=__doc__)
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--seconds", type=float, default=STALLED_SECONDS, help="the longest silence")
    asked = parser.parse_args(arguments)
    is_alive, why = look(asked.kind, asked.seconds, _servers())
    print(f"{asked.kind}: {why}", file=sys.stdout if is_alive else sys.stderr)
    return 0 if is_alive else 1


def look(kind: str, seconds: float, servers: Mapping[str, str]) -> tuple[bool, str]:
    """Whether it is to be left alone, and why."""
    try:
        silence = _silence(kind, servers["DATABASE_URL"])
    except psycopg.Error as error:
        return True, f"cannot tell, the database does not answer: {type(error).__name__}"
    if silence is not None and silence <= seconds:
        return True, f"alive, last progress {silence:.0f} s ago"
    if not _rings(servers["REDIS_URL"]):
        return True, "cannot tell, Redis does not answer"
    return False, "no progress yet" if silence is None else f"no progress for {silence:.0f} s"


def _silence(kind: str, url: str) -> float | None:
    """Seconds since its last progress; None for one that has made none."""
    bound = f"-c statement_timeout={_CONNECT_SECONDS * 1000}"
    with psycopg.connect(url, connect_timeout=_CONNECT_SECONDS, options=bound) as connection:
        row = connection.execute(_SILENCE, [kind, socket.gethostname()[:100]]).fetchone()
    return row[0] if row else None


def _rings(url: str) -> bool:
    import redis  # noqa: PLC0415  rarely needed, and slow to import

    bounds = {"socket_timeout": _CONNECT_SECONDS, "socket_connect_timeout": _CONNECT_SECONDS}
    try:
        with redis.Redis.from_url(url, **bounds) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _servers() -> Mapping[str, str]:
    """Of the environment; on one machine, those of the stack that runs."""
    env = Environment(os.environ)
    if env.has("DATABASE_URL"):
        return {name: env.text(name) for name in ("DATABASE_URL", "REDIS_URL")}
    from exchange.embedded import running  # noqa: PLC0415  not used in production
    from exchange.processes import CHECKOUT  # noqa: PLC0415

    servers = running(Path(env.text("EXCHANGE_STATE_DIR") or CHECKOUT / ".exchange"))
    if servers is None:
        sys.exit("No servers: set DATABASE_URL and REDIS_URL.")
    return servers


if __name__ == "__main__":
    sys.exit(main())
