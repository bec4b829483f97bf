import io
import zipfile

import pytest

from exchange.api.pb import submissions_pb2 as pb
from exchange.core.actors import Scope
from exchange.storage import get_store
from tests.factories.accounts import MembershipFactory, token_for
from tests.factories.runs import RunFactory
from tests.factories.submissions import make_submission, make_verification
from tests.rpc import RpcFailed, call

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def evidence(settings, tmp_path):
    settings.EVIDENCE_DIR = tmp_path


def measured_run(**fields):
    """A run that has ended, with a bundle of one public file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("scores.json", "{}")
    stored = get_store().put_stream([content.getvalue()])
    run = RunFactory(
        status="succeeded",
        bundle_sha256="a" * 64,
        bundle_size_bytes=1,
        public_bundle_sha256=stored.sha256,
        **fields,
    )
    run.scores.create(metric="accuracy", value=0.5, covers="questions", scorer_version="numeric_v1")
    run.attempts.create(fence=1, purpose="question", key="q0", number=1, status="settled")
    run.attempts.create(fence=1, purpose="question", key="q1", number=1, status="lost")
    return run


@pytest.fixture
def run():
    return measured_run()


@pytest.fixture
def viewer(run):
    return MembershipFactory(organization=run.organization, role="viewer").user


class TestRest:
    def test_shows_a_run_with_its_metrics_and_the_state_of_its_attempts(self, api_as, viewer, run):
        shown = api_as(viewer).get(f"/api/v1/runs/{run.pk}").json()

        assert (shown["status"], shown["attempt_count"]) == ("succeeded", 2)
        assert (shown["requests_settled"], shown["requests_lost"]) == (1, 1)
        assert [(metric["name"], metric["value"]) for metric in shown["metrics"]] == [("accuracy", 0.5)]
        assert (shown["fault_side"], shown["fault_code"]) == (None, None)

    def test_streams_the_public_bundle(self, api_as, viewer, run):
        answer = api_as(viewer).get(f"/api/v1/runs/{run.pk}/bundle")

        content = b"".join(answer.streaming_content)
        assert zipfile.ZipFile(io.BytesIO(content)).namelist() == ["scores.json"]
        assert answer["Content-Type"] == "application/zip"
        assert answer["X-Content-SHA256"] == run.public_bundle_sha256

    def test_says_that_a_run_without_an_end_has_no_bundle(self, api_as, viewer, run):
        queued = RunFactory(deployment=run.deployment)

        answer = api_as(viewer).get(f"/api/v1/runs/{queued.pk}/bundle")
        assert (answer.status_code, answer.json()["code"]) == (404, "bundle_not_found")

    def test_refuses_an_id_that_is_none(self, api):
        answer = api.get("/api/v1/runs/not-an-id")

        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "id")


class TestWhoSees:
    @pytest.fixture
    def clients(self, api, api_as, viewer):
        return {
            "anonymous": lambda: api,
            "stranger": lambda: api_as(MembershipFactory().user),
            "viewer": lambda: api_as(viewer),
            "token for other things": lambda: api_as(viewer, Scope.PROFILE_READ),
        }

    @pytest.mark.parametrize(
        ("who", "status"),
        [("anonymous", 404), ("stranger", 404), ("viewer", 200), ("token for other things", 404)],
    )
    def test_is_its_organization_alone_while_no_claim_is_public(self, who, status, run, clients):
        for path in (f"runs/{run.pk}", f"runs/{run.pk}/bundle"):
            answer = clients[who]().get(f"/api/v1/{path}")
            assert answer.status_code == status
            b"".join(answer)  # a stream is closed by reading it

    @pytest.mark.parametrize(("visibility", "status"), [("public", 200), ("unlisted", 200), ("private", 404)])
    def test_is_everybody_behind_a_claim_that_is_not_private(self, visibility, status, api):
        verification = make_verification(make_submission(visibility=visibility))

        assert api.get(f"/api/v1/runs/{verification.runs.get().pk}").status_code == status


class TestGrpc:
    def test_shows_a_run(self, run, viewer):
        from submissions.api.grpc import SubmissionService

        shown = call(SubmissionService().GetRun, pb.GetRunRequest(id=str(run.pk)), token=token_for(viewer))
        assert (shown.id, shown.metrics[0].name, shown.requests_lost) == (str(run.pk), "accuracy", 1)

    def test_hides_a_foreign_run(self, run):
        from submissions.api.grpc import SubmissionService

        with pytest.raises(RpcFailed) as refusal:
            call(SubmissionService().GetRun, pb.GetRunRequest(id=str(run.pk)))
        assert (refusal.value.grpc, refusal.value.code) == ("NOT_FOUND", "run_not_found")
