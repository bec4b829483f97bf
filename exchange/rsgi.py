"""The web process: one loop waits for clients, a few threads work, as in the gRPC process.

Granian's own WSGI gives a client its thread for as long as the client takes: twelve that send or read a byte
a second would be the whole site. Here a request has arrived before it gets a thread, and its answer is all
there before it begins to leave.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from tempfile import NamedTemporaryFile, SpooledTemporaryFile, gettempdir
from time import time
from typing import IO, Any
from uuid import UUID
from weakref import WeakValueDictionary

from django.conf import settings
from django.contrib.auth import get_user
from django.core.handlers.wsgi import WSGIRequest
from django.db import close_old_connections, connections
from django.urls import is_valid_path
from django.utils.translation import gettext as _

from exchange.wsgi import application

# isort: split
from exchange.api.authentication import bearer
from exchange.api.refusals import LengthRequired, TooSlow, problem
from exchange.core import requests
from exchange.core.errors import DomainError, InvalidInput, TooLarge, Unauthenticated, Unavailable
from exchange.health.middleware import ROUTES
from submissions.api.views import MULTIPART_OVERHEAD
from submissions.attachments import largest_bytes

Headers = list[tuple[str, str]]
IN_MEMORY_BYTES = 1024 * 1024
FIRST_SECONDS, SLOWEST_BYTES_A_SECOND = 20.0, 16 * 1024
MOST_WAITING = 200  # for a thread; those beyond are told to come again
LARGE_AT_ONCE, LARGE_OF_ONE = 4, 2  # bodies that are written to disk; of one person
TURN_SECONDS = 30.0  # that a large body waits for its turn
PROBE_THREADS = 4  # for those who watch, also while PostgreSQL lets all others hang
PREFIX = "exchange-answer-"
OPENED_SECONDS = 60.0  # until Granian has long opened a file that it was told to send
LEFT_SECONDS = 3600.0  # after which a file is one that a killed process left


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
            answer = _refused(refusal)
        _send(protocol, answer, without_body=scope.method == "HEAD")

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
        length = _length(scope.headers)
        if length > _most_bytes(scope.headers):
            return length
        if length <= IN_MEMORY_BYTES:
            return await _read(protocol, body, length)
        if not _is_named(scope.headers):
            raise TooLarge(_("Without credentials a body has at most %d bytes.") % IN_MEMORY_BYTES)
        environ = environ_of(scope, io.BytesIO(), 0)
        person = await self._work(environ, person_of, environ)
        if person is None:
            return length
        async with self._turn(person):
            return await _read(protocol, body, length)

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


class Answer:
    """What a WSGI application said, its body in memory or, beyond a megabyte, in the file called `path`.

    `is_ours`: the file goes when it has been sent.
    """

    def __init__(self) -> None:
        self.status, self.headers = 500, Headers()
        self.body, self.path, self.is_ours = io.BytesIO(), "", False

    def start(self, status: str, headers: Headers, _error: Any = None) -> Callable[[bytes], Any]:
        self.status, self.headers = int(status[:3]), [(name.lower(), value) for name, value in headers]
        return self.body.write

    def take(self, pieces: Iterable[bytes]) -> None:
        pieces = iter(pieces)
        for piece in pieces:
            self.body.write(piece)
            if self.body.tell() > IN_MEMORY_BYTES:
                self._take_to_disk(pieces)

    def discard(self) -> None:
        if self.is_ours:
            Path(self.path).unlink(missing_ok=True)

    def _take_to_disk(self, pieces: Iterator[bytes]) -> None:
        with NamedTemporaryFile(prefix=PREFIX, delete=False) as file:
            self.path, self.is_ours = file.name, True
            file.write(self.body.getvalue())
            file.writelines(pieces)


class StoredFile:
    """PEP 3333's file wrapper: a file that is stored here need not be copied to be sent."""

    def __init__(self, file: Any, size: int = 65_536) -> None:
        self._file, self._size = file, size
        self.close = file.close

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self._file.read(self._size), b"")

    def path(self) -> str:
        """Under which it can be opened again; "" where it is small, or no file with a name."""
        name = getattr(self._file, "name", None)
        if not isinstance(name, str | os.PathLike):
            return ""
        opened, named = os.fstat(self._file.fileno()), Path(name)
        is_it = named.is_file() and os.path.samestat(opened, named.stat())
        return str(named.absolute()) if is_it and opened.st_size > IN_MEMORY_BYTES else ""


def answered(wsgi: Callable[..., Iterable[bytes]], environ: dict[str, Any]) -> Answer:
    """Runs to its end in one thread, whose database connection a streamed answer may go on using."""
    answer = Answer()
    pieces = wsgi(environ, answer.start)
    try:
        answer.path = pieces.path() if isinstance(pieces, StoredFile) else ""
        if not answer.path:
            answer.take(pieces)
    except BaseException:
        answer.discard()
        raise
    finally:
        getattr(pieces, "close", lambda: None)()
    return answer


def without_connections(work: Callable[..., Any], *arguments: Any) -> Any:
    """Those who watch come seldom: none of their threads keeps a connection to the database."""
    try:
        return work(*arguments)
    finally:
        connections.close_all()


def person_of(environ: dict[str, Any]) -> UUID | None:
    """Who sends this, before their body is read; None where nobody is known by it."""
    close_old_connections()
    request = WSGIRequest(environ)
    try:
        known = bearer(request)
    except Unauthenticated:
        return None
    if known:
        return known.user_id
    sessions = import_module(settings.SESSION_ENGINE)
    request.session = sessions.SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    return get_user(request).pk


def forget_left_files() -> None:
    for path in Path(gettempdir()).glob(f"{PREFIX}*"):
        try:
            if path.stat().st_mtime < time() - LEFT_SECONDS:
                path.unlink()
        except OSError:  # another process was quicker, or it is somebody else's
            continue


async def _read(protocol: Any, body: IO[bytes], length: int) -> int:
    loop = asyncio.get_running_loop()
    begun = loop.time()
    try:
        async with asyncio.timeout(FIRST_SECONDS) as patience:
            async for piece in protocol:
                body.write(piece)
                patience.reschedule(begun + FIRST_SECONDS + body.tell() / SLOWEST_BYTES_A_SECOND)
    except TimeoutError:
        raise TooSlow from None
    except OSError as error:  # the disk is full
        raise Unavailable from error
    size = body.tell()
    body.seek(0)
    if size != length:
        raise InvalidInput(_("The body broke off after %d bytes.") % size)
    return length


def _length(headers: Any) -> int:
    if "transfer-encoding" in headers:
        raise LengthRequired
    return int(headers.get("content-length") or 0)


def _most_bytes(headers: Any) -> int:
    """Files are written down for those alone who say who they are."""
    if _is_named(headers):
        return largest_bytes() + MULTIPART_OVERHEAD
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _is_named(headers: Any) -> bool:
    return "authorization" in headers or settings.SESSION_COOKIE_NAME in (headers.get("cookie") or "")


def environ_of(scope: Any, body: IO[bytes], length: int) -> dict[str, Any]:
    """PEP 3333's, of a request whose body is there. A header with `_` is none: it could pass for another.

    Granian shows ASCII alone. InvalidInput where a client hides by it what a proxy has appended.
    """
    if "x-forwarded-for" in scope.headers and scope.headers.get("x-forwarded-for") is None:
        raise InvalidInput(_("X-Forwarded-For is not ASCII."))
    host, _colon, port = scope.server.rpartition(":")
    environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "SERVER_NAME": host.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "CONTENT_LENGTH": str(length),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": StoredFile,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        if "_" in name or name in {"content-length", "transfer-encoding"}:
            continue
        key = "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"
        joined = "; " if name == "cookie" else ","
        environ[key] = f"{environ[key]}{joined}{value}" if key in environ else value
    return environ


def _refused(refusal: DomainError) -> Answer:
    requests.begin_request()
    answer = Answer()
    headers = [("content-type", "application/problem+json"), ("x-request-id", requests.request_id())]
    if refusal.retry_after_seconds is not None:
        headers.append(("retry-after", str(refusal.retry_after_seconds)))
    answer.start(str(refusal.http), headers)
    answer.body.write(json.dumps(problem(refusal)).encode())
    return answer


def _send(protocol: Any, answer: Answer, *, without_body: bool) -> None:
    """Granian keeps what it is given in memory until the client has taken it; a file it reads bit by bit.

    It opens the file some time later, by its name, which no other file ever has: too late finds none.
    """
    if answer.path and not without_body:
        protocol.response_file(answer.status, answer.headers, answer.path)
        asyncio.get_running_loop().call_later(OPENED_SECONDS, answer.discard)
        return
    answer.discard()
    content = answer.body.getvalue()
    if content and not without_body:
        protocol.response_bytes(answer.status, answer.headers, content)
    else:
        protocol.response_empty(answer.status, answer.headers)


web = Web()
