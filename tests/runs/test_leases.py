from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from exchange.core import clock
from exchange.core.models import AuditEntry, OutboxMessage
from llm_benchmark.measure.plans import Failure, Side
from llm_benchmark.measure.probing import Pause
from llm_benchmark.measure.sink import Purpose, Reservation, Stop
from submissions.runs import leases, selectors, settling, tasks
from submissions.runs.models import Run
from tests.factories.endpoints import DeploymentFactory
from tests.factories.runs import CheckFactory, RunFactory, load_version

pytestmark = pytest.mark.django_db


def expire(run):
    Run.objects.filter(pk=run.pk).update(lease_until=clock.now() - timedelta(seconds=1))


def fault(side, code="broken"):
    return Failure(side, code, "It broke.")


class TestClaimNextRun:
    def test_takes_the_oldest_with_a_higher_fence_and_a_lease(self, claim, settings):
        settings.RUN_LEASE_SECONDS = 30
        first = RunFactory()
        RunFactory()

        run, lease, _ledger = claim()

        run.refresh_from_db()
        assert (run.pk, run.status, run.fence, lease.fence) == (first.pk, "running", 1, 1)
        assert 25 < (run.lease_until - clock.now()).total_seconds() <= 30

    def test_finds_nothing_of_another_kind(self):
        RunFactory()

        assert leases.claim_next_run(kinds=["performance"]) is None

    def test_waits_for_its_time(self):
        RunFactory(not_before=clock.now() + timedelta(hours=1))

        assert leases.claim_next_run(kinds=["quality"]) is None

    def test_skips_an_endpoint_that_is_being_measured(self, claim):
        busy = RunFactory(status="running")
        RunFactory(deployment__endpoint=busy.endpoint)
        free = RunFactory()

        assert claim()[0].pk == free.pk
        assert leases.claim_next_run(kinds=["quality"]) is None

    def test_is_kept_from_a_second_run_on_an_endpoint_by_the_database(self):
        busy = RunFactory(status="running")

        with pytest.raises(IntegrityError), transaction.atomic():
            RunFactory(deployment__endpoint=busy.endpoint, status="running")

    @pytest.mark.parametrize(("cores", "is_found"), [(2, False), (8, True)])
    def test_measures_speed_alone_on_few_cores(self, cores, is_found, settings, monkeypatch):
        settings.MEASURE_ALONE = True
        monkeypatch.setattr(leases.os, "cpu_count", lambda: cores)
        RunFactory(status="running")
        RunFactory(version=load_version(), planned_count=20)

        assert (leases.claim_next_run(kinds=["performance"]) is not None) == is_found

    def test_checks_models_beside_a_load_elsewhere(self, settings, monkeypatch):
        """It sends a few short requests, which spoil no number on the smallest machine."""
        settings.MEASURE_ALONE = True
        monkeypatch.setattr(leases.os, "cpu_count", lambda: 2)
        RunFactory(version=load_version(), planned_count=20, status="running")
        RunFactory()
        check = CheckFactory()

        run, _lease = leases.claim_next_run(kinds=["quality", "health", "discovery"])
        assert run.pk == check.pk

    def test_lets_checks_of_an_endpoint_go_before_its_loads(self, claim):
        load = RunFactory(version=load_version(), planned_count=20)
        check = CheckFactory(deployment__endpoint=load.endpoint)
        CheckFactory()
        assert leases.claim_next_run(kinds=["performance"]) is None

        Run.objects.filter(pk=check.pk).update(not_before=clock.now() + timedelta(seconds=30))
        assert claim("performance")[0].pk == load.pk

    def test_tells_that_it_started(self, claim):
        run, *_ = claim_of(RunFactory(), claim)

        assert AuditEntry.objects.get(kind="run.started").subject_id == run.pk


def claim_of(run, claim):
    claimed = claim()
    assert claimed[0].pk == run.pk
    return claimed


def claim_again(run, claim):
    Run.objects.filter(pk=run.pk).update(not_before=clock.now())
    return claim_of(run, claim)[0]


class TestGiveBack:
    def statuses_after(self, claim, failure):
        """What happens after each try until the run has ended."""
        run = RunFactory()
        seen = []
        while not seen or seen[-1] == "queued":
            Run.objects.filter(pk=run.pk).update(not_before=clock.now())
            _run, lease, _ledger = claim()
            settling.fail(lease, failure)
            run.refresh_from_db()
            seen.append(run.status)
        return run, seen

    @pytest.mark.parametrize(
        ("side", "seen"),
        [
            (Side.PLATFORM, ["queued", "queued", "dead"]),
            (Side.PROVIDER, ["queued", "failed"]),
            (Side.MODEL, ["failed"]),
            (Side.SUBMITTER, ["failed"]),
        ],
    )
    def test_tries_again_as_often_as_the_fault_deserves(self, claim, side, seen):
        run, found = self.statuses_after(claim, fault(side))

        assert found == seen
        assert (run.fault_side, run.fault_code) == (side.value, "broken")
        assert run.finished_at is not None

    def test_never_repeats_what_reached_its_bound(self, claim):
        _run, found = self.statuses_after(claim, fault(Side.PROVIDER, "request_bound_reached"))

        assert found == ["failed"]

    def test_asks_again_what_the_provider_left_unanswered(self, claim):
        run, lease, _ledger = claim_of(RunFactory(), claim)
        for key, error in (("q0", ""), ("q1", "rate_limited"), ("q2", "empty_response")):
            run.responses.create(key=key, raw=b"", error=error)
        settling.fail(lease, fault(Side.PROVIDER))

        assert selectors.answered_keys(run) == {"q0", "q2"}
        assert claim_again(run, claim).done_count == 2

    def test_keeps_what_came_instead_of_an_answer_that_is_asked_again(self, claim):
        run, lease, _ledger = claim_of(RunFactory(), claim)
        run.responses.create(key="q1", raw=b"slow down", error="rate_limited")
        settling.fail(lease, fault(Side.PROVIDER))
        run.responses.create(key="q1", raw=b"2")

        assert [(row.is_superseded, bytes(row.raw)) for row in run.responses.order_by("id")] == [
            (True, b"slow down"),
            (False, b"2"),
        ]
        assert [answer.raw for answer in selectors.stored_answers(run)] == [b"2"]

    def test_backs_off_longer_each_time(self, claim, settings):
        settings.RUN_LEASE_SECONDS = 30
        run, lease, _ledger = claim_of(RunFactory(), claim)
        settling.fail(lease, fault(Side.PLATFORM))

        run.refresh_from_db()
        assert 25 < (run.not_before - clock.now()).total_seconds() <= 30
        assert not run.lease_owner

    def test_tells_of_the_end_once(self, claim):
        run, _found = self.statuses_after(claim, fault(Side.PLATFORM))

        (entry,) = AuditEntry.objects.filter(kind="run.failed", subject_id=run.pk)
        assert entry.facts["status"] == "dead"
        assert OutboxMessage.objects.filter(kind="run.failed").count() == 1


class TestReapRuns:
    def test_takes_back_the_others_when_one_run_is_in_trouble(self, claim, monkeypatch):
        runs = [RunFactory(), RunFactory(), RunFactory()]
        for _run in runs:
            claim()
        Run.objects.update(lease_until=clock.now())
        give_back = leases.give_back

        def fail_for_the_first(run, failure, **how):
            give_back(run, failure, **how)
            if run.pk == runs[0].pk:
                raise RuntimeError("in trouble")

        monkeypatch.setattr(leases, "give_back", fail_for_the_first)

        assert leases.reap_runs() == 2
        statuses = {run.pk: Run.objects.get(pk=run.pk).status for run in runs}
        assert [statuses[run.pk] for run in runs] == ["running", "queued", "queued"]

    def test_queues_an_abandoned_run_without_touching_its_fence(self, claim):
        run, _lease, ledger = claim_of(RunFactory(), claim)
        ids = ledger.reserve([Reservation(Purpose.QUESTION, f"q{n}", 1) for n in range(3)])
        ledger.sent(ids[:1])
        expire(run)

        assert leases.reap_runs() == 1

        run.refresh_from_db()
        assert (run.status, run.fence, run.failed_attempts) == ("queued", 1, 1)
        assert sorted(run.attempts.values_list("status", flat=True)) == ["lost", "released", "released"]
        assert claim()[1].fence == 2

    def test_takes_all_that_a_dead_gateway_may_have_sent_for_lost(self, claim):
        run = RunFactory(version=load_version(), planned_count=20)
        _run, _lease, ledger = claim("performance")
        ledger.reserve([Reservation(Purpose.REQUEST, f"request-{n}", 1) for n in range(3)])
        expire(run)
        leases.reap_runs()

        assert set(run.attempts.values_list("status", flat=True)) == {"lost"}

    def test_leaves_a_run_whose_lease_is_good(self, claim):
        claim_of(RunFactory(), claim)

        assert leases.reap_runs() == 0

    def test_ends_a_run_that_kills_every_worker(self, claim):
        run = RunFactory()
        for _ in range(3):
            claim_of(run, claim)
            expire(run)
            leases.reap_runs()

        run.refresh_from_db()
        assert (run.status, run.fault_side, run.fault_code) == ("dead", "platform", "worker_lost")

    def test_cancels_what_was_to_be_cancelled(self, claim):
        run, *_ = claim_of(RunFactory(), claim)
        Run.objects.filter(pk=run.pk).update(cancel_requested_at=clock.now())
        expire(run)
        leases.reap_runs()

        run.refresh_from_db()
        assert run.status == "cancelled"


class TestALostLease:
    @pytest.fixture
    def lost(self, claim):
        """(run, lease, ledger, attempt ids) of a worker that another one has replaced."""
        run, lease, ledger = claim_of(RunFactory(), claim)
        ids = ledger.reserve([Reservation(Purpose.QUESTION, "q0", 1)])
        expire(run)
        leases.reap_runs()
        claim()
        return run, lease, ledger, ids

    def test_writes_nothing_and_each_try_is_audited(self, lost):
        run, lease, ledger, ids = lost
        writes = [
            lambda: ledger.reserve([Reservation(Purpose.QUESTION, "q1", 1)]),
            lambda: ledger.sent(ids),
            lambda: ledger.settled([settlement(ids[0], "q0")]),
            ledger.heartbeat,
            lambda: settling.fail(lease, fault(Side.PROVIDER)),
            lambda: settling.cancel(lease),
        ]
        for write in writes:
            with pytest.raises(Stop):
                write()

        run.refresh_from_db()
        assert (run.status, run.fence, run.responses.count()) == ("running", 2, 0)
        assert run.attempts.get().status == "released"
        assert AuditEntry.objects.filter(kind="run.fence_rejected").count() == len(writes)


def settlement(attempt_id, key, **changes):
    from llm_benchmark.measure.plans import Answer
    from llm_benchmark.measure.sink import SettledAs, Settlement

    fields = {"text": "4", "raw": b"{}", "latency_ms": 1.0, "http_status": 200, **changes}
    answer = Answer(key=key, **fields)
    return Settlement(attempt_id, SettledAs.SETTLED, 200, answer.error, answer.usage, answer)


class TestRunLedger:
    @pytest.fixture
    def started(self, claim):
        run, _lease, ledger = claim_of(RunFactory(), claim)
        return run, ledger, ledger.reserve([Reservation(Purpose.QUESTION, "q0", 1)])

    def test_gives_ids_in_the_order_of_the_batch(self, claim):
        run, _lease, ledger = claim_of(RunFactory(), claim)
        batch = [Reservation(Purpose.QUESTION, f"q{n}", 1) for n in (3, 1, 2)]

        ids = ledger.reserve(batch)
        assert [run.attempts.get(pk=id_).key for id_ in ids] == ["q3", "q1", "q2"]

    def test_keeps_the_answer_and_counts_it(self, started):
        run, ledger, ids = started
        ledger.sent(ids)
        ledger.settled([settlement(ids[0], "q0")])

        run.refresh_from_db()
        assert (run.done_count, run.responses.get().text, run.attempts.get().status) == (1, "4", "settled")

    def test_keeps_hostile_answers(self, started):
        from llm_benchmark.measure.plans import Usage

        run, ledger, ids = started
        hostile = {
            "text": "a\x00b\ud800",
            "raw": b"\x00\xff",
            "finish_reason": "x" * 200,
            "returned_model": "m" * 900,
            "usage": Usage(-1, 10**15, 3),
        }
        ledger.settled([settlement(ids[0], "q0", **hostile)])

        kept = run.responses.get()
        assert (kept.text, bytes(kept.raw)) == ("a\ufffdb?", b"\x00\xff")
        assert (kept.input_tokens, kept.output_tokens, kept.cached_tokens) == (None, None, 3)

    def test_keeps_no_answer_of_a_canary(self, claim):
        run, _lease, ledger = claim_of(RunFactory(), claim)
        ids = ledger.reserve([Reservation(Purpose.CANARY, "canary", 1)])
        ledger.settled([settlement(ids[0], "canary")])

        run.refresh_from_db()
        assert (run.done_count, run.responses.count()) == (0, 0)

    def test_prolongs_the_lease_with_each_write(self, started, settings):
        run, ledger, _ids = started
        settings.RUN_LEASE_SECONDS = 600
        assert ledger.heartbeat()

        run.refresh_from_db()
        assert (run.lease_until - clock.now()).total_seconds() > 590

    def test_says_stop_when_somebody_cancelled(self, started):
        run, ledger, _ids = started
        Run.objects.filter(pk=run.pk).update(cancel_requested_at=clock.now())

        assert not ledger.heartbeat()


class TestPostpone:
    def test_queues_a_check_for_later_and_counts_no_try(self, claim):
        run = CheckFactory()
        _run, lease, ledger = claim("health")
        ledger.reserve([Reservation(Purpose.PROBE, "smoke", 1)])
        settling.postpone(lease, Pause(30, {"probes": []}))

        run.refresh_from_db()
        assert (run.status, run.failed_attempts, run.findings) == ("queued", 0, {"probe": {"probes": []}})
        assert 25 < (run.not_before - clock.now()).total_seconds() <= 30
        assert run.attempts.get().status == "released"
        assert leases.claim_next_run(kinds=["health"]) is None

    def test_ends_one_that_was_cancelled(self, claim):
        run = CheckFactory()
        _run, lease, _ledger = claim("health")
        Run.objects.filter(pk=run.pk).update(cancel_requested_at=clock.now())
        settling.postpone(lease, Pause(30, {}))

        run.refresh_from_db()
        assert run.status == "cancelled"

    def test_rings_when_the_time_has_come(self, monkeypatch):
        rung = []
        monkeypatch.setattr(tasks.look_for_quality_runs, "apply_async", lambda **form: rung.append(form))
        tasks.ring_when_due(event_id="x", facts={"seconds": 30.5})

        assert rung == [{"countdown": 30.5}]


def test_a_queued_run_rings_both_kinds_of_workers(django_capture_on_commit_callbacks, monkeypatch):
    from exchange import wiring

    rung = []
    for task in wiring.LOOK_FOR_RUNS:
        monkeypatch.setattr(task, "delay", lambda name=task.name, **_: rung.append(name))
    with django_capture_on_commit_callbacks(execute=True):
        leases.publish("run.queued", RunFactory(deployment=DeploymentFactory()))

    assert [name.rpartition(".")[2] for name in rung] == [
        "look_for_quality_runs",
        "look_for_performance_runs",
    ]
