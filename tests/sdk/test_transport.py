import gzip
import logging
import ssl

import httpx
import pytest

from llm_benchmark import answers, errors
from llm_benchmark.models import Formula
from llm_benchmark.settings import Settings
from llm_benchmark.transport import MOST_TRIES, Transport

from .stub import Stub, problem

FORMULA = {"quorum": "a", "threshold": "b"}
DONE = httpx.Response(204)
BUSY = problem(503, "unavailable")
BROKEN = httpx.RemoteProtocolError("Server disconnected without sending a response.")


def get(stub):
    return stub.transport.get("formula", Formula)


def write(stub, **options):
    return stub.transport.write("POST", "formula", type(None), {"a": 1}, **options)


class TestAnotherTry:
    @pytest.mark.parametrize(
        "fault", [BUSY, problem(429, "limit_exceeded"), BROKEN, httpx.ConnectError("refused")]
    )
    def test_is_made_where_it_may_help(self, fault):
        stub = Stub(fault, fault, FORMULA)

        assert get(stub).quorum == "a"
        assert len(stub.requests) == 3

    def test_ends_after_some(self):
        stub = Stub(BUSY)

        with pytest.raises(errors.Unavailable) as refusal:
            get(stub)
        assert len(stub.requests) == MOST_TRIES
        assert refusal.value.is_retryable

    def test_waits_longer_each_time(self):
        stub = Stub(BUSY)

        with pytest.raises(errors.Unavailable):
            get(stub)
        assert 0.1 <= stub.waits[0] <= 0.2 <= stub.waits[1] <= 0.4 <= stub.waits[2] <= 0.8

    def test_waits_as_long_as_it_is_told(self, caplog):
        stub = Stub(problem(429, "limit_exceeded", Retry_After="7"), FORMULA)

        get(stub)

        assert stub.waits == [7.0]
        assert "Trying again in 7 s" in caplog.text

    def test_is_left_to_the_caller_where_it_would_be_late(self):
        stub = Stub(problem(429, "limit_exceeded", Retry_After="3600"))

        with pytest.raises(errors.RateLimited) as refusal:
            get(stub)
        assert refusal.value.retry_after == 3600
        assert len(stub.requests) == 1

    @pytest.mark.parametrize("seconds", ["soon", "9" * 400, "-1", "²"])
    def test_is_made_in_its_own_time_where_it_is_told_nonsense(self, seconds):
        headers = [(b"Retry-After", seconds.encode())]
        stub = Stub(lambda _request: httpx.Response(503, json={"code": "a"}, headers=headers))

        with pytest.raises(errors.Unavailable) as refusal:
            get(stub)
        assert refusal.value.retry_after is None
        assert len(stub.waits) == MOST_TRIES - 1

    def test_is_not_made_after_a_time_out(self):
        """Four times the time-out is more than anybody allowed."""
        stub = Stub(httpx.ReadTimeout("slow"))

        with pytest.raises(errors.TimedOut, match=r"127\.0\.0\.1:1 did not answer in time"):
            get(stub)
        assert len(stub.requests) == 1

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 500])
    def test_is_not_made_where_it_would_not_help(self, status):
        stub = Stub(problem(status, "a_reason"))

        with pytest.raises(errors.SdkError):
            get(stub)
        assert len(stub.requests) == 1


class TestAWrite:
    def test_is_tried_again_with_the_same_key_and_body(self):
        stub = Stub(BROKEN, BUSY, DONE)

        write(stub)

        assert len({request.headers["Idempotency-Key"] for request in stub.requests}) == 1
        assert stub.bodies == [{"a": 1}] * 3

    def test_has_a_key_of_its_own(self):
        stub = Stub(DONE)

        write(stub)
        write(stub)

        assert len({request.headers["Idempotency-Key"] for request in stub.requests}) == 2

    @pytest.mark.parametrize("fault", [BUSY, BROKEN])
    def test_without_a_key_is_not_tried_again(self, fault):
        stub = Stub(fault, DONE)

        with pytest.raises(errors.Unavailable):
            write(stub, has_key=False)
        assert len(stub.requests) == 1

    def test_without_a_key_is_tried_again_where_nothing_was_done(self):
        stub = Stub(problem(429, "limit_exceeded"), DONE)

        write(stub, has_key=False)

        assert "Idempotency-Key" not in stub.requests[1].headers


class TestARefusal:
    def test_carries_what_the_exchange_says(self):
        wrong = {"field": "slug", "code": "taken", "message": "There is one."}
        body = {"code": "invalid_input", "detail": "Not valid.", "request_id": "r-1", "errors": [wrong]}
        stub = Stub(httpx.Response(400, json=body))

        with pytest.raises(errors.InvalidInput, match="Not valid") as refusal:
            get(stub)
        assert refusal.value.errors == [errors.FieldError(**wrong)]
        assert (refusal.value.code, refusal.value.status) == ("invalid_input", 400)
        assert refusal.value.request_id == "r-1"

    @pytest.mark.parametrize(
        ("status", "kind"),
        [(404, errors.NotFound), (502, errors.Unavailable), (418, errors.UnexpectedAnswer)],
    )
    def test_without_a_reason_asks_whether_this_is_an_exchange(self, status, kind):
        stub = Stub(httpx.Response(status, text="<h1>Not here</h1>"))

        with pytest.raises(kind, match=f"answered {status} and gave no reason"):
            get(stub)

    def test_is_a_redirect_too(self):
        """Whose target would be sent the token."""
        stub = Stub(httpx.Response(308, headers={"Location": "https://other.example/"}), token="secret")

        with pytest.raises(errors.UnexpectedAnswer, match="redirects to https://other"):
            get(stub)
        assert [request.url.host for request in stub.requests] == ["127.0.0.1"]

    def test_says_that_nothing_is_there(self):
        stub = Stub(httpx.ConnectError("Connection refused"))

        with pytest.raises(errors.NotReached, match="reached: Connection refused"):
            get(stub)


class TestAnAnswer:
    @pytest.mark.parametrize(
        "content", [b"<html>Log in to this hotel's network", b'{"quorum": 1}', b"", b"\xff"]
    )
    def test_of_another_kind_is_refused(self, content):
        stub = Stub(httpx.Response(200, content=content))

        with pytest.raises(errors.UnexpectedAnswer, match="Is it an exchange, and as new"):
            get(stub)

    def test_that_has_no_end_is_refused(self, monkeypatch):
        monkeypatch.setattr(answers, "LARGEST_ANSWER", 1 << 20)
        endless = httpx.Response(200, content=b"x" * (2 << 20))

        with pytest.raises(errors.UnexpectedAnswer, match="more than 1 MiB at once"):
            get(Stub(endless))

    def test_that_grows_when_unpacked_is_refused(self, monkeypatch):
        monkeypatch.setattr(answers, "LARGEST_ANSWER", 1 << 20)
        packed = gzip.compress(b"x" * (2 << 20))

        def bomb(_request):
            return httpx.Response(200, content=packed, headers={"Content-Encoding": "gzip"})

        with pytest.raises(errors.UnexpectedAnswer, match="more than 1 MiB at once"):
            get(Stub(bomb))

    def test_that_cannot_be_unpacked_is_refused(self):
        def garbled(_request):
            return httpx.Response(200, stream=httpx.ByteStream(b"none"), headers={"Content-Encoding": "gzip"})

        with pytest.raises(errors.UnexpectedAnswer, match="cannot be decoded"):
            get(Stub(garbled))

    @pytest.mark.parametrize("packing", ["gzip, gzip", "deflate", "br"])
    def test_that_is_packed_as_nobody_asked_is_refused(self, packing):
        """Twice packed, 2 KB can be 1 GB before anybody counts it."""
        answer = httpx.Response(200, stream=httpx.ByteStream(b""), headers={"Content-Encoding": packing})
        stub = Stub(lambda _request: answer)

        with pytest.raises(errors.UnexpectedAnswer, match="which nobody asked for"):
            get(stub)
        assert stub.requests[0].headers["Accept-Encoding"] == "gzip"

    @pytest.mark.parametrize("status", [200, 400])
    def test_that_is_nested_without_end_is_refused(self, status):
        nested = b'{"code": "a", "more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"

        with pytest.raises(errors.SdkError, match="Is it an exchange"):
            get(Stub(httpx.Response(status, content=nested)))


class TestTheToken:
    def test_is_sent(self):
        stub = Stub(FORMULA, token="lbx_pat_x")

        get(stub)

        assert stub.requests[0].headers["Authorization"] == "Bearer lbx_pat_x"

    def test_is_the_only_thing_that_says_who_asks(self):
        """A cookie from a log-in would outlive it."""
        with_cookie = httpx.Response(200, json=FORMULA, headers={"Set-Cookie": "sessionid=1; Path=/"})
        stub = Stub(with_cookie)

        get(stub)
        get(stub)

        assert "Cookie" not in stub.requests[1].headers

    def test_is_not_in_the_log(self, caplog):
        caplog.set_level(logging.DEBUG)
        stub = Stub(httpx.Response(204, headers={"X-Request-ID": "r-1"}), token="lbx_pat_secret", debug=True)

        stub.transport.write("POST", "auth/login", type(None), {"password": "hush"})

        assert "POST /api/v1/auth/login → 204" in caplog.text
        assert "r-1" in caplog.text
        assert "secret" not in caplog.text
        assert "hush" not in caplog.text

    @pytest.mark.parametrize(
        ("url", "is_proxied"), [("http://127.0.0.1:1", False), ("https://a.example", True)]
    )
    def test_goes_through_no_proxy_on_this_machine(self, monkeypatch, url, is_proxied):
        monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
        monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")

        with Transport(Settings(url)) as transport:
            assert bool(transport._http._mounts) is is_proxied

    @pytest.mark.parametrize("url", ["https://a.example", "HTTPS://a.example"])
    def test_is_sent_to_nobody_without_a_certificate(self, url):
        with Transport(Settings(url)) as transport:
            assert transport._http._transport._pool._ssl_context.verify_mode == ssl.CERT_REQUIRED

    def test_is_not_sent_by_way_of_a_proxy_that_is_none(self, monkeypatch):
        monkeypatch.setenv("HTTPS_PROXY", "nonsense://proxy.example")

        with pytest.raises(errors.NotConfigured, match="certificates of the environment"):
            Transport(Settings("https://a.example"))


class TestWhatIsLogged:
    def test_steers_no_terminal(self, caplog):
        caplog.set_level(logging.INFO, logger="llm_benchmark")
        busy = problem(
            429, "limit_exceeded", "\x1b[2J\nall is well", Retry_After="7", X_Request_ID="\x1b]0;a\x07"
        )

        get(Stub(busy, FORMULA, debug=True))

        said = [record.getMessage() for record in caplog.records]
        assert any("[2J" in line for line in said)
        assert all(line.isprintable() for line in said)

    def test_is_nothing_unless_asked_for(self, caplog):
        caplog.set_level(logging.INFO, logger="llm_benchmark")

        get(Stub(FORMULA))

        assert [record for record in caplog.records if record.name == "llm_benchmark"] == []
