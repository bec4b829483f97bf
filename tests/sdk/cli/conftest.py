"""The program in this process, against a stub or the exchange itself, inside the test's transaction."""

import io
import json
import logging
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

import httpx
import pytest

from llm_benchmark.cli.frame.failures import run
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.root import root

NAMES = (
    "API_URL", "TOKEN", "API_KEY", "TIMEOUT", "DEBUG", "ORGANIZATION", "OUTPUT",
)  # fmt: skip


@dataclass(frozen=True)
class Ended:
    """What a call came to."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def rows(self):
        """Plain lines as dictionaries."""
        head, *lines = [line.split("\t") for line in self.out.splitlines()]
        return [dict(zip(head, line, strict=True)) for line in lines]


class Stream(io.TextIOWrapper):
    """A pipe, or a terminal where somebody watches or types."""

    def __init__(self, text="", *, is_terminal=False):
        super().__init__(io.BytesIO(text.encode()), encoding="utf-8", newline="")
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal

    @property
    def text(self):
        self.flush()
        return self.buffer.getvalue().decode()


@pytest.fixture(autouse=True)
def machine(tmp_path, monkeypatch):
    """A home of its own, and nothing in the environment; the folder of the home."""
    for name in NAMES:
        monkeypatch.delenv(f"LLM_BENCHMARK_{name}", raising=False)
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    home = tmp_path / "home"
    monkeypatch.setenv("LLM_BENCHMARK_HOME", str(home))
    monkeypatch.setattr(logging.getLogger("llm_benchmark"), "handlers", [])
    return home


@pytest.fixture
def call(monkeypatch):
    """`call("benchmark", "list", http=…)`: the program with these arguments."""

    def run_it(*arguments, http=None, typed=None, piped="", is_watched=False):
        stdin = Stream(piped) if typed is None else Stream(typed, is_terminal=True)
        monkeypatch.setattr("sys.stdin", stdin)
        out, err = Stream(is_terminal=is_watched), Stream(is_terminal=is_watched)
        with redirect_stdout(out), redirect_stderr(err):
            code = run(root, [str(argument) for argument in arguments], Invocation(http=http))
        return Ended(code, out.text, err.text)

    return run_it


@pytest.fixture
def stub():
    """`stub({"GET /benchmarks": answer, …})`: an exchange of these answers, which keeps the requests."""

    def make(answers):
        requests = []

        def answer(request):
            requests.append(request)
            path = request.url.path.removeprefix("/api/v1")
            found = answers.get(f"{request.method} {path}", httpx.Response(404, json=NOT_FOUND))
            found = found(request) if callable(found) else found
            return found if isinstance(found, httpx.Response) else httpx.Response(200, json=found)

        transport = httpx.MockTransport(answer)
        transport.requests = requests
        return transport

    return make


NOT_FOUND = {"code": "not_found", "detail": "There is nothing here.", "request_id": "r-1", "errors": []}


@pytest.fixture
def exchange(db):
    """The exchange itself."""
    from django.core.signals import request_finished, request_started
    from django.core.wsgi import get_wsgi_application
    from django.db import close_old_connections

    application = get_wsgi_application()

    def inside_the_transaction(environ, start_response):
        for moment in (request_started, request_finished):
            moment.disconnect(close_old_connections)
        return application(environ, start_response)

    yield httpx.WSGITransport(inside_the_transaction)
    for moment in (request_started, request_finished):
        moment.connect(close_old_connections)


@pytest.fixture
def exchange_as(exchange, call, monkeypatch):
    """`exchange_as(user)("auth", "status")`: the program of somebody with a token."""
    from tests.factories.accounts import token_for

    def make(user, *scopes):
        token = token_for(user, *scopes)

        def as_user(*arguments, **more):
            monkeypatch.setenv("LLM_BENCHMARK_TOKEN", token)
            return call(*arguments, http=exchange, **more)

        return as_user

    return make
