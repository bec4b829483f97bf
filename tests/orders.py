"""A child process that does what it is told, one JSON object a line, and answers each by a line."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class Orders:
    """`python -m MODULE` with `env` and our own code on its path."""

    def __init__(self, module, env):
        self._module, self._env = module, env

    def __enter__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-m", self._module],
            cwd=ROOT,
            env={**self._env, "PYTHONPATH": f"{ROOT}:{ROOT / 'sdk'}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()

    def ask(self, **order):
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())
