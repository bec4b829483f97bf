import hashlib
import io
import zipfile

import pytest

from exchange.api.pb import submissions_pb2 as pb
from exchange.storage import get_store
from submissions.api.grpc import LARGEST_CONTENT, SubmissionService
from submissions.models import Evidence, Submission
from submissions.runs.models import Run
from tests.factories import submissions as f
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory, token_for
from tests.rpc import RpcFailed, call

pytestmark = pytest.mark.django_db
service = SubmissionService()
CONTENT = b'{"accuracy": 0.8}'


@pytest.fixture
def organization():
    return OrganizationFactory()


@pytest.fixture
def token(organization):
    return token_for(MembershipFactory(organization=organization, role="member").user)


@pytest.fixture
def submission(organization):
    return f.make_submission(organization=organization)


@pytest.fixture
def evidence_dir(settings, tmp_path):
    settings.EVIDENCE_URL = (tmp_path / "evidence").as_uri()
    return tmp_path / "evidence"


def claim_request(organization, **changes):
    form = {
        "organization_id": str(organization.pk),
        "benchmark_id": str(f.question_benchmark().pk),
        "model": pb.ModelReference(**f.NAMED_MODEL),
        "claims": [pb.MetricClaim(name="accuracy", value=0.8)],
    }
    return pb.SubmitResultsRequest(**{**form, **changes})


def refusal(method, request, **kwargs):
    with pytest.raises(RpcFailed) as failed:
        call(method, request, **kwargs)
    return failed.value


class TestCheckSubmission:
    def request(self, organization, **changes):
        form = claim_request(organization, **changes)
        return pb.CheckSubmissionRequest.FromString(form.SerializeToString())

    def test_says_what_would_be_submitted(self, organization, token):
        checked = call(service.CheckSubmission, self.request(organization), token=token)

        assert (checked.version, checked.HasField("model_id")) == ("1.0.0", False)
        assert not Submission.objects.exists()

    def test_names_the_field(self, organization, token):
        request = self.request(organization, claims=[pb.MetricClaim(name="accuracy", value=78.1)])

        assert refusal(service.CheckSubmission, request, token=token).fields == ["claims[0].value"]


class TestSubmitResults:
    def test_answers_with_the_claim(self, organization, token):
        cases = [pb.CaseClaim(key=case["key"], score=case["score"]) for case in f.case_results(8)]
        made = call(service.SubmitResults, claim_request(organization, cases=cases), token=token)
        assert made.status == pb.SUBMISSION_STATUS_ACCEPTED
        assert made.level == pb.VERIFICATION_LEVEL_UNVERIFIED
        assert (made.claims[0].value, made.case_count) == (0.8, 10)
        assert not made.HasField("verdict")
        assert call(service.GetSubmission, pb.GetSubmissionRequest(id=made.id)) == made
        assert list(call(service.ListSubmissions, pb.ListSubmissionsRequest()).items) == [made]

    def test_takes_zero(self, organization, token):
        request = claim_request(organization, claims=[pb.MetricClaim(name="accuracy", value=0.0)])
        assert call(service.SubmitResults, request, token=token).claims[0].value == 0.0

    @pytest.mark.parametrize(
        ("value", "code"),
        [(78.1, "out_of_bounds"), (float("nan"), "not_finite"), (float("inf"), "not_finite")],
    )
    def test_names_the_field_and_stores_nothing(self, organization, token, value, code):
        request = claim_request(organization, claims=[pb.MetricClaim(name="accuracy", value=value)])
        found = refusal(service.SubmitResults, request, token=token)
        assert (found.grpc, found.fields) == ("INVALID_ARGUMENT", ["claims[0].value"])
        assert Submission.objects.count() == 0

    def test_refuses_an_unknown_metric(self, organization, token):
        request = claim_request(organization, claims=[pb.MetricClaim(name="f1", value=0.5)])
        assert "claims[0].name" in refusal(service.SubmitResults, request, token=token).fields

    def test_misses_a_value_that_was_left_out(self, organization, token):
        request = claim_request(organization, claims=[pb.MetricClaim(name="accuracy")])
        assert refusal(service.SubmitResults, request, token=token).fields == ["claims[0].value"]

    def test_hides_foreign_ids(self, organization, token):
        for changes in (
            {"organization_id": str(OrganizationFactory().pk)},
            {"benchmark_id": str(organization.pk)},
            {"deployment_id": str(f.deployment_of(OrganizationFactory()).pk)},
        ):
            request = claim_request(organization, **changes)
            assert refusal(service.SubmitResults, request, token=token).grpc == "NOT_FOUND"
        assert Submission.objects.count() == 0

    def test_wants_somebody(self, organization):
        assert refusal(service.SubmitResults, claim_request(organization)).grpc == "UNAUTHENTICATED"

    def test_answers_once_for_an_idempotency_key(self, organization, token):
        request, again = claim_request(organization), {"key": "k", "answer_class": pb.Submission}
        first, second = (call(service.SubmitResults, request, token=token, **again) for _ in range(2))
        assert first == second
        assert Submission.objects.count() == 1


class TestOneSubmission:
    def test_is_hidden_when_private(self, submission):
        submission.visibility = "private"
        submission.save()
        stranger = token_for(UserFactory())
        id_ = str(submission.pk)
        for method, request in (
            (service.GetSubmission, pb.GetSubmissionRequest(id=id_)),
            (service.ListEvidence, pb.ListEvidenceRequest(submission_id=id_)),
            (service.ListVerifications, pb.ListVerificationsRequest(submission_id=id_)),
            (service.GetVerificationBound, pb.GetVerificationBoundRequest(submission_id=id_)),
            (service.WithdrawSubmission, pb.WithdrawSubmissionRequest(id=id_, reason="x" * 10)),
            (service.RequestVerification, pb.RequestVerificationRequest(submission_id=id_)),
        ):
            assert refusal(method, request, token=stranger).grpc == "NOT_FOUND"

    def test_may_be_withdrawn(self, submission, token):
        request = pb.WithdrawSubmissionRequest(id=str(submission.pk), reason="a mistake of ours")
        shown = call(service.WithdrawSubmission, request, token=token)
        assert (shown.status, shown.status_reason) == (pb.SUBMISSION_STATUS_WITHDRAWN, "a mistake of ours")
        found = refusal(service.WithdrawSubmission, request, token=token)
        assert (found.grpc, found.code) == ("FAILED_PRECONDITION", "submission_closed")

    def test_may_change_its_visibility(self, submission, token):
        request = pb.ChangeSubmissionVisibilityRequest(
            id=str(submission.pk), visibility="VISIBILITY_UNLISTED"
        )
        assert call(service.ChangeSubmissionVisibility, request, token=token).visibility == request.visibility
        unset = pb.ChangeSubmissionVisibilityRequest(id=str(submission.pk))
        assert refusal(service.ChangeSubmissionVisibility, unset, token=token).fields == ["visibility"]


@pytest.mark.usefixtures("evidence_dir")
class TestAddEvidence:
    def request(self, submission, content=CONTENT, sha256=None):
        return pb.AddEvidenceRequest(
            submission_id=str(submission.pk),
            name="answers.json",
            content=content,
            sha256=sha256 or hashlib.sha256(content).hexdigest(),
        )

    def test_keeps_the_bytes(self, submission, token):
        kept = call(service.AddEvidence, self.request(submission), token=token)
        assert (kept.size_bytes, kept.media_type) == (len(CONTENT), "application/json")
        listed = call(service.ListEvidence, pb.ListEvidenceRequest(submission_id=str(submission.pk)))
        assert list(listed.items) == [kept]

    def test_refuses_another_digest(self, submission, token, evidence_dir):
        request = self.request(submission, sha256="0" * 64)
        found = refusal(service.AddEvidence, request, token=token)
        assert (found.grpc, found.code, found.fields) == ("INVALID_ARGUMENT", "digest_mismatch", ["sha256"])
        assert Evidence.objects.count() == 0
        assert not [path for path in evidence_dir.rglob("*") if path.is_file()]

    def test_refuses_more_than_fits_into_a_message(self, submission, token, evidence_dir):
        request = self.request(submission, content=b"x" * (LARGEST_CONTENT + 1))
        found = refusal(service.AddEvidence, request, token=token)
        assert (found.grpc, found.code) == ("RESOURCE_EXHAUSTED", "evidence_too_large")
        assert not evidence_dir.exists()


class TestVerification:
    def test_goes_from_the_bound_to_the_verdict(self, submission, token):
        id_ = str(submission.pk)
        bound = call(
            service.GetVerificationBound, pb.GetVerificationBoundRequest(submission_id=id_), token=token
        )
        assert bound.requests == 21
        request = pb.RequestVerificationRequest(submission_id=id_)
        found = refusal(service.RequestVerification, request, token=token)
        assert (found.grpc, found.code) == ("FAILED_PRECONDITION", "bound_not_accepted")
        request.accept_bound = bound.accept_bound
        made = call(service.RequestVerification, request, token=token)
        assert made.status == pb.VERIFICATION_STATUS_REQUESTED
        assert not made.HasField("seed")

        f.settle(submission.verifications.get())
        shown = call(service.GetVerification, pb.GetVerificationRequest(id=made.id))
        assert shown.verdict == pb.VERDICT_CONSISTENT
        assert hashlib.sha256(shown.seed.encode()).hexdigest() == made.seed_digest
        judgement = shown.judgements[0]
        assert (judgement.metric, judgement.claim, judgement.measured) == ("accuracy", 0.8, 0.8)
        assert judgement.reasons[0].text.endswith(".")
        assert judgement.reasons[0].params["n"] == 10
        listed = call(service.ListVerifications, pb.ListVerificationsRequest(submission_id=id_))
        assert list(listed.items) == [shown]

        request = pb.ListCaseComparisonsRequest(verification_id=made.id, page_size=3)
        rows = call(service.ListCaseComparisons, request)
        assert [row.key for row in rows.items] == ["q0", "q1", "q2"]
        assert (rows.items[0].claimed_score, rows.items[0].HasField("reference")) == (1.0, False)
        assert rows.next_page_token

        run = call(service.GetRun, pb.GetRunRequest(id=shown.run_ids[0]))
        assert run.status == pb.RUN_STATUS_SUCCEEDED

    def test_can_be_cancelled(self, submission, token):
        verification = f.make_verification(submission)
        request = pb.CancelVerificationRequest(id=str(verification.pk))
        assert (
            call(service.CancelVerification, request, token=token).status == pb.VERIFICATION_STATUS_CANCELLED
        )
        found = refusal(service.CancelVerification, request, token=token)
        assert (found.grpc, found.code) == ("FAILED_PRECONDITION", "verification_closed")


@pytest.mark.usefixtures("evidence_dir")
class TestDownloadEvidence:
    @pytest.fixture
    def request_(self, submission, token):
        digest = hashlib.sha256(CONTENT).hexdigest()
        request = pb.AddEvidenceRequest(
            submission_id=str(submission.pk), name="answers.json", content=CONTENT, sha256=digest
        )
        made = call(service.AddEvidence, request, token=token)
        return pb.DownloadEvidenceRequest(id=made.id)

    def test_gives_back_what_was_added(self, request_):
        shown = call(service.DownloadEvidence, request_)
        assert (shown.evidence_id, shown.name, shown.content) == (request_.id, "answers.json", CONTENT)
        assert (shown.media_type, shown.sha256) == ("application/json", hashlib.sha256(CONTENT).hexdigest())

    def test_names_rest_for_what_no_message_carries(self, request_, monkeypatch):
        monkeypatch.setattr("submissions.api.grpc.LARGEST_CONTENT", len(CONTENT) - 1)
        found = refusal(service.DownloadEvidence, request_)
        assert (found.grpc, found.code) == ("RESOURCE_EXHAUSTED", "too_large_for_message")
        assert f"/api/v1/evidence/{request_.id}/content" in str(found)

    def test_hides_what_is_private(self, request_, submission):
        Submission.objects.update(visibility="private")
        assert refusal(service.DownloadEvidence, request_).code == "evidence_not_found"


@pytest.mark.usefixtures("evidence_dir")
class TestDownloadBundle:
    def test_gives_the_public_part(self, submission):
        verification = f.settle(f.make_verification(submission))
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("manifest.json", "{}")
        stored = get_store().put_stream([buffer.getvalue()])
        run_id = verification.runs.all()[0].pk
        Run.objects.filter(pk=run_id).update(public_bundle_sha256=stored.sha256)
        bundle = call(service.DownloadBundle, pb.DownloadBundleRequest(run_id=str(run_id)))
        assert hashlib.sha256(bundle.content).hexdigest() == bundle.sha256 == stored.sha256

    def test_says_that_there_is_none(self, submission):
        run = f.make_verification(submission).runs.all()[0]
        found = refusal(service.DownloadBundle, pb.DownloadBundleRequest(run_id=str(run.pk)))
        assert (found.grpc, found.code) == ("NOT_FOUND", "bundle_not_found")
