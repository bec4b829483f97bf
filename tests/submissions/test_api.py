import hashlib
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from exchange.core.models import AuditEntry
from submissions import services
from submissions.endpoints.models import LanguageModel
from submissions.models import Evidence, Submission
from tests.factories import submissions as f
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory
from tests.factories.benchmarks import BenchmarkFactory

pytestmark = pytest.mark.django_db
PROBLEM = "application/problem+json"


@pytest.fixture
def organization():
    return OrganizationFactory()


@pytest.fixture
def member(api_as, organization):
    return api_as(MembershipFactory(organization=organization, role="member").user)


@pytest.fixture
def stranger(api_as):
    return api_as(UserFactory())


@pytest.fixture
def body(organization):
    return {
        "organization_id": str(organization.pk),
        "benchmark_id": str(f.question_benchmark().pk),
        "model": f.NAMED_MODEL,
        "claims": [{"name": "accuracy", "value": 0.8}],
    }


def fields(response):
    return [(error["field"], error["code"]) for error in response.json()["errors"]]


class TestCheck:
    PATH = "/api/v1/submissions/check"

    def test_says_what_would_be_submitted_and_stores_nothing(self, member, body):
        checked = member.post(self.PATH, {**body, "cases": f.case_results(8)})

        assert checked.status_code == 200, checked.json()
        assert (Submission.objects.count(), LanguageModel.objects.count()) == (0, 0)
        made = member.post("/api/v1/submissions", {**body, "cases": f.case_results(8)}).json()
        assert checked.json() == {**{name: made[name] for name in checked.json()}, "model_id": None}

    def test_knows_a_model_that_somebody_has_claimed_something_for(self, member, body):
        made = member.post("/api/v1/submissions", body).json()

        assert member.post(self.PATH, body).json()["model_id"] == made["model_id"]

    @pytest.mark.parametrize(
        "change",
        [
            {"claims": [{"name": "accuracy", "value": 78.1}], "cases": f.case_results(8, 9)},
            {"model": None, "configuration": {"temperature": 0.7}},
            {"deployment_id": "5f6c1b1e-0000-4000-8000-000000000000"},
            {"version": "9.9.9"},
        ],
    )
    def test_refuses_as_submitting_does(self, member, body, change):
        refused, expected = (
            member.post(path, {**body, **change}) for path in (self.PATH, "/api/v1/submissions")
        )

        assert refused.status_code == expected.status_code
        assert (refused.json()["code"], refused.json()["errors"]) == (
            expected.json()["code"],
            expected.json()["errors"],
        )

    def test_takes_nothing_that_needs_no_check(self, member, body):
        refused = member.post(self.PATH, {**body, "visibility": "private"})

        assert fields(refused) == [("visibility", "unknown_field")]


class TestSubmit:
    def test_answers_with_the_claim(self, member, body):
        response = member.post("/api/v1/submissions", {**body, "cases": f.case_results(8)})
        assert response.status_code == 201, response.json()
        data = response.json()
        assert data["claims"] == [{"name": "accuracy", "value": 0.8, "sample_count": None}]
        assert (data["status"], data["level"], data["verdict"], data["case_count"]) == (
            "accepted",
            "unverified",
            None,
            10,
        )
        assert member.get(f"/api/v1/submissions/{data['id']}").json() == data

    def test_works_under_its_benchmark(self, member, body):
        path = f"/api/v1/benchmarks/{body.pop('benchmark_id')}/submissions"
        made = member.post(path, body).json()
        assert member.get(path).json()["items"] == [made]

    def test_answers_once_for_an_idempotency_key(self, member, body):
        headers = {"Idempotency-Key": "submit-1"}
        first, second = (member.post("/api/v1/submissions", body, headers=headers) for _ in range(2))
        assert first.json() == second.json()
        assert Submission.objects.count() == 1

    def test_takes_zero(self, member, body):
        body["claims"][0]["value"] = 0
        assert member.post("/api/v1/submissions", body).json()["claims"][0]["value"] == 0.0

    @pytest.mark.parametrize(
        ("change", "expected"),
        [
            ({"claims": [{"name": "accuracy", "value": 78.1}]}, ("claims[0].value", "out_of_bounds")),
            ({"claims": [{"name": "accuracy", "value": "0.8"}]}, ("claims[0].value", "invalid")),
            ({"claims": [{"name": "accuracy", "value": True}]}, ("claims[0].value", "invalid")),
            ({"claims": [{"name": "accuracy", "value": None}]}, ("claims[0].value", "null")),
            ({"claims": [{"name": "f1", "value": 0.8}]}, ("claims[0].name", "unknown_metric")),
            ({"claims": []}, ("claims", "empty")),
            ({"claims": "accuracy"}, ("claims", "not_a_list")),
            ({"cases": f.case_results(8, 9)}, ("cases", "not_the_full_set")),
            (
                {"cases": [{"key": "q1\ud800", "score": 1}]},
                ("cases[0].key", "surrogate_characters_not_allowed"),
            ),
            (
                {"cases": [{"key": "q1", "score": 1, "answer_digest": "x"}]},
                ("cases[0].answer_digest", "invalid"),
            ),
            ({"configuration": {"temperature": 0.7}}, ("configuration.temperature", "fixed_by_version")),
            ({"configuration": {"colour": "red"}}, ("configuration.colour", "unknown_field")),
            ({"claims": [{"name": "accuracy", "value": 0.8, "x": 1}]}, ("claims[0].x", "unknown_field")),
            ({"status": "verified"}, ("status", "unknown_field")),
            ({"level": "audited"}, ("level", "unknown_field")),
            ({"visibility": "secret"}, ("visibility", "invalid_choice")),
            ({"organization_id": "1"}, ("organization_id", "invalid")),
            ({"model": {"publisher": "a"}}, ("model.name", "required")),
            ({"notes": "a\x00b"}, ("notes", "null_characters_not_allowed")),
        ],
    )
    def test_names_the_field_and_stores_nothing(self, member, body, change, expected):
        before = LanguageModel.objects.count(), AuditEntry.objects.count()
        text = json.dumps({**body, **change})
        response = member.generic("POST", "/api/v1/submissions", text, content_type="application/json")
        assert response.status_code == 400, response.json()
        assert response["Content-Type"] == PROBLEM
        assert expected in fields(response)
        assert Submission.objects.count() == 0
        assert (LanguageModel.objects.count(), AuditEntry.objects.count()) == before

    @pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity", "1e999"])
    def test_names_the_field_of_a_number_that_is_none(self, member, body, literal):
        text = json.dumps(body).replace("0.8", literal)
        response = member.generic("POST", "/api/v1/submissions", text, content_type="application/json")
        assert response.status_code == 400
        assert fields(response) == [("claims[0].value", "not_finite")]
        assert Submission.objects.count() == 0

    @pytest.mark.parametrize("text", ["[1]", '"x"', "{", "1", "null"])
    def test_refuses_what_is_no_object(self, member, text):
        response = member.generic("POST", "/api/v1/submissions", text, content_type="application/json")
        assert response.status_code == 400, response.content

    def test_hides_foreign_ids(self, member, body):
        for name in ("organization_id", "benchmark_id", "deployment_id"):
            foreign = {
                "organization_id": OrganizationFactory(),
                "benchmark_id": BenchmarkFactory(published=True),
                "deployment_id": f.deployment_of(OrganizationFactory()),
            }[name]
            response = member.post("/api/v1/submissions", {**body, name: str(foreign.pk)})
            assert response.status_code == 404, (name, response.json())
        assert Submission.objects.count() == 0

    def test_wants_somebody(self, api, body):
        response = api.post("/api/v1/submissions", body)
        assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")

    def test_says_that_a_benchmark_is_not_active(self, member, organization, body):
        benchmark = BenchmarkFactory(organization=organization, published=True)
        response = member.post("/api/v1/submissions", {**body, "benchmark_id": str(benchmark.pk)})
        assert (response.status_code, response.json()["code"]) == (409, "benchmark_not_active")


@pytest.fixture
def submission(organization):
    return f.make_submission(organization=organization)


class TestOneSubmission:
    def test_is_public_without_login(self, api, submission):
        data = api.get(f"/api/v1/submissions/{submission.pk}").json()
        assert data["provider_name"] == "Acme"
        assert "example.com" not in str(data)

    def test_is_hidden_when_private(self, stranger, submission):
        submission.visibility = "private"
        submission.save()
        for path in ("", "/evidence", "/verifications", "/verification-bound"):
            response = stranger.get(f"/api/v1/submissions/{submission.pk}{path}")
            assert response.status_code == 404, path

    def test_may_be_withdrawn_with_a_reason(self, member, stranger, submission):
        path = f"/api/v1/submissions/{submission.pk}/withdraw"
        assert fields(member.post(path, {"reason": "oops"})) == [("reason", "min_length")]
        assert stranger.post(path, {"reason": "because I can"}).status_code == 403
        data = member.post(path, {"reason": "measured on another model"}).json()
        assert (data["status"], data["status_reason"]) == ("withdrawn", "measured on another model")
        assert member.post(path, {"reason": "measured on another model"}).status_code == 409

    def test_may_change_its_visibility(self, member, submission):
        path = f"/api/v1/submissions/{submission.pk}/visibility"
        assert member.patch(path, {"visibility": "unlisted"}).json()["visibility"] == "unlisted"
        assert fields(member.patch(path, {"visibility": "x"})) == [("visibility", "invalid_choice")]

    def test_takes_a_slash_at_the_end(self, api, submission):
        assert api.get(f"/api/v1/submissions/{submission.pk}/").status_code == 200

    def test_does_not_break_on_an_id_that_is_none(self, api):
        assert api.get("/api/v1/submissions/x").status_code == 400
        assert api.get("/api/v1/submissions?model_id=x").status_code == 400
        assert api.get("/api/v1/submissions?verdict=cheated").status_code == 400


class Unread:
    """A body that must not be read."""

    def read(self, *_size):
        raise AssertionError("the body was read")

    readline = read


CONTENT = b'{"accuracy": 0.8}'
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def evidence_dir(settings, tmp_path):
    settings.EVIDENCE_URL = (tmp_path / "evidence").as_uri()
    return tmp_path / "evidence"


@pytest.mark.usefixtures("evidence_dir")
class TestEvidenceContent:
    def path(self, submission):
        evidence = services.add_evidence(
            actor=f.submitter_of(submission.organization),
            submission_id=submission.pk,
            name="answers.json",
            content=CONTENT,
            sha256=SHA256,
        )
        return f"/api/v1/evidence/{evidence.pk}/content"

    def test_is_a_download_of_what_was_uploaded(self, api, submission):
        response = api.get(self.path(submission))
        assert b"".join(response.streaming_content) == CONTENT
        assert response["Content-Disposition"] == 'attachment; filename="answers.json"'
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["X-Content-SHA256"] == SHA256

    def test_is_seen_as_its_submission_is(self, api, stranger, member, organization):
        path = self.path(f.make_submission(organization=organization, visibility="private"))
        for client in (api, stranger):
            response = client.get(path)
            assert (response.status_code, response.json()["code"]) == (404, "evidence_not_found")
        assert b"".join(member.get(path).streaming_content) == CONTENT

    def test_refuses_an_id_that_is_none(self, api):
        assert fields(api.get("/api/v1/evidence/x/content")) == [("id", "invalid")]


@pytest.mark.usefixtures("evidence_dir")
class TestEvidence:
    def upload(self, client, submission, body=CONTENT, **parts):
        form = {"file": SimpleUploadedFile("answers.json", body), "sha256": SHA256, **parts}
        form = {name: value for name, value in form.items() if value is not None}
        return client.post(f"/api/v1/submissions/{submission.pk}/evidence", form, format="multipart")

    def test_is_kept_and_listed(self, member, api, submission):
        response = self.upload(member, submission)
        assert response.status_code == 201, response.json()
        data = response.json()
        assert (data["name"], data["sha256"], data["size_bytes"]) == ("answers.json", SHA256, len(CONTENT))
        assert api.get(f"/api/v1/submissions/{submission.pk}/evidence").json()["items"] == [data]

    def test_is_kept_in_parts_larger_than_memory(self, member, submission):
        content = b"x" * (3 * 1024 * 1024)
        digest = hashlib.sha256(content).hexdigest()
        response = self.upload(member, submission, content, sha256=digest, name="big.txt")
        assert response.status_code == 201, response.json()

    @pytest.mark.parametrize(
        ("parts", "expected"),
        [
            ({"sha256": "0" * 64}, ("sha256", "digest_mismatch")),
            ({"sha256": "xyz"}, ("sha256", "invalid")),
            ({"sha256": None}, ("sha256", "required")),
            ({"file": None}, ("file", "required")),
            ({"file": "text"}, ("file", "required")),
            ({"name": "../x"}, ("name", "invalid_name")),
            ({"extra": "1"}, ("extra", "unknown_field")),
            ({"content": "1"}, ("content", "unknown_field")),
        ],
    )
    def test_names_the_field_and_keeps_nothing(self, member, submission, evidence_dir, parts, expected):
        response = self.upload(member, submission, **parts)
        assert response.status_code == 400, response.json()
        assert fields(response) == [expected]
        assert Evidence.objects.count() == 0
        assert not [path for path in evidence_dir.rglob("*") if path.is_file()]

    def test_names_the_field_when_nothing_is_sent_at_all(self, member, submission):
        response = member.generic("POST", f"/api/v1/submissions/{submission.pk}/evidence")
        assert response.status_code == 400
        assert fields(response) == [("file", "required")]

    def test_is_refused_when_oversized(self, member, submission, settings, evidence_dir):
        settings.EVIDENCE_LARGEST_BYTES = 10
        response = self.upload(member, submission)
        assert (response.status_code, response.json()["code"]) == (413, "evidence_too_large")
        assert not evidence_dir.exists()

    def test_is_refused_before_it_is_read_when_it_announces_too_much(self, member, submission):
        response = member.generic(
            "POST",
            f"/api/v1/submissions/{submission.pk}/evidence",
            b"",
            content_type="multipart/form-data; boundary=x",
            CONTENT_LENGTH=str(101 * 1024 * 1024),
        )
        assert (response.status_code, response.json()["code"]) == (413, "evidence_too_large")

    def test_is_refused_before_it_is_read_from_whoever_may_not_submit(self, api, api_as, submission):
        reader = api_as(MembershipFactory(organization=submission.organization).user, "submissions:read")
        for client, status in ((api, 401), (reader, 403)):
            response = client.generic(
                "POST",
                f"/api/v1/submissions/{submission.pk}/evidence",
                b"",
                content_type="multipart/form-data; boundary=x",
                CONTENT_LENGTH="1000",
                **{"wsgi.input": Unread()},
            )
            assert response.status_code == status

    def test_is_a_form(self, member, submission):
        response = member.post(f"/api/v1/submissions/{submission.pk}/evidence", {"name": "a"}, format="json")
        assert response.status_code == 415

    def test_is_refused_from_others(self, stranger, submission):
        assert self.upload(stranger, submission).status_code == 403


class TestVerification:
    def test_goes_from_the_bound_to_the_verdict(self, member, api, submission):
        path = f"/api/v1/submissions/{submission.pk}"
        refused = member.post(f"{path}/request-verification", {})
        assert (refused.status_code, refused.json()["code"]) == (409, "bound_not_accepted")
        bound = member.get(f"{path}/verification-bound").json()
        assert bound["requests"] == 21
        form = {"accept_bound": bound["accept_bound"]}
        made = member.post(f"{path}/request-verification", form)
        assert made.status_code == 201, made.json()
        verification = made.json()
        assert (verification["status"], verification["verdict"], verification["seed"]) == (
            "requested",
            None,
            None,
        )
        again = member.post(f"{path}/request-verification", form)
        assert (again.status_code, again.json()["code"]) == (409, "verification_open")

        f.settle(submission.verifications.get())
        decided = api.get(f"/api/v1/verifications/{verification['id']}").json()
        assert decided["verdict"] == "consistent"
        assert hashlib.sha256(decided["seed"].encode()).hexdigest() == verification["seed_digest"]
        assert decided["summary"].startswith("Consistent: ")
        assert decided["judgements"][0]["reasons"][0]["text"].endswith(".")
        assert api.get(f"{path}/verifications").json()["items"] == [decided]
        assert api.get(path).json()["verdict"] == "consistent"
        rows = api.get(f"/api/v1/verifications/{verification['id']}/cases").json()["items"]
        assert rows[0]["answer_digest"] == hashlib.sha256(b"q0").hexdigest()
        assert (rows[9]["claimed_score"], rows[9]["reference"]) == (0.0, None)
        repeated = member.post(f"{path}/request-verification", form)
        assert repeated.json()["code"] == "repeat_needs_reason"

    def test_can_be_cancelled(self, member, stranger, submission):
        verification = f.make_verification(submission)
        path = f"/api/v1/verifications/{verification.pk}/cancel"
        assert stranger.post(path).status_code == 403
        assert member.post(path).json()["status"] == "cancelled"
        assert member.post(path).json()["code"] == "verification_closed"

    def test_pages_its_cases(self, api, submission):
        verification = f.settle(f.make_verification(submission))
        path, found, token = f"/api/v1/verifications/{verification.pk}/cases", [], ""
        while True:
            data = api.get(path, {"page_size": 4, "page_token": token}).json()
            found += [row["key"] for row in data["items"]]
            token = data["next_page_token"]
            if not token:
                break
        assert found == [f"q{n}" for n in range(10)]

    def test_says_whose_fault_a_failure_is(self, api, submission):
        verification = f.make_verification(submission)
        run = f.start(verification.runs.get())
        f.fail(run)
        data = api.get(f"/api/v1/verifications/{verification.pk}").json()
        assert (data["status"], data["verdict"], data["fault_side"]) == ("failed", None, "provider")
        assert data["summary"].startswith("Not measured: ")
