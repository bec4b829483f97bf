"""SIGTERM to workers in the middle of a run: nothing asked twice, nothing sent afterwards, no lease left."""

import signal
from collections import Counter

import pytest
from celery import Celery

from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from submissions.runs import services
from submissions.runs.models import Attempt, Response
from tests.factories.endpoints import KEY
from tests.factories.runs import load_version, question_version, right_answers, run_at
from tests.runs.test_nothing_is_lost import children_left

from .processes import Process, broker

pytestmark = [pytest.mark.sockets, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
COUNT = 40


@pytest.fixture(scope="module")
def simulator():
    answers = right_answers(COUNT)
    models = {
        "steady": Behaviour(answers=answers, ttft_ms=700),
        "endless": Behaviour(answers=answers, ttft_ms=600_000),
        "stream": Behaviour(ttft_ms=400, itl_ms=2),
    }
    with Simulator(SimulatorConfig(models, api_key=KEY)) as running:
        yield running


@pytest.fixture
def run_on(simulator, settings, tmp_path):
    settings.EGRESS_ALLOW = frozenset({simulator.host_and_port})
    settings.EVIDENCE_URL, settings.STATE_DIR = (tmp_path / "evidence").as_uri(), tmp_path
    settings.MEASURE_ALONE = False

    def make(model, version=None, **fields):
        fields = {"request_bound": COUNT + 11, "planned_count": COUNT, **fields}
        return run_at(simulator, model, version=version or question_version(COUNT), **fields)

    return make


@pytest.fixture
def start(simulator, settings, tmp_path):
    """`start("worker", "quality")`: one that has been told to look for runs. Its leases outlast any test."""

    def begin(name, kind):
        process = Process(
            name,
            tmp_path,
            EGRESS_ALLOW=[simulator.host_and_port],
            EVIDENCE_URL=settings.EVIDENCE_URL,
            STATE_DIR=str(tmp_path),
            MEASURE_ALONE=False,
            RUN_LEASE_SECONDS=600,
        )
        queue = "performance" if kind == "performance" else "default"
        with Celery(broker=broker()) as bell:
            bell.send_task(f"submissions.runs.tasks.look_for_{kind}_runs", queue=queue)
        return process

    return begin


def books(run):
    return Counter(Attempt.objects.filter(run=run).values_list("status", flat=True))


def assert_handed_over(run):
    """Queued again at once, by nobody's fault, with closed books."""
    run.refresh_from_db()
    assert (run.status, run.lease_owner, run.lease_until, run.failed_attempts) == ("queued", "", None, 0)
    assert set(books(run)) <= {"settled", "lost", "released"}


class TestQualityWorker:
    @pytest.fixture
    def counts(self, simulator):
        return lambda model: simulator.counts().get(model, {"requests": 0, "in_flight": 0})

    def test_that_is_told_to_stop_finishes_what_is_asked_and_hands_over(self, run_on, start, counts):
        run = run_on("steady")
        before = counts("steady")["requests"]
        with start("worker", "quality") as worker:
            worker.until(lambda: Response.objects.filter(run=run).exists() and counts("steady")["in_flight"])
            worker.send()
            assert worker.ended() == 0, worker.tail()

        assert_handed_over(run)
        kept = Response.objects.filter(run=run, error="").count()
        assert 0 < kept < COUNT
        assert books(run)["settled"] == kept + 1 == counts("steady")["requests"] - before  # and the canary

        assert services.work_once("quality")
        run.refresh_from_db()
        assert (run.status, run.fence) == ("succeeded", 2)
        assert counts("steady")["requests"] - before == COUNT + 2  # no question twice; a canary each
        assert books(run)["lost"] == 0

    @pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGQUIT])
    def test_that_is_told_twice_waits_for_no_answer(self, second, run_on, start, counts):
        run = run_on("endless")
        with start("worker", "quality") as worker:
            worker.until(lambda: counts("endless")["in_flight"])
            worker.send()
            worker.insist(second)

        assert_handed_over(run)
        assert Attempt.objects.get(run=run, status="lost").error == "interrupted"  # not waited for

    def test_that_is_told_to_stop_at_once_lets_go_of_its_run(self, run_on, start, counts):
        run = run_on("endless")
        with start("worker", "quality") as worker:
            worker.until(lambda: counts("endless")["in_flight"])
            worker.send(signal.SIGQUIT)
            worker.ended()

        assert_handed_over(run)

    def test_that_is_idle_just_ends(self, start):
        with start("worker", "quality") as worker:
            worker.until(lambda: "ready" in worker.tail())
            worker.send()
            assert worker.ended() == 0


class TestMeasuringWorker:
    def test_that_is_told_to_stop_ends_the_load_and_hands_over(self, run_on, start, simulator):
        profile = {"input_tokens": 32, "output_tokens": 8, "requests": 60, "warmup_requests": 2}
        profile["concurrency"] = 2  # with one, a busy machine makes a session invalid
        fields = {"request_bound": 63, "token_bound": 90_000, "planned_count": 60}
        run = run_on("stream", load_version(**profile), **fields)
        counts = lambda: simulator.counts().get("stream", {"requests": 0, "in_flight": 0})  # noqa: E731
        before = counts()["requests"]
        with start("measure", "performance") as worker:
            worker.until(lambda: counts()["requests"] > before + 3 and counts()["in_flight"])
            worker.send()
            assert worker.ended() == 0, worker.tail()

        sent = counts()["requests"] - before
        assert not children_left(run)
        assert_handed_over(run)
        assert sent < 63
        assert books(run)["settled"] + books(run)["lost"] == sent

        with start("measure", "performance") as worker:
            worker.until(lambda: run.refresh_from_db() or run.status == "succeeded")
        assert counts()["requests"] - before == sent + 63
        assert run.failed_attempts == 0
