"""Finding benchmarks."""

from __future__ import annotations

from collections.abc import Iterable

from llm_benchmark.client import Client
from llm_benchmark.mcp.arguments import Limit, PageToken, Words
from llm_benchmark.mcp.links import page
from llm_benchmark.mcp.offering import offered
from llm_benchmark.mcp.results import ListResult, Shape, marks
from llm_benchmark.mcp.texts import Excerpt, Foreign, quoted
from llm_benchmark.models.choices import BenchmarkKind, BenchmarkStatus, Category


class FoundBenchmark(Shape):
    id: str
    slug: str
    """Names the benchmark in other tools, as its id does."""
    name: Foreign
    description: Excerpt
    kind: str
    """quality: answers to questions are scored; performance: speed under load; external: only claimed."""
    category: str
    status: str
    tags: list[Foreign]
    current_version: str | None
    """None: no version is published, so there is no board."""
    organization_name: Foreign
    is_endorsed: bool
    """A vote of the community passed it."""
    is_demo: bool
    page: str

    def line(self) -> str:
        version = f"version {self.current_version}" if self.current_version else "no published version"
        facts = f"{self.kind}, {self.category}, {self.status}, {version}"
        return f"{self.slug}: {quoted(self.name)} ({facts}){marks(is_demo=self.is_demo)}"


class FoundBenchmarks(ListResult):
    items: list[FoundBenchmark]

    def lines(self) -> Iterable[str]:
        if not self.items:
            yield "No benchmark fits. Try fewer words, or none for all."
        yield from (one.line() for one in self.items)
        yield from self.more()


@offered("Search benchmarks")
def search_benchmarks(
    client: Client,
    *,
    query: Words = "",
    kind: BenchmarkKind | None = None,
    category: Category | None = None,
    status: BenchmarkStatus | None = None,
    limit: Limit = 20,
    page_token: PageToken = "",
) -> FoundBenchmarks:
    """Find benchmarks by words in their name, description or tags.

    Start here: other tools take the `slug` or `id` of what is found. Without arguments all that the token
    may see are listed. Benchmarks marked as demo data show how the exchange works, no more.
    """
    rows = client.benchmarks.list(query=query or None, kind=kind, category=category, status=status)
    found = next(rows.pages(page_size=limit, page_token=page_token))
    items = [FoundBenchmark.of(one, page=page(client, "benchmarks", one.slug)) for one in found.items]
    return FoundBenchmarks(items=items, next_page_token=found.next_page_token)
