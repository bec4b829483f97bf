"""Doing what a claimed run says: minutes, outside any transaction."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from django.conf import settings

from exchange.core import stopping
from submissions.endpoints import discovering, services
from submissions.endpoints import selectors as endpoints
from submissions.endpoints.errors import DiscoveryFailed

from . import bundles, planning, selectors, settling
from .leases import Lease
from .ledger import RunLedger
from .models import Run, RunKind

T = TypeVar("T")
LONGEST_PAUSE_SECONDS = 0.5
"""A check sleeps that long for its provider; a longer pause goes back to the queue."""

_LONGEST_BEAT_SECONDS = 0.5  # whoever cancels sees it end within two seconds


def measure(run: Run, lease: Lease) -> None:
    """Raises Stop when the run belongs to another worker."""
    ledger = RunLedger(lease, is_performance=run.kind == RunKind.PERFORMANCE)
    _BY_KIND[RunKind(run.kind)](run, lease, ledger)


def _measure_quality(run: Run, lease: Lease, ledger: RunLedger) -> None:
    from llm_benchmark.measure.quality import run_quality  # noqa: PLC0415  (web processes do not need it)

    plan = planning.quality_plan(run)
    outcome = run_quality(
        plan,
        services.target_for(run.deployment),
        ledger,
        threading.Event(),
        heartbeat_seconds=_beat_seconds(),
        answered=selectors.answered_keys(run),
        drain=stopping.asked,
    )
    ledger.heartbeat()
    settling.settle_quality(run, lease, plan, outcome, beat=ledger.heartbeat)


def _measure_performance(run: Run, lease: Lease, ledger: RunLedger) -> None:
    from llm_benchmark.measure.performance.runner import run_performance  # noqa: PLC0415  (as above)

    plan = planning.performance_plan(run)
    with bundles.run_folder(run) as folder:
        outcome = run_performance(
            plan,
            services.target_for(run.deployment),
            ledger,
            stopping.asked,  # half a session is none: the next worker measures a whole one
            workdir=folder,
            heartbeat_seconds=_beat_seconds(),
            tokenizer_cache=settings.STATE_DIR / "tokenizer",
        )
        ledger.heartbeat()
        settling.settle_performance(run, lease, plan, outcome)


def _check(run: Run, lease: Lease, ledger: RunLedger) -> None:
    from llm_benchmark.measure.probing import Pause, check  # noqa: PLC0415  (as above)

    deployment = run.deployment
    brought = check(
        services.target_at(run.endpoint_id, model=deployment.served_name),
        endpoints.known_of(deployment),
        ledger,
        stopping.asked,
        stand=selectors.stand_of(run),
        longest_pause=LONGEST_PAUSE_SECONDS,
    )
    if brought is None:
        settling.stop(lease)
    elif isinstance(brought, Pause):
        settling.postpone(lease, brought)
    else:
        settling.settle_check(lease, brought)


def _discover(run: Run, lease: Lease, ledger: RunLedger) -> None:
    target = services.target_at(run.endpoint_id)
    is_probed = not endpoints.has_open_runs(run.endpoint, besides=run.pk)
    try:
        listing = _while_beating(ledger, lambda: discovering.ask(target, is_probed=is_probed))
    except DiscoveryFailed as failed:
        settling.settle_failed_discovery(lease, failed)
        return
    if listing is None:
        settling.stop(lease)
    else:
        settling.settle_discovery(lease, listing)


def _while_beating(ledger: RunLedger, ask: Callable[[], T]) -> T | None:
    """What `ask` brings, from a thread of its own; None when it was cancelled or this process has to stop."""
    brought: Future[T] = Future()
    threading.Thread(target=_bring, args=(brought, ask), daemon=True).start()
    while not stopping.asked.is_set() and ledger.heartbeat():
        try:
            return brought.result(timeout=_beat_seconds())
        except TimeoutError:
            if brought.done():
                raise
    return None


def _bring(brought: "Future[T]", ask: Callable[[], T]) -> None:
    try:
        brought.set_result(ask())
    except BaseException as error:  # noqa: BLE001  the thread that waits raises it
        brought.set_exception(error)


def _beat_seconds() -> float:
    return min(_LONGEST_BEAT_SECONDS, settings.RUN_LEASE_SECONDS / 4)


_BY_KIND = {
    RunKind.QUALITY: _measure_quality,
    RunKind.PERFORMANCE: _measure_performance,
    RunKind.HEALTH: _check,
    RunKind.DISCOVERY: _discover,
}
