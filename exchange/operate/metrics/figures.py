"""Every figure there is, by its name without `exchange_`. docs/operating.md shows this table."""

from __future__ import annotations

import sys
from dataclasses import dataclass

PREFIX = "exchange_"


@dataclass(frozen=True, slots=True)
class Figure:
    """All are gauges: values of now."""

    name: str
    help: str
    labels: tuple[str, ...] = ()


_KIND = ("kind",)
FIGURES = (
    Figure("build_info", "1; the version is in the label", ("version",)),
    Figure("metrics_snapshot_unixtime_seconds", "when these figures were taken, by the database's clock"),
    Figure("metrics_snapshot_duration_seconds", "how long that took"),
    Figure("runs_pending", "runs that are queued", _KIND),
    Figure("runs_due_pending", "of these, runs whose time has come", _KIND),
    Figure("runs_due_pending_oldest_age_seconds", "for how long the oldest of these has been due", _KIND),
    Figure("runs_retry_scheduled", "queued runs that failed before", _KIND),
    Figure("runs_running", "runs that a worker holds", _KIND),
    Figure("runs_cancellation_requested", "of these, runs that are asked to end", _KIND),
    Figure("runs_expired_running", "of these, runs whose worker fell silent", _KIND),
    Figure("run_expired_lease_oldest_age_seconds", "for how long the oldest of these leases has been over"),
    Figure("runs_dead_lettered", "runs given up for a fault of the platform, ever", _KIND),
    Figure("run_latency_quantile_seconds", "of runs that succeeded in the last hour", ("phase", "quantile")),
    Figure("run_latency_samples", "how many these are, 10,000 at the most"),
    Figure("run_latency_truncated", "1 when they are more: then the latest 10,000"),
    Figure("provider_attempts_active", "requests of running runs that have no outcome yet", ("state",)),
    Figure("outbox_waiting", "facts whose reactions are not rung yet, 10,000 at the most"),
    Figure("outbox_oldest_age_seconds", "the age of the oldest of these"),
    Figure("letters_waiting", "mails that are to be sent, 10,000 at the most"),
    Figure("letters_oldest_age_seconds", "for how long the oldest of these has been due"),
    Figure("letters_given_up", "mails that no try could send, 10,000 at the most"),
    Figure("proposals_overdue", "proposals whose time has come and that nobody moved on"),
    Figure("proposals_overdue_oldest_age_seconds", "for how long the oldest of these has been overdue"),
    Figure("audit_events_window", "facts of the last 15 minutes, of the latest 50,000", ("event_type",)),
    Figure("audit_events_window_truncated", "1 when 15 minutes had more than these 50,000"),
    Figure("queue_available", "1 when Redis answers"),
    Figure("worker_processes", "workers and beat: `active`, or `stalled` for two minutes", ("kind", "state")),
    Figure("worker_activity_oldest_age_seconds", "the longest silence after this progress", ("activity",)),
)


def table() -> str:
    """As Markdown."""
    return "\n".join(["| Figure | What it says |", "|---|---|", *map(_row, FIGURES)]) + "\n"


def _row(figure: Figure) -> str:
    labels = "{" + ",".join(figure.labels) + "}" if figure.labels else ""
    return f"| `{PREFIX}{figure.name}{labels}` | {figure.help} |"


if __name__ == "__main__":
    sys.stdout.write(table())
