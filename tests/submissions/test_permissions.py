"""Every service and selector of submissions × who asks."""

import hashlib
from datetime import timedelta

import pytest

from exchange.accounts.selectors import actor_for_user
from exchange.core import clock
from exchange.storage import FilesystemStore
from submissions import selectors, services, uploading, verifying
from submissions.models import EvidenceUpload
from tests.contract.matrix import NOTHING, YES, World, check, lasting, nothing_else, row
from tests.factories import submissions as f
from tests.factories.accounts import MembershipFactory
from tests.submissions.direct import CAME, DirectStub

WHO_ARE_YOU, SCOPE = "unauthenticated", "scope_missing"
NOT_YOURS, NO_ORGANIZATION = "not_your_organization", "organization_not_found"
NO_SUBMISSION, NO_VERIFICATION = "submission_not_found", "verification_not_found"
NO_EVIDENCE, NO_UPLOAD = "evidence_not_found", "evidence_upload_not_found"
FILE = b"q0,1\n"
LARGE = {"name": "large.csv", "size_bytes": len(FILE), "sha256": hashlib.sha256(FILE).hexdigest()}
OWN = dict.fromkeys(("viewer", "member", "admin", "owner", "read_only"), YES)
WORKERS = {"member": YES, "admin": YES, "owner": YES, "read_only": SCOPE}

EVERYBODY = row(YES)
ON_PUBLIC = row(NOT_YOURS, anonymous=WHO_ARE_YOU, **WORKERS)
SUBMIT = row(NO_ORGANIZATION, anonymous=WHO_ARE_YOU, viewer=NOT_YOURS, **WORKERS)
ON_PRIVATE = row(NO_SUBMISSION, viewer=NOT_YOURS, **WORKERS)


def hidden(code):
    """A private thing is read by its organization and is not there for anybody else."""
    return row(code, **OWN)


class Submissions(World):
    """A public and a private claim, each with a verification that is asked for and a file."""

    def __init__(self):
        super().__init__()
        self.person = MembershipFactory(organization=self.organization, role="owner").user
        self.claims = {visibility: self._claim(visibility) for visibility in ("public", "private")}
        self.verifications = {
            visibility: f.make_verification(claim) for visibility, claim in self.claims.items()
        }
        self.unmeasured = {visibility: self._claim(visibility) for visibility in ("public", "private")}
        self.evidence = {visibility: self._evidence(claim) for visibility, claim in self.claims.items()}
        self.uploads = {visibility: self._upload(claim) for visibility, claim in self.claims.items()}

    def _upload(self, claim):
        expires_at = clock.now() + timedelta(hours=1)
        return EvidenceUpload.objects.create(submission=claim, handle=CAME, expires_at=expires_at, **LARGE)

    def _claim(self, visibility):
        return f.make_submission(organization=self.organization, visibility=visibility)

    def _evidence(self, claim):
        return services.add_evidence(actor=actor_for_user(self.person), submission_id=claim.pk, **file())


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with lasting(django_db_blocker):
        yield Submissions()


def file(name="scores.csv"):
    return {"name": name, "content": FILE, "sha256": hashlib.sha256(FILE).hexdigest()}


def claim(which, **more):
    return lambda world: {"submission_id": world.claims[which].pk, **more}


def unmeasured(which):
    return lambda world: {"submission_id": world.unmeasured[which].pk}


def consent(which):
    def arguments(world):
        submission = world.unmeasured[which]
        actor = f.submitter_of(world.organization)
        bound = verifying.verification_bound(actor=actor, submission_id=submission.pk)
        return {"submission_id": submission.pk, "accept_bound": bound.accept_bound}

    return arguments


def verification(which):
    return lambda world: {"verification_id": world.verifications[which].pk}


def evidence(which):
    return lambda world: {"evidence_id": world.evidence[which].pk}


def upload(which):
    return lambda world: {"upload_id": world.uploads[which].pk}


def new_claim(world):
    known = world.claims["public"]
    return {
        "organization_id": world.organization.pk,
        "benchmark_id": known.version.benchmark_id,
        "claims": [{"name": "accuracy", "value": 0.8, "sample_count": None}],
        "cases": f.case_results(8),
        "deployment_id": known.deployment_id,
    }


def of_the_private_benchmark(world):
    return {"version_id": world.claims["private"].version_id}


MATRIX = {
    "check_submission": (SUBMIT, new_claim),
    "create_submission": (SUBMIT, new_claim),
    "submit_results": (SUBMIT, new_claim),
    "withdraw_submission (public)": (ON_PUBLIC, claim("public", reason="a mistake of ours")),
    "withdraw_submission (private)": (ON_PRIVATE, claim("private", reason="a mistake of ours")),
    "change_visibility (public)": (ON_PUBLIC, claim("public", visibility="unlisted")),
    "change_visibility (private)": (ON_PRIVATE, claim("private", visibility="unlisted")),
    "add_evidence (public)": (ON_PUBLIC, claim("public", **file("more.csv"))),
    "add_evidence (private)": (ON_PRIVATE, claim("private", **file("more.csv"))),
    "lock_for_file (public)": (ON_PUBLIC, claim("public", name="more.csv", size=1)),
    "lock_for_file (private)": (ON_PRIVATE, claim("private", name="more.csv", size=1)),
    "begin_evidence_upload (public)": (ON_PUBLIC, claim("public", **LARGE)),
    "begin_evidence_upload (private)": (ON_PRIVATE, claim("private", **LARGE)),
    "complete_evidence_upload (public)": (ON_PUBLIC, upload("public")),
    "complete_evidence_upload (private)": (row(NO_UPLOAD, viewer=NOT_YOURS, **WORKERS), upload("private")),
    "verification_bound (public)": (ON_PUBLIC, unmeasured("public")),
    "verification_bound (private)": (ON_PRIVATE, unmeasured("private")),
    "request_verification (public)": (ON_PUBLIC, consent("public")),
    "request_verification (private)": (ON_PRIVATE, consent("private")),
    "cancel_verification (public)": (ON_PUBLIC, verification("public")),
    "cancel_verification (private)": (
        row(NO_VERIFICATION, viewer=NOT_YOURS, **WORKERS),
        verification("private"),
    ),
    "get_submission (public)": (EVERYBODY, claim("public")),
    "get_submission (private)": (hidden(NO_SUBMISSION), claim("private")),
    "lock_submission (private)": (hidden(NO_SUBMISSION), claim("private")),
    "list_submissions": (EVERYBODY, nothing_else),
    "list_submissions (private)": (hidden(NOTHING), of_the_private_benchmark),
    "list_evidence (public)": (EVERYBODY, claim("public")),
    "list_evidence (private)": (hidden(NO_SUBMISSION), claim("private")),
    "open_evidence (public)": (EVERYBODY, evidence("public")),
    "open_evidence (private)": (hidden(NO_EVIDENCE), evidence("private")),
    "get_evidence_link (public)": (EVERYBODY, evidence("public")),
    "get_evidence_link (private)": (hidden(NO_EVIDENCE), evidence("private")),
    "list_verifications (public)": (EVERYBODY, claim("public")),
    "list_verifications (private)": (hidden(NO_SUBMISSION), claim("private")),
    "get_verification (public)": (EVERYBODY, verification("public")),
    "get_verification (private)": (hidden(NO_VERIFICATION), verification("private")),
    "list_case_comparisons (public)": (EVERYBODY, verification("public")),
    "list_case_comparisons (private)": (hidden(NO_VERIFICATION), verification("private")),
}
OUTSIDE = {
    "where every read starts": {"visible_to", "reachable_by"},
    "the public's own figures": {"count_verdicts", "list_recent_verdicts"},
    "of a submission that its caller has found": {
        "cancel_open",
        "find_same_measured",
        "get_open_verification",
        "list_runs",
        "lock_open_runs",
        "measured_by",
        "get_own_deployment",
        "find_model",
        "is_public",
    },
    "what a projection asks": {"list_verifications_of_run"},
}


@pytest.fixture(autouse=True)
def direct_way(monkeypatch):
    """A store that clients reach, in which all of LARGE has arrived."""
    monkeypatch.setattr(FilesystemStore, "direct", DirectStub({CAME: FILE}))


@pytest.mark.parametrize("what", MATRIX)
def test_is_for_those_whom_the_table_names(world, what):
    check(MATRIX, what, world, services, uploading, verifying, selectors)
