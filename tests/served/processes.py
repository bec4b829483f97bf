"""Processes of the exchange as an operator starts them, on the test's own database."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

from exchange import processes
from exchange.settings.environment import Environment

PATIENCE_SECONDS = 120  # AIPerf takes half a minute to start on a busy machine
GRACE_SECONDS = 30 + 15  # between an orchestrator's SIGTERM and SIGKILL, and for a busy machine


def broker():
    """A database of Redis's for each worker of xdist, none of which other tests use."""
    from django.conf import settings

    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 7 + 9
    return f"{settings.CELERY_BROKER_URL.rpartition('/')[0]}/{number}"


def environment(folder, env, settings):
    from django.db import connection

    database = connection.settings_dict
    login = f"{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT']}"
    return {
        **os.environ,
        "PYTHONPATH": f"{processes.CHECKOUT}:{processes.CHECKOUT / 'sdk'}",
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "tests.served.settings",
        "DATABASE_URL": f"postgres://{login}/{database['NAME']}",
        "REDIS_URL": broker(),
        "EXCHANGE_STATE_DIR": str(folder),
        "SERVED_SETTINGS": json.dumps(settings),
        **env,
    }


class Process:
    """One that runs for the length of a block; killed at its end with all its group.

    `options` are those of its command line that have another value here.
    """

    def __init__(self, name, folder, *, env=None, options=None, **settings):
        self.name, self.log = name, Path(folder) / f"{name}.log"
        env = environment(folder, env or {}, settings)
        known = {key: value for key, value in env.items() if key.startswith("EXCHANGE_")}
        argv = list(processes.program(name, Environment(known), state_dir=Path(folder)).argv)
        for option, value in (options or {}).items():
            argv[argv.index(option) + 1] = value
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                argv, cwd=processes.CHECKOUT, env=env, stdout=log, stderr=log, start_new_session=True
            )

    @property
    def pid(self):
        return self._process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        if self._process.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()

    def send(self, number=signal.SIGTERM):
        self._process.send_signal(number)

    def ended(self):
        """Its exit code, within the grace that an orchestrator gives."""
        try:
            return self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} does not end:\n{self.tail()}") from None

    def insist(self, number):
        """Send it until it ends: one that comes before the last was heard is not heard itself."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._process.poll() is None:
            assert time.monotonic() < deadline, f"{self.name} does not end:\n{self.tail()}"
            self.send(number)
            time.sleep(0.5)

    def tail(self):
        return self.log.read_text()[-4000:]

    def until(self, condition):
        """Wait for a state of the world while this process lives."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := condition()):
            assert time.monotonic() < deadline, f"it did not come about:\n{self.tail()}"
            assert self._process.poll() is None, f"{self.name} ended:\n{self.tail()}"
            time.sleep(0.02)
        return found
