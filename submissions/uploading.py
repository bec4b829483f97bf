"""Large evidence files that clients send straight to the store. They are evidence once we have read them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import BinaryIO
from uuid import UUID

from django.db import transaction

from exchange.core import clock
from exchange.core.actors import Actor
from exchange.core.clock import DatabaseNow
from exchange.core.errors import Conflict, InvalidInput, TooLarge
from exchange.storage import DirectWay, EvidenceMissing, get_store

from . import attachments, permissions, selectors, services
from .errors import DirectUploadNotOffered, EvidenceUploadNotFound, TooManyUploads
from .models import Evidence, EvidenceUpload

OPEN_SECONDS = 3600
_FORGOTTEN_AFTER = timedelta(seconds=2 * OPEN_SECONDS)


@dataclass(frozen=True, slots=True)
class BegunUpload:
    """One PUT to each of `urls`, in their order, of `part_size_bytes` (the last: of what is left)."""

    id: UUID
    part_size_bytes: int
    urls: list[str]
    expires_at: datetime


@transaction.atomic
def begin_evidence_upload(
    *, actor: Actor, submission_id: UUID, name: str, size_bytes: int, sha256: str
) -> BegunUpload:
    """Tell a client where to send a file's bytes, within an hour.

    Raises:
        DirectUploadNotOffered: clients do not reach the store; `add_evidence` takes the file.
    """
    submission = services.lock_for_file(actor=actor, submission_id=submission_id, name=name, size=size_bytes)
    if submission.evidence_uploads.filter(expires_at__gt=DatabaseNow()).count() >= attachments.most_files():
        raise TooManyUploads
    expires_at = clock.now() + timedelta(seconds=OPEN_SECONDS)
    begun = _direct().begin_upload(size_bytes, seconds=OPEN_SECONDS)
    upload = EvidenceUpload.objects.create(
        submission=submission,
        name=name,
        size_bytes=size_bytes,
        sha256=sha256,
        handle=begun.handle,
        expires_at=expires_at,
    )
    return BegunUpload(upload.pk, begun.part_size, begun.urls, expires_at)


@transaction.atomic
def complete_evidence_upload(*, actor: Actor, upload_id: UUID) -> Evidence:
    """Take in a file that was sent: read it, and then do as `add_evidence` does.

    Raises:
        EvidenceUploadNotFound: it is not there, or no longer.
        DomainError: those of `add_evidence`; a file that will not do is gone, and must be sent anew.
    """
    upload = _own_upload(actor, upload_id)
    direct = _direct()
    try:
        with _opened(direct, upload) as file:
            evidence = services.add_evidence(
                actor=actor,
                submission_id=upload.submission_id,
                name=upload.name,
                content=file,
                sha256=upload.sha256,
            )
    except (InvalidInput, TooLarge, Conflict):  # of anything else another try may be better
        direct.discard_upload(upload.handle)
        raise
    transaction.on_commit(partial(direct.discard_upload, upload.handle), robust=True)
    upload.delete()
    return evidence


def forget_uploads() -> None:
    """What nobody has finished goes, here and in the store, where there may be some that nobody knows of."""
    EvidenceUpload.objects.filter(expires_at__lt=DatabaseNow()).delete()
    if direct := get_store().direct:
        direct.forget_uploads(before=clock.now() - _FORGOTTEN_AFTER)


def _direct() -> DirectWay:
    direct = get_store().direct
    if direct is None:
        raise DirectUploadNotOffered
    return direct


def _own_upload(actor: Actor, upload_id: UUID) -> EvidenceUpload:
    rows = EvidenceUpload.objects.select_related("submission").filter(expires_at__gt=DatabaseNow())
    upload = rows.filter(submission__in=selectors.reachable_by(actor), pk=upload_id).first()
    if upload is None:
        raise EvidenceUploadNotFound
    permissions.require_owner(actor, upload.submission.organization_id)
    return upload


def _opened(direct: DirectWay, upload: EvidenceUpload) -> BinaryIO:
    try:
        return direct.open_upload(upload.handle, size=upload.size_bytes, sha256=upload.sha256)
    except EvidenceMissing as missing:
        raise EvidenceUploadNotFound from missing
