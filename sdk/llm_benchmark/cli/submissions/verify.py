"""`llm-benchmark verify`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from llm_benchmark.cli import PROGRAM
from llm_benchmark.cli.frame.commands import Command, choice_option
from llm_benchmark.cli.frame.failures import DID_NOT_HOLD, INTERRUPTED
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import is_terminal, say
from llm_benchmark.cli.frame.progress import progress
from llm_benchmark.errors import Conflict, NotConfigured, NotFound, SdkError
from llm_benchmark.models.choices import RepeatReason
from llm_benchmark.quantities import plain

from .verdicts import DOES_NOT_HOLD, show_verification

if TYPE_CHECKING:
    from llm_benchmark.models import Submission, Verification, VerificationBound

_PHASES = {"requested": "Waiting for a worker", "running": "Measuring"}
_FAULT = 1


class ConsentNeeded(NotConfigured):
    """A verification costs something, and nobody was there to be asked."""

    code = "consent_needed"


class Detached(SdkError):
    """Whoever watched went away; the measurement goes on."""

    code = "detached"
    exit_code = INTERRUPTED

    def __init__(self, verification_id: str) -> None:
        super().__init__("You no longer watch; the measurement goes on.")
        self.next_steps = [
            f"Look again: {PROGRAM} verify --follow {verification_id}",
            f"Stop it: {PROGRAM} verify --cancel {verification_id}",
        ]


@click.command(
    cls=Command,
    example="verify ID\nverify ID --yes --no-wait\nverify --follow ID\nverify --cancel ID",
)
@click.argument("submission", metavar="ID")
@click.option("-y", "--yes", is_flag=True, help="Consent to what it may cost at your endpoint.")
@click.option("--no-wait", is_flag=True, help="Do not wait for the verdict.")
@choice_option("--reason", values=RepeatReason, help="Why once more, where there is a verdict:")
@click.option("--follow", is_flag=True, help="Ask for nothing; watch the verification that there is.")
@click.option("--cancel", is_flag=True, help="Stop it; nothing is decided then.")
@click.option("--keep", type=click.Path(path_type=Path), metavar="DIR", help="Keep its evidence there.")
@click.pass_context
def verify(context: click.Context, /, *, submission: str, follow: bool, cancel: bool, **options: Any) -> None:
    """Have the exchange measure a claim again; wait for the verdict.

    ID is a submission's; with --follow and --cancel also a verification's. The exit code is 0 where the claim
    holds, 9 where it is refuted or left open, and 1 where nothing could be measured.
    """
    invocation: Invocation = context.obj
    if follow and cancel:
        raise click.UsageError("Say --follow or --cancel, not both.", context)
    if cancel:
        _show(invocation, invocation.client.verifications.cancel(_find(invocation, submission).id))
        return
    found = _find(invocation, submission) if follow else _request(invocation, submission, **options)
    context.exit(_watch(invocation, found, **options))


def _find(invocation: Invocation, given: str) -> Verification:
    """A verification by its id, or the newest one of a submission."""
    client = invocation.client
    try:
        return client.verifications.get(given)
    except NotFound:
        newest = client.verifications.list(given).first(1)
    if not newest:
        missing = NotFound(f"Nobody has asked to verify {given} yet.", code="verification_not_found")
        missing.next_steps = [f"Do: {PROGRAM} verify {given}"]
        raise missing
    return newest[0]


def _request(invocation: Invocation, submission_id: str, *, yes: bool, reason: Any, **_: Any) -> Verification:
    client = invocation.client
    claim = client.submissions.get(submission_id)
    more = {"repeat_reason": reason} if reason else {}
    try:
        return client.verifications.request(
            submission_id, accept=lambda bound: yes or _consents(claim, bound), **more
        )
    except Conflict as refusal:
        raise _with_next_step(refusal, submission_id) from None


def _with_next_step(refusal: Conflict, submission_id: str) -> Conflict:
    reasons = "|".join(get_args(RepeatReason))
    steps = {
        "verification_open": f"Watch it: {PROGRAM} verify --follow {submission_id}",
        "repeat_needs_reason": f"Say why: {PROGRAM} verify {submission_id} --reason {reasons}",
        "deployment_required": f"See what you serve: {PROGRAM} provider models",
        "deployment_not_listed": f"Ask again: {PROGRAM} provider discover NAME",
    }
    refusal.next_steps = [steps[refusal.code]] if refusal.code in steps else []
    return refusal


def _consents(claim: Submission, bound: VerificationBound) -> bool:
    cost = _cost(claim, bound)
    if not (sys.stdin.isatty() and is_terminal()):
        raise ConsentNeeded(f"{cost} That needs your consent: say --yes.")
    click.echo(cost, err=True)
    return click.confirm("Go on?", err=True)


def _cost(claim: Submission, bound: VerificationBound) -> str:
    cost = f"Up to {plain(bound.requests, 0)} requests and {plain(bound.tokens, 0)} tokens at your endpoint."
    if claim.kind == "performance":
        cost += (
            " A session that a fault cuts short begins again, at most twice, and costs the same each time."
        )
    return cost


def _watch(
    invocation: Invocation, verification: Verification, *, no_wait: bool, keep: Path | None, **_: Any
) -> int:
    """Wait, show, and say by the exit code what it came to."""
    if no_wait:
        code = _show(invocation, verification)
        say(invocation, f"Look again:\n  {PROGRAM} verify --follow {verification.id}")
        return code
    ended = _ended(invocation, verification)
    code = _show(invocation, ended)
    if keep and ended.status == "decided":
        _keep_bundles(invocation, ended, keep)
    return code


def _ended(invocation: Invocation, verification: Verification) -> Verification:
    with progress(invocation) as tell:

        def look(now: Verification) -> None:
            if now.status in _PHASES:
                tell(now.done_count, now.planned_count or None, _PHASES[now.status])

        try:
            return invocation.client.verifications.wait(verification.id, progress=look)
        except KeyboardInterrupt:
            raise Detached(verification.id) from None


def _show(invocation: Invocation, verification: Verification) -> int:
    submission = invocation.client.submissions.get(verification.submission_id)
    version = invocation.client.benchmarks.get_version(submission.version_id)
    show_verification(invocation, verification, submission, version)
    if verification.verdict in DOES_NOT_HOLD:
        return DID_NOT_HOLD
    return _FAULT if verification.status in {"failed", "cancelled"} else 0


def _keep_bundles(invocation: Invocation, verification: Verification, directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for run_id in verification.run_ids:
        to = directory / f"{run_id}.zip"
        with progress(invocation, in_bytes=True) as tell:
            invocation.client.verifications.download_bundle(
                run_id, to=to, progress=lambda done, total: tell(done, total, "Fetching the evidence")
            )
        say(invocation, f"Kept: {to}. Check it: {PROGRAM} verify-bundle {to}")
