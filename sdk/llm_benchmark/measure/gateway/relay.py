"""What all requests of one gateway share: the provider's connections, the bounds, the journal, the gate."""

import asyncio
import time

from llm_benchmark.measure.egress import USER_AGENT
from llm_benchmark.measure.sink import Purpose

from .bounds import Orders
from .client import ClientConnection, ClientRequest
from .exchange import Exchange
from .journal import JournalEntry, JournalWriter
from .upstream import Pool


class Relay:
    """Admits requests within the bounds and sends them on."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.pool = Pool(orders)
        self.journal = JournalWriter(
            journal=orders.journal, bodies=orders.bodies, recorded_bytes=orders.bounds.recorded_bytes
        )
        self.authorizations = (
            (b"Bearer " + orders.client_key.encode(), Purpose.REQUEST),
            (b"Bearer " + orders.canary_key.encode(), Purpose.CANARY),
        )
        self.clients: set[ClientConnection] = set()
        self._heads = {True: _head(orders, b"text/event-stream"), False: _head(orders, b"application/json")}
        self._is_open = not orders.gated
        self._waiting: list[Exchange] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._admitted = self._tokens = self._token_reserve = 0

    def head_of(self, request: ClientRequest) -> bytes:
        """The whole head: nothing of the client's goes on but its body."""
        return self._heads[request.wants_stream] % len(request.body)

    def admit(self, exchange: Exchange) -> None:
        if not self._is_open and exchange.request.purpose is not Purpose.CANARY:
            self._waiting.append(exchange)
            return
        code = self._bound_reached()
        if code:
            exchange.fail(code, 429)
            return
        self._admitted += 1
        exchange.number = self._admitted
        exchange.token_reserve = exchange.request.max_tokens
        self._token_reserve += exchange.token_reserve
        upstream = self.pool.take()
        if upstream:
            exchange.send(upstream)
        else:
            self._start(exchange)

    def open(self) -> None:
        """Let the load in: the canary has come back."""
        self._is_open = True
        waiting, self._waiting = self._waiting, []
        for exchange in waiting:
            self.admit(exchange)

    def finish(self, exchange: Exchange, *, tokens: int) -> None:
        self._token_reserve -= exchange.token_reserve
        self._tokens += tokens

    def refused(self, request_id: str, code: str) -> None:
        entry = JournalEntry(None, request_id, "request", code, time.time_ns())
        self.journal.ended(entry, b"")

    def close(self) -> None:
        for client in list(self.clients):
            client.abort()

    def _bound_reached(self) -> str | None:
        bounds = self.orders.bounds
        if bounds.requests is not None and self._admitted >= bounds.requests:
            return "request_bound_reached"
        if bounds.tokens is not None and self._tokens + self._token_reserve >= bounds.tokens:
            return "token_bound_reached"
        return None

    def _start(self, exchange: Exchange) -> None:
        task = asyncio.get_running_loop().create_task(exchange.start())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)


def _head(orders: Orders, accept: bytes) -> bytes:
    """The request's head with a place for the length."""
    lines = [
        f"POST {orders.path} HTTP/1.1",
        f"Host: {orders.host_header}",
        f"User-Agent: {USER_AGENT}",
        f"Accept: {accept.decode()}",
        "Accept-Encoding: identity",
        "Content-Type: application/json",
        "Connection: keep-alive",
    ]
    if orders.api_key is not None:
        lines.append(f"Authorization: Bearer {orders.api_key}")
    head = "\r\n".join(lines).replace("%", "%%")
    return head.encode() + b"\r\nContent-Length: %d\r\n\r\n"
