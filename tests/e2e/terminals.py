"""People at machines of their own, with nothing but the installed program."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from llm_benchmark import Client
from tests.e2e.people import PASSWORD

PROGRAM = Path(sys.executable).with_name("llm-benchmark")
PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class Ended:
    """What a call came to."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


class Terminal:
    """Somebody's machine: `terminal("submit", "list")`, with what the program keeps and prints.

    Args:
        typed: every argument that anybody typed is added to it.
    """

    def __init__(self, stack, folder, name, typed):
        self.name, self.home, self._typed = name, folder / name, typed
        self.home.mkdir()
        kept = {"LLM_BENCHMARK_HOME": str(self.home), "LLM_BENCHMARK_API_URL": stack.base_url}
        self.env = {**_plain_environment(), **kept}

    def __call__(self, *arguments, stdin="", **env):
        command = self.command(*arguments)
        done = subprocess.run(
            command, check=False, input=stdin, capture_output=True, text=True, cwd=self.home,
            env={**self.env, **env}, timeout=PATIENCE_SECONDS,
        )  # fmt: skip
        return Ended(done.returncode, done.stdout, done.stderr)

    def start(self, *arguments):
        """Left running."""
        pipe = subprocess.PIPE
        command = self.command(*arguments)
        return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=self.home, env=self.env)

    def json(self, *arguments, **more):
        """What it gives as JSON, given that it went well."""
        ended = self(*arguments, "-o", "json", **more)
        assert ended.code == 0, ended.err
        return ended.json

    def log_in(self):
        ended = self("auth", "login", "--username", self.name, "--password-stdin", stdin=f"{PASSWORD}\n")
        assert ended.code == 0, ended.err
        return self

    def write(self, name, text):
        (self.home / name).write_text(text, encoding="utf-8")
        return name

    def command(self, *arguments):
        command = [str(PROGRAM), *map(str, arguments)]
        self._typed.append(command)
        return command

    def secrets(self):
        """The tokens that the program has kept."""
        kept = json.loads((self.home / "credentials.json").read_text())
        return [exchange["token"] for exchange in kept.values()]


def registered(stack, name, role=""):
    """An account, with what the operator grants; the client speaks for it."""
    account = {"username": name, "email": f"{name}@example.org", "password": PASSWORD}
    with Client(stack.base_url, "") as nobody:
        session = nobody.account.register(**account)
        if role:
            stack.manage("grant_role", name, role)
        return nobody.with_token(session.access_token)


def _plain_environment():
    """Nothing of this test's own reaches the program."""
    kept = ("PATH", "LANG", "LC_ALL", "TMPDIR")
    return {"LANG": "C.UTF-8", **{name: os.environ[name] for name in kept if name in os.environ}}
