"""Clients that are slow, that lie about their bodies or send too much, at a running web process."""

import hashlib
import json
import socket
from contextlib import ExitStack

import pytest

from exchange.accounts.models import Organization
from exchange.front.server import LARGE_AT_ONCE
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory, token_for
from tests.factories.submissions import make_submission

from .conftest import MIB
from .processes import PATIENCE_SECONDS

pytestmark = [pytest.mark.sockets, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
MANY = 60  # five for each of the twelve threads


@pytest.fixture(scope="module", autouse=True)
def silent(plain):
    """Clients that began and went silent, (in their headers, in their body), while the other tests ran."""
    head = "POST /api/v1/auth/login HTTP/1.1", "Content-Length: 9"
    with Client(plain) as in_headers, Client(plain, *head, body=b"{") as in_body:
        in_headers.send(b"GET / HTTP/1.1\r\nHost: a\r\nX-")
        yield in_headers, in_body


class Client:
    """A connection that sends what it is told to, byte by byte."""

    def __init__(self, process, *lines, body=b""):
        self.socket = socket.create_connection(("127.0.0.1", process.port), timeout=PATIENCE_SECONDS)
        if lines:
            self.send("\r\n".join([lines[0], "Host: 127.0.0.1", *lines[1:], "", ""]).encode() + body)

    def send(self, data):
        self.socket.sendall(data)

    def answer(self):
        """The status and the JSON of what came back; (None, None) when the connection was closed."""
        heard = b""
        while piece := self._heard():
            heard += piece
            head, _blank, body = heard.partition(b"\r\n\r\n")
            if _blank and len(body) >= length_of(head):
                return int(head.split()[1]), json.loads(body) if body.startswith(b"{") else body
        return None, None

    def _heard(self):
        try:
            return self.socket.recv(65536)
        except ConnectionResetError:
            return b""

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.socket.close()


def length_of(head):
    lines = (line.partition(b":") for line in head.lower().split(b"\r\n"))
    return next((int(value) for name, _colon, value in lines if name == b"content-length"), 0)


def bearer():
    return f"Authorization: Bearer {token_for(UserFactory())}"


class TestSlowClients:
    """Many times as many as there are threads, and everybody else is served."""

    def assert_served(self, process):
        assert process.get("/live").status == 200
        assert process.get("/api/v1/benchmarks").status == 200

    def test_that_send_their_bodies_slowly_keep_nobody_waiting(self, plain):
        process = plain
        with ExitStack() as life:
            slow = [
                life.enter_context(
                    Client(process, "POST /api/v1/auth/login HTTP/1.1", "Content-Length: 1000")
                )
                for _ in range(MANY)
            ]
            for client in slow:
                client.send(b"{")
            self.assert_served(process)

    def test_that_send_their_headers_slowly_keep_nobody_waiting(self, plain):
        process = plain
        with ExitStack() as life:
            for _ in range(MANY):
                life.enter_context(Client(process)).send(b"GET / HTTP/1.1\r\nHost: a\r\nX-")
            self.assert_served(process)

    def test_that_are_nobody_keep_no_large_body_waiting(self, plain):
        with ExitStack() as life:
            for _ in range(2 * LARGE_AT_ONCE + 1):
                lines = upload()[0], "Authorization: Bearer lbx_pat_nobody", f"Content-Length: {2 * MIB}"
                client = life.enter_context(Client(plain, *lines))
                assert client.answer()[0] == 401

    def test_that_are_one_person_keep_no_other_waiting(self, plain):
        with ExitStack() as life:
            slow = [f"Content-Length: {2 * MIB}", *upload()[1:]]
            for _ in range(16 * LARGE_AT_ONCE):
                life.enter_context(Client(plain, upload()[0], *slow)).send(b"-")
            head, *lines = upload()
            body = multipart(b"x" * 2 * MIB)
            with Client(plain, head, *lines, f"Content-Length: {len(body)}", body=body) as client:
                assert client.answer()[0] == 201


class TestHeaders:
    def test_are_refused_when_they_are_too_large(self, plain):
        with Client(plain, "GET /live HTTP/1.1", f"X-Long: {'x' * MIB}") as client:
            assert client.answer()[0] in {431, None}

    def test_with_an_underscore_pass_for_no_other(self, web):
        process = web(TRUSTED_PROXIES=1, ANONYMOUS_REQUESTS_A_MINUTE=1)
        lines = "GET /api/v1/benchmarks HTTP/1.1", "X-Forwarded-For: 192.0.2.77"
        statuses = []
        for number in range(2):
            with Client(process, *lines, f"X_Forwarded_For: 198.51.100.{number}") as client:
                statuses.append(client.answer()[0])

        assert statuses == [200, 429]


class TestBodies:
    form = json.dumps({"email_or_username": "x", "password": "y" * 20}).encode()

    def test_in_chunks_are_told_to_name_their_length(self, plain):
        lines = "POST /api/v1/auth/login HTTP/1.1", "Transfer-Encoding: chunked"
        with Client(plain, *lines, body=b"5\r\nhello\r\n") as client:
            status, problem = client.answer()

        assert (status, problem["code"]) == (411, "length_required")

    def test_larger_than_any_are_refused_by_their_length_alone(self, plain):
        length = f"Content-Length: {2**40}"
        lines = "POST /api/v1/auth/login HTTP/1.1", "Content-Type: application/json", length
        with Client(plain, *lines) as client:
            status, problem = client.answer()

        assert (status, problem["code"]) == (413, "too_large")

    def test_shorter_than_they_say_change_nothing(self, plain):
        form = json.dumps({"slug": "acme", "name": "Acme", "type": "enterprise"}).encode()
        lines = "POST /api/v1/organizations HTTP/1.1", bearer(), "Content-Type: application/json"
        with Client(plain, *lines, f"Content-Length: {len(form) + 10}", body=form) as client:
            client.socket.shutdown(socket.SHUT_WR)
            status, problem = client.answer()

        assert (status, problem["detail"]) == (400, f"The body broke off after {len(form)} bytes.")
        assert not Organization.objects.exists()

    def test_with_two_lengths_are_none(self, plain):
        lines = "POST /api/v1/auth/login HTTP/1.1", "Content-Length: 5", "Content-Length: 6"
        with Client(plain, *lines, body=b"hello") as client:
            assert client.answer()[0] in {400, None}

    def test_are_not_unpacked(self, plain):
        lines = "POST /api/v1/auth/login HTTP/1.1", "Content-Type: application/json", "Content-Encoding: gzip"
        with Client(plain, *lines, f"Content-Length: {len(self.form)}", body=self.form) as client:
            assert client.answer()[0] in {401, 415}

    @pytest.mark.parametrize(
        ("size", "code"), [(3 * MIB, "unauthenticated"), (5 * MIB, "evidence_too_large")]
    )
    def test_of_evidence_are_refused_by_their_length(self, size, code, plain):
        """Beyond any body those of nobody in particular, beyond the largest file all: none is read."""
        lines = [line for line in upload() if code == "evidence_too_large" or "Bearer" not in line]
        with Client(plain, *lines, f"Content-Length: {size}") as client:
            assert client.answer()[1]["code"] == code


class TestLargeFile:
    content = json.dumps({"x": "y" * 3 * MIB}).encode()

    def test_comes_whole_to_who_reads_late_and_keeps_nobody_waiting(self, plain):
        head, *lines = upload()
        body = multipart(self.content)
        with Client(plain, head, *lines, f"Content-Length: {len(body)}", body=body) as client:
            status, evidence = client.answer()
        assert status == 201, evidence

        lines = f"GET /api/v1/evidence/{evidence['id']}/content HTTP/1.1", lines[0]
        with ExitStack() as life:
            slow = [life.enter_context(Client(plain, *lines)) for _ in range(MANY)]
            assert plain.get("/api/v1/benchmarks").status == 200
            assert slow[0].answer() == (200, json.loads(self.content))


class TestSilentClients:
    """Those of whom the rest does not come."""

    def test_are_left_when_it_is_of_their_headers(self, silent):
        assert silent[0].answer() == (None, None)

    def test_are_told_so_when_it_is_of_their_body(self, silent):
        status, problem = silent[1].answer()
        assert (status, problem["code"]) == (408, "too_slow")


def upload():
    """The head of a member's upload to their own claim."""
    user, organization = UserFactory(), OrganizationFactory()
    MembershipFactory(user=user, organization=organization)
    submission = make_submission(organization=organization)
    return (
        f"POST /api/v1/submissions/{submission.pk}/evidence HTTP/1.1",
        f"Authorization: Bearer {token_for(user)}",
        "Content-Type: multipart/form-data; boundary=b",
    )


def multipart(content):
    fields = {"name": b"a.json", "sha256": hashlib.sha256(content).hexdigest().encode()}
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + value + b"\r\n"
        for name, value in fields.items()
    ]
    file = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'
    return b"".join([*parts, file, content, b"\r\n--b--\r\n"])
