import threading

import pytest

from llm_benchmark.measure.plans import EgressRules, Generation, QualityPlan, Question, Target
from llm_benchmark.measure.probing import discover, probe_dialect
from llm_benchmark.measure.quality import run_quality
from llm_benchmark.model_server import MODEL_NAME, ModelServer
from tests.measure.test_quality import Ledger

KEY = "sk-local"


@pytest.fixture(scope="module")
def server():
    with ModelServer(api_key=KEY) as started:
        yield started


@pytest.fixture
def target(server):
    rules = EgressRules(allow=frozenset({server.host_and_port}))
    return Target(server.base_url, MODEL_NAME, KEY, egress=rules)


@pytest.mark.sockets
class TestModelServer:
    def test_lists_its_model(self, target):
        assert [model.id for model in discover(target)] == [MODEL_NAME]

    def test_gives_the_same_answers_each_time(self, target):
        questions = [Question("a", "What is the capital of France?", "Paris", "exact")]
        plan = QualityPlan(questions, Generation(temperature=0.0, max_tokens=12))

        ledgers = [Ledger(), Ledger()]

        failures = [run_quality(plan, target, ledger, threading.Event()).failure for ledger in ledgers]

        first, second = (ledger.answers["a"] for ledger in ledgers)
        assert failures == [None, None]
        assert first.text == second.text
        assert 0 < first.usage.output_tokens <= 12

    def test_speaks_llama_cpp(self, target):
        dialect = probe_dialect(target)

        assert (dialect.name, dict(dialect.extra_body)) == (
            "llamacpp",
            {"ignore_eos": True, "cache_prompt": False},
        )

    def test_turns_others_away(self, target):
        stranger = Target(target.base_url, MODEL_NAME, "sk-other", egress=target.egress)
        plan = QualityPlan([Question("a", "Hello?", "", "exact")])

        outcome = run_quality(plan, stranger, Ledger(), threading.Event())

        assert outcome.failure.code == "authentication_failed"
