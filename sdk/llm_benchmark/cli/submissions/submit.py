"""`llm-benchmark submit`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Group, choice_option, limit_option
from llm_benchmark.cli.frame.failures import INTERRUPTED, UnusableFile
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.organizations import chosen_organization, organization_option
from llm_benchmark.cli.frame.output import Column, say, show_facts, show_first, show_rows
from llm_benchmark.cli.frame.progress import progress
from llm_benchmark.errors import NotReached, SdkError, TimedOut
from llm_benchmark.models.choices import Verdict, Visibility

from .facts import claims_in_words, facts_of, link_to
from .options import claim_of_options

if TYPE_CHECKING:
    from llm_benchmark.models import Evidence, Submission

    from .claims import Claim

_SUBMISSIONS = [
    Column("ID", lambda s: s.id, is_whole=True),
    Column("Benchmark", lambda s: s.benchmark_slug),
    Column("Model", lambda s: s.model_name),
    Column("Verdict", lambda s: s.verdict if s.status == "accepted" else s.status),
    Column("Version", lambda s: s.version, is_spare=True),
    Column("Organization", lambda s: s.organization_name, is_spare=True),
    Column("Submitted", lambda s: s.created_at, is_spare=True),
]
_EVIDENCE = [
    Column("File", lambda e: e.name),
    Column("Bytes", lambda e: f"{e.size_bytes:,}", "right", plain=lambda e: e.size_bytes),
    Column("SHA-256", lambda e: e.sha256[:16] + "…", plain=lambda e: e.sha256),
    Column("Kind", lambda e: e.media_type, is_spare=True),
    Column("ID", lambda e: e.id, only="plain"),
]


class Interrupted(SdkError):
    """Whoever submits gave up while something was on its way."""

    code = "interrupted"
    exit_code = INTERRUPTED

    def __init__(self) -> None:
        super().__init__("It was interrupted.")


class EvidenceNotSent(SdkError):
    """The claim is taken in, and a file behind it is not there yet."""

    code = "evidence_not_sent"

    def __init__(self, submission_id: str, files: list[Path], reason: SdkError) -> None:
        super().__init__(
            f"The claim is taken in as {submission_id}, but {files[0]} did not arrive: {reason}",
            code=reason.code,
            status=reason.status,
            request_id=reason.request_id,
            errors=reason.errors,
            retry_after=reason.retry_after,
        )
        left = shlex.join(str(file) for file in files)
        self.next_steps = [
            f"Do not submit again. Go on with: {PROGRAM} submit evidence {submission_id} {left}"
        ]
        self.exit_code = reason.exit_code


@click.group(
    cls=Group,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND]",
    aliases={"request-verification": "verify"},
    lazy={"verify": ("llm_benchmark.cli.submissions.verify:verify", "The same as llm-benchmark verify.")},
    example="submit --benchmark mmlu --model acme/gpt --version 2 --score 0.86\n"
    "submit --benchmark mmlu --deployment gpt --score 86% --cases results.jsonl\n"
    "submit --from-run runs/mmlu --evidence notes.txt",
)
@click.option("-b", "--benchmark", metavar="SLUG", help="On which benchmark; slug@1.0.0 names its version.")
@click.option("--benchmark-version", metavar="V", help="Its version; default: the one in force.")
@click.option("-m", "--model", metavar="NAME", help="Which model, as Publisher/Name.")
@click.option("-V", "--version", "--model-version", "model_version", metavar="V", help="The model's version.")
@click.option(
    "-p", "--publisher", metavar="NAME", help="Who published the model, where --model does not say."
)
@click.option(
    "--deployment", metavar="NAME", help="What the exchange can measure (ID, or name it is served as)."
)
@click.option("--no-deployment", is_flag=True, help="A claim that the exchange shall not measure.")
@click.option("--score", metavar="VALUE", help="The primary metric, in its own unit; a share also as 86%.")
@click.option("--metric", "metrics", metavar="NAME=VALUE", multiple=True, help="Another metric; repeatable.")
@click.option("--sample-count", type=click.IntRange(1), metavar="N", help="Cases or requests behind them.")
@click.option(
    "-r", "--cases", type=click.Path(path_type=Path), metavar="FILE", help="Case results, JSONL or CSV."
)
@click.option(
    "-f", "--file", type=click.Path(path_type=Path), metavar="FILE", help="The claim as JSON or TOML."
)
@click.option(
    "--from-run", type=click.Path(path_type=Path), metavar="DIR", help="What `run` has measured and kept."
)
@click.option(
    "--evidence",
    type=click.Path(path_type=Path),
    metavar="FILE",
    multiple=True,
    help="A file behind the claim; repeatable.",
)
@choice_option("--visibility", values=Visibility, help="Who sees it, if not the public:")
@click.option("--notes", metavar="TEXT", help="What readers should know.")
@organization_option
@click.pass_context
def submit(context: click.Context, /, **options: Any) -> None:
    """Submit a claimed result; list, show and withdraw claims.

    All is checked before anything is sent; then the claim and its files are sent, each once.
    """
    is_given = any(value not in (None, (), False) for value in options.values())
    if context.invoked_subcommand:
        if is_given:
            message = (
                f"These options make a claim; leave them out, or leave out {context.invoked_subcommand}."
            )
            raise click.UsageError(message, context)
        return
    if not is_given:
        click.echo(context.get_help())
        return
    _submit(context.obj, **options)


@submit.command("list", example="submit list --benchmark mmlu")
@click.option("-b", "--benchmark", metavar="SLUG", help="On this benchmark only.")
@choice_option("--verdict", values=Verdict, help="With this verdict only:")
@limit_option
@organization_option
@click.pass_obj
def list_submissions(
    invocation: Invocation, *, benchmark: str | None, verdict: Any, limit: int, organization: str | None
) -> None:
    """List claims, the newest first; --organization lists your own."""
    chosen = chosen_organization(invocation, organization).organization_id if organization else None
    found = invocation.client.submissions.list(benchmark=benchmark, verdict=verdict, organization_id=chosen)
    empty = f"No claim. Make one: {PROGRAM} submit --help"
    show_first(invocation, found, limit, _SUBMISSIONS, empty=empty)


@submit.command("show", example="submit show ID")
@click.argument("submission", metavar="ID")
@click.pass_obj
def show_submission(invocation: Invocation, submission: str) -> None:
    """Show one claim, and the files behind it."""
    found = invocation.client.submissions.get(submission)
    files = [] if invocation.shown_as == "json" else list(invocation.client.submissions.evidence(found.id))
    _show(invocation, found, files)


@submit.command("evidence", example="submit evidence ID answers.jsonl")
@click.argument("submission", metavar="ID")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.pass_obj
def add_evidence(invocation: Invocation, submission: str, files: tuple[Path, ...]) -> None:
    """Add files behind a claim; without a file, list them."""
    _check_files(files)
    for file in files:
        _send(invocation, submission, file)
    found = list(invocation.client.submissions.evidence(submission))
    show_rows(invocation, found, _EVIDENCE, empty="No file. Add one: " + f"{PROGRAM} submit evidence ID FILE")


@submit.command("withdraw", example='submit withdraw ID --reason "measured on another machine"')
@click.argument("submission", metavar="ID")
@click.option("--reason", required=True, metavar="TEXT", help="Why; everybody can read it.")
@click.pass_obj
def withdraw_submission(invocation: Invocation, submission: str, reason: str) -> None:
    """Take a claim off the boards; it stays readable with the reason."""
    _show(invocation, invocation.client.submissions.withdraw(submission, reason=reason))


@submit.command("visibility", example="submit visibility ID private")
@click.argument("submission", metavar="ID")
@click.argument("visibility", type=click.Choice(get_args(Visibility)))
@click.pass_obj
def change_visibility(invocation: Invocation, submission: str, visibility: Any) -> None:
    """Change who sees a claim; a private one never ranks."""
    _show(invocation, invocation.client.submissions.change_visibility(submission, visibility))


def _submit(invocation: Invocation, *, evidence: tuple[Path, ...], **options: Any) -> None:
    claim, files = claim_of_options(invocation, **options)
    files = [*files, *evidence]
    _check_files(files)
    claim.check(invocation.client)
    made = _create(invocation, claim)
    sent = []
    for at, file in enumerate(files):
        try:
            sent.append(_send(invocation, made.id, file))
        except SdkError as reason:
            raise EvidenceNotSent(made.id, files[at:], reason) from reason
        except KeyboardInterrupt:
            raise EvidenceNotSent(made.id, files[at:], Interrupted()) from None
        except OSError as fault:
            unusable = UnusableFile(f"{file}: {fault.strerror or fault}.")
            raise EvidenceNotSent(made.id, files[at:], unusable) from fault
    _show(invocation, made, sent)
    _say_next(invocation, made)


def _create(invocation: Invocation, claim: Claim) -> Submission:
    """Without an answer it may have arrived all the same, and a second claim would be another one."""
    try:
        return invocation.client.submissions.create(**claim.body)
    except KeyboardInterrupt:
        silence: SdkError = Interrupted()
    except (NotReached, TimedOut) as reason:
        silence = reason
    silence.next_steps = [f"The claim may have arrived. Look before you submit again: {PROGRAM} submit list"]
    raise silence


def _check_files(files: list[Path] | tuple[Path, ...]) -> None:
    """Before anything is sent."""
    for file in files:
        with file.open("rb"):
            pass


def _send(invocation: Invocation, submission_id: str, file: Path) -> Evidence:
    with progress(invocation, in_bytes=True) as tell:
        sent = invocation.client.submissions.add_evidence(
            submission_id, file, progress=lambda done, total: tell(done, total, f"Sending {file.name}")
        )
    say(invocation, f"{sent.name} is sent: SHA-256 {sent.sha256}")
    return sent


def _show(invocation: Invocation, submission: Submission, files: list[Evidence] | None = None) -> None:
    if invocation.shown_as == "json":
        show_facts(invocation, submission, [])
        return
    version = invocation.client.benchmarks.get_version(submission.version_id)
    claims = claims_in_words(submission, version)
    show_facts(invocation, submission, facts_of(submission, claims, files or []))
    say(invocation, f"See it at:\n  {link_to(invocation, submission.id)}")


def _say_next(invocation: Invocation, submission: Submission) -> None:
    if submission.deployment_id:
        say(invocation, f"Have it measured again:\n  {PROGRAM} verify {submission.id}")
    else:
        say(
            invocation,
            "It names no deployment, so the exchange cannot measure it again. For that, submit it with "
            f"--deployment NAME; this lists yours:\n  {PROGRAM} provider models",
        )
