"""How an answer is taken from Django and given to Granian."""

from __future__ import annotations

import asyncio
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile, gettempdir
from time import time
from typing import Any

from exchange.api.refusals import problem
from exchange.core import requests
from exchange.core.errors import DomainError

Headers = list[tuple[str, str]]
IN_MEMORY_BYTES = 1024 * 1024
PREFIX = "exchange-answer-"
OPENED_SECONDS = 60.0  # until Granian has long opened a file that it was told to send
LEFT_SECONDS = 3600.0  # after which a file is one that a killed process left


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


def refused(refusal: DomainError) -> Answer:
    requests.begin_request()
    answer = Answer()
    headers = [("content-type", "application/problem+json"), ("x-request-id", requests.request_id())]
    if refusal.retry_after_seconds is not None:
        headers.append(("retry-after", str(refusal.retry_after_seconds)))
    answer.start(str(refusal.http), headers)
    answer.body.write(json.dumps(problem(refusal)).encode())
    return answer


def send(protocol: Any, answer: Answer, *, without_body: bool) -> None:
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


def forget_left_files() -> None:
    for path in Path(gettempdir()).glob(f"{PREFIX}*"):
        try:
            if path.stat().st_mtime < time() - LEFT_SECONDS:
                path.unlink()
        except OSError:  # another process was quicker, or it is somebody else's
            continue
