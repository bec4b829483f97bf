"""Every service × who asks."""

import hashlib
from dataclasses import replace

import pytest

from exchange.accounts.errors import NotYourOrganization, OrganizationNotFound, ScopeMissing
from exchange.core.actors import ANONYMOUS, Scope
from exchange.core.errors import Unauthenticated
from submissions import services, verifying
from submissions.errors import SubmissionNotFound, VerificationNotFound
from tests.factories import submissions as f
from tests.factories.accounts import OrganizationFactory

pytestmark = pytest.mark.django_db

READ_ONLY = frozenset({Scope.SUBMISSIONS_READ, Scope.ENDPOINTS_READ, Scope.BENCHMARKS_READ})
SUBMIT = {
    "anonymous": Unauthenticated,
    "stranger": OrganizationNotFound,
    "viewer": NotYourOrganization,
    "read_only": ScopeMissing,
    "write_only": None,
    "member": None,
}
ON_PUBLIC = {**SUBMIT, "stranger": NotYourOrganization}
ON_PRIVATE = {**ON_PUBLIC, "anonymous": SubmissionNotFound, "stranger": SubmissionNotFound}
VERIFICATION = {**ON_PRIVATE, "anonymous": VerificationNotFound, "stranger": VerificationNotFound}


def who(name, organization):
    member = f.submitter_of(organization)
    return {
        "anonymous": ANONYMOUS,
        "stranger": f.submitter_of(OrganizationFactory()),
        "viewer": f.submitter_of(organization, "viewer"),
        "read_only": replace(member, scopes=READ_ONLY),
        "write_only": replace(member, scopes=frozenset({Scope.SUBMISSIONS_WRITE})),
        "member": member,
    }[name]


def create(actor, submission):
    return f.make_submission(
        actor=actor, organization=submission.organization, deployment=submission.deployment
    )


def withdraw(actor, submission):
    services.withdraw_submission(actor=actor, submission_id=submission.pk, reason="a mistake of ours")


def hide(actor, submission):
    services.change_visibility(actor=actor, submission_id=submission.pk, visibility="unlisted")


def attach(actor, submission):
    digest = hashlib.sha256(b"x").hexdigest()
    services.add_evidence(actor=actor, submission_id=submission.pk, name="x", content=b"x", sha256=digest)


def bound(actor, submission):
    return verifying.verification_bound(actor=actor, submission_id=submission.pk)


def request(actor, submission):
    accepted = bound(f.submitter_of(submission.organization), submission).accept_bound
    verifying.request_verification(actor=actor, submission_id=submission.pk, accept_bound=accepted)


def cancel(actor, submission):
    verification = f.make_verification(submission)
    verifying.cancel_verification(actor=actor, verification_id=verification.pk)


MATRIX = [
    (create, "public", SUBMIT),
    *((service, "public", ON_PUBLIC) for service in (withdraw, hide, attach, bound, request, cancel)),
    *((service, "private", ON_PRIVATE) for service in (withdraw, hide, attach, bound, request)),
    (cancel, "private", VERIFICATION),
]
CELLS = [
    pytest.param(service, visibility, actor, refusal, id=f"{service.__name__}-{visibility}-{actor}")
    for service, visibility, row in MATRIX
    for actor, refusal in row.items()
]


@pytest.mark.parametrize(("service", "visibility", "actor", "refusal"), CELLS)
def test_matrix(service, visibility, actor, refusal):
    submission = f.make_submission(visibility=visibility)
    asking = who(actor, submission.organization)
    if refusal is None:
        service(asking, submission)
    else:
        with pytest.raises(refusal):
            service(asking, submission)


def test_the_matrix_has_every_service():
    public = {
        name
        for module in (services, verifying)
        for name, value in vars(module).items()
        if callable(value)
        and getattr(value, "__module__", "") == module.__name__
        and not name.startswith("_")
    }
    assert public == {
        "create_submission",
        "withdraw_submission",
        "change_visibility",
        "add_evidence",
        "verification_bound",
        "request_verification",
        "cancel_verification",
        "cancel_open",  # of a locked submission: its callers have asked
        "follow_run",  # a projection
        "seed_of_session",
    }
