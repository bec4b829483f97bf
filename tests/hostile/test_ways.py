"""Ways around the one address: redirects, proxies of the environment, servers that are not who they say."""

import json
import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from llm_benchmark.measure.gateway import Bounds, Gateway, read_journal
from llm_benchmark.measure.performance.aiperf import AiperfJob, environment
from llm_benchmark.measure.plans import EgressRules, PerformancePlan, Target

from .certificates import OTHER, Authority
from .lanes import ask
from .readers import codes, read_all
from .rogue import HEAD, JSON, KEY, Rogue, document, whole
from .victim import Victim

pytestmark = pytest.mark.sockets
READERS = ("questions", "streams", "check", "list")
STATUSES = (300, 301, 302, 303, 307, 308)
PLACES = {
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "another port": "http://127.0.0.1:{port}/",
    "another port, without a scheme": "//127.0.0.1:{port}/",
    "another path": "/elsewhere/v1",
    "itself": "",
    "a file": "file:///etc/passwd",
}
POINTERS = (
    b"location: http://127.0.0.1:%d/\r\nrefresh: 0; url=http://127.0.0.1:%d/\r\n"
    b'link: <http://127.0.0.1:%d/>; rel=preload\r\nalt-svc: h2="127.0.0.1:%d"\r\n'
)
PROXIES = [
    spelled
    for name in (
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "SOCKS_PROXY",
        "FTP_PROXY",
        "WS_PROXY",
        "WSS_PROXY",
    )
    for spelled in (name, name.lower(), name.title())
]
NO_PROXIES = ("NO_PROXY", "no_proxy", "No_Proxy")


@pytest.fixture(scope="module")
def victim():
    with ExitStack() as stack:
        yield Victim(stack)


def redirecting(port):
    def answer(status, place):
        location = PLACES[place].format(port=port).encode()
        return lambda _: whole(b"", b"HTTP/1.1 %d X\r\nlocation: %b\r\n" % (status, location))

    return {f"{status} to {place}": answer(status, place) for status in STATUSES for place in PLACES}


def pointing(port):
    """Answers of 200 that name another place besides."""
    head, body = JSON + POINTERS % ((port,) * 4), json.dumps(document()).encode()
    page = b'<meta http-equiv="refresh" content="0; url=http://127.0.0.1:%d/">' % port
    return {
        "head": lambda _: whole(body, head),
        "page": lambda _: whole(page, HEAD + b"content-type: text/html\r\n"),
    }


def spaced(name):
    return name.replace(" ", "-").replace(",", "")


@pytest.fixture(scope="module")
def rogue(victim):
    answers = {**redirecting(victim.port), **pointing(victim.port)}
    with Rogue(answers={spaced(name): answer for name, answer in answers.items()}) as running:
        yield running


def target_at(rogue, scheme="http"):
    rules = EgressRules(allow=frozenset({rogue.host_and_port}))
    return Target(f"{scheme}://{rogue.host_and_port}/v1", "m", KEY, egress=rules)


@pytest.fixture(scope="module")
def redirected(rogue, victim):
    names = [*redirecting(victim.port), "head", "page"]
    return read_all({name: rogue.url(spaced(name)) for name in names}, key=KEY)["found"]


class TestARedirect:
    def test_is_refused_and_not_followed(self, redirected, rogue, victim):
        ends = {name: codes(found) for name, found in redirected.items() if " to " in name}

        assert ends == dict.fromkeys(ends, dict.fromkeys(READERS, "redirect_refused"))
        assert not [head for head in rogue.requests if b"elsewhere" in head]
        assert not victim.was_reached

    def test_is_asked_for_once_by_each_reader(self, redirected, rogue):
        paths = [head.split(b" ", 2)[1].decode().split("/")[1] for head in rogue.requests]

        assert {paths.count(spaced(name)) for name in redirected if " to " in name} == {len(READERS)}

    def test_in_the_head_or_the_page_of_an_answer_means_nothing(self, redirected, victim):
        assert codes(redirected["head"]) == dict.fromkeys(READERS)
        assert codes(redirected["page"]) == dict.fromkeys(READERS, "invalid_response")
        assert not victim.was_reached

    def test_is_refused_by_the_gateway(self, rogue, victim, tmp_path):
        names = list(redirecting(victim.port))
        with Gateway.start(target_at(rogue), Bounds(), tmp_path) as gateway:
            for name in names:
                ask(gateway, spaced(name))

        assert [entry.outcome for entry in read_journal(gateway.journal_path)] == ["redirect_refused"] * len(
            names
        )
        assert not victim.was_reached


class TestAProxyOfTheEnvironment:
    @pytest.fixture(autouse=True)
    def proxied(self, victim, monkeypatch):
        for name in PROXIES:
            monkeypatch.setenv(name, f"http://127.0.0.1:{victim.port}")
        for name in NO_PROXIES:
            monkeypatch.setenv(name, "example.org")

    def test_is_used_by_nobody(self, victim, tmp_path):
        with Rogue() as rogue:
            found = read_all({"honest": rogue.url("honest")}, key=KEY)["found"]["honest"]
            with Gateway.start(target_at(rogue), Bounds(), tmp_path) as gateway:
                ask(gateway, "honest")
                inherited = Path(f"/proc/{gateway.pid}/environ").read_bytes().upper()

        assert codes(found) == dict.fromkeys(READERS)
        assert [entry.outcome for entry in read_journal(gateway.journal_path)] == ["ok"]
        assert b"PROXY" not in inherited
        assert not victim.was_reached

    def test_is_not_told_to_aiperf(self, tmp_path):
        plan = PerformancePlan(input_tokens=8, output_tokens=8, requests=1, seed=1)
        job = AiperfJob(
            plan=plan,
            target=Target("https://api.example.org/v1", "m"),
            url="http://127.0.0.1:1",
            path="/v1/chat/completions",
            key="throw-away",
            directory=tmp_path,
            tokenizer_cache=tmp_path,
        )

        assert not [name for name in environment(job, tmp_path) if "PROXY" in name.upper()]


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    authority = Authority(tmp_path_factory.mktemp("certificates"))
    shown = {
        "good": authority.context("good"),
        "self-signed": authority.context("self-signed", is_signed=False),
        "wrong-name": authority.context("wrong-name", host=OTHER),
        "expired": authority.context("expired", days=-2),
    }
    rogues = {name: Rogue(ssl=context) for name, context in shown.items()}
    with ExitStack() as stack:
        for rogue in rogues.values():
            stack.enter_context(rogue)
        rogues["none"] = stack.enter_context(Rogue(greeting=b"SSH-2.0-OpenSSH_9.0\r\n"))
        yield authority, rogues


class TestACertificate:
    """Only SSL_CERT_FILE says who is believed."""

    ENDS = {
        "good": None,
        "self-signed": "tls_certificate",
        "wrong-name": "tls_certificate",
        "expired": "tls_certificate",
        "none": "tls_failed",
    }

    def test_is_checked_by_each_reader(self, servers):
        authority, rogues = servers
        urls = {name: f"https://{rogue.host_and_port}/honest/v1" for name, rogue in rogues.items()}
        env = {**os.environ, "SSL_CERT_FILE": str(authority.path)}

        found = read_all(urls, key=KEY, env=env)["found"]

        ends = {name: codes(results) for name, results in found.items()}
        assert ends == {name: dict.fromkeys(READERS, code) for name, code in self.ENDS.items()}
        assert [name for name, rogue in rogues.items() if rogue.requests] == ["good"]

    @pytest.mark.parametrize("name", ENDS)
    def test_is_checked_by_the_gateway(self, servers, name, tmp_path, monkeypatch):
        authority, rogues = servers
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.path))

        with Gateway.start(target_at(rogues[name], "https"), Bounds(), tmp_path) as gateway:
            ask(gateway, "honest")

        [entry] = read_journal(gateway.journal_path)
        assert entry.outcome == (self.ENDS[name] or "ok")

    def test_of_an_authority_that_nobody_named_is_refused(self, servers):
        _, rogues = servers
        url = f"https://{rogues['good'].host_and_port}/honest/v1"

        found = read_all({"good": url}, key=KEY)["found"]["good"]

        assert codes(found) == dict.fromkeys(READERS, "tls_certificate")
