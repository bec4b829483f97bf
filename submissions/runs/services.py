"""Every write to runs. Doors and tasks call these."""

import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from benchmarks.models import BenchmarkVersion
from exchange.core import clock, requests, stopping
from exchange.core.actors import Actor
from exchange.core.failpoints import failpoint
from llm_benchmark.measure.plans import Failure, Side
from llm_benchmark.measure.sink import Stop
from submissions.endpoints.errors import CredentialUnavailable
from submissions.endpoints.models import Deployment, Endpoint
from submissions.endpoints.selectors import price_in_force

from . import leases, measuring, permissions, selectors, settling
from .errors import RunNotFound
from .leases import Lease, claim_next_run, reap_runs
from .models import Run, RunKind, RunStatus

__all__ = [
    "begin_checks",
    "cancel_run",
    "claim_next_run",
    "create_check",
    "create_discovery",
    "create_run",
    "keep_calibrated",
    "reap_runs",
    "work",
    "work_once",
]

log = logging.getLogger(__name__)
CHECKS = (RunKind.HEALTH, RunKind.DISCOVERY)
MOST_CHECKERS = 4
_checkers: set[threading.Thread] = set()
_checkers_lock = threading.Lock()


@transaction.atomic
def create_run(
    *,
    actor: Actor,
    deployment: Deployment,
    version: BenchmarkVersion,
    seed: int,
    snapshot: Mapping[str, Any],
    fingerprint: str,
    request_bound: int,
    token_bound: int,
    planned_count: int,
    judgement_basis: Mapping[str, Any] | None = None,
) -> Run:
    """Queue one measurement; workers hear of it when the caller's transaction commits.

    Args:
        snapshot: what the measurement depends on, without URL and key; `configuration` in it is what the
            submitter chose.
        request_bound, token_bound: what was consented to; the run stops hard a fifth above.
        planned_count: questions, or counted requests.
        judgement_basis: `{"claim": …, "policy": …}` in the bundle's formats, when this run alone decides.
    """
    permissions.require_measurer(actor, deployment.organization_id)
    return _queue(
        deployment.endpoint_id,
        kind=version.benchmark.kind,
        deployment=deployment,
        version=version,
        seed=seed,
        snapshot=dict(snapshot),
        price=_price(deployment),
        fingerprint=fingerprint,
        request_bound=request_bound,
        token_bound=token_bound,
        planned_count=planned_count,
        judgement_basis=judgement_basis,
    )


@transaction.atomic
def create_check(*, actor: Actor, deployment: Deployment, campaign_id: UUID) -> Run:
    """Queue a look at how a deployment stands, for a campaign."""
    permissions.require_measurer(actor, deployment.organization_id)
    snapshot = {"campaign_id": str(campaign_id), "served_name": deployment.served_name}
    return _queue(deployment.endpoint_id, kind=RunKind.HEALTH, deployment=deployment, snapshot=snapshot)


@transaction.atomic
def create_discovery(*, actor: Actor, endpoint: Endpoint, campaign_id: UUID) -> Run:
    """Queue the question what an endpoint serves, for a campaign."""
    permissions.require_measurer(actor, endpoint.organization_id)
    return _queue(endpoint.pk, kind=RunKind.DISCOVERY, snapshot={"campaign_id": str(campaign_id)})


def _queue(endpoint_id: UUID, **fields: Any) -> Run:
    """Whoever changes the endpoint's address waits, and then sees this run."""
    endpoint = Endpoint.objects.select_for_update(no_key=True).get(pk=endpoint_id)
    run = Run.objects.create(organization_id=endpoint.organization_id, endpoint=endpoint, **fields)
    leases.publish("run.queued", run)
    return run


def _price(deployment: Deployment) -> dict[str, str] | None:
    """As it is now: a price that is entered later changes no run that was queued before."""
    price = price_in_force(deployment)
    if price is None:
        return None
    return {
        "input_per_million": str(price.input_per_million),
        "output_per_million": str(price.output_per_million),
        "effective_at": price.effective_at.isoformat(),
    }


@transaction.atomic
def cancel_run(*, actor: Actor, run_id: UUID) -> Run:
    """A queued run ends at once, a running one at its next heartbeat; one that has ended stays as it is."""
    rows = selectors.visible_to(actor).filter(pk=run_id).values("pk")
    run = Run.objects.filter(pk__in=rows).select_for_update(no_key=True).first()
    if run is None:
        raise RunNotFound
    permissions.require_measurer(actor, run.organization_id)
    if run.status == RunStatus.QUEUED:
        run.cancel_requested_at = clock.now()
        leases.end(run, RunStatus.CANCELLED, cancel_requested_at=run.cancel_requested_at)
    elif run.status == RunStatus.RUNNING and run.cancel_requested_at is None:
        run.cancel_requested_at = clock.now()
        run.save(update_fields=["cancel_requested_at", "updated_at"])
        leases.publish("run.cancel_requested", run)
    return run


def work(*kinds: str) -> None:
    """Measure runs of these kinds until nothing is claimable, or this process is asked to stop.

    Every worker also reaps: another may be busy for minutes.
    """
    reap_runs()
    while not stopping.asked.is_set() and work_once(*kinds):
        reap_runs()


def keep_calibrated() -> None:
    """Measure the gateway's own cost between runs, at most every ten minutes, so that no run waits for it."""
    from llm_benchmark.measure.gateway.calibration import calibrate  # noqa: PLC0415  (as below)

    if not stopping.asked.is_set() and not selectors.is_measuring():
        calibrate()


def work_once(*kinds: str) -> bool:
    """Claim one run, measure it, settle it. False: nothing to do. Safe to call twice, or after a crash."""
    claimed = claim_next_run(kinds=kinds)
    if claimed is not None:
        _see_to(*claimed)
    return claimed is not None


def begin_checks() -> None:
    """Let another thread of this worker check and discover until nothing is claimable. Returns at once.

    They mostly wait for their provider, so a few go on at once: one that hangs keeps nobody waiting.
    """
    with _checkers_lock:
        if len(_checkers) < MOST_CHECKERS and not stopping.asked.is_set():
            thread = threading.Thread(target=_check_until_none_is_left, name="checks")
            _checkers.add(thread)
            thread.start()


def _check_until_none_is_left() -> None:
    requests.begin_request()
    try:
        while not stopping.asked.is_set() and (claimed := claim_next_run(kinds=CHECKS)):
            begin_checks()
            _see_to(*claimed)
    except Exception:
        log.exception("checks cannot go on")
    finally:
        connection.close()
        with _checkers_lock:
            _checkers.discard(threading.current_thread())


def _see_to(run: Run, lease: Lease) -> None:
    """Measure and settle what was claimed."""
    failpoint("after_claim")
    try:
        measuring.measure(run, lease)
    except Stop:
        log.warning("run %s belongs to another worker now", run.pk)
    except CredentialUnavailable as unavailable:
        settling.fail(lease, Failure(Side.SUBMITTER, unavailable.code, str(unavailable)))
    except Exception as error:
        log.exception("run %s could not be measured", run.pk)
        _give_up(lease, error)
    except BaseException:  # told to stop at once
        _let_go(lease)
        raise


def _give_up(lease: Lease, error: Exception) -> None:
    """A bug or a lost connection of ours. If even this cannot be stored, the lease runs out by itself."""
    _reconnect()
    with suppress(Exception):
        settling.fail(lease, Failure(Side.PLATFORM, "worker_error", type(error).__name__))


def _let_go(lease: Lease) -> None:
    """In the middle of anything. Also here the lease runs out where this cannot be stored."""
    _reconnect()
    with suppress(Exception):
        settling.hand_over(lease)


def _reconnect() -> None:
    if not connection.in_atomic_block:
        connection.close()
