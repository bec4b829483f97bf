"""Somebody's claim, measured again on one's own endpoint and judged by the platform's rule."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from llm_benchmark.errors import FieldError, InvalidInput
from llm_benchmark.measure.plans import Dialect, Target
from llm_benchmark.measure.verdict import (
    CASE_MEAN,
    Claim,
    Judgement,
    Policy,
    Verdict,
    combine,
    judge_load,
    judge_questions,
    shown_only,
)
from llm_benchmark.models import Submission

from . import endpoints, settings
from .editions import Edition
from .errors import ConfigurationDiffers
from .evidence import Evidence, evidence_of
from .folder import Folder, KeptRun
from .measuring import measure
from .progress import Progress, Watch, unwatched


@dataclass(frozen=True)
class Reproduction:
    """What a re-measurement says of a claim. `runs` are the sessions behind it."""

    submission: Submission
    edition: Edition
    verdict: Verdict
    judgements: Sequence[Judgement]
    runs: Sequence[KeptRun]


def reproduce(
    submission: Submission,
    edition: Edition,
    target: Target,
    directory: Path,
    *,
    exchange: str = "",
    claimed_cases: Mapping[str, float | None] | None = None,
    own: Mapping[str, Any] | None = None,
    watch: Watch = unwatched,
    cancel: threading.Event | None = None,
) -> Reproduction:
    """Measure under the claim's configuration, as often as the version's policy says, and judge.

    In the same folder, only what is missing is measured.

    Args:
        edition: the version that the claim is about.
        directory: one folder a session is made in it.
        claimed_cases: case key → claimed score where known; without, the weaker rule of two samples decides.
        own: what is known of one's own endpoint, by the names of a claim's configuration, e.g. `precision`.

    Raises:
        ConfigurationDiffers: the measurement would not be that of the claimed configuration.
        SdkError: as `measure`.
    """
    policy = _policy(submission, edition)
    fixed = settings.fixed_by(edition)
    claimed = settings.stated(submission.configuration.as_dict())
    choices = {name: value for name, value in claimed.items() if name not in fixed}
    dialect = _dialect(directory, target)
    _check_configuration(edition, choices, {**(own or {}), "dialect": dialect.name})
    choices.pop("dialect", None)
    runs = []
    for number in range(policy.sessions):
        run = measure(
            edition,
            target,
            _session(directory, number),
            exchange=exchange,
            choices=choices,
            dialect=dialect,
            watch=_share(watch, number, policy.sessions),
            cancel=cancel,
        )
        runs.append(run)
    found = [evidence_of(_session(directory, number)) for number in range(policy.sessions)]
    judgements = _judge(policy, edition, claim_of(submission, claimed_cases), found)
    return Reproduction(submission, edition, combine(judgements), judgements, runs)


def claim_of(submission: Submission, cases: Mapping[str, float | None] | None) -> Claim:
    counts = {claim.name: claim.sample_count for claim in submission.claims}
    return Claim(
        metrics={claim.name: claim.value for claim in submission.claims},
        cases=cases or None,
        case_count=counts.get(CASE_MEAN),
    )


def _policy(submission: Submission, edition: Edition) -> Any:
    if submission.version_id != edition.version.id:
        message = f"The claim is about version {submission.version}, not {edition.version.version}."
        raise InvalidInput.of("version", "other_version", message)
    if edition.version.policy is None:
        message = f"{edition.name} has no verification policy, so nothing can be judged by it."
        raise InvalidInput.of("version", "no_policy", message)
    return edition.version.policy


def _session(directory: Path, number: int) -> Path:
    return directory / f"session-{number + 1}"


def _dialect(directory: Path, target: Target) -> Dialect:
    """That of the session which was begun, else found by probing."""
    begun = Folder(_session(directory, 0)).read()
    return Dialect(**begun.dialect) if begun else endpoints.dialect_of(target)


def _check_configuration(edition: Edition, claimed: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    known = settings.stated(own)
    found = [_difference(name, claimed[name], known[name]) for name in claimed if name in known]
    differences = [difference for difference in found if difference]
    if differences:
        raise ConfigurationDiffers(differences)
    settings.check_choices(edition, claimed)


def _difference(name: str, claimed: Any, own: Any) -> FieldError | None:
    if claimed == own:
        return None
    message = f"Claimed with {name} {claimed}, and yours is {own}."
    return FieldError(f"configuration.{name}", ConfigurationDiffers.code, message)


def _share(watch: Watch, number: int, of: int) -> Watch:
    """All sessions as one measurement."""

    def tell(progress: Progress) -> None:
        done = progress.done + number * progress.planned
        watch(replace(progress, done=done, planned=progress.planned * of))

    return tell


def _judge(policy: Policy, edition: Edition, claim: Claim, found: Sequence[Evidence]) -> Sequence[Judgement]:
    if edition.is_load:
        sessions = [session for evidence in found for session in evidence.sessions]
        judged = judge_load(policy, claim, sessions)
    else:
        judged = judge_questions(policy, claim, [e.cases for e in found], edition.metric_kinds)
    names = {judgement.metric for judgement in judged}
    rest = [_shown(name, value, found[-1]) for name, value in claim.metrics.items() if name not in names]
    return [*judged, *rest]


def _shown(name: str, claim: float, found: Evidence) -> Judgement:
    measured = found.metrics.get(name)
    if measured is None:
        return shown_only(name, claim)
    return replace(
        shown_only(name, claim),
        measured=measured["value"],
        measured_low=measured["low"],
        measured_high=measured["high"],
        sample_count=measured["sample_count"],
    )
