"""What the demo prints."""

from __future__ import annotations

import sys
import time

from llm_benchmark.models import Leaderboard, Proposal

_started = time.monotonic()


def say(text: str = "") -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def step(text: str) -> None:
    say(f"[{time.monotonic() - _started:5.1f} s] {text}")


def heading(text: str) -> None:
    say(f"\n{text}\n{'─' * len(text)}")


def verdict_line(
    *, who: str, benchmark: str, truth: str, verdict: str, summary: str, as_expected: bool
) -> None:
    mark = "✓" if as_expected else "✗"
    say(f"  {mark} {who:<10} {benchmark:<20} {truth:<12} → {verdict:<13} {summary}")


def vote(proposal: Proposal) -> None:
    mark = "✓" if proposal.status == "executed" else "✗"
    say(f"  {mark} {proposal.title} → {proposal.status}")
    for sentence in (proposal.formula.quorum, proposal.formula.threshold):
        say(f"      {sentence}")
    for change in proposal.effect:
        say(f"      {change.name}: {change.before} → {change.after}")
    if proposal.execution_error:
        say(f"      {proposal.execution_error}")


def board(shown: Leaderboard) -> None:
    """A board as a table: rank range, model, value, interval."""
    unit = f" ({shown.unit})" if shown.unit else ""
    say(f"\n  {shown.benchmark_name} {shown.version} · {shown.metric_title}{unit}")
    for row in shown.items:
        ranks = _range(row.rank_low, row.rank_high)
        name = f"{row.model_name} @ {row.provider_name}"
        marks = ", ".join(filter(None, ["simulated" * row.is_simulated, "claim refuted" * row.claim_refuted]))
        interval = f"[{_number(row.low)}, {_number(row.high)}]"
        say(f"    {ranks:>5}  {name:<52} {_number(row.value):>8}  {interval:<18} {row.level}  {marks}")


def _range(low: int | None, high: int | None) -> str:
    if low is None:
        return "—"
    return str(low) if low == high else f"{low}–{high}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
