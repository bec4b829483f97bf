"""The parent's hold on a gateway child: start it, follow its journal, end it."""

import json
import os
import secrets
import select
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import EndpointUrl, Pinned, check_api_key, parse_endpoint_url, resolve
from llm_benchmark.measure.plans import Target

from .bounds import Bounds, Orders
from .client import client_path
from .journal import JournalReader

_PACKAGE_ROOT = Path(__file__).resolve().parents[3]
_INHERITED = ("PATH", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR", "LD_LIBRARY_PATH")


class GatewayBroken(Exception):
    """The gateway's process did not start or ended by itself: a fault of the platform."""


class Gateway:
    """A running gateway. Use it as a context manager, or `stop` it.

    Attributes:
        url: `http://127.0.0.1:PORT`, before `path`: what it serves, whatever the provider's path is.
        key, canary_key: throw-away keys; the second is the canary's.
        journal: a reader that follows the journal; `journal_path`, `bodies_path` are its files.
    """

    def __init__(self, *, process: "subprocess.Popen[bytes]", orders: Orders, port: int) -> None:
        self._process = process
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.path = client_path(protocols.get(orders.protocol))
        self.key, self.canary_key = orders.client_key, orders.canary_key
        self.journal_path, self.bodies_path = orders.journal, orders.bodies
        self.journal = JournalReader(orders.journal)

    @classmethod
    def start(
        cls,
        target: Target,
        plan_bounds: Bounds,
        workdir: Path,
        *,
        pinned: Pinned | None = None,
        start_seconds: float = 20.0,
    ) -> Self:
        """Start the child and wait until it listens.

        Raises:
            EgressRefused: the target's address or key is not allowed.
            GatewayBroken: no answer from the child; its errors are in `workdir`/gateway.log.
        """
        endpoint = parse_endpoint_url(target.base_url)
        pinned = pinned or resolve(endpoint, target.egress)
        orders = _orders(target, endpoint, pinned, plan_bounds, workdir)
        process = _spawn(workdir)
        try:
            port = _introduce(process, orders, start_seconds)
        except BaseException:
            process.kill()
            process.wait()
            raise
        return cls(process=process, orders=orders, port=port)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def stop(self, grace_seconds: float = 5.0) -> None:
        """End the child: connections are torn off, the journal is written out. Safe to call twice."""
        _pipe(self._process).close()
        try:
            self._process.wait(grace_seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.stop()


def _orders(target: Target, endpoint: EndpointUrl, pinned: Pinned, bounds: Bounds, workdir: Path) -> Orders:
    return Orders(
        pinned=pinned,
        protocol=target.protocol,
        path=protocols.path_of(endpoint, protocols.get(target.protocol)),
        host_header=endpoint.host_header,
        api_key=check_api_key(target.api_key) if target.api_key else None,
        client_key=secrets.token_urlsafe(32),
        canary_key=secrets.token_urlsafe(32),
        journal=workdir / "journal.jsonl",
        bodies=workdir / "bodies.jsonl.gz",
        bounds=bounds,
        parent_pid=os.getpid(),
    )


def _spawn(workdir: Path) -> "subprocess.Popen[bytes]":
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment |= {"PYTHONPATH": str(_PACKAGE_ROOT)}
    workdir.mkdir(parents=True, exist_ok=True)
    with (workdir / "gateway.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "llm_benchmark.measure.gateway.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=environment,
            bufsize=0,
            start_new_session=True,
        )


def _introduce(process: "subprocess.Popen[bytes]", orders: Orders, seconds: float) -> int:
    assert process.stdout is not None  # noqa: S101  (asked for)
    try:
        _pipe(process).write(json.dumps(orders.to_json()).encode() + b"\n")
    except OSError:
        raise GatewayBroken("The gateway did not take its orders.") from None
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    line = process.stdout.readline() if ready else b""
    if not line:
        raise GatewayBroken("The gateway did not start.")
    return int(json.loads(line)["port"])


def _pipe(process: "subprocess.Popen[bytes]") -> IO[bytes]:
    assert process.stdin is not None  # noqa: S101  (asked for)
    return process.stdin
