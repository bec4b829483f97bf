"""The crossing between two threads: slots ask on the event loop, the sink is called in the caller's thread.

Whatever slots want stored while the sink is busy is stored together in its next call (group commit).
"""

import asyncio
import queue
from collections.abc import Sequence
from dataclasses import dataclass, field

from llm_benchmark.measure.sink import Reservation, Settlement, Sink


@dataclass(slots=True)
class _Group:
    """What the slots wanted stored in one turn of the loop."""

    settlements: list[Settlement] = field(default_factory=list)
    reservations: list[Reservation] = field(default_factory=list)
    reserved: list[tuple[int, asyncio.Future[Sequence[int]]]] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    marked: list[asyncio.Future[None]] = field(default_factory=list)


class Crossing:
    """`reserve`, `sent` and `settled` belong to the loop; `pump` to the thread that owns the sink.

    A slot's operations are stored in the order it asked for them.
    """

    def __init__(self) -> None:
        self._groups: queue.SimpleQueue[_Group | None] = queue.SimpleQueue()
        self._open: _Group | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def reserve(self, batch: Sequence[Reservation]) -> Sequence[int]:
        group, loop = self._group()
        waiter: asyncio.Future[Sequence[int]] = loop.create_future()
        group.reservations.extend(batch)
        group.reserved.append((len(batch), waiter))
        return await waiter

    async def sent(self, attempt_id: int) -> None:
        group, loop = self._group()
        waiter: asyncio.Future[None] = loop.create_future()
        group.sent.append(attempt_id)
        group.marked.append(waiter)
        await waiter

    def settled(self, batch: Sequence[Settlement]) -> None:
        """Needs no waiting: it is stored before anything the slot asks for later."""
        group, _ = self._group()
        group.settlements.extend(batch)

    def finish(self) -> None:
        """Nothing more comes. Called once, when the loop has ended."""
        self._post()
        self._groups.put(None)

    def pump(self, sink: Sink, seconds: float) -> bool:
        """Wait for operations at most that long and store them. False: finished."""
        try:
            first = self._groups.get(timeout=seconds)
        except queue.Empty:
            return True
        groups, more = self._waiting(first)
        if groups:
            self._store(groups, sink)
        return more

    def _group(self) -> tuple[_Group, asyncio.AbstractEventLoop]:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        if self._open is None:
            self._open = _Group()
            self._loop.call_soon(self._post)
        return self._open, self._loop

    def _post(self) -> None:
        if self._open is not None:
            self._groups.put(self._open)
            self._open = None

    def _waiting(self, first: _Group | None) -> tuple[list[_Group], bool]:
        groups: list[_Group] = []
        while first is not None:
            groups.append(first)
            try:
                first = self._groups.get_nowait()
            except queue.Empty:
                return groups, True
        return groups, False

    def _store(self, groups: Sequence[_Group], sink: Sink) -> None:
        settlements = [item for group in groups for item in group.settlements]
        reservations = [item for group in groups for item in group.reservations]
        sent = [item for group in groups for item in group.sent]
        if settlements:
            sink.settled(settlements)
        ids = sink.reserve(reservations) if reservations else ()
        if sent:
            sink.sent(sent)
        if (reservations or sent) and self._loop is not None:
            self._loop.call_soon_threadsafe(_resolve, groups, ids)


def _resolve(groups: Sequence[_Group], ids: Sequence[int]) -> None:
    start = 0
    for group in groups:
        for count, waiter in group.reserved:
            if not waiter.done():
                waiter.set_result(ids[start : start + count])
            start += count
        for mark in group.marked:
            if not mark.done():
                mark.set_result(None)
