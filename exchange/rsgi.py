"""The web process: one loop waits for clients, a few threads work, as in the gRPC process.

Granian's own WSGI gives a client its thread for as long as the client takes: twelve that send or read a byte
a second would be the whole site. Here a request has arrived before it gets a thread, and its answer is all
there before it begins to leave.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _

from exchange.wsgi import application

# isort: split
from exchange.api.refusals import LengthRequired, TooSlow, problem
from exchange.core import requests
from exchange.core.errors import DomainError, InvalidInput, Unavailable
from submissions.api.views import MULTIPART_OVERHEAD
from submissions.attachments import largest_bytes

Headers = list[tuple[str, str]]
IN_MEMORY_BYTES = 1024 * 1024
FIRST_SECONDS, SLOWEST_BYTES_A_SECOND = 20.0, 16 * 1024
MOST_WAITING = 200  # for a thread; those beyond are told to come again
LARGE_AT_ONCE = 4  # bodies that are written to disk
OPENED_SECONDS = 5.0  # until Granian has opened a file that it was told to send


class Web:
    """Granian calls it with each request, in its loop."""

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._threads = ThreadPoolExecutor(settings.WEB_THREADS, "web")
        self._large = asyncio.Semaphore(LARGE_AT_ONCE)
        self._waiting = 0

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        try:
            with SpooledTemporaryFile(IN_MEMORY_BYTES) as body:
                length = await _received(scope, protocol, body, self._large)
                answer = await self._work(environ_of(scope, body, length))
        except DomainError as refusal:
            answer = _refused(refusal)
        _send(protocol, answer, without_body=scope.method == "HEAD")

    async def _work(self, environ: dict[str, Any]) -> Answer:
        if self._waiting >= MOST_WAITING:
            raise Unavailable(retry_after_seconds=1)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, answered, application, environ)
        finally:
            self._waiting -= 1


class Answer:
    """What a WSGI application said, its body in memory or, beyond a megabyte, in an unnamed file."""

    def __init__(self) -> None:
        self.status, self.headers = 500, Headers()
        self.body: IO[bytes] = SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115  (_send closes it)

    def start(self, status: str, headers: Headers, _error: Any = None) -> Callable[[bytes], Any]:
        self.status, self.headers = int(status[:3]), [(name.lower(), value) for name, value in headers]
        return self.body.write


class StoredFile:
    """PEP 3333's file wrapper: a file that is stored here need not be copied to be sent."""

    def __init__(self, file: Any, size: int = 65_536) -> None:
        self._file, self._size = file, size
        self.close = file.close

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self._file.read(self._size), b"")

    def opened_again(self) -> IO[bytes] | None:
        """To be read when this one is closed; None where it is no file of this machine."""
        try:
            return os.fdopen(os.dup(self._file.fileno()), "rb")
        except (AttributeError, OSError):
            return None


def answered(wsgi: Callable[..., Iterable[bytes]], environ: dict[str, Any]) -> Answer:
    """Runs to its end in one thread, whose database connection a streamed answer may go on using."""
    answer = Answer()
    pieces = wsgi(environ, answer.start)
    try:
        stored = pieces.opened_again() if isinstance(pieces, StoredFile) else None
        if stored:
            answer.body.close()
            answer.body = stored
            answer.body.seek(0, os.SEEK_END)
        else:
            answer.body.writelines(pieces)
    except BaseException:
        answer.body.close()
        raise
    finally:
        getattr(pieces, "close", lambda: None)()
    return answer


async def _received(scope: Any, protocol: Any, body: IO[bytes], large: asyncio.Semaphore) -> int:
    """Read the body; its length. One that is too large stays unread: whoever sees the length refuses it.

    Granian does not tell a body that broke off from one that ended, so its length has to be known.

    Raises LengthRequired, TooSlow, or InvalidInput where less came than was said.
    """
    if "transfer-encoding" in scope.headers:
        raise LengthRequired
    length = int(scope.headers.get("content-length") or 0)
    if length > _most_bytes(scope.headers):
        return length
    if length <= IN_MEMORY_BYTES:
        size = await _read(protocol, body)
    else:
        async with large:
            size = await _read(protocol, body)
    if size != length:
        raise InvalidInput(_("The body broke off after %d bytes.") % size)
    return length


async def _read(protocol: Any, body: IO[bytes]) -> int:
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
    return size


def _most_bytes(headers: Any) -> int:
    """Files are written down for those alone who say who they are; the view finds out whether it is true."""
    is_named = "authorization" in headers or settings.SESSION_COOKIE_NAME in (headers.get("cookie") or "")
    if is_named:
        return largest_bytes() + MULTIPART_OVERHEAD
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def environ_of(scope: Any, body: IO[bytes], length: int) -> dict[str, Any]:
    """PEP 3333's, of a request whose body is there. A header with `_` is none: it could pass for another."""
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
    """Granian keeps what it is given in memory until the client has taken it; a file it reads bit by bit."""
    size = answer.body.tell()
    answer.body.seek(0)
    if size > IN_MEMORY_BYTES and not without_body:
        protocol.response_file(answer.status, answer.headers, f"/dev/fd/{answer.body.fileno()}")
        asyncio.get_running_loop().call_later(OPENED_SECONDS, answer.body.close)
        return
    if size and not without_body:
        protocol.response_bytes(answer.status, answer.headers, answer.body.read())
    else:
        protocol.response_empty(answer.status, answer.headers)
    answer.body.close()


web = Web()
