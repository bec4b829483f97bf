"""`llm-benchmark benchmark publish, submit-for-review, approve, …`: each moves a benchmark one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Command
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import say, show_facts
from llm_benchmark.errors import InvalidInput

from .benchmark import show_benchmark

if TYPE_CHECKING:
    from llm_benchmark.models import BenchmarkVersion

_slug = click.argument("name", metavar="SLUG")


@click.command("publish", cls=Command, example="benchmark publish two-digit-sums")
@_slug
@click.option(
    "--benchmark-version", "--version", "version", metavar="V",
    help="Which draft; not needed where there is one.",
)  # fmt: skip
@click.pass_obj
def publish(invocation: Invocation, name: str, version: str | None) -> None:
    """Publish an edition, for good: from then on it never changes, and claims refer to it."""
    benchmarks = invocation.client.benchmarks
    drafts = [one for one in benchmarks.versions(name) if one.status == "draft"]
    published = benchmarks.publish_version(_the(drafts, version, name).id)
    show_facts(
        invocation, published, [("Version", published.version), ("Content hash", published.content_hash)]
    )
    say(invocation, f"\nAsk for a review with: {PROGRAM} benchmark submit-for-review {name}")


def _the(drafts: list[BenchmarkVersion], version: str | None, name: str) -> BenchmarkVersion:
    found = [draft for draft in drafts if version in (None, draft.version)]
    if len(found) == 1:
        return found[0]
    there = ", ".join(draft.version for draft in drafts) or "none"
    raise InvalidInput.of(
        "--version", "no_such_draft", f"Name a draft of {name} with --version. There is: {there}."
    )


def _move(
    name: str, example: str, *, reason: str = "", is_required: bool = False
) -> Callable[[Any], click.Command]:
    """A command of the function's docstring, that calls the client's method of the function's name."""

    def made(described: Callable[[], None]) -> click.Command:
        def move(invocation: Invocation, /, name: str, **more: Any) -> None:
            given = {key: value for key, value in more.items() if value is not None}
            act = getattr(invocation.client.benchmarks, described.__name__)
            show_benchmark(invocation, act(name, **given))

        command = click.pass_obj(move)
        if reason:
            command = click.option("-r", "--reason", metavar="TEXT", required=is_required, help=reason)(
                command
            )
        return click.command(name, cls=Command, example=example, help=described.__doc__)(_slug(command))

    return made


@_move("submit-for-review", "benchmark submit-for-review two-digit-sums")
def submit_for_review() -> None:
    """Ask reviewers to make a benchmark active."""


@_move("take-back", "benchmark take-back two-digit-sums", reason="Why.")
def take_back() -> None:
    """Take a benchmark back from review; it is a draft again."""


@_move("approve", "benchmark approve two-digit-sums --reason 'Clear and reproducible.'", reason="Why.")
def approve() -> None:
    """Make a benchmark under review active. For reviewers."""


@_move("reject", "benchmark reject two-digit-sums --reason TEXT", reason="What to mend.", is_required=True)
def reject() -> None:
    """Give a benchmark under review back to its authors. For reviewers."""


@_move("deprecate", "benchmark deprecate old-sums --reason TEXT", reason="Why.", is_required=True)
def deprecate() -> None:
    """Say that a benchmark should not be used any more."""


@_move("reactivate", "benchmark reactivate old-sums", reason="Why.")
def reactivate() -> None:
    """Make a deprecated benchmark active again."""


@_move("archive", "benchmark archive old-sums", reason="Why.")
def archive() -> None:
    """Close a benchmark for good; its results stay readable."""
