"""What the gateway costs: `python -m tests.bench.gateway`.

Upstream, client and gateway are three processes. Requests go directly and through the gateway by turns, on
connections that are already open, one each. The upstream answers 64 chunks, the first after 50 ms, the others
20 ms apart; in the burst all at once.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import httptools
import uvloop

from llm_benchmark.measure.gateway import Bounds, Gateway
from llm_benchmark.measure.plans import EgressRules, Target

TTFT_SECONDS, ITL_SECONDS, CHUNKS = 0.050, 0.020, 64
LANES = 64
STAGGER_SECONDS = 0.002  # AIPerf's own pacing of starts
END = b"0\r\n\r\n"


def chunk(text):
    event = f"data: {text}\n\n".encode()
    return b"%x\r\n%b\r\n" % (len(event), event)


def event(delta, finish):
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    base = {"id": "chatcmpl-0123456789", "object": "chat.completion.chunk", "created": 1_750_000_000}
    return chunk(json.dumps({**base, "model": "bench", "system_fingerprint": "fp_0", "choices": [choice]}))


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
WORD, LAST, DONE = event({"content": " word"}, None), event({}, "length"), chunk("[DONE]")


class UpstreamConnection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.parser = httptools.HttpRequestParser(self)

    def data_received(self, data):
        self.parser.feed_data(data)

    def on_url(self, url):
        self.is_burst = url.startswith(b"/burst")

    def on_message_complete(self):
        if self.is_burst:
            self.transport.write(HEAD)
            for _ in range(CHUNKS):
                self.transport.write(WORD)
            self.transport.write(LAST + DONE + END)
        else:
            self.due = time.perf_counter() + TTFT_SECONDS
            asyncio.get_running_loop().call_later(TTFT_SECONDS, self.go_on, CHUNKS)

    def go_on(self, left):
        if self.transport.is_closing():
            return
        head = HEAD if left == CHUNKS else b""
        if left > 1:
            self.transport.write(head + WORD)
            self.due += ITL_SECONDS
            asyncio.get_running_loop().call_later(
                max(self.due - time.perf_counter(), 0), self.go_on, left - 1
            )
        else:
            self.transport.write(head + WORD + LAST + DONE + END)


async def serve():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(UpstreamConnection, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = asyncio.Event()
    loop.add_reader(0, ended.set)
    await ended.wait()


class Lane(asyncio.Protocol):
    """One connection of the lean client."""

    def __init__(self, path, key):
        body = json.dumps(
            {"model": "bench", "stream": True, "messages": [{"role": "user", "content": "x" * 500}]}
        )
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
        head += f"Content-Length: {len(body)}\r\n\r\n"
        self.request = (head + body).encode()

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, _):
        if not self.done.done():
            self.done.set_exception(ConnectionError("torn off"))

    def data_received(self, data):
        if not self.first:
            self.first = time.perf_counter()
        self.tail = self.tail[-8:] + data[-8:]
        if self.tail.endswith(END):
            self.done.set_result((self.first - self.start) * 1000)

    def ask(self):
        self.first, self.tail, self.done = 0.0, b"", asyncio.get_running_loop().create_future()
        self.start = time.perf_counter()
        self.transport.write(self.request)
        return self.done


async def lanes(port, path, key, count):
    loop = asyncio.get_running_loop()
    made = [await loop.create_connection(lambda: Lane(path, key), "127.0.0.1", port) for _ in range(count)]
    opened = [lane for _, lane in made]
    await asyncio.gather(*(lane.ask() for lane in opened))
    return opened


async def staggered(lane, place):
    await asyncio.sleep(place * STAGGER_SECONDS)
    return await lane.ask()


async def added_ttft_c1(direct, through, pairs):
    differences = [-(await direct[0].ask()) + await through[0].ask() for _ in range(pairs)]
    return median(differences)


async def added_ttft_c64(direct, through, rounds):
    seen = {"direct": [], "through": []}
    for _ in range(rounds):
        for name, side in (("direct", direct), ("through", through)):
            seen[name] += await asyncio.gather(*(staggered(lane, n) for n, lane in enumerate(side)))
    return median(seen["through"]) - median(seen["direct"])


async def chunks_per_second(side, rounds):
    async def ask_on(lane):
        for _ in range(rounds):
            await lane.ask()

    start = time.perf_counter()
    await asyncio.gather(*(ask_on(lane) for lane in side))
    return len(side) * rounds * CHUNKS / (time.perf_counter() - start)


@contextmanager
def upstream():
    with subprocess.Popen(
        [sys.executable, "-m", __spec__.name, "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def gateway(port, mode, folder):
    target = Target(
        f"http://127.0.0.1:{port}/{mode}", "bench", egress=EgressRules(allow=frozenset({f"127.0.0.1:{port}"}))
    )
    return Gateway.start(target, Bounds(connections=LANES), folder / mode)


async def measure(port, paced, burst, options):
    direct = await lanes(port, "/paced/chat/completions", "", LANES)
    through = await lanes(paced.port, "/v1/chat/completions", paced.key, LANES)
    value = await added_ttft_c64(direct, through, options.rounds)
    print(f"FIGURE gateway_added_ttft_ms_c64 {value:.3f} ms  (target ≤ 1.0)", flush=True)
    direct_burst = await lanes(port, "/burst/chat/completions", "", LANES)
    through_burst = await lanes(burst.port, "/v1/chat/completions", burst.key, LANES)
    rates = [
        (await chunks_per_second(direct_burst, 20), await chunks_per_second(through_burst, 20))
        for _ in range(5)
    ]
    plain, passed = (median(side) for side in zip(*rates, strict=True))
    print(f"FIGURE gateway_chunks_per_s {passed:.0f} 1/s  (target ≥ 50,000; direct {plain:.0f})", flush=True)
    value = await added_ttft_c1(direct, through, options.pairs)
    print(f"FIGURE gateway_added_ttft_ms_c1 {value:.3f} ms  (target ≤ 0.4)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", help="be the upstream")
    parser.add_argument("--pairs", type=int, default=200, help="at concurrency 1, 2.7 s each")
    parser.add_argument("--rounds", type=int, default=4, help="at concurrency 64, 64 pairs each")
    options = parser.parse_args()
    if options.serve:
        uvloop.run(serve())
        return
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = stack.enter_context(upstream())
        paced, burst = (stack.enter_context(gateway(port, mode, folder)) for mode in ("paced", "burst"))
        uvloop.run(measure(port, paced, burst, options))


if __name__ == "__main__":
    main()
