"""`llm-benchmark benchmark`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Group, choice_option, limit_option
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import Column, say, show_facts, show_first, show_json, show_rows
from llm_benchmark.models.choices import BenchmarkKind, BenchmarkStatus, Category

from .loads import load_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from llm_benchmark.models import Benchmark, BenchmarkVersion

_HERE = __package__
_WRITING, _MOVES = f"{_HERE}.writing", f"{_HERE}.moves"
_LAZY = {
    "create": (f"{_WRITING}:create", "Write a benchmark and an edition of it from a file."),
    "update": (f"{_WRITING}:update", "Change what a benchmark says of itself, or its draft."),
    "publish": (f"{_MOVES}:publish", "Publish an edition, for good."),
    "submit-for-review": (f"{_MOVES}:submit_for_review", "Ask reviewers to make it active."),
    "take-back": (f"{_MOVES}:take_back", "Take it back from review."),
    "approve": (f"{_MOVES}:approve", "Make a reviewed benchmark active."),
    "reject": (f"{_MOVES}:reject", "Give it back to its authors, with a reason."),
    "deprecate": (f"{_MOVES}:deprecate", "Say that it should not be used any more."),
    "reactivate": (f"{_MOVES}:reactivate", "Make a deprecated benchmark active again."),
    "archive": (f"{_MOVES}:archive", "Close it for good."),
}
_COLUMNS = [
    Column("Slug", lambda b: b.slug),
    Column("Name", lambda b: b.name),
    Column("Version", lambda b: b.current_version),
    Column("Status", lambda b: b.status),
    Column("Kind", lambda b: b.kind, is_spare=True),
    Column("Category", lambda b: b.category, is_spare=True),
    Column("Organization", lambda b: b.organization_name, is_spare=True),
    Column("ID", lambda b: b.id, only="plain"),
]
_VERSIONS = [
    Column("Version", lambda v: v.version),
    Column("Status", lambda v: v.status),
    Column("Published", lambda v: v.published_at),
    Column("Cases", lambda v: v.test_case_count, "right"),
    Column("Metrics", lambda v: [metric.name for metric in v.metrics], is_spare=True),
    Column("Hash", lambda v: (v.content_hash or "")[:8], is_spare=True, plain=lambda v: v.content_hash),
    Column("ID", lambda v: v.id, only="plain"),
]  # fmt: skip


@click.group(
    cls=Group, lazy=_LAZY, aliases={"show": "get"},
    example="benchmark list --category accuracy\nbenchmark get mmlu --versions\nbenchmark create mine.toml",
)  # fmt: skip
def benchmark() -> None:
    """Find, write and publish benchmarks."""


@benchmark.command("list", example="benchmark list --category accuracy --query arithmetic")
@choice_option("-c", "--category", values=Category)
@choice_option("-s", "--status", values=BenchmarkStatus)
@choice_option("-k", "--kind", values=BenchmarkKind)
@click.option("-q", "--query", metavar="WORDS", help="Words to find in name, description and tags.")
@click.option("-t", "--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag; repeatable.")
@click.option("--from", "organization", metavar="SLUG", help="Only of this organization.")
@limit_option
@click.pass_obj
def list_benchmarks(invocation: Invocation, /, *, limit: int, tags: tuple[str, ...], **filters: Any) -> None:
    """List the benchmarks that you may see."""
    found = invocation.client.benchmarks.list(tags=list(tags) or None, **filters)
    empty = f"No such benchmark. Write one: {PROGRAM} benchmark create --example"
    show_first(invocation, found, limit, _COLUMNS, empty=empty)


@benchmark.command("get", example="benchmark get mmlu --versions")
@click.argument("name", metavar="SLUG")
@click.option("--versions", is_flag=True, help="List its editions too.")
@click.pass_obj
def get_benchmark(invocation: Invocation, name: str, *, versions: bool) -> None:
    """Show one benchmark, by its slug or id."""
    client = invocation.client
    found = client.benchmarks.get(name)
    editions = list(client.benchmarks.versions(found.id)) if versions else []
    if invocation.shown_as == "json" and versions:
        show_json({**found.as_dict(), "versions": [edition.as_dict() for edition in editions]})
        return
    is_json, current_id = invocation.shown_as == "json", found.current_version_id
    current = None if is_json or current_id is None else client.benchmarks.get_version(current_id)
    show_benchmark(invocation, found, current)
    if versions:
        say(invocation, " ")
        show_rows(invocation, editions, _VERSIONS, empty="No edition yet.")


def show_benchmark(invocation: Invocation, found: Benchmark, current: BenchmarkVersion | None = None) -> None:
    """What it is, and what its current edition asks."""
    facts = [
        ("Slug", found.slug), ("Name", found.name), ("Status", _status(found)), ("Kind", found.kind),
        ("Category", found.category), ("Organization", found.organization_name), ("Tags", found.tags),
        ("Version", found.current_version), ("License", found.license or found.custom_license),
        *(_edition(current) if current else ()),
        ("Description", found.description), ("Documentation", found.documentation_url),
        ("Page", f"{invocation.settings.api_url}/benchmarks/{found.slug}"), ("ID", found.id),
    ]  # fmt: skip
    show_facts(invocation, found, facts)


def _status(found: Benchmark) -> str:
    marks = [found.status, "endorsed" if found.is_endorsed else "", "demo data" if found.is_demo else ""]
    return ", ".join(
        mark for mark in [*marks, "" if found.visibility == "public" else found.visibility] if mark
    )


def _edition(version: BenchmarkVersion) -> Sequence[tuple[str, Any]]:
    metrics = [
        f"{one.name}{' (primary)' if one.is_primary else ''}"
        for one in sorted(version.metrics, key=lambda one: not one.is_primary)
    ]
    return [
        ("Metrics", metrics),
        ("Test cases", version.test_case_count or None),
        ("Load", version.load_profile and load_line(version.load_profile)),
        ("Content hash", version.content_hash),
    ]  # fmt: skip
