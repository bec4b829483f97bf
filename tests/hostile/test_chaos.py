"""Each misbehaviour has one classification, and none becomes a wrong answer silently."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from llm_benchmark.measure.faults import FAULTS, model_changed, outcome_failure
from llm_benchmark.measure.gateway import Bounds, Gateway, read_journal
from llm_benchmark.measure.metrics import score_answers
from llm_benchmark.measure.plans import EgressRules, QualityPlan, Question, Side, Target
from llm_benchmark.measure.probing import Known, check
from llm_benchmark.measure.probing.health import STOPPING
from llm_benchmark.measure.quality import run_quality
from llm_benchmark.measure.redaction import is_echoed
from llm_benchmark.measure.retries import NONE
from llm_benchmark.simulator import FAILURES, Behaviour, Simulator, SimulatorConfig
from tests.measure.ledger import MemorySink

from .chaos import CHAOS, OK, SLOW, STANDS, WRONG
from .lanes import ask

pytestmark = pytest.mark.sockets
KEY = "sk-simulated/key"
QUESTIONS = [Question(f"q{n}", f"What is {n} plus 1?", str(n + 1), "numeric_v1") for n in range(3)]
EVERY = 20
MANY = [Question(f"q{n}", f"What is {n} plus 1?", str(n + 1), "numeric_v1") for n in range(EVERY - 1)]
PATIENT, HASTY = Bounds(), Bounds(first_byte_seconds=2.0, idle_seconds=2.0, total_seconds=30.0)
OTHERS = {STANDS, WRONG, "model_changed", *STOPPING}
WITHOUT_ANSWER = [name for name, row in CHAOS.items() if row.whole not in OTHERS]


@pytest.fixture(scope="module")
def simulator():
    right = {question.prompt: question.reference for question in MANY}
    models = {name: Behaviour(failure=name, answers=right, output_tokens=8) for name in CHAOS}
    models |= {f"{name}/{EVERY}": Behaviour(failure=name, answers=right, every=EVERY) for name in CHAOS}
    with Simulator(SimulatorConfig(models, api_key=KEY)) as running:
        yield running


@pytest.fixture(scope="module")
def target(simulator):
    rules = EgressRules(allow=frozenset({simulator.host_and_port}))
    return lambda model: Target(simulator.base_url, model, KEY, egress=rules)


def asked(target, questions, *, streaming=False, seconds=20.0):
    sink = MemorySink()
    plan = QualityPlan(questions, retry_policy="none", streaming=streaming, request_timeout_seconds=seconds)
    outcome = run_quality(plan, target, sink, threading.Event())
    answers = [settled.answer for settled in sink.settlements if settled.answer]
    return outcome, score_answers(questions, [answer for answer in answers if answer.key != "canary"])


def seconds_for(name, *, streaming=False):
    """A stream's code tells whether anything came: a busy machine has that long to bring it."""
    hasty = 2.0 if streaming else 0.4
    return hasty if name in SLOW else 20.0


def test_the_table_has_every_misbehaviour():
    assert set(FAILURES) <= set(CHAOS)


@pytest.mark.parametrize("name", CHAOS)
class TestAQuestion:
    @pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])
    def test_ends_as_the_table_says(self, target, name, streaming):
        expected = CHAOS[name].streamed if streaming else CHAOS[name].whole

        seconds = seconds_for(name, streaming=streaming)
        outcome, scores = asked(target(name), QUESTIONS, streaming=streaming, seconds=seconds)

        if expected in {STANDS, WRONG}:
            assert outcome.failure is None
            assert {score.score for score in scores} == {float(expected == STANDS)}
        else:
            assert outcome.failure.code == expected
            assert FAULTS[expected].side is outcome.failure.side is not Side.PLATFORM
            assert outcome.attempts == (1 + len(QUESTIONS) if expected == "model_changed" else 1)


@pytest.mark.parametrize("name", WITHOUT_ANSWER)
def test_one_answer_that_fails_among_twenty_is_a_gap_with_its_code(target, name):
    """The twentieth request fails: the last question's, since a canary comes before."""
    outcome, scores = asked(target(f"{name}/{EVERY}"), MANY, seconds=2.0 if name in SLOW else 20.0)

    gaps = [score for score in scores if not score.answered]
    assert outcome.failure is None
    assert [gap.error for gap in gaps] == [CHAOS[name].whole]
    assert all(score.score == 1.0 for score in scores if score.answered)
    assert not any(gap.evaluable for gap in gaps)


@pytest.fixture(scope="module")
def journals(target, tmp_path_factory):
    """Canary and load of each, by purpose and name."""
    found = {}
    for bounds, names in ((PATIENT, set(CHAOS) - SLOW), (HASTY, SLOW)):
        folder = tmp_path_factory.mktemp("gateway")
        with Gateway.start(target("any"), bounds, folder) as gateway, ThreadPoolExecutor(8) as lanes:
            for name in names:
                lanes.submit(ask, gateway, name)
                lanes.submit(ask, gateway, name, key=gateway.canary_key)
        for entry in read_journal(gateway.journal_path):
            found[entry.purpose, entry.request_id] = entry
    return found


@pytest.mark.parametrize("name", CHAOS)
class TestALoad:
    @pytest.mark.parametrize("purpose", ["canary", "request"])
    def test_ends_as_the_table_says(self, journals, name, purpose):
        entry, expected = journals[purpose, name.replace("_", "-")], CHAOS[name].load

        if entry.outcome == OK:
            assert expected in {OK, "empty_response", "model_changed"}
        else:
            found = outcome_failure(entry.outcome, entry.status)
            assert (found.code, found.side) == (expected, FAULTS[expected].side)

    def test_is_held_against_its_canary(self, journals, name):
        entries = [journals[purpose, name.replace("_", "-")] for purpose in ("canary", "request")]
        changed = model_changed({entry.returned_model for entry in entries if entry.returned_model})

        assert bool(changed) is (CHAOS[name].load == "model_changed")

    def test_without_content_has_no_time_of_any(self, journals, name):
        entry = journals["request", name.replace("_", "-")]

        is_empty = entry.outcome == OK and entry.first_content_after_ns is None
        assert is_empty is (CHAOS[name].load == "empty_response")


@pytest.mark.parametrize("name", CHAOS)
class TestACheck:
    def test_ends_as_the_table_says(self, target, name):
        finding = check(
            target(name), Known(), MemorySink(), threading.Event(), policy=NONE, seconds=seconds_for(name)
        )

        assert (finding.error, finding.state) == (CHAOS[name].check, CHAOS[name].state)
        assert finding.stops_campaign is (CHAOS[name].check in STOPPING)
        assert not finding.is_ours
        assert not is_echoed(repr(finding), KEY)
