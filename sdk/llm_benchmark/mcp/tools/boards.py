"""Who stands where, and which differences are sure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from llm_benchmark.client import Client
from llm_benchmark.errors import InvalidInput
from llm_benchmark.mcp.arguments import BenchmarkName, Limit, PageToken, Several, Version, Words
from llm_benchmark.mcp.links import page
from llm_benchmark.mcp.offering import offered
from llm_benchmark.mcp.results import ListResult, Result, Shape, marks
from llm_benchmark.mcp.texts import Foreign, Sentence, model_name, quoted
from llm_benchmark.quantities import interval, quantity


class BoardRow(Shape):
    id: str
    """The row's own id, for `entry_ids` of compare_models."""
    rank: int | None
    """1 is best, equal values share a rank; None: listed without a rank, since nothing was measured again."""
    rank_low: int | None
    """The best rank that the measurement leaves possible."""
    rank_high: int | None
    """The worst rank that it leaves possible. Rows whose ranges overlap are not surely ordered."""
    model_id: str
    model_publisher: Foreign
    model_name: Foreign
    model_version: Foreign
    provider_name: Foreign | None
    """Who served the model when it was measured."""
    organization_name: Foreign
    """Who submitted it."""
    level: str
    """platform_verified: the exchange measured the claim again and it held. unverified: not so."""
    verdict: str | None
    """What the exchange's own measurement said of the claim; None: not measured again."""
    claim_refuted: bool
    """The measurement contradicts the claim; `value` is the measured one."""
    value: float | None
    """Measured by the exchange, in the board's unit. None: only claimed."""
    low: float | None
    """Lower end of the interval around `value`."""
    high: float | None
    confidence: float | None
    """Of that interval, such as 0.95."""
    sample_count: int | None
    claimed_value: float | None
    """What the submitter claims, in the board's unit."""
    measured_at: datetime | None
    submission_id: str
    is_simulated: bool
    """Answers came from a simulator, not from a model."""
    is_demo: bool

    def line(self, unit: str) -> str:
        served = f" served by {quoted(self.provider_name)}" if self.provider_name else ""
        marked = marks(is_simulated=self.is_simulated, is_demo=self.is_demo)
        name = model_name(self.model_publisher, self.model_name, self.model_version)
        return f"{self._place()} {name} ({self.model_id}){served}: {self._measured(unit)}{marked}"

    def _place(self) -> str:
        if self.rank is None:
            return "unranked"
        return f"#{self.rank} (could be {self.rank_low} to {self.rank_high})"

    def _measured(self, unit: str) -> str:
        if self.value is None:
            return f"claimed {quantity(self.claimed_value, unit)}, {self.level}, not measured by the exchange"
        level = f"{100 * self.confidence:g} % interval " if self.confidence else ""
        sure = f"{level}{interval(self.low, self.high, unit)}, n={self.sample_count}"
        claim = f", claimed {quantity(self.claimed_value, unit)}" if self.claim_refuted else ""
        return f"{quantity(self.value, unit)} ({sure}), {self.level}, {self.verdict}{claim}"


class Board(ListResult):
    benchmark_id: str
    benchmark_slug: str
    benchmark_name: Foreign
    version: str
    metric: str
    metric_title: Foreign
    unit: str
    """Of all values; empty: a share from 0 to 1, said as percent."""
    direction: str
    verified_only: bool
    ranked_count: int
    """Rows with a rank on the whole board."""
    unranked_count: int
    separable_neighbour_count: int
    """How many neighbours in rank are surely different; the order of all others may be chance."""
    updated_at: datetime | None
    is_demo: bool
    page: str
    items: list[BoardRow]

    def lines(self) -> Iterable[str]:
        which = f"{quoted(self.benchmark_name)} {self.version}, {self.metric} ({self.direction})"
        yield f"{which}: {self.ranked_count} ranked{marks(is_demo=self.is_demo)}. {self.page}"
        yield from (row.line(self.unit) for row in self.items)
        if not self.items:
            yield "No row. Unverified claims are listed with verified_only=false."
        if self.ranked_count > 1:
            yield (
                f"{self.separable_neighbour_count} of {self.ranked_count - 1} neighbours in rank are surely "
                "different. Where rank ranges overlap, call no model better before compare_models says so."
            )
        yield from self.more()


class PairDifference(Shape):
    first_id: str
    second_id: str
    metric: str
    unit: str
    direction: str
    difference: float | None
    """First minus second, in `unit` (empty: shares, so 0.01 is one point)."""
    low: float | None
    high: float | None
    confidence: float
    """Of the interval from `low` to `high`, for all pairs together."""
    percent: float | None
    p_adjusted: float | None
    """Corrected for the number of pairs."""
    method: str
    shared_count: int | None
    """Questions that both answered."""
    obstacle: str | None
    """Why there is no test."""
    better_id: str | None
    """The row that is surely better; None: they cannot be told apart, so neither is."""
    summary: Sentence


class ModelsCompared(Result):
    benchmark_slug: str
    benchmark_name: Foreign
    version: str
    summary: Sentence
    is_demo: bool
    page: str
    entries: list[BoardRow]
    """In the order of the board."""
    comparisons: list[PairDifference]
    """Each pair by the primary metric."""
    other_comparisons: list[PairDifference]
    """Each pair by the other metrics."""
    differing_case_count: int | None
    """Questions with different scores; None: not public, or not stored."""

    def lines(self) -> Iterable[str]:
        yield f"{quoted(self.benchmark_name)} {self.version}{marks(is_demo=self.is_demo)}: {self.summary}"
        unit = self.comparisons[0].unit if self.comparisons else ""
        yield from (row.line(unit) for row in self.entries)
        yield from (pair.summary for pair in [*self.comparisons, *self.other_comparisons])


@offered("Leaderboard of a benchmark")
def get_leaderboard(
    client: Client,
    *,
    benchmark: BenchmarkName,
    version: Version = "",
    verified_only: bool = True,
    query: Words = "",
    limit: Limit = 10,
    page_token: PageToken = "",
) -> Board:
    """The models of a benchmark in order, with what was measured and how sure it is.

    "Verified" means that the exchange measured the claim again itself; values are its latest measurement,
    never the claim. With verified_only=false claims that nobody measured again are listed too, without a
    rank. Quote a value together with its interval, and a rank together with its range. `query` looks for
    models by name. Rows marked as simulated or demo data say nothing about real models.
    """
    board = client.leaderboards.get(
        benchmark, version=version or None, verified_only=verified_only, query=query or None,
        page_size=limit, page_token=page_token or None,
    )  # fmt: skip
    return Board.of(board, page=page(client, "benchmarks", board.benchmark_slug))


@offered("Compare models on a benchmark")
def compare_models(
    client: Client,
    *,
    benchmark: BenchmarkName,
    models: Several = [],  # noqa: B006  read only
    entry_ids: Several = [],  # noqa: B006
    version: Version = "",
) -> ModelsCompared:
    """Which of 2 to 10 models is surely better on a benchmark, pair by pair.

    Use it before you say that one model beats another: `better_id` is null where the difference may be
    chance. Name models by the `model_id` of get_leaderboard (each stands for its best-placed row), or exact
    rows by `entry_ids`; not both. What was measured under different conditions is refused as not comparable.
    """
    if bool(models) == bool(entry_ids):
        raise InvalidInput("Name either models or entry_ids, and at least two.", code="invalid_input")
    compared = client.leaderboards.compare(
        benchmark, models=models or None, entry_ids=entry_ids or None, version=version or None
    )
    return ModelsCompared.of(compared, page=page(client, "benchmarks", compared.benchmark_slug))
