import hashlib
import threading
import time

import pytest
from django.db import connection

from exchange.core.actors import SYSTEM
from exchange.core.errors import Conflict
from exchange.core.tenancy import acting_for
from submissions import services, verifying
from submissions.models import Evidence, Verification
from submissions.runs import leases
from submissions.runs.models import Run
from tests.factories import submissions as f

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls):
    """Run the calls in threads that start together; what each brought: "done" or a refusal's code."""
    barrier, brought = threading.Barrier(len(calls)), [""] * len(calls)

    def act(index, actor, function):
        try:
            barrier.wait()
            with acting_for(actor):
                function()
            brought[index] = "done"
        except Conflict as refusal:
            brought[index] = refusal.code
        finally:
            connection.close()

    threads = [
        threading.Thread(target=act, args=(index, actor, function))
        for index, (actor, function) in enumerate(calls)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(brought)


def wait_until_somebody_waits():
    """Until another connection waits for a row that this one holds."""
    # Not pg_stat_activity: within a transaction that shows the connections of its first reading.
    waiting = (
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    )
    with connection.cursor() as cursor:
        for _try in range(1000):
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
            time.sleep(0.01)
    raise AssertionError("nobody waits")


@pytest.fixture
def submission():
    return f.make_submission()


def test_of_two_requests_one_opens_a_verification(submission):
    actor = f.submitter_of(submission.organization)
    accepted = verifying.verification_bound(actor=actor, submission_id=submission.pk).accept_bound

    def request():
        verifying.request_verification(actor=actor, submission_id=submission.pk, accept_bound=accepted)

    brought = at_once(*[(actor, request)] * 3)
    assert brought == ["done", "verification_open", "verification_open"]
    assert (Verification.objects.count(), Run.objects.count()) == (1, 1)


def test_a_withdrawal_and_a_request_leave_nothing_open(submission):
    actor = f.submitter_of(submission.organization)
    accepted = verifying.verification_bound(actor=actor, submission_id=submission.pk).accept_bound

    def request():
        verifying.request_verification(actor=actor, submission_id=submission.pk, accept_bound=accepted)

    def withdraw():
        services.withdraw_submission(actor=actor, submission_id=submission.pk, reason="a mistake of ours")

    at_once((actor, request), (actor, withdraw))
    submission.refresh_from_db()
    assert submission.status == "withdrawn"
    assert not Verification.objects.exclude(status="cancelled").exists()
    assert not Run.objects.exclude(status="cancelled").exists()


def test_of_two_cancellations_one_cancels(submission):
    verification = f.make_verification(submission)
    actor = f.submitter_of(submission.organization)

    def cancel():
        verifying.cancel_verification(actor=actor, verification_id=verification.pk)

    assert at_once((actor, cancel), (actor, cancel)) == ["done", "verification_closed"]


def test_files_at_once_never_exceed_the_limit(submission, settings, tmp_path):
    settings.EVIDENCE_URL, settings.EVIDENCE_MOST_FILES = tmp_path.as_uri(), 2
    actor = f.submitter_of(submission.organization)

    def add(name):
        content = name.encode()
        services.add_evidence(
            actor=actor,
            submission_id=submission.pk,
            name=name,
            content=content,
            sha256=hashlib.sha256(content).hexdigest(),
        )

    brought = at_once(*[(actor, lambda name=name: add(name)) for name in ("a", "b", "c", "d")])
    assert brought == ["done", "done", "too_many_files", "too_many_files"]
    assert Evidence.objects.count() == 2


def test_a_cancellation_waits_for_the_worker_that_ends_the_run(submission):
    verification = f.make_verification(submission)
    run_id = f.start(verification.runs.get()).pk
    actor = f.submitter_of(submission.organization)
    held = threading.Event()

    def settle():
        run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
        held.set()
        wait_until_somebody_waits()
        f.answer_questions(run, 8)
        leases.end(run, "succeeded", bundle_sha256="a" * 64)

    def cancel():
        held.wait()
        verifying.cancel_verification(actor=actor, verification_id=verification.pk)

    assert at_once((SYSTEM, settle), (actor, cancel)) == ["done", "verification_closed"]
    verification.refresh_from_db()
    assert verification.verdict == "consistent"
