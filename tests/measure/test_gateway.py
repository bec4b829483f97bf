import hashlib
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import EgressRefused
from llm_benchmark.measure.gateway import Bounds, Gateway, read_bodies, read_journal
from llm_benchmark.measure.gateway import journal as journals
from llm_benchmark.measure.gateway.answer import judge_document, judge_stream, says_last
from llm_benchmark.measure.gateway.calibration import calibrate
from llm_benchmark.measure.gateway.content import Content, content_of
from llm_benchmark.measure.gateway.journal import JournalEntry, JournalWriter, SentLine, measure_stream
from llm_benchmark.measure.plans import EgressRules, Target, Usage
from llm_benchmark.measure.redaction import is_echoed

from .upstream import KEY, Upstream

CHAT = protocols.get("chat")
BOUNDS = Bounds(
    total_seconds=1.0, idle_seconds=0.4, first_byte_seconds=0.4, connect_seconds=1.0, answer_bytes=200_000
)


def event(text="", finish=None, **more):
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return b"data: " + json.dumps({"model": "m", "choices": [choice], **more}).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


class TestJudgeStream:
    def test_reads_finish_reason_usage_and_model_of_a_whole_answer(self):
        usage = {"prompt_tokens": 3, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 2}}

        judgement = judge_stream(CHAT, event("a") + event("", "stop") + event(usage=usage) + DONE)

        assert judgement.code is None
        assert (judgement.finish_reason, judgement.model) == ("stop", "m")
        assert judgement.usage == Usage(3, 1, 2)

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            (b"", "incomplete_stream"),
            (event("a") + DONE, "incomplete_stream"),
            (event("", "stop"), "incomplete_stream"),
            (event("data: [DONE]", "stop"), "incomplete_stream"),
            (event('"finish_reason": "stop"') + DONE, "incomplete_stream"),
            (event("a", "stop", error={"message": "no"}) + DONE, "provider_reported_error"),
            (b"event: error\ndata: {}\n\n" + event("", "stop") + DONE, "provider_reported_error"),
        ],
    )
    def test_sees_what_is_missing_or_wrong(self, body, code):
        assert judge_stream(CHAT, body).code == code

    def test_takes_carriage_returns_and_a_null_error(self):
        body = (event("an error: ", error=None) + event("", "stop") + DONE).replace(b"\n", b"\r\n")

        assert judge_stream(CHAT, body).code is None

    @pytest.mark.parametrize("count", ["-1", "1e309", "NaN", "1.5", "true", '"7"', "99999999999999999999"])
    def test_does_not_believe_an_impossible_usage(self, count):
        usage = b'data: {"choices":[],"usage":{"completion_tokens":%b}}\n\n' % count.encode()

        assert judge_stream(CHAT, event("", "stop") + usage + DONE).usage.output_tokens is None


def named(kind, **fields):
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


START = named("message_start", message={"model": "m", "usage": {"input_tokens": 7, "output_tokens": 1}})
WORD = named("content_block_delta", index=0, delta={"type": "text_delta", "text": "a"})
STOPPED = named("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 5})
STOP = named("message_stop")
CREATED = named("response.created", response={"model": "m", "status": "in_progress", "error": None})
DELTA = named("response.output_text.delta", delta="a")
USAGE = {"input_tokens": 7, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 0}}
COMPLETED = named(
    "response.completed", response={"model": "m", "status": "completed", "error": None, "usage": USAGE}
)
LIMIT = {"reason": "max_output_tokens"}
CUT = named("response.incomplete", response={"status": "incomplete", "incomplete_details": LIMIT})
FAILED = named("response.failed", response={"status": "failed", "error": {"code": "server_error"}})
PIECE = b'data: {"model": "m", "choices": [{"text": "a", "finish_reason": null}]}\n\n'
LAST_PIECE = b'data: {"model": "m", "choices": [{"text": "", "finish_reason": "length"}]}\n\n'


class TestJudgeStreamOfOtherProtocols:
    @pytest.mark.parametrize(
        ("protocol", "body", "finish_reason", "usage"),
        [
            ("messages", START + WORD + STOPPED + STOP, "stop", Usage(7, 5)),
            ("messages", START + WORD + STOPPED + STOP + DONE, "stop", Usage(7, 5)),
            ("responses", CREATED + DELTA + COMPLETED, "stop", Usage(7, 5, 0)),
            ("completions", PIECE + LAST_PIECE + DONE, "length", Usage()),
        ],
    )
    def test_reads_whole_answers(self, protocol, body, finish_reason, usage):
        judgement = judge_stream(protocols.get(protocol), body)

        assert (judgement.code, judgement.finish_reason) == (None, finish_reason)
        assert (judgement.usage, judgement.model) == (usage, "m")

    @pytest.mark.parametrize(
        ("protocol", "body", "code"),
        [
            ("messages", START + WORD + STOPPED, "incomplete_stream"),
            ("messages", START + WORD + STOPPED + DONE, "incomplete_stream"),
            ("messages", START + WORD + STOP, "incomplete_stream"),
            (
                "messages",
                START + named("error", error={"type": "overloaded_error"}),
                "provider_reported_error",
            ),
            ("responses", CREATED + DELTA, "incomplete_stream"),
            ("responses", CREATED + DELTA + DONE, "incomplete_stream"),
            ("responses", CREATED + DELTA + FAILED, "provider_reported_error"),
            ("completions", PIECE + DONE, "incomplete_stream"),
            ("completions", PIECE + LAST_PIECE, "incomplete_stream"),
        ],
    )
    def test_sees_what_is_missing_or_wrong(self, protocol, body, code):
        assert judge_stream(protocols.get(protocol), body).code == code

    def test_takes_an_answer_that_the_limit_cut(self):
        judgement = judge_stream(protocols.get("responses"), CREATED + DELTA + CUT)

        assert judgement.code is None

    @pytest.mark.parametrize(
        ("protocol", "piece", "is_last"),
        [
            ("messages", STOP, True),
            ("messages", named("content_block_delta", delta={"text": "message_stop"}), False),
            ("responses", COMPLETED, True),
            ("chat", DONE, True),
            ("chat", event("data: [DONE]"), False),
        ],
    )
    def test_knows_the_last_word_from_a_text_that_quotes_it(self, protocol, piece, is_last):
        assert says_last(protocols.get(protocol), piece) is is_last


class TestContentOf:
    @pytest.mark.parametrize(
        ("protocol", "payload", "content"),
        [
            ("chat", {"choices": [{"delta": {"content": "a"}}]}, Content("a", "", is_timed=True)),
            ("chat", {"choices": [{"delta": {"reasoning": "b"}}]}, Content("", "b", is_timed=True)),
            ("chat", {"choices": [{"delta": {"refusal": "no"}}]}, Content()),
            ("chat", {"choices": [{"delta": {"content": "a refusal"}}]}, Content("a refusal", is_timed=True)),
            ("responses", {"type": "response.reasoning_summary_text.delta", "delta": "s"}, Content()),
            ("chat", {"choices": [{"delta": {}, "finish_reason": "stop"}]}, Content(finish_reason="stop")),
            ("responses", {"type": "response.refusal.delta", "delta": "no"}, Content()),
            ("responses", {"type": "response.output_text.done", "text": "aa"}, Content(is_timed=True)),
            ("responses", {"type": "response.output_text.delta", "delta": "a"}, Content("a", is_timed=True)),
            ("messages", {"type": "content_block_delta", "delta": {"thinking": "t"}}, Content("", "t", True)),
            ("messages", {"type": "ping"}, Content()),
        ],
    )
    def test_counts_what_aiperf_counts(self, protocol, payload, content):
        assert content_of(protocols.get(protocol), json.dumps(payload).encode()) == content


class TestJudgeDocument:
    @pytest.mark.parametrize(
        ("body", "code"),
        [
            (b"", "invalid_response"),
            (b"[]", "invalid_response"),
            (b'{"choices": [{"message": {"content": "a"}, "finish_reason": null}]}', "incomplete_stream"),
            (b'{"error": {"message": "no"}}', "provider_reported_error"),
            (b'{"choices": [{"finish_reason": "stop"}]}', "invalid_response"),
            (b'{"choices": [{"message": {"content": null}, "finish_reason": "stop"}]}', None),
        ],
    )
    def test_judges_documents(self, body, code):
        assert judge_document(CHAT, body).code == code

    @pytest.mark.parametrize(
        ("protocol", "document", "code"),
        [
            ("embeddings", {"data": [{"embedding": [0.1, 2]}], "usage": {"prompt_tokens": 3}}, None),
            ("embeddings", {"data": [{"embedding": ["a"]}]}, "invalid_response"),
            ("rerank", {"results": [{"index": 0, "relevance_score": 0.5}]}, None),
            ("rerank", {"results": [{"index": 0}]}, "invalid_response"),
            ("rerank_tei", [{"index": 0, "score": 0.5}], None),
            ("rerank_tei", {"error": "overloaded"}, "provider_reported_error"),
        ],
    )
    def test_judges_documents_of_what_generates_nothing(self, protocol, document, code):
        assert judge_document(protocols.get(protocol), json.dumps(document).encode()).code == code


class TestMeasureStream:
    def test_times_content_by_the_read_that_completed_it(self):
        first, second = event(""), event("a")
        body = first + second + event("b") + event("", "stop") + DONE
        cut = len(first) + len(second) - 5
        arrivals = [(10, len(first)), (20, cut), (30, cut + 9), (40, len(body))]

        found = measure_stream(CHAT, body, arrivals)

        assert found["event_count"] == 5
        assert found["first_content_after_ns"] == 30
        assert found["last_content_after_ns"] == 40

    def test_finds_content_behind_a_long_summary_of_reasoning(self):
        aside = named("response.reasoning_summary_text.delta", delta="so")
        body = aside * 500 + DELTA

        found = measure_stream(protocols.get("responses"), body, [(10, len(aside) * 500), (20, len(body))])

        assert (found["first_content_after_ns"], found["last_content_after_ns"]) == (20, 20)


@pytest.fixture
def journal(tmp_path):
    """A writer and the file that it writes."""
    path = tmp_path / "journal.jsonl"
    writer = JournalWriter(protocol=CHAT, journal=path, bodies=tmp_path / "bodies", recorded_bytes=100_000)
    yield writer, path
    writer.close()


class TestJournalWriter:
    def test_counts_what_is_over_after_what_is_sent_meanwhile(self, journal, monkeypatch):
        writer, path = journal
        monkeypatch.setattr(journals, "LATER_SECONDS", 600.0)

        writer.ended(JournalEntry(1, "r-1", "request", "ok", 0), event("a"), is_stream=True)
        writer.sent(SentLine(2, "r-2", "request", 0))
        wait_for(lambda: path.read_bytes().endswith(b"\n"))

        assert [json.loads(line)["event"] for line in path.read_bytes().splitlines()] == ["sent"]
        writer.close()
        [entry] = read_journal(path)
        assert (entry.number, entry.event_count) == (1, 1)

    def test_writes_what_is_over_without_being_asked(self, journal):
        writer, path = journal

        writer.ended(JournalEntry(1, "r-1", "request", "ok", 0), b"", is_stream=False)

        wait_for(lambda: path.read_bytes().endswith(b"\n"))

    @pytest.mark.parametrize(
        ("body", "is_stream", "count"),
        [
            (b'{"text": "say data: twice, data: once"}', False, 1),
            (b": wait\n\n" * 600 + event("a") + DONE, True, 2),
        ],
    )
    def test_takes_an_answer_for_a_stream_by_its_type_and_not_by_its_text(
        self, journal, body, is_stream, count
    ):
        writer, path = journal

        writer.ended(JournalEntry(1, "r-1", "request", "ok", 0), body, is_stream=is_stream)
        writer.close()

        assert read_journal(path)[0].event_count == count


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def ask(gateway, *, key=None, body=None, headers=None, path="/v1/chat/completions"):
    """(status, body, is the answer whole)"""
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=10)
    fields = {"model": "m", "stream": True, "max_tokens": 4, **(body or {})}
    given = {"Authorization": f"Bearer {key or gateway.key}", "X-Request-ID": "r-1", **(headers or {})}
    try:
        connection.request("POST", path, json.dumps(fields), given)
        response = connection.getresponse()
        return response.status, response.read(), True
    except http.client.IncompleteRead as torn:
        return 200, torn.partial, False
    except (ConnectionError, http.client.HTTPException):
        return None, b"", False
    finally:
        connection.close()


def head_of_refusal(gateway, body=b"{}"):
    head = f"POST /v1/chat/completions HTTP/1.1\r\nAuthorization: Bearer {gateway.key}\r\n"
    return raw(gateway, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)


def raw(gateway, request):
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=5) as connection:
        connection.sendall(request)
        return connection.recv(65536)


@pytest.fixture(scope="module")
def upstream():
    with Upstream() as running:
        yield running


@pytest.fixture
def start(upstream, tmp_path):
    """Starts gateways in front of the upstream; they end with the test."""
    started = []

    def start(mode="ok", bounds=BOUNDS, *, api_key=KEY, port=None, **options):
        port = port or upstream.port
        rules = EgressRules(allow=frozenset({f"127.0.0.1:{port}"}))
        target = Target(f"http://127.0.0.1:{port}/{mode}/v1", "m", api_key=api_key, egress=rules)
        gateway = Gateway.start(target, bounds, tmp_path / str(len(started)), **options)
        started.append(gateway)
        return gateway

    yield start
    for gateway in started:
        gateway.stop()


def entry_of(gateway):
    gateway.stop()
    [entry] = read_journal(gateway.journal_path)
    return entry


@pytest.mark.sockets
class TestGatewayPasses:
    @pytest.mark.parametrize(
        "mode",
        [
            "ok",
            "close-delimited",
            "no-usage",
            "double-done",
            "early-hints",
            "null-error",
            "says-done-in-text",
        ],
    )
    def test_a_whole_stream(self, start, mode):
        gateway = start(mode)

        status, body, is_whole = ask(gateway)

        entry = entry_of(gateway)
        assert (status, is_whole, entry.outcome) == (200, True, "ok")
        assert body.endswith(b"data: [DONE]\n\n")
        assert entry.sha256 == hashlib.sha256(body).hexdigest()
        assert list(read_bodies(gateway.bodies_path)) == [(1, "r-1", body)]

    def test_a_document(self, start):
        gateway = start("document")

        status, body, _ = ask(gateway, body={"stream": False})

        entry = entry_of(gateway)
        assert (status, json.loads(body)["usage"]["completion_tokens"]) == (200, 4)
        assert (entry.outcome, entry.finish_reason, entry.event_count) == ("ok", "length", 1)

    def test_the_body_as_it_is_and_nothing_else_of_the_client(self, start, upstream):
        gateway = start()

        ask(
            gateway,
            body={"seed": 7},
            headers={"User-Agent": "aiperf/1", "Cookie": "a=b", "X-Correlation-ID": "c"},
        )

        received = upstream.requests[-1]
        assert received.body == {"model": "m", "stream": True, "max_tokens": 4, "seed": 7}
        assert received.head.splitlines() == [
            b"POST /ok/v1/chat/completions HTTP/1.1",
            b"host: 127.0.0.1:%d" % upstream.port,
            b"user-agent: http-client/1.0",
            b"accept: application/json",
            b"accept-encoding: identity",
            b"authorization: Bearer sk-secret/12345",
            b"content-type: application/json",
            b"content-length: %d" % len(json.dumps(received.body)),
            b"",
        ]

    def test_no_authorization_without_a_key(self, start, upstream):
        ask(start(api_key=None))

        assert b"authorization" not in upstream.requests[-1].head

    def test_many_requests_over_the_connections_it_opened_before(self, start, upstream):
        before = upstream.connection_count
        gateway = start(bounds=replace(BOUNDS, connections=2))

        for _ in range(5):
            ask(gateway)

        gateway.stop()
        assert upstream.connection_count - before == 2
        assert [entry.number for entry in read_journal(gateway.journal_path)] == [1, 2, 3, 4, 5]

    def test_every_request_of_a_provider_that_closes_unasked_once_it_is_known(self, start):
        gateway = start("closes_unasked")
        ask(gateway)
        time.sleep(0.1)

        for _ in range(20):
            ask(gateway)

        gateway.stop()
        entries = read_journal(gateway.journal_path)
        assert {entry.outcome for entry in entries} == {"ok"}
        assert len(entries) == 21

    def test_a_providers_error_with_its_status(self, start):
        gateway = start("status-429")

        status, body, _ = ask(gateway)

        entry = entry_of(gateway)
        assert (status, body) == (429, b'{"error": {"message": "no"}}')
        assert (entry.outcome, entry.status) == ("http_error", 429)


@pytest.mark.sockets
class TestGatewayTearsOff:
    @pytest.mark.parametrize(
        ("mode", "outcome"),
        [
            ("truncated", "incomplete_stream"),
            ("no-done", "incomplete_stream"),
            ("no-finish", "incomplete_stream"),
            ("error-event", "provider_reported_error"),
            ("named-error-event", "provider_reported_error"),
            ("endless", "response_too_large"),
            ("slow-loris", "total_timeout"),
            ("stalls", "idle_timeout"),
            ("reset-in-stream", "connection_lost"),
        ],
    )
    def test_a_stream_that_goes_wrong(self, start, mode, outcome):
        gateway = start(mode)

        _, body, is_whole = ask(gateway)

        assert not is_whole
        assert not body.endswith(DONE)
        assert len(body) <= BOUNDS.answer_bytes
        assert entry_of(gateway).outcome == outcome

    @pytest.mark.parametrize(
        "mode",
        [
            "echoes-key",
            "echoes-key-escaped",
            "echoes-key-in-base64",
            "echoes-key-over-two-reads",
            "names-the-key",
        ],
    )
    def test_a_stream_that_says_the_key_and_keeps_none_of_it(self, start, mode):
        gateway = start(mode)

        status, body, is_whole = ask(gateway)

        assert status != 200 or not is_whole
        assert entry_of(gateway).outcome == "credential_echoed"
        gateway.stop()
        [(_, _, recorded)] = read_bodies(gateway.bodies_path)
        kept = recorded + gateway.journal_path.read_bytes()
        assert not is_echoed(kept, KEY)
        assert mode != "echoes-key" or b"your key" not in body

    def test_the_provider_when_the_client_leaves(self, start, upstream):
        gateway = start("endless", replace(BOUNDS, answer_bytes=10**9))
        before = upstream.disconnects
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=5)
        connection.request(
            "POST", "/v1/chat/completions", '{"stream": true}', {"Authorization": f"Bearer {gateway.key}"}
        )
        connection.getresponse().read(10)
        connection.close()

        until(lambda: upstream.disconnects > before)
        assert entry_of(gateway).outcome == "client_disconnected"


@pytest.mark.sockets
class TestGatewayRefuses:
    @pytest.mark.parametrize(
        ("mode", "status", "outcome"),
        [
            ("redirect", 502, "redirect_refused"),
            ("gzip", 502, "encoding_refused"),
            ("html", 502, "wrong_content_type"),
            ("broken-json", 502, "wrong_content_type"),
            ("empty", 502, "incomplete_stream"),
            ("big-head", 502, "response_too_large"),
            ("not-http", 502, "invalid_response"),
            ("reset", 502, "connection_lost"),
            ("status-204", 502, "unexpected_status"),
            ("silent", 504, "first_byte_timeout"),
        ],
    )
    def test_an_answer_that_is_none(self, start, mode, status, outcome):
        gateway = start(mode)

        given, body, _ = ask(gateway)

        assert (given, json.loads(body)["error"]["code"]) == (status, outcome)
        assert entry_of(gateway).outcome == outcome

    def test_to_send_again_what_a_dying_connection_swallowed(self, start, upstream):
        before = len(upstream.requests)
        gateway = start("reset")

        ask(gateway)

        gateway.stop()
        assert len(upstream.requests) - before == 1

    def test_a_provider_that_is_not_there(self, start):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            gateway = start(port=free.getsockname()[1])

            status, _, _ = ask(gateway)

        entry = entry_of(gateway)
        assert (status, entry.outcome, entry.sent_after_ns) == (502, "connect_failed", None)

    @pytest.mark.parametrize("mode", ["html", "redirect", "reset"])
    def test_says_that_it_closes_the_connection(self, start, mode):
        answer = head_of_refusal(start(mode))

        assert answer.startswith(b"HTTP/1.1 502 ")
        assert b"\r\nConnection: close\r\n" in answer

    @pytest.mark.parametrize(("requests", "passed"), [(0, 0), (2, 2)])
    def test_more_requests_than_allowed(self, start, upstream, requests, passed):
        gateway = start(bounds=replace(BOUNDS, requests=requests))
        before = len(upstream.requests)

        statuses = [ask(gateway)[0] for _ in range(3)]

        gateway.stop()
        assert statuses == [200] * passed + [429] * (3 - passed)
        assert len(upstream.requests) - before == passed
        assert read_journal(gateway.journal_path)[-1].outcome == "request_bound_reached"

    def test_more_tokens_than_allowed(self, start):
        gateway = start(bounds=replace(BOUNDS, tokens=100))

        statuses = [ask(gateway)[0] for _ in range(3)]

        assert statuses == [200, 200, 429]  # 68 tokens each, by the provider's count

    def test_to_believe_a_provider_that_counts_no_tokens(self, start):
        gateway = start("no-usage", replace(BOUNDS, tokens=8))

        assert [ask(gateway)[0] for _ in range(3)] == [200, 200, 429]

    @pytest.mark.parametrize(
        ("options", "status"),
        [
            ({"key": "wrong"}, 401),
            ({"path": "/v1/models"}, 404),
            ({"headers": {"Transfer-Encoding": "chunked"}}, 411),
            ({"body": {"messages": "x" * 70_000}}, 413),
        ],
    )
    def test_a_request_it_does_not_serve(self, start, upstream, options, status):
        gateway = start(bounds=replace(BOUNDS, request_bytes=65_536))
        before = len(upstream.requests)

        assert ask(gateway, **options)[0] == status
        gateway.stop()
        assert len(upstream.requests) == before

    def test_a_header_given_twice(self, start):
        gateway = start()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nAuthorization: Bearer {gateway.key}\r\n"

        answer = raw(gateway, (head + "Content-Length: 2\r\n" * 2 + "\r\n{}").encode())

        assert answer.startswith(b"HTTP/1.1 400")

    def test_what_is_not_http(self, start):
        assert raw(start(), b"\x16\x03\x01\x02\x00").startswith(b"HTTP/1.1 400")

    def test_a_certificate_of_nobody(self, tmp_path, start):
        with Upstream(ssl=self_signed(tmp_path)) as secure:
            target = Target(
                f"https://127.0.0.1:{secure.port}/ok/v1", "m", egress=EgressRules(allow=secure.allow)
            )
            with Gateway.start(target, BOUNDS, tmp_path / "tls") as gateway:
                status, body, _ = ask(gateway)

        assert (status, json.loads(body)["error"]["code"]) == (502, "tls_certificate")
        assert not secure.requests

    def test_to_start_for_an_address_that_is_not_allowed(self, tmp_path, upstream):
        with pytest.raises(EgressRefused):
            Gateway.start(Target(upstream.url("ok"), "m"), BOUNDS, tmp_path)


@pytest.mark.sockets
class TestGatewayProcess:
    def test_keeps_secrets_out_of_arguments_and_environment(self, start):
        gateway = start()
        process = Path(f"/proc/{gateway.pid}")

        seen = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()

        assert not [secret for secret in (KEY, gateway.key, gateway.canary_key) if secret.encode() in seen]

    def test_dies_with_its_parent(self, tmp_path, upstream):
        script = f"""
import time
from pathlib import Path
from llm_benchmark.measure.gateway import Bounds, Gateway
from llm_benchmark.measure.plans import EgressRules, Target
target = Target({upstream.url("ok")!r}, "m", egress=EgressRules(allow=frozenset({set(upstream.allow)!r})))
gateway = Gateway.start(target, Bounds(), Path({str(tmp_path)!r}))
print(gateway.pid, flush=True)
time.sleep(60)
"""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment
        ) as parent:
            child = int(parent.stdout.readline())
            assert is_running(child)

            parent.send_signal(signal.SIGKILL)
            parent.wait()

            until(lambda: not is_running(child))

    def test_is_calibrated_once(self):
        first = calibrate(fresh=True)

        assert first["added_ttft_p50_ms"] > 0
        assert first["chunks_per_second"] > 1000
        assert calibrate() is first


def self_signed(folder):
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    command += [
        "-keyout",
        str(folder / "key.pem"),
        "-out",
        str(folder / "cert.pem"),
        "-subj",
        "/CN=x",
        "-days",
        "1",
    ]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
