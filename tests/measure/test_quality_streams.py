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
PROTOCOLS = ("chat", "completions", "responses", "messages")


@pytest.fixture(scope="module")
def simulator():
    models = {
        "good": Behaviour(output_tokens=6),
        "whole": Behaviour(output_tokens=6, refused_fields=("stream_options",)),
        "thinker": Behaviour(reasoning_tokens=50),
    }
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
