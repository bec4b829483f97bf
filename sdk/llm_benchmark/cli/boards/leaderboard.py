"""`llm-benchmark leaderboard`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Group, choice_option, limit_option
from llm_benchmark.cli.frame.finding import find_model
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, say, show_first, show_rows
from llm_benchmark.errors import NotConfigured
from llm_benchmark.models.choices import Category, Level
from llm_benchmark.paging import LARGEST_PAGE
from llm_benchmark.quantities import interval, quantity

from .rows import Reading, board_columns, heading, model_name, rank_range, remarks

if TYPE_CHECKING:
    from llm_benchmark.client import Client
    from llm_benchmark.models import CategoryCell, CategoryLeaderboard, CategoryModel, Leaderboard

VERIFIED = click.option(
    "--verified-only/--all", default=True, show_default=True,
    help="Without or with claims that nobody has verified.",
)  # fmt: skip
VERSION = click.option(
    "--benchmark-version", "--version", "version", metavar="V", help="Its version; default: the one in force."
)  # fmt: skip


@click.group(
    cls=Group, default="show", example="leaderboard mmlu --limit 10\nleaderboard --category accuracy"
)
def leaderboard() -> None:
    """Who stands where on a benchmark."""


@leaderboard.command("show", example="leaderboard show mmlu --limit 10")
@click.argument("benchmark", metavar="BENCHMARK", required=False)
@limit_option
@VERIFIED
@click.option(
    "--metric", metavar="NAME", help="Show another metric; the ranks stay those of the primary one."
)
@VERSION
@choice_option("--level", values=Level, help="Rows of one level:")
@choice_option("-c", "--category", values=Category, help="The boards of a category instead:")
@click.pass_obj
def show_leaderboard(
    invocation: Invocation, benchmark: str | None, limit: int, metric: str | None, category: Category | None,
    *, verified_only: bool, version: str | None, level: Level | None,
) -> None:  # fmt: skip
    """Show the board of a benchmark, or the boards of a category."""
    if category and not benchmark:
        _show_category(invocation, category, limit, verified_only=verified_only)
        return
    if not benchmark or category:
        text = f"Name either a benchmark or a --category; {PROGRAM} benchmark list shows the benchmarks."
        raise NotConfigured(text)
    filters = {"version": version, "level": level, "verified_only": verified_only}
    board = _rows(invocation.client, benchmark, limit, filters)
    _show_board(invocation, board, _reading(invocation.client, board, metric))


def _rows(client: Client, benchmark: str, limit: int, filters: dict[str, Any]) -> Leaderboard:
    """The board with as many rows as wanted, on however many pages."""
    import msgspec  # noqa: PLC0415  `leaderboard --help` does not wait for it

    board = client.leaderboards.get(benchmark, page_size=min(limit, LARGEST_PAGE), **filters)
    while board.next_page_token and len(board.items) < limit:
        size = min(limit - len(board.items), LARGEST_PAGE)
        more = client.leaderboards.get(
            board.benchmark_id, page_size=size, page_token=board.next_page_token, **filters
        )
        board = msgspec.structs.replace(more, items=[*board.items, *more.items])
    return board


def _reading(client: Client, board: Leaderboard, metric: str | None) -> Reading:
    if metric in (None, board.metric):
        return Reading(board.metric_title, board.unit)
    known = {one.name: one for one in client.benchmarks.get_version(board.version_id).metrics}
    if metric not in known:
        raise NotConfigured(f"--metric: {board.benchmark_slug} has no {metric}. It has: {', '.join(known)}.")
    return Reading(known[metric].title, known[metric].unit or "", metric)


def _show_board(invocation: Invocation, board: Leaderboard, reading: Reading) -> None:
    say(invocation, heading(board, reading) + "\n")
    empty = "No row yet. --all shows claims too." if board.unranked_count else "No row yet."
    show_rows(invocation, board.items, board_columns(board.items, reading), empty=empty, data=board.as_dict())
    for at, line in enumerate(remarks(board)):
        say(invocation, line if at else f"\n{line}")


@dataclass(frozen=True, slots=True)
class _Place:
    """A model on one board of a category."""

    board: Leaderboard
    model: CategoryModel
    cell: CategoryCell


def _show_category(invocation: Invocation, category: Category, limit: int, *, verified_only: bool) -> None:
    size = min(limit, LARGEST_PAGE // 2)
    found = invocation.client.leaderboards.category(category, verified_only=verified_only, page_size=size)
    empty = f"No board in {category} has rows yet."
    columns = [
        Column("Benchmark", lambda at: at.board.benchmark_name, plain=lambda at: at.board.benchmark_slug),
        Column("Rank", lambda at: rank_range(at.cell), "right", plain=lambda at: at.cell.rank),
        Column("Model", lambda at: at.model.model_name, plain=lambda at: model_name(at.model)),
        Column("Provider", lambda at: at.cell.provider_name, is_spare=True),
        Column(
            "Value",
            lambda at: quantity(at.cell.value, at.board.unit),
            "right",
            plain=lambda at: at.cell.value,
        ),
        Column(
            "95 %", lambda at: interval(at.cell.low, at.cell.high, at.board.unit), is_spare=True, only="table"
        ),
        Column("Simulated", lambda at: at.cell.is_simulated, is_spare=True),
    ]
    show_rows(invocation, _places(found), columns, empty=empty, data=found.as_dict())


def _places(found: CategoryLeaderboard) -> list[_Place]:
    """Board by board, best first."""
    boards = {board.benchmark_id: board for board in found.boards}
    places = [
        _Place(boards[cell.benchmark_id], model, cell)
        for model in found.models
        for cell in model.cells
        if cell.benchmark_id in boards
    ]
    order = list(boards)
    return sorted(places, key=lambda at: (order.index(at.board.benchmark_id), at.cell.rank or len(places)))


@leaderboard.command("history", example="leaderboard history SmolLM2-135M-Instruct")
@click.argument("model", metavar="MODEL")
@click.option("-b", "--benchmark", metavar="BENCHMARK", help="On this benchmark only.")
@limit_option
@click.pass_obj
def show_history(invocation: Invocation, model: str, benchmark: str | None, limit: int) -> None:
    """Show what was measured of a model over time, by its id or name."""
    client = invocation.client
    found = client.leaderboards.model_history(find_model(client, model).id, benchmark=benchmark)
    columns = [
        Column("Measured", lambda one: one.measured_at),
        Column("Benchmark", lambda one: one.benchmark_name, plain=lambda one: one.benchmark_slug),
        Column("Metric", lambda one: one.metric_title, is_spare=True, plain=lambda one: one.metric),
        Column("Value", lambda one: quantity(one.value, one.unit), "right", plain=lambda one: one.value),
        Column("Verdict", lambda one: one.verdict),
        Column("95 %", lambda one: interval(one.low, one.high, one.unit), is_spare=True, only="table"),
        Column("Provider", lambda one: one.provider_name, is_spare=True),
        Column("Counts", lambda one: one.is_current, is_spare=True),
        Column("Submission id", lambda one: one.submission_id, only="plain"),
    ]
    show_first(invocation, found, limit, columns, empty="Nothing was measured of this model yet.")
