import hashlib
from datetime import timedelta
from uuid import uuid4

import pytest

from exchange.core import clock
from exchange.core.errors import InvalidInput
from exchange.storage import DigestMismatch, EvidenceTooLarge, FilesystemStore, get_store
from submissions import services, tasks, uploading
from submissions.errors import (
    DirectUploadNotOffered,
    EvidenceNameTaken,
    EvidenceUploadNotFound,
    SubmissionClosed,
    TooManyFiles,
    TooManyUploads,
)
from submissions.models import Evidence, EvidenceUpload
from tests.factories.accounts import OrganizationFactory
from tests.factories.submissions import make_submission, submitter_of
from tests.submissions.direct import CAME, DirectStub

pytestmark = pytest.mark.django_db
CONTENT = b'{"accuracy": 0.8}\n'
SHA256 = hashlib.sha256(CONTENT).hexdigest()
FILE = {"name": "answers.json", "size_bytes": len(CONTENT), "sha256": SHA256}


@pytest.fixture
def direct(monkeypatch, settings, tmp_path):
    settings.EVIDENCE_URL = tmp_path.as_uri()
    stub = DirectStub({CAME: CONTENT})
    monkeypatch.setattr(FilesystemStore, "direct", stub)
    return stub


@pytest.fixture
def submission():
    return make_submission(organization=OrganizationFactory())


@pytest.fixture
def actor(submission):
    return submitter_of(submission.organization)


@pytest.fixture
def keep(actor, submission):
    """Puts a file into the claim by the usual way."""
    return lambda: services.add_evidence(
        actor=actor, submission_id=submission.pk, name="kept.json", content=CONTENT, sha256=SHA256
    )


@pytest.fixture
def begin(actor, submission):
    return lambda **changes: uploading.begin_evidence_upload(
        actor=actor, submission_id=submission.pk, **{**FILE, **changes}
    )


@pytest.fixture
def complete(actor):
    return lambda upload_id: uploading.complete_evidence_upload(actor=actor, upload_id=upload_id)


class TestBeginning:
    def test_says_where_the_parts_go_and_how_long(self, direct, begin):
        begun = begin()
        assert len(begun.urls) == 2
        assert timedelta(minutes=59) < begun.expires_at - clock.now() <= timedelta(hours=1)

    def test_makes_no_evidence(self, direct, begin, submission):
        begin()
        assert not submission.evidence.exists()

    def test_is_not_offered_by_a_store_that_clients_do_not_reach(self, begin):
        with pytest.raises(DirectUploadNotOffered):
            begin()
        assert not EvidenceUpload.objects.exists()

    @pytest.mark.parametrize(
        ("changes", "refusal"),
        [
            ({"name": "../x"}, InvalidInput),
            ({"size_bytes": 101}, EvidenceTooLarge),
            ({"name": "KEPT.json"}, EvidenceNameTaken),
        ],
    )
    @pytest.mark.usefixtures("direct")
    def test_refuses_what_would_be_refused_at_the_end(self, begin, keep, settings, changes, refusal):
        settings.EVIDENCE_LARGEST_BYTES = 100
        keep()
        with pytest.raises(refusal):
            begin(**changes)

    def test_refuses_more_files_than_there_may_be(self, direct, begin, keep, settings):
        settings.EVIDENCE_MOST_FILES = 1
        keep()
        with pytest.raises(TooManyFiles):
            begin()

    def test_refuses_more_uploads_at_once_than_files(self, direct, begin, settings):
        settings.EVIDENCE_MOST_FILES = 2
        begin(name="a.json")
        begin(name="b.json")
        with pytest.raises(TooManyUploads):
            begin(name="c.json")
        EvidenceUpload.objects.update(expires_at=clock.now())
        begin(name="c.json")

    def test_is_refused_for_a_claim_that_was_taken_back(self, direct, begin, actor, submission):
        services.withdraw_submission(actor=actor, submission_id=submission.pk, reason="a mistake")
        with pytest.raises(SubmissionClosed):
            begin()


class TestCompleting:
    def test_makes_the_file_evidence_of_the_claim(
        self, direct, begin, complete, submission, django_capture_on_commit_callbacks
    ):
        with django_capture_on_commit_callbacks(execute=True):
            evidence = complete(begin().id)
        assert (evidence.submission, evidence.media_type) == (submission, "application/json")
        assert (evidence.name, evidence.size_bytes, evidence.sha256) == ("answers.json", len(CONTENT), SHA256)
        with get_store().open(SHA256) as file:
            assert file.read() == CONTENT
        assert direct.discarded == [CAME]

    def test_happens_once(self, direct, begin, complete):
        upload_id = begin().id
        complete(upload_id)
        with pytest.raises(EvidenceUploadNotFound):
            complete(upload_id)
        assert Evidence.objects.count() == 1

    @pytest.mark.parametrize("changes", [{"sha256": "0" * 64}, {"size_bytes": 1}])
    def test_refuses_other_bytes_than_were_announced(self, direct, begin, complete, changes):
        upload_id = begin(**changes).id
        with pytest.raises(DigestMismatch):
            complete(upload_id)
        assert not Evidence.objects.exists()
        assert direct.discarded == [CAME]

    def test_refuses_what_is_no_evidence(self, direct, begin, complete):
        content = direct.sent[CAME] = b"\x7fELF\x02\x01"
        upload_id = begin(size_bytes=6, sha256=hashlib.sha256(content).hexdigest()).id
        with pytest.raises(InvalidInput):
            complete(upload_id)
        assert direct.discarded == [CAME]

    @pytest.mark.usefixtures("direct")
    def test_counts_the_files_that_came_meanwhile(self, begin, complete, keep, settings):
        settings.EVIDENCE_MOST_FILES = 1
        upload_id = begin().id
        keep()
        with pytest.raises(TooManyFiles):
            complete(upload_id)

    def test_says_that_nothing_came(self, direct, begin, complete):
        direct.sent.clear()
        upload_id = begin().id
        with pytest.raises(EvidenceUploadNotFound):
            complete(upload_id)

    def test_says_that_the_time_is_over(self, direct, begin, complete):
        upload_id = begin().id
        EvidenceUpload.objects.update(expires_at=clock.now())
        with pytest.raises(EvidenceUploadNotFound):
            complete(upload_id)

    def test_says_that_there_is_no_such_upload(self, direct, complete):
        with pytest.raises(EvidenceUploadNotFound):
            complete(uuid4())


class TestForgetting:
    def test_takes_away_what_nobody_has_finished(self, direct, begin, complete):
        late, open_still = begin(name="late.json").id, begin().id
        EvidenceUpload.objects.filter(pk=late).update(expires_at=clock.now())
        tasks.forget_uploads()
        assert [upload.pk for upload in EvidenceUpload.objects.all()] == [open_still]
        assert direct.forgotten_before < clock.now() - timedelta(hours=1)

    def test_has_nothing_to_do_where_there_is_no_direct_way(self):
        tasks.forget_uploads()
