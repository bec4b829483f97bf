"""A worker that hangs is seen by its container's probe and by the figures, and one that goes on again too."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from exchange import alive
from exchange.processes import CHECKOUT
from tests.e2e.people import until

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]
SILENCE = 8  # beat rings every 5 s


def is_alive(stack, kind):
    return alive.look(kind, SILENCE, stack.env)[0]


def code_of_probe(stack, kind):
    asks = [sys.executable, "-m", "exchange.alive", "--kind", kind, "--seconds", str(SILENCE)]
    env = {**stack.env, "PYTHONPATH": ":".join(sys.path)}
    return subprocess.run(asks, env=env, cwd=CHECKOUT, capture_output=True, check=False).returncode


@contextmanager
def hanging(pid):
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("kinds", [("worker", "measure"), ("beat",)])
def test_processes_that_hang_are_not_alive_until_they_go_on(stack, kinds):
    """Beat goes on ringing for workers that hang."""
    with ExitStack() as life:
        for kind in kinds:
            until(lambda kind=kind: is_alive(stack, kind))
            life.enter_context(hanging(stack.pid_of(kind)))
        for kind in kinds:
            until(lambda kind=kind: not is_alive(stack, kind))
        assert [code_of_probe(stack, kind) for kind in kinds] == [1] * len(kinds)
    for kind in kinds:
        until(lambda kind=kind: is_alive(stack, kind))


def test_the_figures_know_every_process(stack):
    def look():
        text = httpx.get(f"{stack.base_url}/metrics").text
        kinds = ("worker", "measure", "beat")
        shown = [f'exchange_worker_processes{{kind="{kind}",state="active"}} 0.0' for kind in kinds]
        return not any(line in text for line in shown)

    assert until(look)
