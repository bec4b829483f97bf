"""Workers are killed at each step of a run; the next one ends it, once, and the ledger adds up."""

import os
import signal
import time
import zipfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
import redis
from django.conf import settings as django_settings

from exchange.core import clock, events
from exchange.core.actors import SYSTEM
from exchange.core.models import AuditEntry, OutboxMessage
from exchange.storage import get_store
from llm_benchmark.measure import bundle
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from submissions.runs import leases, services, tasks
from submissions.runs.models import Attempt, Response, Run, Score
from tests.factories.endpoints import KEY
from tests.factories.runs import load_version, question_version, right_answers, run_at

pytestmark = [pytest.mark.sockets, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

COUNT = 12
PATIENCE_SECONDS = 30


@pytest.fixture(scope="module")
def simulator():
    answers = right_answers(COUNT)
    models = {
        "instant": Behaviour(answers=answers),
        "slow": Behaviour(answers=answers, ttft_ms=300),
        "stream": Behaviour(ttft_ms=20, itl_ms=2),
    }
    with Simulator(SimulatorConfig(models, api_key=KEY)) as running:
        yield running


@pytest.fixture
def run_on(simulator, settings, tmp_path):
    settings.EGRESS_ALLOW = frozenset({simulator.host_and_port})
    settings.EVIDENCE_URL, settings.STATE_DIR = (tmp_path / "evidence").as_uri(), tmp_path

    def make(model, version=None, **fields):
        fields = {"request_bound": COUNT + 11, "planned_count": COUNT, **fields}
        return run_at(simulator, model, version=version or question_version(COUNT), **fields)

    return make


@pytest.fixture
def requests_to(simulator):
    """`requests_to(model)`: what the provider counted since the test began."""
    before = {model: counts["requests"] for model, counts in simulator.counts().items()}
    return lambda model: simulator.counts()[model]["requests"] - before[model]


def until(condition, process=None):
    """Wait for a state of the world; the limit only keeps a broken test from hanging."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        assert process is None or process.is_alive(), "the worker ended"
        time.sleep(0.02)


def outlive_lease(run):
    """What the passing of time does, without the waiting."""
    Run.objects.filter(pk=run.pk, status="running").update(lease_until=clock.now() - timedelta(seconds=1))
    return leases.reap_runs()


def books(run):
    return Counter(Attempt.objects.filter(run=run).values_list("status", flat=True))


def assert_ended_once(run, requests):
    run.refresh_from_db()
    assert (run.status, run.fault_code, run.fault_message) == ("succeeded", "", "")
    assert AuditEntry.objects.filter(kind="run.succeeded", subject_id=run.pk).count() == 1
    assert Score.objects.filter(run=run, metric="accuracy").count() <= 1
    found = books(run)
    assert set(found) <= {"settled", "lost", "released"}
    assert found["settled"] <= requests <= found["settled"] + found["lost"]
    return found


class TestKilledQualityWorker:
    @pytest.mark.parametrize(
        "failpoint",
        [
            "after_claim:1",
            "after_reserve:1",
            "after_reserve:3",
            "after_send_started:1",
            "after_send_started:3",
            "after_response_before_commit:1",
            "after_response_before_commit:3",
            "before_aggregate:1",
            "after_aggregate_before_done:1",
        ],
    )
    def test_is_followed_by_one_that_ends_the_run_once(self, failpoint, workers, run_on, requests_to):
        run = run_on("instant")
        assert workers.start(failpoint=failpoint).wait() == -signal.SIGKILL
        kept = set(Response.objects.filter(run=run).values_list("key", flat=True))

        assert outlive_lease(run) == 1
        assert services.work_once("quality")

        assert_ended_once(run, requests_to("instant"))
        assert run.fence == 2
        assert Response.objects.filter(run=run).count() == COUNT
        assert Score.objects.get(run=run, metric="accuracy").value == 1.0
        asked_again = Attempt.objects.filter(run=run, fence=2, purpose="question").values_list(
            "key", flat=True
        )
        assert not kept & set(asked_again)

    def test_loses_only_what_was_on_the_wire(self, workers, run_on, requests_to, simulator):
        run = run_on("slow")
        process = workers.start()
        until(lambda: Attempt.objects.filter(run=run, status="sent", purpose="question").exists(), process)
        until(lambda: simulator.counts()["slow"]["in_flight"] > 0, process)
        process.signal(signal.SIGKILL)
        process.wait()

        assert outlive_lease(run) == 1
        assert services.work_once("quality")
        found = assert_ended_once(run, requests_to("slow"))
        assert 0 < found["lost"] <= 4  # one for each of the four slots

    def test_leaves_books_that_are_equal_when_nothing_was_killed(self, workers, run_on, requests_to):
        run = run_on("instant")
        assert workers.start().wait() == 0

        found = assert_ended_once(run, requests_to("instant"))
        assert found == {"settled": requests_to("instant")}


class TestZombie:
    def test_writes_nothing_after_another_has_ended_its_run(self, workers, run_on, requests_to):
        run = run_on("slow")
        process = workers.start(lease_seconds=1)
        until(lambda: Attempt.objects.filter(run=run, status="sent", purpose="question").exists(), process)
        process.signal(signal.SIGSTOP)
        until(leases.reap_runs)
        assert services.work_once("quality")
        before = self.state_of(run)

        process.signal(signal.SIGCONT)
        assert process.wait() == 0

        assert self.state_of(run) == before
        assert AuditEntry.objects.filter(kind="run.fence_rejected", subject_id=run.pk).exists()
        assert_ended_once(run, requests_to("slow"))

    def state_of(self, run):
        return (
            Run.objects.values().get(pk=run.pk),
            list(Response.objects.filter(run=run).order_by("id").values("id", "key", "score")),
            list(Attempt.objects.filter(run=run).order_by("id").values()),
            list(Score.objects.filter(run=run).order_by("id").values()),
        )


class TestKilledPerformanceWorker:
    def test_leaves_no_load_behind_and_is_followed_by_one_that_ends_the_run(
        self, workers, run_on, requests_to
    ):
        """Killed while AIPerf runs, then with all requests back but nothing read; the third one ends it."""
        profile = {"input_tokens": 32, "output_tokens": 8, "requests": 6, "warmup_requests": 2}
        profile["concurrency"] = 2  # with one, a busy machine makes a session invalid
        run = run_on("stream", load_version(**profile), request_bound=9, token_bound=9000, planned_count=6)
        for failpoint in ("aiperf_running:2", "aiperf_exited_before_parse:1"):
            process = workers.start("performance", failpoint=failpoint)
            assert process.wait() == -signal.SIGKILL
            until(lambda: not children_left(run))
            assert outlive_lease(run) == 1
        at_rest = requests_to("stream")
        assert workers.start("performance").wait() == 0

        found = assert_ended_once(run, requests_to("stream"))
        assert (run.fence, run.done_count, requests_to("stream") - at_rest) == (3, 6, 9)
        assert found["lost"] >= 1
        assert Score.objects.filter(run=run, metric="ttft_p50").count() == 1
        assert run.session["records"]
        assert list((django_settings.STATE_DIR / "runs").iterdir()) == []
        assert_bundle_is_sound(run)


def assert_bundle_is_sound(run):
    with get_store().open(run.bundle_sha256) as whole, get_store().open(run.public_bundle_sha256) as public:
        report = bundle.check(Path(whole.name), sha256=run.bundle_sha256)
        assert report.ok, report.problems
        assert bundle.check(Path(public.name)).ok
        names = zipfile.ZipFile(public).namelist()
    assert "records.json" in names
    assert not [name for name in names if name.startswith(("gateway/", "journal"))]


def children_left(run):
    """Processes that work in the run's folder. AIPerf overwrites its command line and environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            places = [os.readlink(link) for link in (process / "cwd", *(process / "fd").iterdir())]
        except OSError:
            continue
        if any(str(run.pk) in place for place in places):
            found.append(process.name)
    return found


class TestWithoutRedis:
    @pytest.fixture
    def queued(self, run_on):
        run = run_on("instant")
        leases.publish("run.queued", run)
        return run

    def test_finds_the_work_after_redis_was_wiped(self, queued):
        redis.from_url(django_settings.CELERY_BROKER_URL).flushdb()
        tasks.look_for_quality_runs()

        queued.refresh_from_db()
        assert queued.status == "succeeded"

    def test_keeps_the_ring_and_finds_the_work_while_redis_is_dead(self, run_on, monkeypatch):
        from kombu.exceptions import OperationalError

        def dead(**_):
            raise OperationalError("connection refused")

        for task in (tasks.look_for_quality_runs, tasks.look_for_performance_runs):
            monkeypatch.setattr(task, "delay", dead)
        run = run_on("instant")
        events.publish("run.queued", actor=SYSTEM, subject_id=run.pk)
        assert OutboxMessage.objects.filter(kind="run.queued", delivered_at=None).exists()
        tasks.look_for_quality_runs()

        run.refresh_from_db()
        assert run.status == "succeeded"
