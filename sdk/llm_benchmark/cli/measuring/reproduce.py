"""`llm-benchmark reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from llm_benchmark.cli.frame.assignments import assignments
from llm_benchmark.cli.frame.commands import Command
from llm_benchmark.cli.frame.failures import DID_NOT_HOLD
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.cli.frame.output import say, show_facts
from llm_benchmark.cli.submissions.verdicts import DOES_NOT_HOLD, numbers_of, say_verdict, show_judgement
from llm_benchmark.models import MetricJudgement
from llm_benchmark.quantities import plain

from .at_home import edition_of, endpoint_options, measuring, require_engine, target_from

if TYPE_CHECKING:
    from llm_benchmark.home import Reproduction
    from llm_benchmark.models import Submission


@click.command(cls=Command, example="reproduce ID --url https://api.example.com/v1 --model gpt --key-env KEY")
@click.argument("submission", metavar="ID")
@endpoint_options
@click.option(
    "--own", "choices", metavar="NAME=VALUE", multiple=True,
    help="What you know of your endpoint, such as precision=int4; refused where the claim says otherwise.",
)  # fmt: skip
@click.pass_context
def reproduce(
    context: click.Context,
    /,
    *,
    submission: str,
    cases: Path | None,
    out: Path | None,
    choices: tuple[str, ...],
    **endpoint: Any,
) -> None:
    """Measure somebody's claim on your own endpoint.

    Under the claim's configuration and by the rule that the exchange judges with; nothing is sent to it.
    ID is a submission's. The exit code is 0 where the claim holds, and 9 where it is refuted or left open.
    """
    require_engine("reproduce")
    from llm_benchmark import home  # noqa: PLC0415  needs the extra `measure`

    invocation: Invocation = context.obj
    client = invocation.client
    claim = client.submissions.get(submission)
    version = client.benchmarks.get_version(claim.version_id)
    require_engine("reproduce", kind=version.kind)
    edition = edition_of(invocation, claim.benchmark_slug, version, cases)
    directory = out or Path("runs") / f"reproduce-{claim.id}"
    own = assignments(choices, option="--own", example="precision=int4")
    target = target_from(**endpoint)
    with measuring(invocation) as (watch, cancel):
        found = home.reproduce(
            claim,
            edition,
            target,
            directory,
            exchange=invocation.settings.api_url,
            claimed_cases=_claimed_cases(invocation, claim),
            own=own,
            watch=watch,
            cancel=cancel,
        )
    _show(invocation, found, directory)
    context.exit(DID_NOT_HOLD if str(found.verdict) in DOES_NOT_HOLD else 0)


def _claimed_cases(invocation: Invocation, claim: Submission) -> dict[str, float | None] | None:
    """Case results are shown beside those of a verification, where there is one."""
    if not claim.case_count or claim.verification_id is None:
        return None
    rows = invocation.client.verifications.cases(claim.verification_id)
    return {row.key: row.claimed_score for row in rows}


def _show(invocation: Invocation, found: Reproduction, directory: Path) -> None:
    from llm_benchmark.home import wording  # noqa: PLC0415  needs the extra `measure`

    said = wording.as_dict(found)
    judgements = msgspec.convert(said["judgements"], list[MetricJudgement])
    if invocation.shown_as != "table":
        facts = [("Verdict", said["verdict"]), ("Summary", said["summary"]), *numbers_of(judgements)]
        show_facts(invocation, {**said, "directory": str(directory)}, [*facts, ("Directory", directory)])
        return
    click.echo()
    say_verdict(invocation, said["verdict"], said["summary"])
    for judgement in judgements:
        if judgement.is_deciding and judgement.claim is not None:
            click.echo()
            show_judgement(invocation, judgement, found.submission, found.edition.version)
    click.echo()
    claim = found.submission
    if claim.case_count and claim.verification_id is None:
        count = plain(claim.case_count, 0)
        say(invocation, f"The claim's {count} case results are not shown before it is verified.")
    say(invocation, f"Your measurement is kept in {directory}.")
