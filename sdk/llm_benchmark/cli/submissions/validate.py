"""`llm-benchmark validate`."""

from __future__ import annotations

from pathlib import Path

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.benchmarks.files import is_benchmark, read_benchmark
from llm_benchmark.cli.frame.commands import Command
from llm_benchmark.cli.frame.documents import read_document
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.organizations import organization_option
from llm_benchmark.cli.frame.output import say, show_facts

from .claims import claim_from
from .files import read_claim


@click.command(
    "validate", cls=Command, example="validate claim.toml --benchmark mmlu\nvalidate benchmark.toml"
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-b", "--benchmark", metavar="SLUG", help="Check the claim against this one; slug@1.0.0 works.")
@organization_option
@click.pass_obj
def validate(invocation: Invocation, file: Path, benchmark: str | None, organization: str | None) -> None:
    """Say all that is wrong with a claim's or a benchmark's file, storing nothing.

    The exchange checks a claim as it would when it is submitted. A benchmark is checked on this machine.
    """
    if is_benchmark(read_document(file)):
        _benchmark(invocation, file)
    else:
        _claim(invocation, file, benchmark, organization)


def _benchmark(invocation: Invocation, file: Path) -> None:
    found = read_benchmark(file)
    about = {
        "slug": found.benchmark["slug"],
        "version": found.version.get("version"),
        "test_case_count": len(found.version.get("test_cases", [])),
    }
    show_facts(invocation, about, [(name.replace("_", " ").capitalize(), about[name]) for name in about])
    say(invocation, f"\nNothing is wrong with it. Create it: {PROGRAM} benchmark create {file}")


def _claim(invocation: Invocation, file: Path, benchmark: str | None, organization: str | None) -> None:
    given, cases = read_claim(file)
    if benchmark:
        given = {**given, "benchmark": benchmark}
        given.pop("version", None)
    if organization:
        given["organization"] = organization
    checked = claim_from(invocation, given, cases).check(invocation.client)
    facts = [
        ("Benchmark", f"{checked.benchmark_slug} {checked.version}"), ("Cases", len(cases.rows) or None),
        ("Fingerprint", checked.fingerprint),
    ]  # fmt: skip
    show_facts(invocation, checked, facts)
    say(invocation, f"\nThe exchange would take it. Submit it: {PROGRAM} submit --file {file}")
