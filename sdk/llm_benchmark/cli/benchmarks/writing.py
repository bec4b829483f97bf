"""`llm-benchmark benchmark create` and `update`."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Command, choice_option
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.organizations import chosen_organization, organization_option
from llm_benchmark.cli.frame.output import say
from llm_benchmark.cli.submissions.files import located
from llm_benchmark.errors import Conflict, InvalidInput, NotFound, SdkError
from llm_benchmark.models.choices import Category, Visibility

from .benchmark import show_benchmark
from .files import BenchmarkFile, read_benchmark

if TYPE_CHECKING:
    from llm_benchmark.client import Client
    from llm_benchmark.models import Benchmark, BenchmarkVersion

Tell = Callable[[str], None]
EXAMPLE = Path(__file__).with_name("example.toml")


@click.command(
    "create",
    cls=Command,
    example="benchmark create --example > sums.toml\nbenchmark create sums.toml --submit",
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--example", is_flag=True, help="Print a file to start from.")
@click.option("--submit", is_flag=True, help="Also publish the edition, and ask for a review.")
@organization_option
@click.pass_obj
def create(
    invocation: Invocation, file: Path | None, organization: str | None, *, example: bool, submit: bool
) -> None:
    """Write a benchmark and an edition of it from a TOML or JSON file.

    What exists already is kept, so the same command goes on where an earlier one stopped.
    """
    if example:
        click.echo(EXAMPLE.read_text(encoding="utf-8"), nl=False)
        return
    if file is None:
        text = f"Name a file; {PROGRAM} benchmark create --example prints one to start from."
        raise InvalidInput.of("FILE", "required", text)
    found = read_benchmark(file)
    owner = chosen_organization(invocation, organization).organization_id
    with _Steps(invocation) as tell:
        made = _benchmark(invocation.client, found, owner, tell)
        version = _version(invocation.client, made, found, tell)
        if submit:
            made = _submitted(invocation.client, made, version, tell)
    _show(invocation, made, is_submitted=submit)


@click.command("update", cls=Command, example="benchmark update two-digit-sums --file sums.toml")
@click.argument("name", metavar="SLUG")
@click.option("-f", "--file", type=click.Path(path_type=Path), metavar="FILE", help="As `create` takes it.")
@click.option("--title", "new_name", metavar="TEXT", help="Its name.")
@click.option("--description", metavar="TEXT", help="What it measures, in a sentence or two.")
@choice_option("--category", values=Category)
@choice_option("--visibility", values=Visibility, help="Who sees it:")
@click.option("-t", "--tag", "tags", multiple=True, metavar="TAG", help="All its tags; repeatable.")
@click.pass_obj
def update(
    invocation: Invocation,
    /,
    name: str,
    file: Path | None,
    new_name: str | None,
    tags: tuple[str, ...],
    **given: Any,
) -> None:
    """Change what a benchmark says of itself; with a file also its draft, or a new one."""
    changes = {**given, "name": new_name, "tags": list(tags) or None}
    changes = {field: value for field, value in changes.items() if value is not None}
    found = read_benchmark(file) if file else None
    if found is None and not changes:
        raise InvalidInput.of("--file", "required", "Say what changes: --file FILE, or options.")
    with _Steps(invocation) as tell:
        made = _updated(invocation.client, name, found, changes)
        if found:
            _version(invocation.client, made, found, tell)
    show_benchmark(invocation, made)


class _Steps:
    """Says each step that is done; where a later one fails, the refusal says them again."""

    def __init__(self, invocation: Invocation) -> None:
        self._invocation, self._done = invocation, list[str]()

    def __enter__(self) -> Tell:
        return self._tell

    def _tell(self, step: str) -> None:
        self._done.append(step)
        say(self._invocation, f"{step}.")

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, SdkError) and self._done:
            done = "; ".join(self._done)
            error.next_steps = [
                *error.next_steps, f"Done so far: {done}. The same command goes on from there.",
            ]  # fmt: skip


def _benchmark(client: Client, found: BenchmarkFile, owner: str, tell: Tell) -> Benchmark:
    slug = found.benchmark["slug"]
    try:
        there = client.benchmarks.get(slug)
    except NotFound:
        made = client.benchmarks.create(organization_id=owner, **found.benchmark)
        tell(f"Draft {slug} created")
        return made
    if there.organization_id != owner:
        text = f"{slug} is a benchmark of {there.organization_name}. Choose another slug."
        raise Conflict(text, code="benchmark_slug_taken")
    tell(f"{slug} is there already ({there.status})")
    return there


def _updated(client: Client, name: str, found: BenchmarkFile | None, changes: dict[str, Any]) -> Benchmark:
    may_change = signature(client.benchmarks.update).parameters
    said = found.benchmark if found else {}
    if said.get("slug", name) != name:
        text = f"The file describes {said['slug']}, not {name}."
        raise InvalidInput.of("benchmark.slug", "another_benchmark", text)
    fields = {field: value for field, value in said.items() if field in may_change}
    return client.benchmarks.update(name, **{**fields, **changes})


def _version(
    client: Client, benchmark: Benchmark, found: BenchmarkFile, tell: Tell
) -> BenchmarkVersion | None:
    """The edition that the file describes: created, or its draft made to agree with the file."""
    if not found.version:
        return None
    number = found.version["version"]
    known = {one.version: one for one in client.benchmarks.versions(benchmark.id)}
    there = known.get(number)
    if there and there.status != "draft":
        tell(f"{number} is published already, and stays as it is")
        return there
    try:
        if there:
            content = {field: value for field, value in found.version.items() if field != "version"}
            there = client.benchmarks.update_version(there.id, **content)
            tell(f"Draft {number} agrees with the file")
        else:
            there = client.benchmarks.create_version(benchmark.id, **found.version)
            tell(f"Draft {number} created, with {there.test_case_count} test cases")
    except InvalidInput as refusal:
        raise located(refusal, found.cases) from None
    return there


def _submitted(
    client: Client, benchmark: Benchmark, version: BenchmarkVersion | None, tell: Tell
) -> Benchmark:
    if version and version.status == "draft":
        client.benchmarks.publish_version(version.id)
        tell(f"{version.version} published")
    if benchmark.status == "draft":
        client.benchmarks.submit_for_review(benchmark.id)
        tell("Submitted for review")
    return client.benchmarks.get(benchmark.id)


def _show(invocation: Invocation, made: Benchmark, *, is_submitted: bool) -> None:
    say(invocation, " ")
    show_benchmark(invocation, made)
    if not is_submitted and made.status == "draft":
        say(invocation, f"\nPublish it with: {PROGRAM} benchmark publish {made.slug}")
