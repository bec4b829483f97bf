"""Checks of simulated models of every kind of behaviour, and the attempts that they leave behind."""

import json
import threading

import pytest

from exchange.embedded.ports import free_port
from llm_benchmark.measure.faults import status_fault
from llm_benchmark.measure.plans import EgressRules, Target
from llm_benchmark.measure.probing import Capability, Finding, Known, Pause, ProbeRecord, State, check
from llm_benchmark.measure.probing.reading import read
from llm_benchmark.measure.probing.steps import Probe, following, judged_steps, protocol_for
from llm_benchmark.measure.probing.texts import error_text, excerpt
from llm_benchmark.measure.protocols import Completion
from llm_benchmark.measure.quality.asking import Reply
from llm_benchmark.measure.retries import PROBE, RetryPolicy
from llm_benchmark.measure.sink import Purpose, SettledAs
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.measure.ledger import MemorySink

KEY = "sk-simulated-key"
AT_ONCE = RetryPolicy("at-once", {kind: [0.0] * len(pauses) for kind, pauses in PROBE.pauses.items()})
SMOKE_PROBE = Probe("smoke", 1, "chat")
MODELS = {
    "chat": Behaviour(),
    "thinking": Behaviour(reasoning_tokens=1000),
    "strict": Behaviour(strict=True, extra_fields=()),
    "later-once": Behaviour(failure="429", fail_first=1, retry_after="0"),
    "later-twice": Behaviour(failure="429", fail_first=2, retry_after="7"),
    "busy-third": Behaviour(failure="503", every=3, retry_after=None),
    "dying": Behaviour(failure="html", every=3),
    "always-500": Behaviour(failure="500"),
    "always-429": Behaviour(failure="429", retry_after="0"),
    "far-too-late": Behaviour(failure="503", retry_after="86400"),
    "always-503": Behaviour(failure="503", retry_after=None),
    "always-404": Behaviour(failure="404"),
    "always-400": Behaviour(failure="400"),
    "always-401": Behaviour(failure="401"),
    "always-402": Behaviour(failure="402"),
    "mismatch": Behaviour(failure="mismatch"),
    "gone": Behaviour(failure="gone"),
    "embedder": Behaviour(kind="embedding"),
    "my-embed": Behaviour(kind="embedding", strict=True),
    "asymmetric-embed": Behaviour(kind="embedding", asymmetric=True),
    "embed-in-name-only": Behaviour(),
    "my-rerank": Behaviour(kind="rerank"),
    "tei-rerank": Behaviour(kind="rerank_tei"),
    "my-guard": Behaviour(),
    "my-parser": Behaviour(),
    "my-vision": Behaviour(),
    "slow": Behaviour(ttft_ms=60_000),
    "silent": Behaviour(failure="silent"),
}


@pytest.fixture(scope="module")
def simulator():
    with Simulator(SimulatorConfig(MODELS, api_key=KEY)) as started:
        yield started


@pytest.fixture
def checked(simulator):
    def run(model, *, known=None, sink=None, cancel=None, protocol="chat", **options):
        rules = EgressRules(allow=frozenset({simulator.host_and_port}))
        target = Target(simulator.base_url, model, KEY, protocol=protocol, egress=rules)
        options = {"policy": AT_ONCE, "seconds": 20.0, **options}
        return check(target, known or Known(), sink or MemorySink(), cancel or threading.Event(), **options)

    return run


@pytest.fixture
def sink():
    return MemorySink()


def steps_of(finding):
    return [(probe.step, probe.number, probe.error) for probe in finding.probes]


def record(step, number=1, *, error=None, status=200, excerpt=""):
    return ProbeRecord(step, number, status, error, 1.0, None, excerpt)


class TestFollowing:
    def test_goes_from_smoke_to_three_for_stability(self):
        probes, sent = [], []
        while probe := following(probes, "chat", repeats=False):
            sent.append(probe.step)
            probes.append(record(probe.step))

        assert sent == ["smoke", "stability-1", "stability-2", "stability-3"]

    def test_ends_where_a_step_fails(self):
        assert following([record("smoke", error="request_refused")], "chat", repeats=False) is None
        assert following([record("stability-1", error="empty_response")], "chat", repeats=False) is None

    def test_repeats_a_step_under_the_next_number(self):
        probe = following([record("smoke", 2, error="overloaded")], "chat", repeats=True)

        assert (probe.step, probe.number) == ("smoke", 3)

    @pytest.mark.parametrize(
        ("protocol", "refused", "step", "asked"),
        [
            ("rerank", {"status": 404}, "smoke-tei", "rerank_tei"),
            ("rerank", {"status": 405}, "smoke-tei", "rerank_tei"),
            ("rerank", {"status": 422}, "smoke-tei", "rerank_tei"),
            ("embeddings", {"status": 400, "excerpt": "input_type is required"}, "smoke-query", "embeddings"),
        ],
    )
    def test_asks_in_another_shape_where_the_refusal_wants_it(self, protocol, refused, step, asked):
        first = record("smoke", error="request_refused", **refused)

        second = following([first], protocol, repeats=False)
        third = following([first, record(step)], protocol, repeats=False)

        assert (second.step, second.protocol, second.number) == (step, asked, 1)
        assert (third.step, third.protocol, third.fields) == ("stability-1", asked, second.fields)

    @pytest.mark.parametrize(
        ("protocol", "refused"),
        [
            ("chat", {"status": 404}),
            ("rerank", {"status": 400}),
            ("embeddings", {"status": 400, "excerpt": "input_type is wrong"}),
            ("embeddings", {"status": 422, "excerpt": "input_type is required"}),
        ],
    )
    def test_does_not_where_it_does_not(self, protocol, refused):
        refusal = record("smoke", error="request_refused", **refused)

        assert following([refusal], protocol, repeats=False) is None


class TestJudgedSteps:
    def test_leaves_out_the_shape_that_was_not_wanted(self):
        first = record("smoke", error="request_refused", status=422)

        assert judged_steps([first, record("smoke-tei"), record("stability-1")]) == [[None], [None]]

    def test_goes_by_the_first_shape_where_the_other_has_no_path(self):
        first = record("smoke", error="request_refused", status=422)
        second = record("smoke-tei", error="model_not_found", status=404)

        assert judged_steps([first, second]) == [["request_refused"]]


class TestProtocolFor:
    @pytest.mark.parametrize(
        ("capability", "endpoint", "protocol"),
        [
            (Capability.CHAT_TEXT, "messages", "messages"),
            (Capability.UNKNOWN, "chat", "chat"),
            (Capability.EMBEDDING, "chat", "embeddings"),
            (Capability.RERANK, "chat", "rerank"),
            (Capability.UNKNOWN, "embeddings", "embeddings"),
            (Capability.CHAT_TEXT, "rerank_tei", "chat"),
            (Capability.VISION, "chat", None),
            (Capability.SPECIAL, "chat", None),
        ],
    )
    def test_goes_by_the_kind_of_model_and_then_by_the_endpoint(self, capability, endpoint, protocol):
        assert protocol_for(capability, endpoint) == protocol


class TestRead:
    @pytest.mark.parametrize(
        ("status", "message", "error"),
        [
            (400, "seed is unknown", "request_refused"),
            (400, "An image is required.", "capability_mismatch"),
            (422, "This model does not support chat.", "capability_mismatch"),
            (400, "The model image-chat does not exist.", "model_not_found"),
            (400, "max_tokens is too large for image-chat.", "request_refused"),
            (404, "This is not a chat model and thus not supported here.", "capability_mismatch"),
            (404, "An embedding model of that name was not found.", "model_not_found"),
            (500, "An image is required.", "provider_error"),
        ],
    )
    def test_takes_a_refusal_at_its_word(self, status, message, error):
        raw = json.dumps({"error": {"message": message}}).encode()
        reply = Reply(Completion(), raw, 1.0, status, error=status_fault(status))

        assert read(SMOKE_PROBE, reply, "image-chat").error == error

    def test_takes_our_limit_for_an_answer_since_reasoning_may_be_hidden(self):
        completion = Completion(finish_reason="length", error="output_truncated")
        reply = Reply(completion, b"{}", 1.0, 200, error=completion.error)

        assert read(SMOKE_PROBE, reply, "m").error is None

    def test_keeps_what_the_model_said(self):
        reply = Reply(Completion(text="Hello\nthere."), b"{}", 1.0, 200)

        assert read(SMOKE_PROBE, reply, "there").excerpt == "Hello there."


class TestTexts:
    @pytest.mark.parametrize(
        "body",
        [
            b'{"error": {"message": "no"}}',
            b'{"error": "no"}',
            b'{"message": "no"}',
            b'{"detail": "no"}',
            b"no",
        ],
    )
    def test_find_the_message_of_an_error(self, body):
        assert error_text(body) == "no"

    def test_keep_what_is_unreadable_readable(self):
        assert error_text(b"\xff[]") == "\ufffd[]"
        assert error_text(b"[1]") == "[1]"

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("a\x00b\r\n c", "a b c"),
            ("Authorization: Bearer abc.def", "Authorization: Bearer <redacted>"),
            ("Incorrect key sk-abcdefgh12345", "Incorrect key <redacted>"),
            ("request 7d444840-9dc0-11d1-b245-5ffdce74fad2", "request <uuid>"),
            ("Not found for account 'abc123456789'", "Not found for <account_id>'"),
            ("x" * 600, "x" * 512),
        ],
    )
    def test_show_one_short_line_that_identifies_nobody(self, text, shown):
        assert excerpt(text) == shown


@pytest.mark.sockets
class TestCheck:
    @pytest.mark.parametrize(
        ("model", "found", "requests"),
        [
            ("chat", (State.ACTIVE, "answered", "chat_text"), 4),
            ("thinking", (State.ACTIVE, "answered", "chat_text"), 4),
            ("strict", (State.ACTIVE, "answered", "chat_text"), 4),
            ("later-once", (State.UNSTABLE, "answered_after_retries", "chat_text"), 5),
            ("always-429", (State.UNSTABLE, "rate_limited", "unknown"), 5),
            ("always-503", (State.UNSTABLE, "overloaded", "unknown"), 5),
            ("always-500", (State.FAILED, "provider_error", "unknown"), 3),
            ("always-404", (State.NOT_AVAILABLE, "model_not_found", "unknown"), 1),
            ("gone", (State.NOT_AVAILABLE, "model_not_found", "unknown"), 1),
            ("always-400", (State.FAILED, "request_refused", "unknown"), 1),
            ("mismatch", (State.INCOMPATIBLE, "capability_mismatch", "multimodal"), 1),
            ("embedder", (State.INCOMPATIBLE, "capability_mismatch", "embedding"), 1),
            ("my-embed", (State.ACTIVE, "answered", "embedding"), 4),
            ("asymmetric-embed", (State.ACTIVE, "answered", "embedding"), 5),
            ("embed-in-name-only", (State.INCOMPATIBLE, "capability_mismatch", "chat_text"), 1),
            ("my-rerank", (State.ACTIVE, "answered", "rerank"), 4),
            ("tei-rerank", (State.ACTIVE, "answered", "rerank"), 5),
            ("my-guard", (State.UNSUPPORTED, "no_probe", "safety"), 0),
            ("my-parser", (State.UNSUPPORTED, "no_probe", "parser"), 0),
            ("my-vision", (State.UNSUPPORTED, "no_probe", "multimodal"), 0),
            ("no-such-model", (State.NOT_AVAILABLE, "model_not_found", "unknown"), 1),
        ],
    )
    def test_finds_how_a_model_stands(self, checked, sink, model, found, requests):
        finding = checked(model, sink=sink)

        assert (finding.state, finding.reason, finding.capability) == found
        assert len(finding.probes) == len(sink.settlements) == requests
        assert set(sink.counts()) <= {("probe", "settled")}
        assert finding.message
        assert not finding.stops_campaign

    def test_tells_how_the_model_is_asked(self, checked):
        assert checked("my-rerank").protocol == "rerank"
        assert checked("tei-rerank").protocol == "rerank_tei"
        assert checked("asymmetric-embed").protocol == "embeddings"
        assert checked("my-guard").protocol == "chat"

    @pytest.mark.parametrize("protocol", ["completions", "responses", "messages"])
    def test_asks_as_the_endpoint_is_asked(self, checked, protocol):
        finding = checked("chat", protocol=protocol)

        assert (finding.state, finding.protocol) == (State.ACTIVE, protocol)

    def test_asks_an_embedding_model_as_such_once_it_has_said_so(self, checked):
        first = checked("embedder")
        second = checked("embedder", known=Known(first.capability, first.source, first.confidence))

        assert (first.state, first.source, first.confidence) == (State.INCOMPATIBLE, "probe", 0.9)
        assert (second.state, second.capability, second.source) == (State.ACTIVE, "embedding", "probe")

    def test_asks_a_model_as_somebody_said_that_it_is(self, checked):
        finding = checked("my-guard", known=Known(Capability.CHAT_TEXT, "manual", 1.0))

        assert (finding.state, finding.capability, finding.source) == (State.ACTIVE, "chat_text", "manual")

    @pytest.mark.parametrize(
        ("model", "code"), [("always-401", "authentication_failed"), ("always-402", "payment_required")]
    )
    def test_stops_the_campaign_where_the_credential_is_refused(self, checked, model, code):
        finding = checked(model)

        assert (finding.state, finding.reason, finding.stops_campaign) == (None, code, True)
        assert len(finding.probes) == 1

    def test_gives_up_on_what_never_answers(self, checked):
        finding = checked("silent", seconds=0.3)

        assert (finding.state, finding.error, len(finding.probes)) == (State.FAILED, "total_timeout", 3)

    @pytest.mark.parametrize("model", ["busy-third", "dying"])
    def test_calls_unstable_what_fails_now_and_then(self, checked, model):
        finding = checked(model)

        assert finding.state is State.UNSTABLE
        assert finding.probes[0].error is None

    def test_sends_nothing_to_an_address_that_is_not_allowed(self, sink):
        finding = check(Target("http://127.0.0.1:9999", "m"), Known(), sink, threading.Event())

        assert (finding.state, finding.reason, finding.is_ours) == (None, "address_not_public", True)
        assert sink.reservations == []

    def test_says_nothing_of_a_model_whose_endpoint_is_not_there(self, sink):
        where = f"127.0.0.1:{free_port()}"
        rules = EgressRules(allow=frozenset({where}))
        target = Target(f"http://{where}/v1", "m", egress=rules)

        finding = check(target, Known(), sink, threading.Event(), policy=AT_ONCE)

        assert (finding.state, finding.error, finding.is_ours) == (None, "connect_failed", True)
        assert sink.counts() == {("probe", "lost"): 3}


@pytest.mark.sockets
class TestPauses:
    def test_are_given_back_and_gone_on_from(self, checked, sink):
        first = checked("later-twice", sink=sink, policy=PROBE)
        stand = json.loads(json.dumps(first.stand))
        second = checked("later-twice", sink=sink, policy=PROBE, stand=stand)
        finding = checked("later-twice", sink=sink, policy=PROBE, stand=second.stand)

        assert isinstance(first, Pause)
        assert (first.seconds, second.seconds) == (7.0, 7.0)
        assert isinstance(finding, Finding)
        assert steps_of(finding)[:3] == [
            ("smoke", 1, "rate_limited"),
            ("smoke", 2, "rate_limited"),
            ("smoke", 3, None),
        ]
        assert [(r.key, r.number) for r in sink.reservations[:3]] == [
            ("smoke", 1),
            ("smoke", 2),
            ("smoke", 3),
        ]
        assert finding.probes[0].retry_after_seconds == 7.0

    def test_are_no_longer_than_a_minute(self, checked):
        assert checked("far-too-late", policy=PROBE).seconds == 60.0

    def test_that_are_short_are_slept(self, checked):
        policy = RetryPolicy("short", dict.fromkeys(PROBE.pauses, (0.01, 0.01)))

        assert isinstance(checked("always-500", policy=policy), Finding)


@pytest.mark.sockets
class TestCancelling:
    def test_before_anything_sends_nothing(self, checked, sink):
        cancel = threading.Event()
        cancel.set()

        assert checked("chat", sink=sink, cancel=cancel) is None
        assert sink.reservations == []

    def test_in_a_request_leaves_it_lost(self, checked):
        cancel = threading.Event()
        sink = CancellingSink(cancel)

        assert checked("slow", sink=sink, cancel=cancel) is None
        assert [(s.state, s.error) for s in sink.settlements] == [(SettledAs.LOST, "cancelled")]

    def test_by_the_heartbeat_works_as_well(self, checked):
        sink = MemorySink(beats=2)

        assert checked("slow", sink=sink) is None
        assert [r.purpose for r in sink.reservations] == [Purpose.PROBE]


class CancellingSink(MemorySink):
    """Cancels as soon as something was sent."""

    def __init__(self, cancel):
        super().__init__()
        self._cancel = cancel

    def sent(self, attempt_ids):
        super().sent(attempt_ids)
        self._cancel.set()
