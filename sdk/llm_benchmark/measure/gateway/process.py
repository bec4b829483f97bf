"""The gateway's own process: `python -m llm_benchmark.measure.gateway.process`.

Its orders come as one JSON line on standard input, which then stays open: the end of the file (also when the
parent is killed) ends the process. It answers with one JSON line on standard
output that names its port. Nothing secret is in its arguments or environment.
"""

import asyncio
import gc
import json
import os
import sys

import uvloop

from llm_benchmark.measure.contain import die_with_parent

from .bounds import Orders
from .client import ClientConnection
from .relay import Relay


def main() -> int:
    orders = Orders.from_json(json.loads(_first_line()))
    if not die_with_parent(orders.parent_pid):
        return 1
    # Few objects live long here; a collection in mid-stream would show in the times.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    # The journal's thread must not keep the loop waiting for its turn.
    sys.setswitchinterval(0.0005)
    uvloop.run(_serve(orders))
    return 0


async def _serve(orders: Orders) -> None:
    loop = asyncio.get_running_loop()
    relay = Relay(orders)
    server = await loop.create_server(lambda: ClientConnection(relay), "127.0.0.1", 0, backlog=512)
    ended = asyncio.Event()
    loop.add_reader(0, _listen_to_parent, ended)
    relay.pool.warm()
    _say({"port": server.sockets[0].getsockname()[1]})
    await ended.wait()
    loop.remove_reader(0)
    server.close()
    relay.close()
    await asyncio.sleep(0)
    relay.journal.close()


def _listen_to_parent(ended: asyncio.Event) -> None:
    if not os.read(0, 4096):
        ended.set()


def _first_line() -> bytes:
    with open(0, "rb", buffering=0, closefd=False) as stream:
        return stream.readline()


def _say(message: dict[str, int]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
