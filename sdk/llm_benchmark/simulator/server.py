"""The simulator's HTTP server: a lean asyncio protocol, fast enough to never be what is measured."""

import asyncio
import hmac
import signal
import socket
import struct
from collections.abc import Callable, Iterator
from time import monotonic
from typing import cast

import httptools
import orjson

from llm_benchmark.child import read_config, say_ready

from .config import SimulatorConfig
from .counts import Counts
from .listing import page
from .pacing import Pacer
from .request import BadRequest
from .script import Ending, Script
from .spoken import BY_PATH
from .talk import Caller, Talk
from .wording import refusal, whole

LARGEST_BODY = 16 * 1024 * 1024
WRITTEN_TOGETHER = 256 * 1024
_LINGER_NOT = struct.pack("ii", 1, 0)
_HEADERS = {b"authorization", b"x-api-key", b"anthropic-version"}


class Provider:
    """What all connections share."""

    def __init__(self, config: SimulatorConfig, pacer: Pacer) -> None:
        self.config, self.pacer = config, pacer
        self.talk = Talk(config)
        self.counts = {name: Counts() for name in config.models}

    def books(self) -> bytes:
        models = {name: counts.to_json() for name, counts in self.counts.items()}
        books = {"simulated": True, "models": models, "late_ms": self.pacer.late_ms()}
        return whole(200, orjson.dumps(books))

    def lets_in(self, key: str) -> bool:
        wanted = self.config.api_key
        return wanted is None or hmac.compare_digest(key.encode(), wanted.encode())


class Connection(asyncio.Protocol):
    """One caller; one request at a time."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._parser = httptools.HttpRequestParser(self)
        self._counts: Counts | None = None
        self._steps: Iterator[tuple[float, bytes]] = iter(())
        self._ending = Ending.KEEP
        self._is_full = self._waits = False
        self._start_message()

    def _start_message(self) -> None:
        self._url = b""
        self._headers: dict[bytes, str] = {}
        self._body: list[bytes] = []
        self._size = 0

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserCallbackError:
            raise  # a bug of ours, not the peer's
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._transport.close()

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        if self._waits:
            self._waits = False
            self._advance(b"")

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish(answered=False)

    # httptools

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        if name in _HEADERS:
            self._headers[name] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        self._size += len(body)
        if self._size > LARGEST_BODY:
            self._transport.close()
            return
        self._body.append(body)

    def on_message_complete(self) -> None:
        body, headers = b"".join(self._body), self._headers
        path, _, query = self._url.decode("latin-1").partition("?")
        method = self._parser.get_method()
        self._start_message()
        if self._counts is not None or self._transport.is_closing():
            self._transport.close()  # a second request before the first is answered
            return
        caller = Caller.of(headers)
        if (method, path) == (b"GET", "/_simulator/counts"):
            self._transport.write(self._provider.books())
        elif not self._provider.lets_in(caller.key_for(path)):
            self._transport.write(refusal(401, "Incorrect API key provided.", "invalid_api_key"))
        elif (method, path) == (b"GET", "/v1/models"):
            self._transport.write(page(self._provider.config, query, caller.key_for(path)))
        elif method == b"POST" and path in BY_PATH:
            self._talk(path, body, caller)
        else:
            self._transport.write(refusal(404, "No such path.", "not_found"))

    def _talk(self, path: str, body: bytes, caller: Caller) -> None:
        talk = self._provider.talk
        try:
            asked = talk.read(path, body, caller)
        except BadRequest as bad:
            self._transport.write(refusal(bad.status, str(bad), bad.code))
            return
        self._counts = self._provider.counts[asked.model]
        self._play(talk.script(path, asked, self._counts.begin(len(body)), caller))

    # playing a script

    def _play(self, script: Script) -> None:
        self._began = monotonic()
        self._steps, self._ending = iter(script.steps), script.ending
        self._advance(b"")

    def _advance(self, due: bytes) -> None:
        """Write everything whose time has come, in large pieces, and come back for the next."""
        if self._counts is None:
            return  # the caller has gone
        now_ms = (monotonic() - self._began) * 1000
        ready, size = [due], len(due)
        for at_ms, data in self._steps:
            if at_ms > now_ms:
                self._write(b"".join(ready))
                self._provider.pacer.at(self._began + at_ms / 1000, lambda: self._advance(data))  # noqa: B023
                return
            ready.append(data)
            size += len(data)
            if size >= WRITTEN_TOGETHER:
                self._write(b"".join(ready))
                ready, size = [], 0
                if self._is_full:
                    self._waits = True
                    return
        self._write(b"".join(ready))
        self._end()

    def _write(self, data: bytes) -> None:
        if data and self._counts is not None:
            self._counts.bytes_sent += len(data)
            self._transport.write(data)

    def _end(self) -> None:
        if self._ending is Ending.SILENCE:
            return
        self._finish(answered=True)
        if self._ending is Ending.CLOSE:
            self._transport.close()
        elif self._ending is Ending.RESET:
            self._transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT
            )
            self._transport.abort()

    def _finish(self, *, answered: bool) -> None:
        if self._counts is not None:
            self._counts.end(answered=answered)
            self._counts = None
            self._steps = iter(())


async def serve(config: SimulatorConfig, ready: Callable[[int], None]) -> None:
    """Serve on 127.0.0.1 until SIGTERM or SIGINT; `ready` is told the port."""
    loop = asyncio.get_running_loop()
    provider = Provider(config, Pacer(loop))
    server = await loop.create_server(lambda: Connection(provider), "127.0.0.1", config.port, backlog=1024)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with server:
        ready(server.sockets[0].getsockname()[1])
        await stop.wait()


def run(config: SimulatorConfig, ready: Callable[[int], None]) -> None:
    """`serve` on uvloop."""
    import uvloop  # noqa: PLC0415  (keeps the command line's start light)

    uvloop.run(serve(config, ready))


if __name__ == "__main__":
    run(SimulatorConfig.from_json(read_config()), lambda port: say_ready(port=port))
