"""A provider that answers byte by byte what no honest one would; see ANSWERS.

`with Rogue() as rogue:` serves on loopback from a thread. How it answers is named by the first segment of
the path, or else by the model that is asked for.
"""

import asyncio
import contextlib
import gzip
import itertools
import json
import threading
import zlib

MIB = 1024 * 1024
BOTTOMLESS = 10 * 1024 * MIB  # bytes
QUIET, QUIET_SECONDS = None, 20.0
KEY = "sk-hostile/Key+0123456789"
LENGTH_LIMIT = 4 * MIB - 1024

HEAD = b"HTTP/1.1 200 OK\r\n"
JSON = HEAD + b"content-type: application/json\r\n"
CHUNKED = b"transfer-encoding: chunked\r\n\r\n"
EVENTS = HEAD + b"content-type: text/event-stream\r\n" + CHUNKED


def chunk(data):
    return b"%x\r\n%b\r\n" % (len(data), data)


def document(text="42", **more):
    """What an honest chat model answers; a list of models too, so that discovery can read it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    return {"model": "m", "choices": [choice], "usage": usage, "data": [{"id": "m"}], **more}


def event(text="word ", finish=None, **more):
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return b"data: " + json.dumps({"model": "m", "choices": [choice], **more}).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def opening(asked):
    """As the one who asks expects it."""
    return HEAD + b"content-type: text/event-stream\r\n" if asked.get("stream") else JSON


def whole(body, head=JSON):
    return [head + b"content-length: %d\r\n\r\n" % len(body) + body]


def told(value, **how):
    """One JSON document; a stream where one was asked for."""
    return whole(json.dumps(value, **how).encode())


def forever(head, piece):
    yield head
    yield from itertools.repeat(piece)


def bounded(head, piece, size):
    yield head
    yield from itertools.repeat(piece, size // len(piece))


def bomb(name, packed):
    head = JSON + b"content-encoding: " + name + b"\r\n" + CHUNKED
    return bounded(head, chunk(packed), len(chunk(packed)) * 1024)


def numbered_headers(count):
    return b"".join(b"x-%d: x\r\n" % number for number in range(count))


def growing(head, make):
    """Pieces that are never the same twice."""
    yield head
    for number in itertools.count():
        yield b"".join(make(number * 1000 + each) for each in range(1000))


def nested(depth):
    return b'{"error":' * depth + b'"x"' + b"}" * depth


def padded(_):
    """The longest answer that is taken: all of it text."""
    empty = len(json.dumps(document("")))
    return told(document("x" * (LENGTH_LIMIT - empty)))


def streamed_padded():
    yield EVENTS
    for _ in range(900):
        yield chunk(event("x" * 4096))
    yield chunk(event("", "stop") + DONE) + b"0\r\n\r\n"


def hoarded():
    """As much of a stream as is taken, and then nothing."""
    yield EVENTS
    yield from itertools.repeat(chunk(event("word " * 1000)), 2900)
    yield from itertools.repeat(QUIET)


def plain(asked):
    if not asked.get("stream"):
        return told(document())
    return [EVENTS, chunk(event("42") + event("", "stop") + DONE) + b"0\r\n\r\n"]


ANSWERS = {
    "honest": plain,
    # sizes
    "bottomless": lambda asked: bounded(opening(asked) + CHUNKED, chunk(b" " * MIB), BOTTOMLESS),
    "bottomless-length": lambda asked: bounded(
        opening(asked) + b"content-length: %d\r\n\r\n" % BOTTOMLESS, b" " * MIB, BOTTOMLESS
    ),
    "bottomless-stream": lambda _: forever(EVENTS, chunk(event("word " * 1000))),
    "stream-of-nothing": lambda _: forever(EVENTS, chunk(b": still here\n\n" * 1000)),
    "one-endless-event": lambda _: forever(EVENTS + chunk(b"data: "), chunk(b"x" * 65536)),
    "endless-head": lambda _: forever(HEAD, b"x-more: x\r\n" * 1000),
    "endless-header": lambda _: forever(HEAD + b"x-long: ", b"x" * 65536),
    "many-headers": lambda _: whole(b"{}", JSON + numbered_headers(100_000)),
    "endless-interim": lambda _: forever(b"", b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" * 1000),
    "chunk-extension": lambda asked: forever(opening(asked) + CHUNKED + b"1;x=", b"x" * 65536),
    "chunk-extensions": lambda asked: forever(
        opening(asked) + CHUNKED, (b"1;x=%b\r\nx\r\n" % (b"x" * 4000)) * 10
    ),
    "endless-trailers": lambda asked: growing(
        opening(asked) + CHUNKED + chunk(b"{}") + b"0\r\n",
        lambda number: b"x-%d: %b\r\n" % (number, b"x" * 64),
    ),
    "gzip-bomb": lambda _: bomb(b"gzip", gzip.compress(b" " * 10 * MIB, mtime=0)),
    "deflate-bomb": lambda _: bomb(b"deflate", zlib.compress(b" " * 10 * MIB)),
    "gzip-transfer": lambda _: whole(
        gzip.compress(json.dumps(document()).encode()), JSON + b"transfer-encoding: gzip\r\n"
    ),
    "many-lists": lambda asked: whole(b"[" + b"[]," * (asked.get("max_tokens", 8) * MIB // 8 // 3) + b"[]]"),
    "many-texts": lambda asked: whole(
        b"[" + b'"ab",' * (asked.get("max_tokens", 8) * MIB // 8 // 5) + b"[]]"
    ),
    "many-objects": lambda asked: whole(
        b"[" + b'{"":0},' * (asked.get("max_tokens", 8) * MIB // 8 // 7) + b"0]"
    ),
    "padded": padded,
    "padded-stream": lambda _: streamed_padded(),
    "hoard": lambda _: hoarded(),
    # forms
    "not-http": lambda _: [b"SSH-2.0-OpenSSH_9.0\r\n" * 10],
    "http-2": lambda _: [b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + b"\x00" * 18],
    "switching": lambda _: [
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"
    ],
    "two-lengths": lambda _: [JSON + b"content-length: 5\r\ncontent-length: 2\r\n\r\n{}"],
    "negative-length": lambda _: [JSON + b"content-length: -1\r\n\r\n{}"],
    "length-and-chunks": lambda _: [JSON + b"content-length: 2\r\n" + CHUNKED + chunk(b"{}") + b"0\r\n\r\n"],
    "bad-chunk": lambda _: [JSON + CHUNKED + b"zz\r\n{}\r\n"],
    "bad-utf8": lambda _: whole(json.dumps(document()).encode().replace(b"42", b"4\xff\xfe2")),
    "bad-utf8-head": lambda _: whole(b"{}", JSON + b"x-\xff\xfe: \xff\xfe\r\n"),
    "nested": lambda _: whole(nested(1000)),
    "nested-deeper": lambda _: whole(b"[" * 1_000_000),
    "nested-event": lambda _: [EVENTS, chunk(b"data: " + nested(1000) + b"\n\n") + b"0\r\n\r\n"],
    "long-number": lambda _: whole(
        json.dumps(document()).encode().replace(b": 2}", b": " + b"9" * 100_000 + b"}")
    ),
    "usage-infinite": lambda _: whole(json.dumps(document()).encode().replace(b": 2}", b": 1e309}")),
    "usage-nan": lambda _: told(document(usage={"prompt_tokens": float("nan"), "completion_tokens": 1})),
    "usage-negative": lambda _: told(document(usage={"prompt_tokens": -1, "completion_tokens": -1})),
    # the key
    "key-in-text": lambda _: told(document(f"your key is {KEY}")),
    "key-escaped": lambda _: whole(
        json.dumps(document("KEY")).encode().replace(b"KEY", b"".join(b"\\u%04x" % ord(c) for c in KEY))
    ),
    "key-as-name": lambda _: told(document(**{KEY: KEY})),
    "key-as-model": lambda _: told({**document(), "model": KEY, "data": [{"id": KEY}]}),
    "key-in-head": lambda _: whole(
        json.dumps(document()).encode(),
        JSON + b"x-key: %b\r\nretry-after: %b\r\n" % (KEY.encode(), KEY.encode()),
    ),
    "key-in-refusal": lambda _: whole(
        json.dumps({"error": {"message": f"{KEY} may not", KEY: KEY}}).encode(),
        b"HTTP/1.1 400 %b\r\nretry-after: %b\r\n" % (KEY.encode(), KEY.encode()),
    ),
}


class Rogue:
    """Attributes: `port`; `connections`, how many there were; `requests`, their heads.

    `greeting` is sent before anything is asked.
    """

    def __init__(self, *, host="127.0.0.1", port=0, ssl=None, greeting=b"", answers=None):
        self.host, self.port, self._ssl, self._greeting = host, port, ssl, greeting
        self._answers = ANSWERS if answers is None else answers
        self.connections, self.requests = 0, []

    def __enter__(self):
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(30)
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(30)

    @property
    def host_and_port(self):
        return f"{self.host}:{self.port}"

    def url(self, how):
        return f"http://{self.host_and_port}/{how}/v1"

    async def _serve(self):
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, self.host, self.port, ssl=self._ssl)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connection(self, reader, writer):
        self.connections += 1
        writer.write(self._greeting)
        with contextlib.suppress(OSError, EOFError, asyncio.CancelledError):
            while not writer.is_closing():
                await self._answer(reader, writer)
        writer.transport.abort()

    async def _answer(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        self.requests.append(head)
        lines = head.lower().split(b"\r\n")
        length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
        asked = json.loads(await reader.readexactly(length)) if length else {}
        how = head.split(b" ", 2)[1].decode().split("/")[1]
        for piece in self._answers[asked["model"] if how == "v1" else how](asked):
            if piece is QUIET:
                await asyncio.sleep(QUIET_SECONDS)
            else:
                writer.write(piece)
                await writer.drain()
