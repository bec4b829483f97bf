"""Every write to submissions and their evidence. Doors call these; nothing else saves."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from benchmarks.models import BenchmarkStatus, BenchmarkVersion, VersionStatus, Visibility
from benchmarks.selectors import get_benchmark, get_version_by_number
from exchange.core import events
from exchange.core.actors import Actor
from exchange.core.errors import DomainError, FieldError, InvalidInput
from exchange.storage import get_store
from exchange.storage.streams import chunks_of
from llm_benchmark.measure.fingerprint import fingerprint
from submissions.endpoints.errors import DeploymentNotFound
from submissions.endpoints.identities import get_or_create_model
from submissions.endpoints.models import Deployment, LanguageModel

from . import attachments, intake, permissions, selectors, verifying
from .configuration import origin_digest, settle
from .errors import (
    BenchmarkNotActive,
    EvidenceNameTaken,
    SubmissionClosed,
    TooManyFiles,
    VersionNotPublished,
)
from .models import CaseClaim, Evidence, MetricClaim, Submission, SubmissionStatus

T = TypeVar("T")
_ROWS_A_STATEMENT = 1000


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim that can be taken in as it is: where it belongs, and the configuration that it is about."""

    version: BenchmarkVersion
    deployment: Deployment | None
    model: LanguageModel | None  # None while it is new
    configuration: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.configuration)


@dataclass(frozen=True, slots=True)
class Attachment:
    """An evidence file that comes with a claim."""

    name: str
    content: BinaryIO
    sha256: str


def check_submission(
    *,
    actor: Actor,
    organization_id: UUID,
    benchmark_id: UUID,
    claims: Sequence[Mapping[str, Any]],
    version: str = "",
    model: Mapping[str, str] | None = None,
    deployment_id: UUID | None = None,
    cases: Sequence[Mapping[str, Any]] = (),
    configuration: Mapping[str, Any] | None = None,
) -> CheckedClaim:
    """Say everything that is wrong with a claim, or that nothing is. Nothing is stored.

    Takes what `create_submission` takes.
    """
    permissions.require_submitter(actor, organization_id)
    edition = _open_version(actor, benchmark_id, version)
    deployment = _own_deployment(organization_id, deployment_id)
    with _all_refusals() as run:
        known = run(lambda: _known_model(deployment, model))
        chosen = run(lambda: settle(configuration or {}, edition, deployment))
        run(lambda: intake.check(selectors.measured_by(edition), claims, cases))
    return CheckedClaim(edition, deployment, known, chosen or {})


@contextmanager
def _all_refusals() -> Iterator[Callable[[Callable[[], T]], T | None]]:
    """Runs several checks, and refuses with what all of them found."""
    refusals: list[InvalidInput] = []

    def run(check: Callable[[], T]) -> T | None:
        try:
            return check()
        except InvalidInput as refusal:
            refusals.append(refusal)
            return None

    yield run
    if len(refusals) == 1:
        raise refusals[0]
    if refusals:
        raise InvalidInput(errors=[error for refusal in refusals for error in refusal.errors])


@transaction.atomic
def create_submission(
    *,
    actor: Actor,
    organization_id: UUID,
    benchmark_id: UUID,
    claims: Sequence[Mapping[str, Any]],
    version: str = "",
    model: Mapping[str, str] | None = None,
    deployment_id: UUID | None = None,
    cases: Sequence[Mapping[str, Any]] = (),
    configuration: Mapping[str, Any] | None = None,
    visibility: str = Visibility.PUBLIC,
    notes: str = "",
) -> Submission:
    """Take in a claim, or say everything that is wrong with it and store nothing.

    Args:
        version: the version's number; "" is the current one.
        model: publisher, name and version; may be left out when a deployment is named.
        claims: name, value in the metric's own unit, sample_count or None.
        cases: key, score 0 to 1, answer_digest or None; all planned ones or none.
    """
    checked = check_submission(
        actor=actor,
        organization_id=organization_id,
        benchmark_id=benchmark_id,
        claims=claims,
        version=version,
        model=model,
        deployment_id=deployment_id,
        cases=cases,
        configuration=configuration,
    )
    deployment = checked.deployment
    submission = Submission.objects.create(
        organization_id=organization_id,
        submitted_by_id=actor.user_id,
        version=checked.version,
        model=checked.model or get_or_create_model(**(model or {})),
        deployment=deployment,
        visibility=visibility,
        configuration=checked.configuration,
        fingerprint=checked.fingerprint,
        notes=notes,
        case_count=len(cases),
        is_simulated=deployment is not None and deployment.endpoint.is_simulated,
        origin_digest=origin_digest(deployment.endpoint) if deployment else "",
    )
    _store_claims(submission, claims, cases)
    version_id, model_id = str(submission.version_id), str(submission.model_id)
    facts = {"version_id": version_id, "model_id": model_id, "visibility": visibility}
    _publish("submission.created", actor, submission, **facts)
    return selectors.get_submission(actor=actor, submission_id=submission.pk)


@transaction.atomic
def submit_results(*, actor: Actor, evidence: Sequence[Attachment] = (), **claim: Any) -> Submission:
    """Take in a claim (see `create_submission`) with its evidence files, or neither.

    Raises:
        DomainError: of the claim as it is; of a file with its place, `evidence[2].name`.
    """
    submission = create_submission(actor=actor, **claim)
    for place, file in enumerate(evidence):
        with _placed(f"evidence[{place}]"):
            add_evidence(
                actor=actor,
                submission_id=submission.pk,
                name=file.name,
                content=file.content,
                sha256=file.sha256,
            )
    return submission


@contextmanager
def _placed(path: str) -> Iterator[None]:
    """Says in a refusal which of several things it is about."""
    try:
        yield
    except DomainError as refusal:
        found = refusal.errors or [FieldError("", refusal.code, str(refusal))]
        refusal.errors = [
            FieldError(f"{path}.{error.field}".rstrip("."), error.code, error.message) for error in found
        ]
        raise


def _open_version(actor: Actor, benchmark_id: UUID, number: str) -> BenchmarkVersion:
    benchmark = get_benchmark(actor=actor, benchmark_id=benchmark_id)
    if benchmark.status != BenchmarkStatus.ACTIVE:
        raise BenchmarkNotActive
    version = get_version_by_number(actor=actor, benchmark_id=benchmark_id, number=number)
    if version.status != VersionStatus.PUBLISHED:
        raise VersionNotPublished
    return version


def _own_deployment(organization_id: UUID, deployment_id: UUID | None) -> Deployment | None:
    if deployment_id is None:
        return None
    missing = DeploymentNotFound()
    return selectors.get_own_deployment(
        organization_id=organization_id, deployment_id=deployment_id, missing=missing
    )


def _known_model(deployment: Deployment | None, named: Mapping[str, str] | None) -> LanguageModel | None:
    """The deployment's model, or the one of this name."""
    if deployment is None and named is None:
        raise InvalidInput.of("model", "required", _("Name the model, or the deployment that serves it."))
    known = selectors.find_model(**named) if named is not None else None
    if deployment is None:
        return known
    if named is not None and known != deployment.model:
        message = _("The deployment serves %(served)s, not %(named)s.")
        values = {"served": deployment.model, "named": " ".join(filter(None, named.values()))}
        raise InvalidInput.of("model", "not_the_deployments", message % values)
    return deployment.model


def _store_claims(
    submission: Submission, claims: Sequence[Mapping[str, Any]], cases: Sequence[Mapping[str, Any]]
) -> None:
    MetricClaim.objects.bulk_create(
        MetricClaim(
            submission=submission,
            name=claim["name"],
            value=claim["value"],
            sample_count=claim.get("sample_count"),
        )
        for claim in claims
    )
    CaseClaim.objects.bulk_create(
        (
            CaseClaim(
                submission=submission,
                key=case["key"],
                score=case["score"],
                answer_digest=case.get("answer_digest") or "",
            )
            for case in cases
        ),
        batch_size=_ROWS_A_STATEMENT,
    )


@transaction.atomic
def withdraw_submission(*, actor: Actor, submission_id: UUID, reason: str) -> Submission:
    """Take a claim back: it stays readable with the reason, leaves the boards, and is measured no further."""
    found = selectors.get_submission(actor=actor, submission_id=submission_id)
    permissions.require_owner(actor, found.organization_id)
    selectors.lock_open_runs(found)
    submission = _lock_own(actor, submission_id)
    submission.move_to(SubmissionStatus.WITHDRAWN, status_reason=reason)
    facts = {"version_id": str(submission.version_id), "reason": reason}
    # Before any other fact: a verdict, too, comes to the board's row first and to the audit chain after it.
    _publish("submission.withdrawn", actor, submission, **facts)
    verifying.cancel_open(actor=actor, submission=submission)
    return submission


@transaction.atomic
def change_visibility(*, actor: Actor, submission_id: UUID, visibility: str) -> Submission:
    """A private claim never ranks; boards follow."""
    submission = _lock_own(actor, submission_id)
    before = submission.visibility
    if before != visibility:
        submission.visibility = visibility
        submission.save(update_fields=["visibility", "updated_at"])
        facts = {"version_id": str(submission.version_id), "before": before, "visibility": visibility}
        _publish("submission.visibility_changed", actor, submission, **facts)
    return submission


@transaction.atomic
def add_evidence(
    *, actor: Actor, submission_id: UUID, name: str, content: BinaryIO | bytes, sha256: str
) -> Evidence:
    """Keep a file behind a claim, hashed while it streams into the store.

    Raises:
        EvidenceTooLarge, DigestMismatch, InvalidInput: and no byte is kept.
    """
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    submission = lock_for_file(actor=actor, submission_id=submission_id, name=name, size=_size_of(file))
    media_type = attachments.media_type(file)
    attachments.check_full_set(file)
    _check_pair(submission, name, file)
    stored = get_store().put_stream(chunks_of(file), limit=attachments.largest_bytes(), expect=sha256)
    evidence = Evidence.objects.create(
        submission=submission,
        name=name,
        media_type=media_type,
        size_bytes=stored.size,
        sha256=stored.sha256,
    )
    _publish("evidence.added", actor, submission, name=name, sha256=sha256, size_bytes=stored.size)
    return evidence


def lock_for_file(*, actor: Actor, submission_id: UUID, name: str, size: int) -> Submission:
    """The submission, locked, when it takes a file of this name and so many bytes from the actor."""
    submission = _lock_own(actor, submission_id)
    attachments.check_name(name)
    attachments.check_size(size)
    _check_place(submission, name)
    return submission


def _size_of(file: BinaryIO) -> int:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return size


def _check_place(submission: Submission, name: str) -> None:
    """The submission is locked, so that of two files at the same time both are counted."""
    names = [evidence.name for evidence in submission.evidence.all()]
    if len(names) >= attachments.most_files():
        raise TooManyFiles
    if name.lower() in (known.lower() for known in names):
        message = str(EvidenceNameTaken())
        raise EvidenceNameTaken(message, errors=[FieldError("name", "taken", message)])


def _check_pair(submission: Submission, name: str, file: BinaryIO) -> None:
    """The second of AIPerf's two exports is compared with the first."""
    pair = {attachments.SUMMARY: attachments.RECORDS, attachments.RECORDS: attachments.SUMMARY}
    other = submission.evidence.filter(name=pair.get(name, "")).first()
    if other is None:
        return
    with get_store().open(other.sha256) as kept:
        both = {name: file, other.name: kept}
        attachments.check_aiperf_pair(both[attachments.SUMMARY], both[attachments.RECORDS])
    file.seek(0)


def _lock_own(actor: Actor, submission_id: UUID) -> Submission:
    """The submission, locked, when the actor may change it and it still stands."""
    submission = selectors.lock_submission(actor=actor, submission_id=submission_id)
    permissions.require_owner(actor, submission.organization_id)
    if submission.status != SubmissionStatus.ACCEPTED:
        raise SubmissionClosed
    return submission


def _publish(kind: str, actor: Actor, submission: Submission, **facts: Any) -> None:
    events.publish(
        kind, actor=actor, subject_id=submission.pk, organization_id=submission.organization_id, **facts
    )
