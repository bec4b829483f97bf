"""What the gateway itself costs on this machine, measured against a provider of our own on loopback.

As a program (`python -m llm_benchmark.measure.gateway.calibration`) this module is that provider: it
answers at /paced after a pause and at /burst chunk by chunk without one, and ends with its standard input.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import cast

import httptools
import uvloop

from llm_benchmark.measure.contain import die_with_parent
from llm_benchmark.measure.plans import EgressRules, Target

from .bounds import Bounds
from .handle import Gateway

CACHED_SECONDS = 600.0
PAUSE_SECONDS = 0.005
_PAIRS, _LANES, _ROUNDS = 40, 8, 25
_PACED_EVENTS, _BURST_EVENTS, _BURSTS = 4, 4000, 6
_END = b"0\r\n\r\n"

_cached: tuple[float, Mapping[str, float]] | None = None
_lock = threading.Lock()


def calibrate(*, fresh: bool = False) -> Mapping[str, float]:
    """The gateway's cost, measured at most every ten minutes in one process; takes about a second.

    Returns:
        added_ttft_p50_ms: the median of paired differences, one request at a time.
        requests_per_second, chunks_per_second: what it passes on at most, as far as this client can tell.
        measured_at: Unix time in seconds.

    Raises:
        GatewayBroken: the gateway did not start.
    """
    global _cached  # noqa: PLW0603  (one calibration for all runs of this process)
    with _lock:
        if fresh or _cached is None or time.monotonic() - _cached[0] > CACHED_SECONDS:
            _cached = time.monotonic(), _measure()
        return _cached[1]


def _measure() -> Mapping[str, float]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="calibration-")))
        port = stack.enter_context(_provider())
        gateways = {
            mode: stack.enter_context(Gateway.start(_target(port, mode), _bounds(), folder / mode))
            for mode in ("paced", "burst")
        }
        return {
            "added_ttft_p50_ms": _added_ttft_ms(port, gateways["paced"]),
            "requests_per_second": _requests_per_second(gateways["burst"]),
            "chunks_per_second": _chunks_per_second(gateways["burst"]),
            "measured_at": time.time(),
        }


def _target(port: int, mode: str) -> Target:
    allowed = EgressRules(allow=frozenset({f"127.0.0.1:{port}"}))
    return Target(f"http://127.0.0.1:{port}/{mode}", "calibration", egress=allowed)


def _bounds() -> Bounds:
    return Bounds(connections=_LANES, recorded_bytes=0)


@contextmanager
def _provider() -> Iterator[int]:
    with subprocess.Popen(
        [sys.executable, "-m", __name__, str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])},
    ) as process:
        assert process.stdin is not None  # noqa: S101  (asked for)
        assert process.stdout is not None  # noqa: S101  (asked for)
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


class _Lane:
    """One keep-alive connection that asks one question again and again."""

    def __init__(self, port: int, path: str, key: str, events: int) -> None:
        body = json.dumps({"model": "calibration", "stream": True, "max_tokens": events}).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
        self._request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self) -> None:
        self._socket.sendall(self._request)

    def read(self) -> float:
        """Read the whole answer; the time at which its first bytes came."""
        tail = self._socket.recv(1 << 18)
        first = time.perf_counter()
        while not tail.endswith(_END):
            received = self._socket.recv(1 << 18)
            if not received:
                raise ConnectionError("The answer was torn off.")
            tail = tail[-len(_END) :] + received
        return first

    def close(self) -> None:
        self._socket.close()


@contextmanager
def _lanes(gateway: Gateway, count: int, events: int) -> Iterator[list[_Lane]]:
    lanes = [_Lane(gateway.port, "/v1/chat/completions", gateway.key, events) for _ in range(count)]
    try:
        yield lanes
    finally:
        for lane in lanes:
            lane.close()


def _added_ttft_ms(port: int, gateway: Gateway) -> float:
    direct = _Lane(port, "/paced/chat/completions", "", _PACED_EVENTS)
    with _lanes(gateway, 1, _PACED_EVENTS) as [through]:
        differences = [_ttft_ms(through) - _ttft_ms(direct) for _ in range(_PAIRS)]
    direct.close()
    return median(differences)


def _ttft_ms(lane: _Lane) -> float:
    start = time.perf_counter()
    lane.ask()
    return (lane.read() - start) * 1000


def _requests_per_second(gateway: Gateway) -> float:
    with _lanes(gateway, _LANES, _PACED_EVENTS) as lanes:
        start = time.perf_counter()
        for _ in range(_ROUNDS):
            _round(lanes)
        return _ROUNDS * _LANES / (time.perf_counter() - start)


def _chunks_per_second(gateway: Gateway) -> float:
    with _lanes(gateway, 1, _BURST_EVENTS) as lanes:
        _round(lanes)
        start = time.perf_counter()
        for _ in range(_BURSTS):
            _round(lanes)
        return _BURSTS * _BURST_EVENTS / (time.perf_counter() - start)


def _round(lanes: list[_Lane]) -> None:
    for lane in lanes:
        lane.ask()
    for lane in lanes:
        lane.read()


def _chunk(text: str) -> bytes:
    event = f"data: {text}\n\n".encode()
    return b"%x\r\n%b\r\n" % (len(event), event)


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
_WORD = _chunk('{"id":"chatcmpl-0","choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}')
_LAST = _chunk('{"id":"chatcmpl-0","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}')
_DONE = _chunk("[DONE]")


class _Provider(asyncio.Protocol):
    """Answers each request with as many events as its max_tokens says."""

    def __init__(self) -> None:
        self._parser = httptools.HttpRequestParser(self)
        self._path, self._body = b"", b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_begin(self) -> None:
        self._path, self._body = b"", b""

    def on_url(self, url: bytes) -> None:
        self._path += url

    def on_body(self, piece: bytes) -> None:
        self._body += piece

    def on_message_complete(self) -> None:
        count = json.loads(self._body)["max_tokens"]
        if self._path.startswith(b"/paced"):
            asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._answer, count)
        else:
            self._transport.write(_HEAD)
            self._go_on(count)

    def _go_on(self, left: int) -> None:
        """One chunk a turn of the loop, so that each goes out alone, as from a model."""
        if self._transport.is_closing():
            return
        self._transport.write(_WORD if left else _LAST + _DONE + _END)
        if left:
            asyncio.get_running_loop().call_soon(self._go_on, left - 1)

    def _answer(self, count: int) -> None:
        if not self._transport.is_closing():
            self._transport.write(_HEAD + _WORD * count + _LAST + _DONE + _END)


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(_Provider, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    ended = asyncio.Event()
    loop.add_reader(0, ended.set)
    await ended.wait()


if __name__ == "__main__" and die_with_parent(int(sys.argv[1])):
    uvloop.run(_serve())
