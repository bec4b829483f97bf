"""The question runner against a simulated provider that misbehaves in every known way."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace

import pytest

from llm_benchmark.measure.home import HomeSink
from llm_benchmark.measure.plans import (
    EgressRules,
    Generation,
    QualityPlan,
    Question,
    Side,
    Target,
    Usage,
)
from llm_benchmark.measure.quality import run_quality, runner
from llm_benchmark.measure.quality.budget import BoundReached, Budget
from llm_benchmark.measure.sink import Purpose, SettledAs, Stop
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig

KEY = "sk-simulated/key"


def models():
    lying = {mode: Behaviour(failure=mode) for mode in ("wrong_model", "usage_bad", "echo_key")}
    return {
        **lying,
        "500/2": Behaviour(failure="500", every=2),
        "500/3": Behaviour(failure="500", every=3),
        "429/2": Behaviour(failure="429", every=2, retry_after="0"),
        "403/5": Behaviour(failure="403", every=5),
        "good": Behaviour(output_tokens=4),
        "steady": Behaviour(output_tokens=4, ttft_ms=20),
        "slow": Behaviour(output_tokens=4, ttft_ms=30_000),
        "patience": Behaviour(failure="429", retry_after="60"),
        "answering": Behaviour(answers={"Question 1?": "one", "Question 2?": "two"}),
    }


@pytest.fixture(scope="module")
def simulator():
    with Simulator(SimulatorConfig(models=models(), api_key=KEY)) as started:
        yield started


@pytest.fixture
def target(simulator):
    def at(model, **fields):
        rules = EgressRules(allow=frozenset({simulator.host_and_port}))
        return Target(
            **{"base_url": simulator.base_url, "model": model, "api_key": KEY, "egress": rules, **fields}
        )

    return at


class Ledger:
    """A sink in memory that checks the order of things and its own thread."""

    def __init__(self):
        self.thread = threading.get_ident()
        self.state, self.reserved, self.settlements, self.beats, self.calls = {}, [], [], 0, []

    @property
    def answers(self):
        return {item.answer.key: item.answer for item in self.settlements if item.answer}

    def reserve(self, batch):
        self._called("reserve")
        ids = list(range(len(self.reserved), len(self.reserved) + len(batch)))
        self.reserved += batch
        self.state |= dict.fromkeys(ids, "reserved")
        return ids

    def sent(self, attempt_ids):
        self._called("sent")
        assert all(self.state[attempt_id] == "reserved" for attempt_id in attempt_ids)
        self.state |= dict.fromkeys(attempt_ids, "sent")

    def settled(self, batch):
        self._called("settled")
        for item in batch:
            before = "reserved" if item.state is SettledAs.RELEASED else "sent"
            assert self.state[item.attempt_id] == before
            self.state[item.attempt_id] = item.state
        self.settlements += batch

    def heartbeat(self):
        self.beats += 1
        return True

    def count(self, state):
        return list(self.state.values()).count(state)

    def _called(self, name):
        assert threading.get_ident() == self.thread
        self.calls.append(name)


class Draining(Ledger):
    """Another is to go on as soon as a request of this purpose is under way."""

    def __init__(self, purpose=Purpose.QUESTION):
        super().__init__()
        self.drain, self.purpose = threading.Event(), purpose

    def sent(self, attempt_ids):
        super().sent(attempt_ids)
        if any(self.reserved[one].purpose is self.purpose for one in attempt_ids):
            self.drain.set()


def plan(count=12, **fields):
    questions = [Question(f"q{n}", f"Question {n}?", "", "exact") for n in range(count)]
    settings = {
        "retry_policy": "none",
        "request_timeout_seconds": 20.0,
        "generation": Generation(max_tokens=8),
    }
    return QualityPlan(questions, **{**settings, **fields})


def run(a_plan, a_target, sink=None, **more):
    return run_quality(a_plan, a_target, sink or Ledger(), more.pop("cancel", threading.Event()), **more)


class TestBudget:
    def test_counts_the_worst_case_until_the_usage_is_told(self):
        budget = Budget(plan(token_bound=150))
        worst = budget.worst_case("x" * 40)

        budget.admit(worst)
        with pytest.raises(BoundReached, match="token_bound_reached"):
            budget.admit(worst)
        budget.spend(worst, Usage(2, 3))

        budget.admit(worst)

    def test_takes_each_byte_for_a_token(self):
        longest = plan().generation.max_tokens

        assert Budget(plan()).worst_case("löwe", "") == 5 + 64 + longest

    def test_keeps_the_worst_case_where_nothing_is_told(self):
        budget = Budget(plan(token_bound=150))
        worst = budget.worst_case("x" * 40)

        budget.admit(worst)
        budget.spend(worst, Usage())

        with pytest.raises(BoundReached):
            budget.admit(worst)


@pytest.mark.sockets
class TestRunQuality:
    def test_gives_every_answer_in_the_order_of_the_plan(self, target):
        ledger = Ledger()

        outcome = run(plan(100, concurrency=8, order_seed=3), target("good"), ledger)

        assert list(outcome.ends.items()) == [(f"q{n}", None) for n in range(100)]
        assert all(answer.text and answer.error is None for answer in ledger.answers.values())
        assert (outcome.attempts, outcome.returned_model, outcome.failure) == (101, "good", None)
        assert ledger.count(SettledAs.SETTLED) == 101
        assert ledger.beats >= 1

    def test_keeps_the_raw_body_and_takes_the_text_from_it(self, target):
        ledger = Ledger()

        run(plan(3), target("answering"), ledger)

        first, second = ledger.answers["q1"], ledger.answers["q2"]
        assert (first.text, second.text) == ("one", "two")
        assert b'"content":"one"' in first.raw
        assert first.usage.output_tokens == 1

    def test_asks_in_the_seed_s_order_after_a_canary(self, target):
        ledgers = [Ledger(), Ledger(), Ledger()]

        for ledger, seed in zip(ledgers, (1, 1, 2), strict=True):
            run(plan(30, order_seed=seed, concurrency=1), target("good"), ledger)

        orders = [[reservation.key for reservation in ledger.reserved] for ledger in ledgers]
        assert orders[0] == orders[1] != orders[2]
        assert ledgers[0].reserved[0].purpose is Purpose.CANARY

    def test_needs_few_calls_of_the_sink(self, target):
        ledger = Ledger()

        run(plan(300, concurrency=16), target("steady"), ledger)

        one_by_one = 3 * 300  # how many are taken together depends on how busy the machine is
        assert len(ledger.calls) < one_by_one / 1.5

    def test_never_reserves_more_than_ten_ahead_for_a_slot(self, target):
        ledger, most = Ledger(), 0
        settle = ledger.settled

        def settled(batch):
            nonlocal most
            most = max(most, ledger.count("reserved") + ledger.count("sent"))
            settle(batch)

        ledger.settled = settled
        run(plan(200, concurrency=4), target("good"), ledger)

        assert 4 < most <= 40

    def test_skips_what_was_answered_before(self, target):
        ledger = Ledger()

        outcome = run(plan(10), target("good"), ledger, answered={f"q{n}" for n in range(7)})

        assert list(outcome.ends) == ["q7", "q8", "q9"]
        assert {reservation.key for reservation in ledger.reserved} == {"canary", "q7", "q8", "q9"}

    def test_sends_nothing_when_all_is_answered(self, target):
        outcome = run(plan(1), target("good"), answered={"q0"})

        assert (outcome.ends, outcome.attempts, outcome.failure) == ({}, 0, None)


@pytest.mark.sockets
class TestFailingProviders:
    """Which code each misbehaviour has stands in tests/hostile/chaos.py."""

    def test_that_name_another_model_are_on_record(self, target):
        assert run(plan(2), target("wrong_model")).returned_model == "simulated-other-model"

    def test_that_tell_impossible_usage_told_nothing(self, target):
        ledger = Ledger()

        run(plan(2), target("usage_bad"), ledger)

        told = ledger.answers["q0"].usage
        assert (told.input_tokens, told.output_tokens) == (None, None)

    def test_that_echo_the_key_do_not_get_it_stored(self, target):
        ledger = Ledger()

        outcome = run(plan(2), target("echo_key"), ledger)

        stored = repr(ledger.settlements) + repr(outcome)
        stored += "".join(answer.raw.decode() + answer.text for answer in ledger.answers.values())
        assert KEY not in stored
        assert ledger.answers["q0"].text == "*" * len(KEY)

    def test_that_leave_too_many_unanswered_say_nothing_of_the_model(self, target):
        outcome = run(plan(40), target("500/3"))

        assert (outcome.failure.side, outcome.failure.code) == (Side.PROVIDER, "too_many_unanswered")
        assert outcome.attempts < 41

    @pytest.mark.parametrize("model", ["500/2", "429/2"])
    def test_that_recover_are_asked_again(self, target, model):
        ledger = Ledger()

        outcome = run(plan(3, retry_policy="question-v1", concurrency=1), target(model), ledger)

        assert all(answer.text for answer in ledger.answers.values())
        assert outcome.attempts == len(ledger.reserved) > 4
        assert {reservation.number for reservation in ledger.reserved} == {1, 2}
        assert all(item.answer is None for item in ledger.settlements if item.error)

    def test_that_turn_the_key_away_stop_the_run(self, target):
        ledger = Ledger()

        outcome = run(plan(40, retry_policy="question-v1", concurrency=2), target("403/5"), ledger)

        assert (outcome.failure.side, outcome.failure.code) == (Side.SUBMITTER, "authentication_failed")
        assert outcome.attempts <= 10
        assert ledger.count("reserved") == ledger.count("sent") == 0
        assert ledger.count(SettledAs.RELEASED) > 0

    def test_that_are_not_there_are_not_counted_as_reached(self, target, free_port):
        rules = EgressRules(allow=frozenset({f"127.0.0.1:{free_port}"}))
        ledger = Ledger()

        outcome = run(plan(), target("x", base_url=f"http://127.0.0.1:{free_port}", egress=rules), ledger)

        assert (outcome.failure.side, outcome.failure.code) == (Side.PROVIDER, "connect_failed")
        assert ledger.count(SettledAs.LOST) == 1

    def test_that_may_not_be_dialled_are_the_submitter_s_to_answer_for(self, target):
        ledger = Ledger()

        outcome = run(plan(), target("good", egress=EgressRules()), ledger)

        assert outcome.failure.side is Side.SUBMITTER
        assert ledger.calls == []

    def test_tell_nobody_the_host(self):
        target = Target("http://host7.internal/v1", "m")

        outcome = run(plan(), target)

        assert (outcome.failure.side, outcome.failure.code) == (Side.SUBMITTER, "host_not_public")
        assert "host7" not in outcome.failure.message

    def test_never_get_a_key_that_could_smuggle_headers(self, target):
        outcome = run(plan(), target("good", api_key="k\r\nx-evil: 1"))

        assert (outcome.failure.code, outcome.attempts) == ("key_characters", 0)


@pytest.mark.sockets
class TestStops:
    @pytest.mark.parametrize(("bound", "sent"), [(0, 0), (1, 1), (6, 6)])
    def test_stops_hard_at_the_request_bound(self, simulator, target, bound, sent):
        before = simulator.counts()["good"]["requests"]
        ledger = Ledger()

        outcome = run(plan(30, request_bound=bound, concurrency=3), target("good"), ledger)

        assert outcome.failure.code == "request_bound_reached"
        assert outcome.attempts == sent == simulator.counts()["good"]["requests"] - before
        assert ledger.count("reserved") == ledger.count("sent") == 0

    def test_stops_hard_at_the_token_bound(self, target):
        ledger = Ledger()

        outcome = run(plan(100, token_bound=300, concurrency=2), target("good"), ledger)

        spent = sum(a.usage.input_tokens + a.usage.output_tokens for a in ledger.answers.values())
        assert outcome.failure.code == "token_bound_reached"
        assert 0 < spent <= 300

    def test_breaks_off_when_cancelled(self, target):
        cancel, ledger = threading.Event(), Ledger()
        threading.Timer(0.3, cancel.set).start()

        outcome = run(plan(40, concurrency=4), target("slow"), ledger, cancel=cancel)

        assert outcome.cancelled
        assert ledger.count("reserved") == ledger.count("sent") == 0
        assert ledger.count(SettledAs.LOST) == 1

    def test_settles_what_was_answered_before_a_cancellation(self, target):
        cancel, ledger = threading.Event(), Ledger()
        heartbeats = iter([True, True])
        ledger.heartbeat = lambda: next(heartbeats, False)

        outcome = run(
            plan(4000, concurrency=4), target("steady"), ledger, cancel=cancel, heartbeat_seconds=0.3
        )

        stored = [
            item.answer.key for item in ledger.settlements if item.answer and item.answer.key != "canary"
        ]
        assert outcome.cancelled
        assert 0 < len(outcome.ends) < 4000
        assert set(outcome.ends) == set(stored)
        assert ledger.count("reserved") == ledger.count("sent") == 0

    def test_lets_what_is_asked_be_answered_when_another_is_to_go_on(self, target):
        ledger = Draining()

        outcome = run(plan(4000, concurrency=4), target("steady"), ledger, drain=ledger.drain)

        assert (outcome.failure, outcome.cancelled) == (None, False)
        assert 0 < len(outcome.ends) < 4000
        assert ledger.count("reserved") == ledger.count("sent") == ledger.count(SettledAs.LOST) == 0

    def test_waits_for_no_endless_answer_when_another_is_to_go_on(self, target, monkeypatch):
        monkeypatch.setattr(runner, "DRAIN_SECONDS", 0.2)
        ledger = Draining(Purpose.CANARY)

        outcome = run(plan(40), target("slow"), ledger, drain=ledger.drain)

        assert outcome.cancelled
        assert ledger.count(SettledAs.LOST) == 1
        assert ledger.count("reserved") == ledger.count("sent") == 0

    def test_keeps_no_error_as_an_answer_that_another_could_still_get(self, target):
        ledger = Draining(Purpose.CANARY)

        outcome = run(plan(4, retry_policy="question-v1"), target("patience"), ledger, drain=ledger.drain)

        assert (outcome.ends, outcome.failure) == ({}, None)
        assert {item.answer for item in ledger.settlements} == {None}
        assert ledger.count("reserved") == ledger.count("sent") == 0

    def test_ends_a_pause_when_another_is_to_go_on(self, target):
        drain = threading.Event()
        threading.Timer(0.5, drain.set).start()

        outcome = run(plan(4, retry_policy="question-v1"), target("patience"), drain=drain)

        # A slot that went on with its pause would be cancelled.
        assert (outcome.ends, outcome.cancelled) == ({}, False)

    def test_lets_go_at_once_when_the_run_belongs_to_somebody_else(self, target):
        ledger = Ledger()

        def gone(batch):
            raise Stop

        ledger.settled = gone
        with pytest.raises(Stop):
            run(plan(40), target("good"), ledger)

        assert ledger.calls == ["reserve", "sent"]
        assert not [thread for thread in threading.enumerate() if thread.name == "questions"]


WORKER = """
    import sys, threading
    from llm_benchmark.measure.home import HomeSink
    from llm_benchmark.measure.plans import *
    from llm_benchmark.measure.quality import run_quality

    base_url, allowed, key, folder = sys.argv[1:]
    target = Target(base_url, "steady", key, egress=EgressRules(allow=frozenset({allowed})))
    questions = [Question(f"q{n}", f"Question {n}?", "", "exact") for n in range(400)]
    with HomeSink(folder) as sink:
        run_quality(QualityPlan(questions, concurrency=8), target, sink, threading.Event())
"""


@pytest.mark.sockets
class TestACrash:
    def test_loses_at_most_ten_answers_a_slot(self, simulator, target, tmp_path):
        before = simulator.counts()["steady"]["requests"]
        worker = self._start(simulator, tmp_path)
        while simulator.counts()["steady"]["requests"] < before + 200:
            assert worker.poll() is None
            time.sleep(0.01)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()

        with HomeSink(tmp_path) as sink:
            kept, known = sink.answered, simulator.counts()["steady"]["requests"]
            outcome = run(replace(plan(400), concurrency=8), target("steady"), sink, answered=kept)
            states = [attempt.state for attempt in sink.attempts.values()]
            keys = [a.key for a in sink.attempts.values() if a.state in {"settled", "lost"}]

        received = simulator.counts()["steady"]["requests"] - before
        assert received - (known - before) == 400 - len(kept) + 1  # what is missing, and a canary
        settled, lost = states.count("settled"), states.count("lost")
        assert settled <= received <= settled + lost
        assert len(keys) - len(set(keys)) <= 10 * 8 + 1  # and one more canary
        assert not kept & set(outcome.ends)
        assert len(kept) + len(outcome.ends) == 400
        assert 0 < len(kept) < 400

    @staticmethod
    def _start(simulator, folder):
        arguments = [simulator.base_url, simulator.host_and_port, KEY, str(folder)]
        command = [sys.executable, "-c", textwrap.dedent(WORKER), *arguments]
        return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": "sdk"})


@pytest.fixture
def free_port():
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
