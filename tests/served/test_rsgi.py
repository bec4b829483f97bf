"""What stands between Granian's loop and the threads that work."""

import asyncio
import io
import os
from types import SimpleNamespace

import pytest

from exchange import rsgi
from exchange.core.errors import Unavailable


def scope(**headers):
    return SimpleNamespace(
        method="GET", path="/a", query_string="", http_version="1.1", scheme="http",
        client="[2001:db8::1]:4711", server="127.0.0.1:80", headers=headers,
    )  # fmt: skip


class TestEnviron:
    def test_has_the_address_without_port_and_brackets(self):
        assert rsgi.environ_of(scope(), io.BytesIO(), 0)["REMOTE_ADDR"] == "2001:db8::1"

    def test_has_no_header_that_could_pass_for_another(self):
        environ = rsgi.environ_of(scope(**{"x_real": "1", "x-real": "2"}), io.BytesIO(), 0)
        assert environ["HTTP_X_REAL"] == "2"


class TestAnswer:
    def test_that_is_a_stored_file_is_not_copied(self, tmp_path):
        (tmp_path / "a").write_bytes(b"content")
        file = (tmp_path / "a").open("rb")

        def application(environ, start):
            start("200 OK", [])
            return environ["wsgi.file_wrapper"](file)

        answer = rsgi.answered(application, rsgi.environ_of(scope(), io.BytesIO(), 0))

        assert file.closed
        assert os.fstat(answer.body.fileno()).st_ino == (tmp_path / "a").stat().st_ino
        assert answer.body.tell() == len(b"content")
        answer.body.close()

    def test_that_comes_in_pieces_is_closed_when_it_breaks_off(self):
        closed = []

        class Pieces:
            close = staticmethod(lambda: closed.append(True))

            def __iter__(self):
                yield b"a"
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            rsgi.answered(lambda _environ, _start: Pieces(), {})
        assert closed


def test_tells_those_to_come_again_who_would_wait_for_a_thread_too_long(monkeypatch):
    monkeypatch.setattr(rsgi, "MOST_WAITING", 0)
    web = rsgi.Web()
    web.__rsgi_init__(None)

    with pytest.raises(Unavailable) as refused:
        asyncio.run(web._work({}))
    assert refused.value.retry_after_seconds == 1
