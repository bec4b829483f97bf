import io
import re
import zipfile

import pytest

from exchange.api.pb import submissions_pb2 as pb
from exchange.core.actors import Scope
from exchange.storage import get_store
from llm_benchmark.measure.plans import Failure, Side
from submissions.runs import leases
from tests.factories.accounts import MembershipFactory, OrganizationFactory, token_for
from tests.factories.runs import RunFactory
from tests.factories.submissions import deployment_of, make_submission, make_verification, start
from tests.rpc import RpcFailed, call

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def evidence(settings, tmp_path):
    settings.EVIDENCE_URL = tmp_path.as_uri()


def measured_run(**fields):
    """A run that has ended, with a bundle of one public file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("scores.json", "{}")
    stored = get_store().put_stream([content.getvalue()])
    whole = get_store().put_stream([b"prompts and answers"])
    run = RunFactory(
        status="succeeded",
        bundle_sha256=whole.sha256,
        bundle_size_bytes=whole.size,
        findings={"times": {"ttft_p50": 40.5}},
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
    def test_leaves_checks_to_their_campaign(self, api_as, viewer, run):
        type(run).objects.filter(pk=run.pk).update(kind="health", version=None)

        assert api_as(viewer).get(f"/api/v1/runs/{run.pk}").status_code == 404

    def test_shows_what_a_run_took_and_cost(self, api_as, viewer, run):
        price = {"input_per_million": "2.5", "output_per_million": "10"}
        type(run).objects.filter(pk=run.pk).update(price=price)
        run.responses.create(key="q0", raw=b"", input_tokens=10, output_tokens=4)

        shown = api_as(viewer).get(f"/api/v1/runs/{run.pk}").json()
        assert (shown["input_tokens"], shown["output_tokens"], shown["cost_usd"]) == (10, 4, "0.000065")

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

    def test_shows_the_numbers_behind_the_flags(self, api_as, viewer, run):
        assert api_as(viewer).get(f"/api/v1/runs/{run.pk}").json()["findings"] == run.findings

    def test_gives_its_organization_the_whole_bundle(self, api_as, viewer, run):
        answer = api_as(viewer).get(f"/api/v1/runs/{run.pk}/bundle?part=whole")

        assert b"".join(answer.streaming_content) == b"prompts and answers"
        assert answer["X-Content-SHA256"] == run.bundle_sha256

    def test_refuses_a_part_that_there_is_not(self, api_as, viewer, run):
        answer = api_as(viewer).get(f"/api/v1/runs/{run.pk}/bundle?part=half")

        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "part")

    def test_says_that_a_run_without_an_end_has_no_bundle(self, api_as, viewer, run):
        queued = RunFactory(deployment=run.deployment)

        answer = api_as(viewer).get(f"/api/v1/runs/{queued.pk}/bundle")
        assert (answer.status_code, answer.json()["code"]) == (404, "bundle_not_found")

    def test_refuses_an_id_that_is_none(self, api):
        answer = api.get("/api/v1/runs/not-an-id")

        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "id")


# Ids, digests and microseconds have a port's digits by chance.
RANDOM = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|\.[0-9]{6}z")
HOSTS = [
    ("https://llm.intranet.example:8443/v1", "llm.intranet.example is a name of a private network."),
    (
        "https://llm.intranet.example:8443/v1",
        "LLM.intranet.example:8443 leads to an address that is no good.",
    ),
    (
        "https://llm.intranet.example/v1",
        "Nothing at https://llm.intranet.example/v1/chat/completions answers.",
    ),
    ("http://10.1.2.3:9000/v1", "10.1.2.3 is not a public address."),
    ("http://[fd00::12]:9000/v1", "fd00::12 is not public, nor is [fd00::12]:9000."),
]


class TestAddress:
    @pytest.mark.parametrize(("base_url", "message"), HOSTS)
    def test_stands_in_no_public_answer(self, base_url, message, api):
        organization = OrganizationFactory()
        deployment = deployment_of(organization, base_url=base_url)
        verification = make_verification(make_submission(organization=organization, deployment=deployment))
        run = start(verification.runs.get())
        leases.end(run, "failed", failure=Failure(Side.PROVIDER, "address_not_public", message))
        submission = verification.submission_id

        for path in (
            f"submissions/{submission}",
            f"submissions/{submission}/verifications",
            f"verifications/{verification.pk}",
            f"verifications/{verification.pk}/cases",
            f"runs/{run.pk}",
            "submissions",
            "models",
        ):
            answer = api.get(f"/api/v1/{path}")
            assert answer.status_code == 200, path
            text = RANDOM.sub("", answer.content.decode().lower())
            assert not any(host in text for host in ("intranet", "10.1.2.3", "fd00::12", "9000", "8443")), (
                path
            )
        assert "endpoint" in api.get(f"/api/v1/runs/{run.pk}").json()["fault_message"]


class TestWhoSees:
    @pytest.fixture
    def clients(self, api, api_as, viewer):
        return {
            "anonymous": lambda: api,
            "stranger": lambda: api_as(MembershipFactory().user),
            "viewer": lambda: api_as(viewer),
            "write-only token": lambda: api_as(viewer, Scope.SUBMISSIONS_WRITE),
            "token for other things": lambda: api_as(viewer, Scope.PROFILE_READ),
        }

    @pytest.mark.parametrize(
        ("who", "status"),
        [
            ("anonymous", 404),
            ("stranger", 404),
            ("viewer", 200),
            ("write-only token", 200),
            ("token for other things", 404),
        ],
    )
    def test_is_its_organization_alone_while_no_claim_is_public(self, who, status, run, clients):
        for path in (f"runs/{run.pk}", f"runs/{run.pk}/bundle", f"runs/{run.pk}/bundle?part=whole"):
            answer = clients[who]().get(f"/api/v1/{path}")
            assert answer.status_code == status
            b"".join(answer)  # a stream is closed by reading it

    @pytest.mark.parametrize(("visibility", "status"), [("public", 200), ("unlisted", 200), ("private", 404)])
    def test_is_everybody_behind_a_claim_that_is_not_private(self, visibility, status, api):
        verification = make_verification(make_submission(visibility=visibility))

        assert api.get(f"/api/v1/runs/{verification.runs.get().pk}").status_code == status

    @pytest.mark.parametrize("who", ["anonymous", "stranger", "token for other things"])
    def test_hides_the_whole_bundle_of_a_public_claim(self, who, clients, run):
        submission = make_submission(deployment=run.deployment, organization=run.organization)
        make_verification(submission).runs.add(run)

        reader = clients[who]()
        b"".join(reader.get(f"/api/v1/runs/{run.pk}/bundle"))
        answer = reader.get(f"/api/v1/runs/{run.pk}/bundle?part=whole")
        assert (answer.status_code, answer.json()["code"]) == (404, "bundle_not_found")


class TestGrpc:
    def test_downloads_both_parts(self, run, viewer):
        from submissions.api.grpc import SubmissionService

        whole, public = (
            call(
                SubmissionService().DownloadBundle,
                pb.DownloadBundleRequest(run_id=str(run.pk), part=part),
                token=token_for(viewer),
            )
            for part in ("whole", "")
        )
        assert (whole.content, whole.sha256, whole.part) == (
            b"prompts and answers",
            run.bundle_sha256,
            "whole",
        )
        assert (public.sha256, public.part) == (run.public_bundle_sha256, "public")

    def test_names_rest_for_a_bundle_that_no_message_carries(self, run, viewer, monkeypatch):
        from submissions.api import grpc

        monkeypatch.setattr(grpc, "LARGEST_BUNDLE", 10)
        request = pb.DownloadBundleRequest(run_id=str(run.pk), part="whole")
        with pytest.raises(RpcFailed) as refusal:
            call(grpc.SubmissionService().DownloadBundle, request, token=token_for(viewer))
        assert refusal.value.code == "too_large_for_message"
        assert f"/api/v1/runs/{run.pk}/bundle?part=whole" in str(refusal.value)

    def test_shows_a_run(self, run, viewer):
        from submissions.api.grpc import SubmissionService

        shown = call(SubmissionService().GetRun, pb.GetRunRequest(id=str(run.pk)), token=token_for(viewer))
        assert (shown.id, shown.metrics[0].name, shown.requests_lost) == (str(run.pk), "accuracy", 1)

    def test_hides_a_foreign_run(self, run):
        from submissions.api.grpc import SubmissionService

        with pytest.raises(RpcFailed) as refusal:
            call(SubmissionService().GetRun, pb.GetRunRequest(id=str(run.pk)))
        assert (refusal.value.grpc, refusal.value.code) == ("NOT_FOUND", "run_not_found")
