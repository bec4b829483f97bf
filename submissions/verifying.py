"""Every write to verifications: asking for one, cancelling it, and what its runs bring it."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from benchmarks.models import BenchmarkKind, VerificationPolicy, VersionStatus
from benchmarks.selectors import get_policy_in_force
from exchange.core import clock, events
from exchange.core.actors import SYSTEM, Actor
from exchange.core.errors import FieldError
from exchange.core.events import Event
from llm_benchmark.measure.plans import Side
from llm_benchmark.measure.probing import State
from submissions.endpoints.errors import DeploymentDisabled
from submissions.endpoints.models import Deployment
from submissions.runs import services as runs
from submissions.runs.models import Run, RunStatus
from submissions.runs.planning import snapshot_of

from . import permissions, selectors
from .bounds import VerificationBound, bound_of
from .configuration import differences
from .errors import (
    BoundNotAccepted,
    ConfigurationDiffers,
    DeploymentNotListed,
    DeploymentRequired,
    NotVerifiable,
    RepeatNeedsReason,
    SubmissionClosed,
    VerificationClosed,
    VerificationOpen,
    VersionNotPublished,
)
from .judging import basis_of, judge
from .models import Submission, SubmissionStatus, Verdict, Verification, VerificationLevel, VerificationStatus
from .wording import bound_sentence

_SEED_BYTES = 16
RAISES_LEVEL = {Verdict.CONFIRMED, Verdict.CONSISTENT, Verdict.UNDERSTATED}
_OPEN_RUNS = {RunStatus.QUEUED, RunStatus.RUNNING}


def verification_bound(*, actor: Actor, submission_id: UUID) -> VerificationBound:
    """What a verification would cost at most, by the policy in force."""
    submission = selectors.get_submission(actor=actor, submission_id=submission_id)
    permissions.require_owner(actor, submission.organization_id)
    _check_verifiable(submission)
    return _bound(submission, _policy_in_force(submission))


@transaction.atomic
def request_verification(
    *, actor: Actor, submission_id: UUID, accept_bound: str, repeat_reason: str = ""
) -> Verification:
    """Have a claim measured again: a verification and its runs, or neither.

    The policy in force is frozen, and a fresh seed drawn: its SHA-256 (of the 32 hex digits in ASCII) is
    shown at once, the seed itself with the verdict.
    """
    submission = selectors.lock_submission(actor=actor, submission_id=submission_id)
    permissions.require_owner(actor, submission.organization_id)
    deployment = _check_verifiable(submission)
    reason = _reason_to_repeat(submission, repeat_reason)
    policy = _policy_in_force(submission)
    bound = _bound(submission, policy)
    _check_consent(submission, bound, accept_bound)
    verification = _open(actor, submission, policy, bound, reason)
    made = _create_runs(actor, verification, deployment, bound)
    facts = {
        "policy_number": policy.number,
        "policy_digest": policy.digest,
        "seed_digest": verification.seed_digest,
        "request_bound": bound.requests,
        "token_bound": bound.tokens,
        "run_ids": [str(run.pk) for run in made],
    }
    _publish("verification.requested", actor, verification, **facts)
    return selectors.get_verification(actor=actor, verification_id=verification.pk)


def _check_verifiable(submission: Submission) -> Deployment:
    """What would be measured; refuses what cannot be, and what would not be the claim."""
    if submission.status != SubmissionStatus.ACCEPTED:
        raise SubmissionClosed
    if submission.version.benchmark.kind == BenchmarkKind.EXTERNAL:
        raise NotVerifiable
    if submission.version.status == VersionStatus.VOIDED:
        raise VersionNotPublished
    if submission.deployment is None:
        raise DeploymentRequired
    if submission.deployment.status == State.DISABLED:
        raise DeploymentDisabled
    if not submission.deployment.is_listed:
        raise DeploymentNotListed
    found = differences(
        submission.configuration,
        submission.version,
        submission.deployment,
        claimed_origin=submission.origin_digest,
    )
    if found:
        raise ConfigurationDiffers(found[0].message, errors=found)
    return submission.deployment


def _reason_to_repeat(submission: Submission, repeat_reason: str) -> str:
    if selectors.get_open_verification(submission) is not None:
        raise VerificationOpen
    if submission.verification_id is None:
        return ""
    if not repeat_reason:
        message = _("This claim has a verdict. Say why it is measured again.")
        raise RepeatNeedsReason(errors=[FieldError("repeat_reason", "required", message)])
    return repeat_reason


def _policy_in_force(submission: Submission) -> VerificationPolicy:
    return get_policy_in_force(submission.version, clock.now())


def _bound(submission: Submission, policy: VerificationPolicy) -> VerificationBound:
    return bound_of(submission.version, submission.configuration, policy)


def _check_consent(submission: Submission, bound: VerificationBound, accept_bound: str) -> None:
    if accept_bound == bound.accept_bound:
        return
    is_load = submission.version.benchmark.kind == BenchmarkKind.PERFORMANCE
    sentence = bound_sentence(requests=bound.requests, tokens=bound.tokens, is_load=is_load)
    message = _("%(bound)s Send accept_bound = %(digest)s to consent.")
    message %= {"bound": sentence, "digest": bound.accept_bound}
    raise BoundNotAccepted(message, errors=[FieldError("accept_bound", "bound_not_accepted", message)])


def _open(
    actor: Actor,
    submission: Submission,
    policy: VerificationPolicy,
    bound: VerificationBound,
    repeat_reason: str,
) -> Verification:
    """Two at the same time: the database lets one through."""
    seed = secrets.token_hex(_SEED_BYTES)
    try:
        with transaction.atomic():
            return Verification.objects.create(
                submission=submission,
                policy=policy,
                requested_by_id=actor.user_id,
                repeat_reason=repeat_reason,
                seed=seed,
                seed_digest=hashlib.sha256(seed.encode()).hexdigest(),
                request_bound=bound.requests,
                token_bound=bound.tokens,
            )
    except IntegrityError as error:
        raise VerificationOpen from error


def _create_runs(
    actor: Actor, verification: Verification, deployment: Deployment, bound: VerificationBound
) -> list[Run]:
    submission, policy = verification.submission, verification.policy
    snapshot = snapshot_of(
        submission.version,
        configuration=submission.configuration,
        dialect=deployment.endpoint.dialect,
        served_name=deployment.served_name,
    )
    snapshot["is_simulated"] = deployment.endpoint.is_simulated
    snapshot["policy"] = _named(policy)
    basis = basis_of(submission, policy)
    made = [
        runs.create_run(
            actor=actor,
            deployment=deployment,
            version=submission.version,
            seed=seed_of_session(verification.seed, session),
            snapshot=snapshot,
            fingerprint=submission.fingerprint,
            request_bound=bound.session.requests,
            token_bound=bound.session.tokens,
            planned_count=bound.session.planned,
            judgement_basis=basis,
        )
        for session in range(bound.sessions)
    ]
    verification.runs.set(made)
    return made


def _named(policy: VerificationPolicy) -> dict[str, Any]:
    """A policy as snapshots, and so bundles, name it."""
    gate = {"quality_gate": policy.quality_gate} if policy.quality_gate else {}
    return {"number": policy.number, "digest": policy.digest, **gate}


def seed_of_session(seed: str, session: int) -> int:
    """The first 63 bits of the SHA-256 of `<seed>:<session>`, sessions counted from 0."""
    digest = hashlib.sha256(f"{seed}:{session}".encode()).digest()
    return int.from_bytes(digest[:8]) >> 1


@transaction.atomic
def cancel_verification(*, actor: Actor, verification_id: UUID) -> Verification:
    """Stop a measurement that was asked for. There is no verdict; an earlier one goes on counting."""
    verification = selectors.get_verification(actor=actor, verification_id=verification_id)
    permissions.require_owner(actor, verification.submission.organization_id)
    selectors.lock_open_runs(verification.submission)
    submission = selectors.lock_submission(actor=actor, submission_id=verification.submission_id)
    if not cancel_open(actor=actor, submission=submission, only=verification_id):
        raise VerificationClosed
    return selectors.get_verification(actor=actor, verification_id=verification_id)


def cancel_open(*, actor: Actor, submission: Submission, only: UUID | None = None) -> bool:
    """Cancel the open verification of a locked submission, if there is one (and it is `only`)."""
    verification = selectors.get_open_verification(submission)
    if verification is None or (only is not None and verification.pk != only):
        return False
    _end(verification, VerificationStatus.CANCELLED)
    _stop_runs(verification)
    _publish("verification.cancelled", actor, verification)
    return True


def follow_run(event: Event) -> None:
    """A projection of what happens to runs. A verification that has ended takes no more notice."""
    if event.subject_id is None:
        return
    follow = _FOLLOW[event.kind]
    for found in selectors.list_verifications_of_run(event.subject_id):
        submission = selectors.lock_submission(actor=SYSTEM, submission_id=found.submission_id)
        verification = selectors.get_open_verification(submission)
        if verification is not None and verification.pk == found.pk:
            follow(verification, Run.objects.get(pk=event.subject_id))


def _start(verification: Verification, _run: Run) -> None:
    if verification.status == VerificationStatus.REQUESTED:
        verification.move_to(VerificationStatus.RUNNING, started_at=clock.now())
        _publish("verification.started", SYSTEM, verification)


def _decide_when_complete(verification: Verification, _run: Run) -> None:
    sessions = selectors.list_runs(verification)
    if all(run.status == RunStatus.SUCCEEDED for run in sessions):
        _decide(verification, sessions)


def _decide(verification: Verification, sessions: Sequence[Run]) -> None:
    submission = verification.submission
    verdict, judgements = judge(verification, sessions)
    flags = sorted({flag for run in sessions for flag in run.flags})
    _end(verification, VerificationStatus.DECIDED, verdict=str(verdict), judgements=judgements, flags=flags)
    submission.verification = verification
    if verdict in RAISES_LEVEL and submission.level == VerificationLevel.UNVERIFIED:
        submission.level = VerificationLevel.PLATFORM_VERIFIED
    submission.save(update_fields=["verification", "level", "updated_at"])
    facts = {
        "verdict": str(verdict),
        "level": str(submission.level),
        "version_id": str(submission.version_id),
        "model_id": str(submission.model_id),
        "fingerprint": submission.fingerprint,
        "policy_digest": verification.policy.digest,
        "run_ids": [str(run.pk) for run in sessions],
        "bundles": [run.bundle_sha256 for run in sessions],
    }
    _publish("verification.decided", SYSTEM, verification, **facts)


def _fail(verification: Verification, run: Run) -> None:
    """No measurement, so no verdict; the last decided one goes on counting."""
    side, code = run.fault_side or Side.PLATFORM, run.fault_code or "unknown"
    fault = {"fault_side": str(side), "fault_code": code, "fault_message": run.fault_message}
    _end(verification, VerificationStatus.FAILED, **fault)
    _stop_runs(verification)
    _publish("verification.failed", SYSTEM, verification, fault_side=str(side), fault_code=code)


def _cancel_with_run(verification: Verification, _run: Run) -> None:
    _end(verification, VerificationStatus.CANCELLED)
    _stop_runs(verification)
    _publish("verification.cancelled", SYSTEM, verification)


_FOLLOW = {
    "run.started": _start,
    "run.succeeded": _decide_when_complete,
    "run.failed": _fail,
    "run.cancelled": _cancel_with_run,
}


def _end(verification: Verification, status: VerificationStatus, **changes: Any) -> None:
    verification.move_to(status, finished_at=clock.now(), **changes)


def _stop_runs(verification: Verification) -> None:
    """After the verification has ended, so that what the runs tell of it changes nothing."""
    for run in selectors.list_runs(verification):
        if run.status in _OPEN_RUNS:
            runs.cancel_run(actor=SYSTEM, run_id=run.pk)


def _publish(kind: str, actor: Actor, verification: Verification, **facts: Any) -> None:
    events.publish(
        kind,
        actor=actor,
        subject_id=verification.pk,
        organization_id=verification.submission.organization_id,
        submission_id=str(verification.submission_id),
        **facts,
    )
