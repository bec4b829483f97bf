"""The question runner where answers come as streams."""

import gzip

import pytest

from llm_benchmark.measure.egress import Pinned
from llm_benchmark.measure.plans import EgressRules, Generation, Target
from llm_benchmark.measure.quality.asking import Endpoint
from llm_benchmark.measure.quality.slots import Progress
from llm_benchmark.measure.questions import seeded
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig

from .test_quality import KEY, Ledger, plan, run

pytestmark = pytest.mark.sockets
ALWAYS = {  # mode → what a streaming run makes of it; what is not here is in test_quality's table
    "truncated": "incomplete_stream",
    "no_finish": "incomplete_stream",
    "stream_error": "provider_reported_error",
    "error_event": "provider_reported_error",
    "reset_midway": "connection_lost",
    "silent": "first_byte_timeout",
    "stall": "idle_timeout",
    "gzip_bomb": "encoding_refused",
    "html": "invalid_response",
}
HARMLESS = ("no_done", "double_done", "burst", "usage_lies")
PROTOCOLS = ("chat", "completions", "responses", "messages")


@pytest.fixture(scope="module")
def simulator():
    models = {mode: Behaviour(output_tokens=6, failure=mode) for mode in (*ALWAYS, *HARMLESS)}
    models["good"] = Behaviour(output_tokens=6)
    models["whole"] = Behaviour(output_tokens=6, refused_fields=("stream_options",))
    models["thinker"] = Behaviour(reasoning_tokens=50)
    with Simulator(SimulatorConfig(models=models, api_key=KEY)) as started:
        yield started


@pytest.fixture
def target(simulator):
    rules = EgressRules(allow=frozenset({simulator.host_and_port}))
    return lambda model, **more: Target(simulator.base_url, model, KEY, egress=rules, **more)


def streamed(count=4, **fields):
    return plan(count, **{"streaming": True, "request_timeout_seconds": 20.0, **fields})


def progress_of(a_plan, target):
    endpoint = Endpoint(target, Pinned("http", "127.0.0.1", 1, "127.0.0.1", None, True), 1.0)
    return Progress(a_plan, target, endpoint, None, [])


class TestStreaming:
    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_brings_the_answers_of_every_protocol(self, target, protocol):
        ledger = Ledger()

        outcome = run(streamed(), target("good", protocol=protocol), ledger)

        assert outcome.failure is None
        answers = list(ledger.answers.values())
        assert all(answer.text and answer.usage.output_tokens for answer in answers)
        assert all(gzip.decompress(answer.raw).startswith((b"data:", b"event:")) for answer in answers)

    @pytest.mark.parametrize(("mode", "code"), ALWAYS.items())
    def test_has_one_code_for_each_way_to_fail(self, target, mode, code):
        seconds = 0.3 if code.endswith("_timeout") else 20.0

        outcome = run(streamed(request_timeout_seconds=seconds), target(mode))

        assert outcome.failure.code == code

    @pytest.mark.parametrize("mode", HARMLESS)
    def test_takes_an_answer_that_is_whole_in_spite_of_its_form(self, target, mode):
        ledger = Ledger()

        assert run(streamed(), target(mode), ledger).failure is None
        assert all(answer.text for answer in ledger.answers.values())

    def test_calls_reasoning_without_an_answer_truncated(self, target):
        ledger = Ledger()

        run(streamed(generation=Generation(max_tokens=8)), target("thinker"), ledger)

        found = ledger.answers["q0"]
        assert (found.text, found.error, found.finish_reason) == (None, "output_truncated", "length")


class TestAnEndpointWithoutStreams:
    def test_is_asked_whole_from_then_on_and_the_run_says_so(self, target):
        ledger = Ledger()

        outcome = run(streamed(), target("whole"), ledger)

        assert (outcome.failure, outcome.findings) == (None, {"streaming": "refused"})
        assert [answer.raw[:1] for answer in ledger.answers.values()] == [b"{"] * 5
        assert outcome.attempts == 6  # one more canary

    def test_is_not_suspected_without_its_own_words(self, target):
        assert run(streamed(), target("good")).findings == {}


class TestSeeds:
    def test_are_sent_for_each_question(self, target):
        a_plan = plan(2, generation=Generation(seed=1))
        questions = seeded(a_plan.questions, 7)
        progress = progress_of(a_plan, target("good"))

        bodies = [progress.body(question, "") for question in questions]

        assert all(f'"seed":{q.seed}'.encode() in body for q, body in zip(questions, bodies, strict=True))
        assert questions[0].seed != questions[1].seed
        assert seeded(a_plan.questions, 7) == questions != seeded(a_plan.questions, 8)

    def test_are_not_sent_where_nobody_gave_one(self, target):
        a_plan = plan(1)
        progress = progress_of(a_plan, target("good"))

        assert b"seed" not in progress.body(a_plan.questions[0], "")
