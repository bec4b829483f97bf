"""What all requests of one gateway share: the provider's connections, the bounds, the journal."""

import asyncio
import time

from llm_benchmark.measure import protocols
from llm_benchmark.measure.head import length_line, render_head
from llm_benchmark.measure.sink import Purpose

from .bounds import Orders
from .client import ClientConnection, ClientRequest, client_path
from .exchange import Exchange
from .journal import JournalEntry, JournalWriter
from .upstream import Pool


class Relay:
    """Admits requests within the bounds and sends them on."""

    def __init__(self, orders: Orders) -> None:
        self.orders, self.protocol = orders, protocols.get(orders.protocol)
        self.path = client_path(self.protocol).encode()
        self.pool = Pool(orders)
        self.journal = JournalWriter(
            protocol=self.protocol,
            journal=orders.journal,
            bodies=orders.bodies,
            recorded_bytes=orders.bounds.recorded_bytes,
        )
        self.authorizations = (
            (b"Bearer " + orders.client_key.encode(), Purpose.REQUEST),
            (b"Bearer " + orders.canary_key.encode(), Purpose.CANARY),
        )
        self.clients: set[ClientConnection] = set()
        headers = self.protocol.headers(orders.api_key)
        self._head = render_head("POST", orders.path, host=orders.host_header, headers=headers)
        self._starting: set[asyncio.Task[None]] = set()
        self._admitted = self._tokens = self._token_reserve = 0
        self._held = 0

    def hold(self, byte_count: int) -> bool:
        """Whether there is room for so much more of answers; give it back to `finish`."""
        self._held += byte_count
        return self._held <= self.orders.bounds.held_bytes

    def head_of(self, request: ClientRequest) -> bytes:
        """The whole head: nothing of the client's goes on but its body."""
        return self._head + length_line(len(request.body))

    def admit(self, exchange: Exchange) -> None:
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

    def finish(self, exchange: Exchange, *, tokens: int, held: int) -> None:
        self._held -= held
        self._token_reserve -= exchange.token_reserve
        self._tokens += tokens

    def refused(self, request_id: str, code: str) -> None:
        entry = JournalEntry(None, request_id, "request", code, time.time_ns())
        self.journal.ended(entry, b"", is_stream=False)

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
