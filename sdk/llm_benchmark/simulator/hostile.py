"""Answers that are made to hurt whoever reads them. They look the same with and without streaming."""

import gzip
import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import orjson

from .config import Behaviour
from .script import EVENT_STREAM, SIMULATED, Ending, Script, Steps
from .spoken import Speech
from .wording import LAST_CHUNK, Said, chunk, head, refusal, whole

MIB = 1024 * 1024
HUGE = 8 * MIB
BOTTOMLESS_MIB = 10 * 1024
BOMB_MEMBERS = 1024
BLOCK = b" " * 65536
DRIP_MS = 20_000.0

_PAGE = b'<!doctype html><meta http-equiv="refresh" content="0; url=/elsewhere"><h1>Simulated</h1>'


def hostile(said: Said, speech: Speech, behaviour: Behaviour, *, failure: str) -> Script | None:
    """The script of such a failure; `said` is what an honest answer would say."""
    at = behaviour.ttft_ms
    if failure in _BODIES:
        return Script([(at, _BODIES[failure](orjson.dumps(speech.document(said))))])
    if failure in _STEPS:
        return Script(_STEPS[failure](orjson.dumps(speech.document(said)), at), Ending.CLOSE)
    if failure == "reset":
        return Script([(at, b"")], Ending.RESET)
    if failure == "silent":
        return Script([], Ending.SILENCE)
    if failure == "endless":
        return Script(_endless(speech.events(said), behaviour), Ending.CLOSE)
    return None


_BODIES: Mapping[str, Callable[[bytes], bytes]] = {
    "html": lambda _: whole(200, _PAGE, content_type="text/html"),
    "empty": lambda _: whole(200, b""),
    "bad_json": lambda body: whole(200, body[: len(body) // 2]),
    "bad_utf8": lambda body: whole(200, body.replace(b'":"', b'":"\xff\xfe')),
    "gzip": lambda body: whole(200, gzip.compress(body), more={"content-encoding": "gzip"}),
    "huge": lambda body: whole(200, body + b" " * HUGE),
    "error_body": lambda _: refusal(200, SIMULATED, "simulated"),
    "redirect": lambda _: whole(307, b"", more={"location": "/elsewhere"}),
}


def _trickled(body: bytes, _at: float) -> Iterator[tuple[float, bytes]]:
    response = whole(200, body)
    for second in range(len(response)):
        yield second * 1000.0, response[second : second + 1]


def _dripping(_body: bytes, at: float) -> Iterator[tuple[float, bytes]]:
    yield at, head(200, length=None)
    for number in itertools.count():
        yield at + number * DRIP_MS, chunk(b" ")


def _bottomless(_body: bytes, at: float) -> Iterator[tuple[float, bytes]]:
    yield at, head(200, length=None)
    block = chunk(b" " * MIB)
    for _ in range(BOTTOMLESS_MIB):
        yield at, block
    yield at, LAST_CHUNK


def _bomb(_body: bytes, at: float) -> Iterator[tuple[float, bytes]]:
    yield at, head(200, length=None, more={"content-encoding": "gzip"})
    for _ in range(BOMB_MEMBERS):
        yield at, chunk(_member())
    yield at, LAST_CHUNK


@cache
def _member() -> bytes:
    """10 KiB that unpack to 10 MiB; gzip members may follow each other (RFC 1952 §2.2)."""
    return gzip.compress(b" " * (10 * MIB), mtime=0)


def _endless_head(_body: bytes, at: float) -> Iterator[tuple[float, bytes]]:
    yield at, b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
    line = b"x-simulated: " + b"a" * 1000 + b"\r\n"
    while True:
        yield at, line
        at += 1.0


def _endless(events: list[bytes], behaviour: Behaviour) -> Iterator[tuple[float, bytes]]:
    pause_ms = max(behaviour.itl_ms, 1.0)
    at = behaviour.ttft_ms
    yield at, head(200, length=None, content_type=EVENT_STREAM)
    while True:
        for event in events or [BLOCK]:
            yield at, chunk(event + b":" + BLOCK + b"\n\n")
            at += pause_ms


_STEPS: Mapping[str, Callable[[bytes, float], Steps]] = {
    "trickle": _trickled,
    "drip": _dripping,
    "bottomless": _bottomless,
    "gzip_bomb": _bomb,
    "endless_head": _endless_head,
}
