"""Wait for one request, and look now and then whether it is still wanted."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from llm_benchmark.measure.quality.asking import new_loop

POLL_SECONDS = 0.1
Found = TypeVar("Found")


class NotWanted(Exception):
    """Broken off because `goes_on` said so."""


def wait_for(asking: Coroutine[Any, Any, Found], goes_on: Callable[[], bool]) -> Found:
    """What the coroutine brings. `goes_on` is called in this thread, while no event loop runs in it.

    Raises:
        NotWanted: `goes_on` said False; the coroutine is cancelled.
    """
    with asyncio.Runner(loop_factory=new_loop) as runner:
        task = runner.get_loop().create_task(asking)
        while not runner.run(_is_done(task)):
            if not goes_on():
                raise NotWanted
        return task.result()


async def _is_done(task: asyncio.Task[Any]) -> bool:
    done, _ = await asyncio.wait({task}, timeout=POLL_SECONDS)
    return bool(done)
