"""Whose a run is: claimed under a lease of database time, with a fence that only ever grows."""

import logging
import os
import socket
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import IntegrityError, connection
from django.utils.translation import gettext as _

from exchange.core import clock, events, liveness
from exchange.core.actors import SYSTEM
from exchange.core.clock import DatabaseNow
from exchange.core.liveness import Activity
from exchange.core.tenancy import acting_for
from llm_benchmark.measure.plans import Failure, Side
from llm_benchmark.measure.sink import Stop
from submissions.endpoints.selectors import without_address

from . import selectors
from .models import Attempt, AttemptStatus, Run, RunKind, RunStatus

log = logging.getLogger(__name__)
TRIES = {Side.PLATFORM: 3, Side.PROVIDER: 2, Side.MODEL: 1, Side.SUBMITTER: 1}
FEW_CORES = 4
_ALONE_LOCK = 7_310_002
# A check or a discovery is a few short requests, which disturb neither.
_RIVALS: Mapping[str, str] = {RunKind.QUALITY: RunKind.PERFORMANCE, RunKind.PERFORMANCE: RunKind.QUALITY}
_CLAIM_TRIES = 3
_REAPED_AT_ONCE = 100
_BOUND_CODES = frozenset({"request_bound_reached", "token_bound_reached", "answers_too_large"})


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write for one run, as long as nobody else was given it."""

    run_id: UUID
    organization_id: UUID
    fence: int
    owner: str

    def lock(self) -> Run:
        """The run, held until the transaction ends. Raises Stop when it is not ours any more."""
        rows = Run.objects.filter(
            pk=self.run_id, fence=self.fence, lease_owner=self.owner, status=RunStatus.RUNNING
        )
        run = rows.select_for_update(no_key=True, of=("self",)).select_related("deployment").first()
        if run is None:
            raise Stop
        return run

    def reject(self, write: str) -> Stop:
        """Record that a late write was turned away; what to raise."""
        with acting_for(SYSTEM):
            events.publish(
                "run.fence_rejected",
                actor=SYSTEM,
                subject_id=self.run_id,
                organization_id=self.organization_id,
                fence=self.fence,
                write=write,
            )
        return Stop(f"run {self.run_id} is not ours any more")


def claim_next_run(*, kinds: Collection[str]) -> tuple[Run, Lease] | None:
    """Take the oldest claimable run, or None. Two that want the same endpoint: the index lets one through."""
    claimed = _try_to_claim(kinds)
    liveness.progressed(Activity.CLAIM if claimed else Activity.SCAN)
    return claimed


def _try_to_claim(kinds: Collection[str]) -> tuple[Run, Lease] | None:
    for _try in range(_CLAIM_TRIES):
        with suppress(IntegrityError), acting_for(SYSTEM):
            return _claim(kinds)
    return None


def _claim(kinds: Collection[str]) -> tuple[Run, Lease] | None:
    if measures_alone():
        kinds = _undisturbing(kinds)
    rows = selectors.claimable_runs(kinds).select_related("deployment", "version__benchmark")
    run = rows.select_for_update(skip_locked=True, no_key=True, of=("self",)).first()
    if run is None:
        return None
    lease = Lease(run.pk, run.organization_id, run.fence + 1, _owner())
    now = clock.now()
    run.move_to(
        RunStatus.RUNNING,
        fence=lease.fence,
        lease_owner=lease.owner,
        lease_until=now + timedelta(seconds=settings.RUN_LEASE_SECONDS),
        started_at=run.started_at or now,
        done_count=selectors.standing_responses(run).count(),
    )
    publish("run.started", run, fence=lease.fence)
    return run, lease


def measures_alone() -> bool:
    """On few cores a performance run and a quality run would spoil each other's numbers."""
    return bool(settings.MEASURE_ALONE) and (os.cpu_count() or 1) < FEW_CORES


def _undisturbing(kinds: Collection[str]) -> set[str]:
    """Those of `kinds` whose rival is not running. The lock keeps two claims from both seeing none."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ALONE_LOCK])
    running = set(Run.objects.filter(status=RunStatus.RUNNING).values_list("kind", flat=True))
    return {kind for kind in kinds if _RIVALS.get(kind) not in running}


def _owner() -> str:
    return f"{socket.gethostname()[:40]}:{os.getpid()}:{uuid4().hex[:12]}"


def reap_runs() -> int:
    """Take runs from workers that let their lease run out, each in its own transaction; how many."""
    expired = list(selectors.expired_runs().values_list("pk", flat=True)[:_REAPED_AT_ONCE])
    return sum(map(_reap, expired))


def _reap(run_id: UUID) -> bool:
    """False: another worker has it, or it cannot be ended now. One run in trouble keeps no other waiting."""
    lost = Failure(Side.PLATFORM, "worker_lost", _("The worker that measured it went away."))
    try:
        with acting_for(SYSTEM):
            rows = selectors.expired_runs().filter(pk=run_id)
            run = rows.select_for_update(skip_locked=True, no_key=True, of=("self",)).first()
            if run is not None:
                give_back(run, lost, pause_seconds=0)
    except Exception:
        log.exception("run %s could not be taken back", run_id)
        return False
    return run is not None


def give_back(run: Run, failure: Failure, *, pause_seconds: float | None = None) -> None:
    """End a try that brought no measurement: queue the run again, or end it with whose fault it is.

    Our own faults are tried three times, a provider's twice, a model's or submitter's once. Call it with the
    run locked.
    """
    failures = run.failed_attempts + 1
    close_attempts(run)
    if run.cancel_requested_at:
        end(run, RunStatus.CANCELLED, failed_attempts=failures)
    elif failures < TRIES[failure.side] and failure.code not in _BOUND_CODES:
        pause = settings.RUN_LEASE_SECONDS * 2 ** (failures - 1) if pause_seconds is None else pause_seconds
        not_before = clock.now() + timedelta(seconds=pause)
        _leave(run, RunStatus.QUEUED, failed_attempts=failures, not_before=not_before)
        publish("run.requeued", run, side=failure.side.value, code=failure.code)
    else:
        status = RunStatus.DEAD if failure.side is Side.PLATFORM else RunStatus.FAILED
        end(run, status, failure=failure, failed_attempts=failures)


def hand_over(run: Run) -> None:
    """Queue a run whose worker was asked to stop, to go on at once and elsewhere. It counts as no try.

    Call it with the run locked.
    """
    close_attempts(run)
    if run.cancel_requested_at:
        end(run, RunStatus.CANCELLED)
        return
    _leave(run, RunStatus.QUEUED, not_before=clock.now())
    publish("run.requeued", run, side=Side.PLATFORM.value, code="worker_stopped")


def postpone(run: Run, seconds: float, stand: Mapping[str, Any]) -> None:
    """Queue a check that has to wait for its provider, to go on with `stand`. It counts as no try.

    Call it with the run locked.
    """
    close_attempts(run)
    if run.cancel_requested_at:
        end(run, RunStatus.CANCELLED)
        return
    not_before = clock.now() + timedelta(seconds=seconds)
    _leave(run, RunStatus.QUEUED, not_before=not_before, findings={**run.findings, "probe": dict(stand)})
    publish("run.postponed", run, seconds=seconds)


def end(run: Run, status: RunStatus, *, failure: Failure | None = None, **changes: Any) -> None:
    """The run's last move, and the fact that tells of it: run.succeeded, run.failed or run.cancelled."""
    if failure is not None:
        changes |= {
            "fault_side": failure.side.value,
            "fault_code": failure.code[:64],
            "fault_message": without_address(run.endpoint, failure.message),
        }
    _leave(run, status, finished_at=clock.now(), **changes)
    kind = {RunStatus.SUCCEEDED: "run.succeeded", RunStatus.CANCELLED: "run.cancelled"}.get(
        status, "run.failed"
    )
    publish(kind, run, status=str(status), side=run.fault_side, code=run.fault_code)


def _leave(run: Run, status: RunStatus, **changes: Any) -> None:
    run.move_to(status, lease_owner="", lease_until=None, **changes)


def close_attempts(run: Run) -> None:
    """Nobody will say more of what is open: what was sent is lost, what was not is released.

    A gateway sends by itself and its journal died with the worker, so all of its reservations are lost.
    """
    unsent = AttemptStatus.LOST if run.kind == RunKind.PERFORMANCE else AttemptStatus.RELEASED
    for status, becomes in ((AttemptStatus.RESERVED, unsent), (AttemptStatus.SENT, AttemptStatus.LOST)):
        rows = Attempt.objects.filter(run=run, status=status)
        rows.update(status=becomes, error="interrupted", settled_at=DatabaseNow())


def publish(kind: str, run: Run, **facts: object) -> None:
    events.publish(
        kind,
        actor=SYSTEM,
        subject_id=run.pk,
        organization_id=run.organization_id,
        kind_of_run=run.kind,
        **facts,
    )
