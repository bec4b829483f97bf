"""What Granian calls: `exchange.front.server:web`."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from uuid import UUID
from weakref import WeakValueDictionary

from django.conf import settings
from django.db import connections
from django.urls import is_valid_path
from django.utils.translation import gettext as _

from exchange.wsgi import application

# isort: split
from exchange.core.errors import DomainError, TooLarge, Unavailable
from exchange.health.middleware import ROUTES

from .answers import IN_MEMORY_BYTES, answered, forget_left_files, refused, send
from .bodies import is_named, length_of, most_bytes, person_of, read
from .environ import environ_of

MOST_WAITING = 200  # for a thread; those beyond are told to come again
LARGE_AT_ONCE, LARGE_OF_ONE = 4, 2  # bodies that are written to disk; of one person
TURN_SECONDS = 30.0  # that a large body waits for its turn
PROBE_THREADS = 4  # for those who watch, also while PostgreSQL lets all others hang


class Web:
    """Granian calls it with each request, in its loop."""

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._threads = ThreadPoolExecutor(settings.WEB_THREADS, "web")
        self._probes = ThreadPoolExecutor(PROBE_THREADS, "probe")
        self._large = asyncio.Semaphore(LARGE_AT_ONCE)
        self._large_of: WeakValueDictionary[UUID, asyncio.Semaphore] = WeakValueDictionary()
        self._waiting = 0
        forget_left_files()

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        try:
            with SpooledTemporaryFile(IN_MEMORY_BYTES) as body:
                length = await self._received(scope, protocol, body)
                environ = environ_of(scope, body, length)
                answer = await self._work(environ, answered, application, environ)
        except DomainError as refusal:
            answer = refused(refusal)
        send(protocol, answer, without_body=scope.method == "HEAD")

    async def _work(self, environ: dict[str, Any], work: Callable[..., Any], *arguments: Any) -> Any:
        loop = asyncio.get_running_loop()
        if is_valid_path(environ["PATH_INFO"], ROUTES):
            return await loop.run_in_executor(self._probes, without_connections, work, *arguments)
        if self._waiting >= MOST_WAITING:
            raise Unavailable(retry_after_seconds=1)
        self._waiting += 1
        try:
            return await loop.run_in_executor(self._threads, work, *arguments)
        finally:
            self._waiting -= 1

    async def _received(self, scope: Any, protocol: Any, body: IO[bytes]) -> int:
        """Read the body; its length. What is too large, or nobody's, stays unread: the view refuses it.

        Granian does not tell a body that broke off from one that ended, so its length has to be known.

        Raises LengthRequired, TooSlow, TooLarge, or InvalidInput where less came than was said.
        """
        length = length_of(scope.headers)
        if length > most_bytes(scope.headers):
            return length
        if length <= IN_MEMORY_BYTES:
            return await read(protocol, body, length)
        if not is_named(scope.headers):
            raise TooLarge(_("Without credentials a body has at most %d bytes.") % IN_MEMORY_BYTES)
        environ = environ_of(scope, io.BytesIO(), 0)
        person = await self._work(environ, person_of, environ)
        if person is None:
            return length
        async with self._turn(person):
            return await read(protocol, body, length)

    @asynccontextmanager
    async def _turn(self, person: UUID) -> AsyncIterator[None]:
        """Nobody takes all places, however slowly they send."""
        own = self._large_of.setdefault(person, asyncio.Semaphore(LARGE_OF_ONE))
        try:
            async with asyncio.timeout(TURN_SECONDS) as patience, own, self._large:
                patience.reschedule(None)
                yield
        except TimeoutError:
            raise Unavailable(retry_after_seconds=5) from None


def without_connections(work: Callable[..., Any], *arguments: Any) -> Any:
    """Those who watch come seldom: none of their threads keeps a connection to the database."""
    try:
        return work(*arguments)
    finally:
        connections.close_all()


web = Web()
