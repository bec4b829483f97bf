"""Who stands where, how models differ, and how they did over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from llm_benchmark.errors import NotFound
from llm_benchmark.models import (
    CategoryLeaderboard,
    Comparison,
    Leaderboard,
    LeaderboardEntry,
    ModelMeasurement,
)
from llm_benchmark.models.choices import Category, Level
from llm_benchmark.paging import Pages
from llm_benchmark.upload import Progress

from .base import Service, at

ExportFormat = Literal["csv", "json"]


class Leaderboards(Service):
    """Boards say which version they rank: the current one, unless `version` names another, such as "1.0.0".

    `verified_only` (the exchange's default) leaves out what nobody has verified. Ranks are those of the whole
    board, whichever rows `level`, `organization_id` and `query` choose.
    """

    def get(
        self,
        benchmark: str,
        *,
        version: str | None = None,
        verified_only: bool | None = None,
        level: Level | None = None,
        organization_id: str | None = None,
        query: str | None = None,
        page_size: int | None = None,
        page_token: str | None = None,
    ) -> Leaderboard:
        """The board and its first rows; `entries` gives all."""
        return self._transport.get(
            self._board(benchmark), Leaderboard, version=version, verified_only=verified_only, level=level,
            organization_id=organization_id, query=query, page_size=page_size, page_token=page_token,
        )  # fmt: skip

    def entries(
        self,
        benchmark: str,
        *,
        version: str | None = None,
        verified_only: bool | None = None,
        level: Level | None = None,
        organization_id: str | None = None,
        query: str | None = None,
    ) -> Pages[LeaderboardEntry]:
        """All rows, best first."""
        return self._pages(
            self._board(benchmark), LeaderboardEntry, version=version, verified_only=verified_only,
            level=level, organization_id=organization_id, query=query,
        )  # fmt: skip

    def top(
        self,
        benchmark: str,
        count: int = 10,
        *,
        version: str | None = None,
        verified_only: bool | None = None,
    ) -> list[LeaderboardEntry]:
        """The best `count` rows."""
        return self.entries(benchmark, version=version, verified_only=verified_only).first(count)

    def rank_of(
        self,
        benchmark: str,
        model: str,
        *,
        version: str | None = None,
        verified_only: bool | None = None,
    ) -> LeaderboardEntry:
        """A model's best row.

        Args:
            model: its id, name, or publisher/name.

        Raises:
            NotFound: the board has no row of it.
        """
        for entry in self.entries(benchmark, version=version, verified_only=verified_only):
            if model in {entry.model_id, entry.model_name, f"{entry.model_publisher}/{entry.model_name}"}:
                return entry
        text = f"The board of {benchmark} has no row of {model!r}. Unverified ones need verified_only=False."
        raise NotFound(text, code="entry_not_found")

    def compare(
        self,
        benchmark: str,
        *,
        models: Sequence[str] | None = None,
        entry_ids: Sequence[str] | None = None,
        submission_ids: Sequence[str] | None = None,
        version: str | None = None,
    ) -> Comparison:
        """How rows of one board differ, with confidence.

        Args:
            models: ids of models, each for its best-placed row.
            entry_ids, submission_ids: the rows themselves, or the claims behind them.
        """
        return self._transport.get(
            "leaderboards/compare", Comparison, benchmark_id=self._benchmark_id(benchmark), models=models,
            entry_ids=entry_ids, submission_ids=submission_ids, version=version,
        )  # fmt: skip

    def export(
        self,
        benchmark: str,
        format: ExportFormat = "csv",
        *,
        to: Path | str,
        version: str | None = None,
        verified_only: bool | None = None,
        level: Level | None = None,
        organization_id: str | None = None,
        query: str | None = None,
        progress: Progress | None = None,
    ) -> Path:
        """Write all rows to the file `to`. JSON lists where they come from too."""
        return self._transport.download(
            f"{self._board(benchmark)}/export", Path(to), progress=progress, format=format, version=version,
            verified_only=verified_only, level=level, organization_id=organization_id, query=query,
        )  # fmt: skip

    def category(
        self,
        category: Category,
        *,
        verified_only: bool | None = None,
        page_size: int | None = None,
    ) -> CategoryLeaderboard:
        """The boards of a category side by side; each with its first `page_size` (at most 50) rows."""
        path = at("leaderboards", "categories", category)
        return self._transport.get(
            path, CategoryLeaderboard, verified_only=verified_only, page_size=page_size
        )

    def model_history(self, model_id: str, *, benchmark: str | None = None) -> Pages[ModelMeasurement]:
        """What was measured of a model, the newest first."""
        benchmark_id = None if benchmark is None else self._benchmark_id(benchmark)
        return self._pages(at("models", model_id, "history"), ModelMeasurement, benchmark_id=benchmark_id)

    def _board(self, benchmark: str) -> str:
        return at("benchmarks", self._benchmark_id(benchmark), "leaderboard")
