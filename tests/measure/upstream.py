"""A provider that misbehaves on purpose; the first segment of the path says how.

`with Upstream() as upstream:` serves on loopback from a thread and keeps what it received. `TTFT_SECONDS`
and the like are constants, so that a test can tell what to expect.
"""

import asyncio
import contextlib
import gzip
import json
import threading
from base64 import b64encode
from dataclasses import dataclass, field

from llm_benchmark.measure.performance.canary import PROMPT as CANARY_PROMPT

TTFT_SECONDS, ITL_SECONDS, WORD = 0.02, 0.002, " word"
KEY = "sk-secret/12345"


@dataclass
class Received:
    path: str
    head: bytes
    body: dict


@dataclass
class Upstream:
    """Serves until the end of the `with` block."""

    ssl: object = None
    requests: list[Received] = field(default_factory=list)
    connection_count: int = 0
    disconnects: int = 0

    def __enter__(self):
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        self._ready.wait(5)
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    @property
    def allow(self):
        return frozenset({f"127.0.0.1:{self.port}"})

    def url(self, mode):
        return f"http://127.0.0.1:{self.port}/{mode}/v1"

    async def _serve(self):
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, ssl=self.ssl)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connection(self, reader, writer):
        self.connection_count += 1
        try:
            while await self._request(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            self.disconnects += 1
        except asyncio.CancelledError:
            pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _request(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(x.split(b":")[1]) for x in head.split(b"\r\n") if x.lower().startswith(b"content-length")
        )
        body = json.loads(await reader.readexactly(length))
        path = head.split(b" ", 2)[1].decode()
        self.requests.append(Received(path, head, body))
        answer = Answer(writer, body, len(self.requests))
        mode = self._mode(path.split("/")[1], body)
        if mode.startswith("status-"):
            return await answer.status(int(mode[7:]))
        await getattr(answer, mode.replace("-", "_"))()
        return not writer.is_closing()

    def _mode(self, mode, body):
        """`every-3-html`: each third request fails like that, but never the run's canary."""
        if not mode.startswith("every-"):
            return mode
        _, every, failing = mode.split("-", 2)
        is_canary = body["messages"][0]["content"] == CANARY_PROMPT
        return failing if len(self.requests) % int(every) == 0 and not is_canary else "ok"


class Answer:
    """One answer in one of many ways."""

    def __init__(self, writer, body, number):
        self.writer, self.body, self.number = writer, body, number
        self.tokens = body.get("max_completion_tokens") or body.get("max_tokens") or 8
        self.model = body.get("model")

    # good ones

    async def ok(self):
        if not self.body.get("stream"):
            await self.document()
        else:
            await self.head()
            await self.words(self.tokens)
            await self.finish()
            await self.end()

    async def document(self):
        message = {"role": "assistant", "content": WORD * self.tokens}
        choice = {"index": 0, "message": message, "finish_reason": "length"}
        await asyncio.sleep(TTFT_SECONDS)
        answer = {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": self.model,
            "choices": [choice],
        }
        await self.raw(200, json.dumps({**answer, "usage": self.usage()}).encode(), "application/json")

    async def close_delimited(self):
        self.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        for event in [self.chunk(WORD), self.chunk("", "stop")]:
            self.writer.write(b"data: " + json.dumps(event).encode() + b"\n\n")
        self.writer.write(b"data: [DONE]\n\n")
        await self.writer.drain()
        self.writer.close()

    async def closes_unasked(self):
        """Promises to keep the connection, and closes it a moment later."""
        await self.ok()
        await asyncio.sleep(0.002)
        self.writer.close()

    async def no_usage(self):
        await self.head()
        await self.words(self.tokens)
        await self.event(self.chunk("", "length"))
        await self.event("[DONE]")
        await self.end()

    async def double_done(self):
        await self.head()
        await self.words(self.tokens)
        await self.finish()
        await self.event("[DONE]")
        await self.end()

    async def early_hints(self):
        self.writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
        await self.ok()

    async def null_error(self):
        await self.head()
        await self.event({**self.chunk(WORD), "error": None})
        await self.finish()
        await self.end()

    async def says_done_in_text(self):
        await self.head()
        await self.event(self.chunk('data: [DONE] and "error" and "finish_reason":"stop"'))
        await self.words(2)
        await self.finish()
        await self.end()

    async def other_model(self):
        self.model = "somebody-else"
        await self.ok()

    async def burst(self):
        await self.head()
        await self.event(self.chunk(WORD * self.tokens))
        await self.finish()
        await self.end()

    async def half(self):
        self.tokens //= 2
        await self.ok()

    async def cached(self):
        await self.head()
        await self.words(self.tokens)
        await self.event(self.chunk("", "length"))
        usage = {**self.usage(), "prompt_tokens_details": {"cached_tokens": 32}}
        await self.event({**self.chunk(""), "choices": [], "usage": usage})
        await self.event("[DONE]")
        await self.end()

    # bad ones

    async def flaky(self):
        await (self.status(500) if self.number % 3 == 0 else self.ok())

    async def redirect(self):
        self.writer.write(b"HTTP/1.1 307 T\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n")

    async def truncated(self):
        await self.head()
        await self.words(3)
        await self.end()

    async def no_done(self):
        await self.head()
        await self.words(3)
        await self.event(self.chunk("", "stop"))
        await self.end()

    async def no_finish(self):
        await self.head()
        await self.words(3)
        await self.event("[DONE]")
        await self.end()

    async def error_event(self):
        await self.head()
        await self.words(2)
        await self.event({"error": {"message": "overloaded"}})
        await self.event("[DONE]")
        await self.end()

    async def named_error_event(self):
        await self.head()
        await self.words(2)
        self.write(b"event: error\ndata: {}\n\n")
        await self.end()

    async def gzip(self):
        await self.raw(
            200, gzip.compress(b"data: [DONE]\n\n"), "text/event-stream", b"Content-Encoding: gzip\r\n"
        )

    async def endless(self):
        await self.head()
        while True:
            await self.event(self.chunk(WORD * 1000))

    async def slow_loris(self):
        self.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        while True:
            self.writer.write(b":")
            await self.writer.drain()
            await asyncio.sleep(0.05)

    async def silent(self):
        await asyncio.sleep(60)

    async def stalls(self):
        await self.head()
        await self.words(2)
        await asyncio.sleep(60)

    async def reset(self):
        self.writer.transport.abort()

    async def reset_in_stream(self):
        await self.head()
        await self.words(2)
        self.writer.transport.abort()

    async def html(self):
        await self.raw(200, b"<html>hello</html>", "text/html")

    async def empty(self):
        await self.raw(200, b"", "text/event-stream")

    async def broken_json(self):
        await self.raw(200, b'{"choices": [', "application/json")

    async def big_head(self):
        await self.raw(200, b"", "text/event-stream", b"X-A: " + b"a" * 100_000 + b"\r\n")

    async def not_http(self):
        self.writer.write(b"SSH-2.0-OpenSSH_9.0\r\n")
        await self.writer.drain()

    async def usage_lies(self):
        await self.head()
        await self.words(self.tokens)
        await self.event(self.chunk("", "length"))
        self.write(b'data: {"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":1e309}}\n\n')
        await self.event("[DONE]")
        await self.end()

    async def usage_tenfold(self):
        await self.head()
        await self.words(self.tokens)
        await self.event(self.chunk("", "length"))
        usage = {"prompt_tokens": 64, "completion_tokens": self.tokens * 10}
        await self.event({**self.chunk(""), "choices": [], "usage": usage})
        await self.event("[DONE]")
        await self.end()

    async def echoes_key(self):
        await self._say(KEY)

    async def echoes_key_escaped(self):
        await self._say("".join(f"%{ord(letter):02X}" for letter in KEY))

    async def echoes_key_in_base64(self):
        await self._say(b64encode(f"Bearer {KEY}".encode()).decode())

    async def echoes_key_over_two_reads(self):
        event = b"data: " + json.dumps(self.chunk(KEY)).encode() + b"\n\n"
        half = event.index(KEY.encode()) + 5
        await self.head()
        for piece in (event[:half], event[half:]):
            self.write(piece)
            await self.writer.drain()
            await asyncio.sleep(0.05)
        await self.finish()
        await self.end()

    async def echoes_key_in_pieces(self):
        await self.head()
        for letter in KEY:
            await self.event(self.chunk(letter))
        await self.finish()
        await self.end()

    async def names_the_key(self):
        await self.head()
        self.model = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
        event = json.dumps(self.chunk(WORD, "stop")).replace("\\\\u", "\\u")
        self.write(f"data: {event}\n\n".encode())
        await self.event("[DONE]")
        await self.end()

    async def _say(self, text):
        await self.head()
        await self.event(self.chunk(f"your key is {text}"))
        await self.finish()
        await self.end()

    async def second_answer(self):
        await self.ok()
        self.write_raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")

    async def status(self, status):
        headers = b"Retry-After: 7\r\n" if status == 429 else b""
        await self.raw(status, b'{"error": {"message": "no"}}', "application/json", headers)
        return True

    # parts

    async def head(self):
        await asyncio.sleep(TTFT_SECONDS)
        self.write_raw(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        await self.event(self.chunk(""))

    async def words(self, count):
        for _ in range(count):
            await self.event(self.chunk(WORD))
            await asyncio.sleep(ITL_SECONDS)

    async def finish(self):
        await self.event(self.chunk("", "length"))
        await self.event({**self.chunk(""), "choices": [], "usage": self.usage()})
        await self.event("[DONE]")

    async def end(self):
        self.write_raw(b"0\r\n\r\n")
        await self.writer.drain()

    async def event(self, event):
        text = event if isinstance(event, str) else json.dumps(event)
        self.write(b"data: " + text.encode() + b"\n\n")
        await self.writer.drain()

    def write(self, piece):
        self.write_raw(b"%x\r\n%b\r\n" % (len(piece), piece))

    def write_raw(self, piece):
        self.writer.write(piece)

    async def raw(self, status, body, kind, headers=b""):
        head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n".encode()
        self.write_raw(head + headers + b"\r\n" + body)
        await self.writer.drain()

    def chunk(self, text, finish=None):
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
        base = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": self.model}
        return {**base, "choices": [choice]}

    def usage(self):
        # AIPerf's prompts of o200k tokens: about one word in 1.3 tokens; the tests ask for 64.
        return {"prompt_tokens": 64, "completion_tokens": self.tokens, "total_tokens": 64 + self.tokens}
