"""The figures, from what the database answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exchange import alive
from exchange.accounts.mailing import TRIES
from exchange.core.liveness import Activity
from exchange.health.checks import queue_answers
from exchange.settings.rest import VERSION

from . import statements

KINDS = ("quality", "performance", "health", "discovery")
PHASES = ("queue", "execution", "end_to_end")
QUANTILES = (0.5, 0.9, 0.95, 0.99)
MOST_ROWS, MOST_EVENTS = 10_000, 50_000


@dataclass(frozen=True, slots=True)
class Sample:
    """A value of the figure `name`."""

    name: str
    value: Any
    labels: tuple[str, ...] = ()


Rows = Sequence[Sequence[Any]]
Ask = Callable[..., Rows]
"""`ask(statement, **values)`: its rows."""


def all_of(ask: Ask) -> Iterator[Sample]:
    for part in (_runs, _latencies, _attempts, _waiting, _proposals, _events, _workers, _itself):
        yield from part(ask)


def _runs(ask: Ask) -> Iterator[Sample]:
    pending = (
        "runs_pending",
        "runs_due_pending",
        "runs_due_pending_oldest_age_seconds",
        "runs_retry_scheduled",
    )
    running = ("runs_running", "runs_cancellation_requested", "runs_expired_running")
    yield from _of_each(KINDS, ask(statements.QUEUED), pending)
    yield from _of_each(KINDS, ask(statements.RUNNING), running)
    yield from _of_each(KINDS, ask(statements.DEAD), ("runs_dead_lettered",))
    [(age,)] = ask(statements.OLDEST_LEASE)
    yield Sample("run_expired_lease_oldest_age_seconds", max(0, age or 0))


def _of_each(kinds: Sequence[str], rows: Rows, names: Sequence[str]) -> Iterator[Sample]:
    """Each row has a kind and the values of `names`; a kind without a row has nothing of any."""
    found: Mapping[str, Sequence[Any]] = {kind: values for kind, *values in rows}
    for kind in kinds:
        values = found.get(kind, [0] * len(names))
        for name, value in zip(names, values, strict=True):
            yield Sample(name, value or 0, (kind,))


def _latencies(ask: Ask) -> Iterator[Sample]:
    """Without samples there is no quantile."""
    [(count, *phases)] = ask(statements.LATENCIES, of=list(QUANTILES), most=MOST_ROWS)
    yield Sample("run_latency_samples", count)
    yield Sample("run_latency_truncated", count == MOST_ROWS)
    for phase, values in zip(PHASES, phases, strict=True):
        for quantile, value in zip(QUANTILES, values or (), strict=bool(values)):
            yield Sample("run_latency_quantile_seconds", value, (phase, str(quantile)))


def _attempts(ask: Ask) -> Iterator[Sample]:
    yield from _of_each(("reserved", "sent"), ask(statements.ATTEMPTS), ("provider_attempts_active",))


def _waiting(ask: Ask) -> Iterator[Sample]:
    [(count, age)] = ask(statements.OUTBOX, most=MOST_ROWS)
    yield Sample("outbox_waiting", count)
    yield Sample("outbox_oldest_age_seconds", age or 0)
    [(count, given_up, age)] = ask(statements.LETTERS, tries=TRIES, most=MOST_ROWS)
    yield Sample("letters_waiting", count)
    yield Sample("letters_given_up", given_up)
    yield Sample("letters_oldest_age_seconds", max(0, age or 0))


def _proposals(ask: Ask) -> Iterator[Sample]:
    [(count, age)] = ask(statements.PROPOSALS)
    yield Sample("proposals_overdue", count)
    yield Sample("proposals_overdue_oldest_age_seconds", age or 0)


def _events(ask: Ask) -> Iterator[Sample]:
    rows = ask(statements.EVENTS, most=MOST_EVENTS)
    for kind, count in rows:
        yield Sample("audit_events_window", count, (kind,))
    yield Sample("audit_events_window_truncated", sum(count for _kind, count in rows) == MOST_EVENTS)


def _workers(ask: Ask) -> Iterator[Sample]:
    rows = {kind: counts for kind, *counts in ask(statements.WORKERS, stalled=alive.STALLED_SECONDS)}
    for kind in alive.KINDS:
        active, known = rows.get(kind, (0, 0))
        yield Sample("worker_processes", active, (kind, "active"))
        yield Sample("worker_processes", known - active, (kind, "stalled"))
    ages = ask(statements.ACTIVITIES)
    yield from _of_each(list(Activity), ages, ("worker_activity_oldest_age_seconds",))
    yield Sample("queue_available", queue_answers())


def _itself(ask: Ask) -> Iterator[Sample]:
    [(now, duration)] = ask(statements.SNAPSHOT)
    yield Sample("metrics_snapshot_unixtime_seconds", now)
    yield Sample("metrics_snapshot_duration_seconds", duration)
    yield Sample("build_info", 1, (VERSION,))
