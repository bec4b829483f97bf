"""`llm-benchmark benchmark`."""

from __future__ import annotations

import click

from .commands import Group
from .invocation import Invocation
from .output import Column, show_facts, show_rows

_COLUMNS = [
    Column("Slug", lambda b: b.slug),
    Column("Name", lambda b: b.name),
    Column("Kind", lambda b: b.kind, is_spare=True),
    Column("Category", lambda b: b.category, is_spare=True),
    Column("Version", lambda b: b.current_version),
    Column("Status", lambda b: b.status),
]


@click.group(cls=Group)
def benchmark() -> None:
    """Find, write and publish benchmarks."""


@benchmark.command("list")
@click.option("-q", "--query", help="Words to find in name, description and tags.")
@click.option("-l", "--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.pass_obj
def list_benchmarks(invocation: Invocation, query: str | None, limit: int) -> None:
    """List the benchmarks you may see."""
    found = invocation.client.benchmarks.list(query=query).first(limit)
    show_rows(invocation, found, _COLUMNS, empty="No benchmark. Write one: llm-benchmark benchmark create")


@benchmark.command("get")
@click.argument("name", metavar="SLUG")
@click.pass_obj
def get_benchmark(invocation: Invocation, name: str) -> None:
    """Show one benchmark."""
    found = invocation.client.benchmarks.get(name)
    facts = [("Slug", found.slug), ("Name", found.name), ("Kind", found.kind), ("Status", found.status)]
    show_facts(invocation, found, facts)
