"""`llm-benchmark compare`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Command
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, say, show_rows
from llm_benchmark.errors import InvalidInput, NotFound
from llm_benchmark.quantities import NO_BREAK, UNKNOWN, is_share, plain

from .leaderboard import VERSION
from .rows import model_name

if TYPE_CHECKING:
    from llm_benchmark.models import Comparison, LeaderboardEntry, ModelComparison

FEWEST, MOST = 2, 10
_SMALLEST_P = 0.001
_LISTED = 10


@click.command("compare", cls=Command, example="compare mmlu acme/large acme/small")
@click.argument("benchmark", metavar="BENCHMARK")
@click.argument("models", metavar="MODEL MODEL...", nargs=-1, required=True)
@VERSION
@click.option("--all-metrics", is_flag=True, help="Show the other metrics too.")
@click.pass_obj
def compare(
    invocation: Invocation, benchmark: str, models: tuple[str, ...], version: str | None, *, all_metrics: bool
) -> None:
    """Compare models on one board, with the tests behind each difference.

    A MODEL is a name or publisher/name on the board, for its best-placed row; or the id of a model, of a row
    or of a submission.
    """
    if not FEWEST <= len(models) <= MOST:
        text = f"Name {FEWEST} to {MOST} models, not {len(models)}."
        raise InvalidInput.of("MODEL", "wrong_number", text)
    client = invocation.client
    known = list(client.leaderboards.entries(benchmark, version=version, verified_only=False))
    rows = [_row(known, name, benchmark) for name in models]
    ids = list(dict.fromkeys(row.id for row in rows))
    if len(ids) < len(rows):
        text = "Two of the names mean the same row. To compare rows of one model, name them by their ids."
        raise InvalidInput.of("MODEL", "same_row", text)
    _show(
        invocation,
        client.leaderboards.compare(benchmark, entry_ids=ids, version=version),
        is_whole=all_metrics,
    )


def _row(known: Sequence[LeaderboardEntry], name: str, benchmark: str) -> LeaderboardEntry:
    """The best-placed row of that id or name."""
    wanted = name.casefold()
    for row in known:
        ids = {row.id, row.submission_id, row.model_id}
        names = {row.model_name, model_name(row), f"{model_name(row)}@{row.model_version}"}
        if wanted in ids or wanted in {one.casefold() for one in names}:
            return _measured(row, name, benchmark)
    there = list(dict.fromkeys(model_name(row) for row in known if row.value is not None))
    more = ", …" if len(there) > _LISTED else ""
    listed = ", ".join(there[:_LISTED]) or "nothing yet"
    raise NotFound(
        f"The board of {benchmark} has no row of {name}. It has: {listed}{more}.", code="row_not_found"
    )


def _measured(row: LeaderboardEntry, name: str, benchmark: str) -> LeaderboardEntry:
    if row.value is not None:
        return row
    text = f"On {benchmark}, {name} was only claimed so far, not measured; claims are not compared."
    missing = NotFound(text, code="row_not_measured")
    missing.next_steps = [f"Whoever claimed it can have it measured: {PROGRAM} verify {row.submission_id}"]
    raise missing


def _show(invocation: Invocation, found: Comparison, *, is_whole: bool) -> None:
    names = {entry.id: name for entry, name in zip(found.entries, found.names, strict=True)}
    pairs = [*found.comparisons, *(found.other_comparisons if is_whole else [])]
    say(invocation, f"{found.benchmark_name} {found.version}{' · demo data' if found.is_demo else ''}")
    say(invocation, f"{found.summary}\n")
    show_rows(invocation, pairs, _columns(names, is_whole=is_whole), empty="", data=found.as_dict())
    for line in _remarks(found):
        say(invocation, line)


def _columns(names: dict[str, str], *, is_whole: bool) -> list[Column]:
    metric = [Column("Metric", lambda pair: pair.metric_title, plain=lambda pair: pair.metric)]
    return [
        Column("First", lambda pair: names[pair.first_id]),
        Column("Second", lambda pair: names[pair.second_id]),
        *(metric if is_whole else []),
        Column("Difference", _difference, "right", plain=lambda pair: pair.difference),
        Column("95 %", _interval, only="table"),
        Column("Low", lambda pair: pair.low, only="plain"),
        Column("High", lambda pair: pair.high, only="plain"),
        Column("Percent", lambda pair: pair.percent, only="plain"),
        Column("p", lambda pair: _p(pair.p_value), "right", is_spare=True, plain=lambda pair: pair.p_value),
        Column("p, Holm", lambda pair: _p(pair.p_adjusted), "right", plain=lambda pair: pair.p_adjusted),
        Column("Better", lambda pair: names[pair.better_id] if pair.better_id else "undecided"),
        Column("Shared", lambda pair: pair.shared_count, "right", is_spare=True),
        Column("Test", lambda pair: pair.method, only="plain"),
    ]


def _remarks(found: Comparison) -> list[str]:
    """Each pair in a sentence, where the summary does not say it, and how to read the numbers."""
    sentences = [pair.summary for pair in found.comparisons] if len(found.comparisons) > 1 else []
    differing = [
        f"They also differ in {one.name}: {', '.join(one.values)}." for one in found.subject_differences
    ]
    rule = (
        "A pair is told apart when its interval leaves zero out and, where there is a test, the p-value for "
        "all pairs together (Holm) is below 0.05."
    )
    return ["", *sentences, *differing, rule]


def _drawn(pair: ModelComparison) -> tuple[float | None, float | None, float | None, str]:
    """Value, low, high and unit as they are shown: shares in points, all else as a change in percent."""
    if not is_share(pair.unit):
        return pair.percent, pair.percent_low, pair.percent_high, "%"
    value, low, high = (None if one is None else 100 * one for one in (pair.difference, pair.low, pair.high))
    return value, low, high, "points"


def _difference(pair: ModelComparison) -> str:
    value, _low, _high, unit = _drawn(pair)
    return UNKNOWN if value is None else f"{plain(value, 1, signed=True)}{NO_BREAK}{unit}"


def _interval(pair: ModelComparison) -> str | None:
    _value, low, high, _unit = _drawn(pair)
    if low is None or high is None:
        return None
    return f"{plain(low, 1, signed=True)} to {plain(high, 1, signed=True)}"


def _p(value: float | None) -> str | None:
    if value is None:
        return None
    return f"< {_SMALLEST_P}" if value < _SMALLEST_P else f"{value:.3f}"
