"""A worker that hangs is seen by its container's probe and by the figures, and one that goes on again too."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

from exchange.processes import CHECKOUT
from tests.e2e.people import until

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]
SILENCE = 8  # beat rings every 5 s


def is_alive(stack, kind, seconds):
    asks = [sys.executable, "-m", "exchange.alive", "--kind", kind, "--seconds", str(seconds)]
    env = {**stack.env, "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(asks, env=env, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr
    return done.returncode == 0


@contextmanager
def hanging(pid):
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("kind", ["worker", "measure", "beat"])
def test_a_process_that_hangs_is_not_alive_until_it_goes_on(stack, kind):
    until(lambda: is_alive(stack, kind, SILENCE))
    with hanging(stack.pid_of(kind)):
        until(lambda: not is_alive(stack, kind, SILENCE))
    until(lambda: is_alive(stack, kind, SILENCE))


def test_the_figures_know_every_process(stack):
    def look():
        text = httpx.get(f"{stack.base_url}/metrics").text
        kinds = ("worker", "measure", "beat")
        shown = [f'exchange_worker_processes{{kind="{kind}",state="active"}} 0.0' for kind in kinds]
        return not any(line in text for line in shown)

    assert until(look)
