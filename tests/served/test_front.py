"""What stands between Granian's loop and the threads that work."""

import asyncio
import io
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace

import pytest
from django.db import connection

from exchange.core.errors import InvalidInput, TooLarge, Unavailable
from exchange.front import answers, server
from exchange.front.environ import environ_of

LARGE = b"x" * (answers.IN_MEMORY_BYTES + 1)


def scope(**headers):
    return SimpleNamespace(
        method="GET", path="/a", query_string="", http_version="1.1", scheme="http",
        client="[2001:db8::1]:4711", server="127.0.0.1:80", headers=headers,
    )  # fmt: skip


class TestEnviron:
    def test_has_the_address_without_port_and_brackets(self):
        assert environ_of(scope(), io.BytesIO(), 0)["REMOTE_ADDR"] == "2001:db8::1"

    def test_has_no_header_that_could_pass_for_another(self):
        environ = environ_of(scope(**{"x_real": "1", "x-real": "2"}), io.BytesIO(), 0)
        assert environ["HTTP_X_REAL"] == "2"

    def test_takes_no_list_of_proxies_that_it_cannot_read(self):
        with pytest.raises(InvalidInput):
            environ_of(scope(**{"x-forwarded-for": None}), io.BytesIO(), 0)


class Granian:
    """Notes what it is told to send, and opens it when it likes."""

    def response_file(self, _status, _headers, path):
        self.path = path


class Loop:
    """Calls at once what it is to call later."""

    def call_later(self, _seconds, call):
        call()


class TestAnswer:
    @pytest.fixture
    def granian(self, monkeypatch):
        monkeypatch.setattr(answers.asyncio, "get_running_loop", Loop)
        return Granian()

    def test_that_is_a_stored_file_is_not_copied(self, tmp_path, granian):
        (tmp_path / "a").write_bytes(LARGE)
        file = (tmp_path / "a").open("rb")

        def application(environ, start):
            start("200 OK", [])
            return environ["wsgi.file_wrapper"](file)

        answer = answers.answered(application, environ_of(scope(), io.BytesIO(), 0))
        answers.send(granian, answer, without_body=False)

        assert file.closed
        assert granian.path == str(tmp_path / "a")
        assert (tmp_path / "a").read_bytes() == LARGE

    def test_that_is_opened_too_late_is_nobody_elses(self, granian):
        answer = answers.answered(lambda _environ, _start: [LARGE], {})
        assert Path(answer.path).read_bytes() == LARGE
        answers.send(granian, answer, without_body=False)

        with ExitStack() as life:
            for _ in range(50):
                life.enter_context(TemporaryFile())
            assert not Path(granian.path).exists()

    def test_that_breaks_off_leaves_no_file(self, monkeypatch, tmp_path):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

        def pieces():
            yield LARGE
            yield LARGE
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            answers.answered(lambda _environ, _start: pieces(), {})
        assert not list(tmp_path.iterdir())

    def test_that_comes_in_pieces_is_closed_when_it_breaks_off(self):
        closed = []

        class Pieces:
            close = staticmethod(lambda: closed.append(True))

            def __iter__(self):
                yield b"a"
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            answers.answered(lambda _environ, _start: Pieces(), {})
        assert closed


def test_reads_no_large_body_of_who_has_no_credentials():
    web = server.Web()
    web.__rsgi_init__(None)
    length = {"content-length": str(answers.IN_MEMORY_BYTES + 1)}

    with pytest.raises(TooLarge, match="Without credentials"):
        asyncio.run(web._received(scope(**length), None, io.BytesIO()))


@pytest.mark.django_db(transaction=True)
def test_keeps_no_connection_for_those_who_watch():
    def scrape():
        connection.ensure_connection()
        return connection.connection

    assert server.without_connections(scrape).closed


def test_forgets_what_a_killed_process_left_to_be_sent(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kept, left, other = (tmp_path / name for name in ("exchange-answer-a", "exchange-answer-b", "other"))
    for path in (kept, left, other):
        path.touch()
    for path in (left, other):
        os.utime(path, (0, 0))

    answers.forget_left_files()
    assert set(tmp_path.iterdir()) == {kept, other}


def test_tells_those_to_come_again_who_would_wait_for_a_thread_too_long(monkeypatch):
    monkeypatch.setattr(server, "MOST_WAITING", 0)
    web = server.Web()
    web.__rsgi_init__(None)

    with pytest.raises(Unavailable) as refused:
        asyncio.run(web._work({"PATH_INFO": "/"}, print))
    assert refused.value.retry_after_seconds == 1
