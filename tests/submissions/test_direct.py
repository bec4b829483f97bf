"""A large file from the client straight to a real S3 server, over REST, gRPC and by the Python client."""

import hashlib
from uuid import uuid4

import httpx
import pytest
from django.test import Client as DjangoClient

from exchange.accounts.selectors import actor_for_user
from exchange.api.pb import submissions_pb2 as pb
from exchange.storage import get_store
from llm_benchmark import Client, Settings
from llm_benchmark.services import submissions as sdk
from submissions import services
from submissions.api.grpc import SubmissionService
from tests import rpc
from tests.factories.accounts import MembershipFactory, OrganizationFactory, token_for
from tests.factories.submissions import make_submission

pytestmark = [pytest.mark.sockets, pytest.mark.django_db]
CONTENT = b'{"answer": "forty-two"}\n' * 2
SHA256 = hashlib.sha256(CONTENT).hexdigest()
FILE = {"name": "answers.jsonl", "size_bytes": len(CONTENT), "sha256": SHA256}


EXCHANGE = "http://127.0.0.1:1"


KEPT_HEADERS = ("Authorization", "Idempotency-Key", "Accept")


def is_ours(request):
    return str(request.url).startswith(f"{EXCHANGE}/")


class Network(httpx.BaseTransport):
    """The exchange is this process, everything else is where it is. Remembers what was sent where."""

    def __init__(self):
        self.asked = []
        self._exchange = DjangoClient()
        self._others = httpx.HTTPTransport()

    def handle_request(self, request):
        self.asked.append(request)
        return self._ask_ours(request) if is_ours(request) else self._others.handle_request(request)

    def _ask_ours(self, request):
        headers = {name: request.headers[name] for name in KEPT_HEADERS if name in request.headers}
        media_type = request.headers.get("Content-Type", "")
        path = request.url.raw_path.decode()
        answer = self._exchange.generic(request.method, path, request.read(), media_type, headers=headers)
        return httpx.Response(answer.status_code, headers=dict(answer.items()), content=answer.content)

    def close(self):
        self._others.close()


@pytest.fixture
def bucket(s3_server, settings, monkeypatch):
    for name, value in s3_server.environment.items():
        monkeypatch.setenv(name, value)
    settings.EVIDENCE_URL = f"s3://{s3_server.BUCKET}/{uuid4()}?public={s3_server.url}"


@pytest.fixture
def person():
    return MembershipFactory(organization=OrganizationFactory(), role="owner").user


@pytest.fixture
def claim(person):
    return make_submission(organization=person.memberships.get().organization)


def put(urls):
    assert len(urls) == 1
    with httpx.Client(trust_env=False) as client:
        client.put(urls[0], content=CONTENT).raise_for_status()


class TestRest:
    def test_takes_the_file_in(self, bucket, api_as, person, claim):
        api = api_as(person)
        begun = api.post(f"/api/v1/submissions/{claim.pk}/evidence-uploads", FILE)
        assert begun.status_code == 201, begun.content
        put(begun.data["urls"])
        done = api.post(f"/api/v1/evidence-uploads/{begun.data['id']}/complete")
        assert done.status_code == 201, done.content
        assert (done.data["sha256"], done.data["media_type"]) == (SHA256, "application/x-ndjson")
        assert get_store().size(SHA256) == len(CONTENT)

    def test_links_to_a_file(self, bucket, api_as, person, claim):
        evidence = services.add_evidence(
            actor=actor_for_user(person),
            submission_id=claim.pk,
            name=FILE["name"],
            content=CONTENT,
            sha256=SHA256,
        )
        link = api_as(person).get(f"/api/v1/evidence/{evidence.pk}/link").data
        answer = httpx.get(link["url"], trust_env=False)
        assert answer.content == CONTENT
        assert 'filename="answers.jsonl"' in answer.headers["Content-Disposition"]

    def test_says_where_there_is_no_direct_way(self, api_as, person, claim):
        answer = api_as(person).post(f"/api/v1/submissions/{claim.pk}/evidence-uploads", FILE)
        assert (answer.status_code, answer.data["code"]) == (409, "direct_upload_not_offered")

    @pytest.mark.usefixtures("bucket")
    def test_says_that_the_store_does_not_answer(self, api_as, person, claim, monkeypatch):
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
        answer = api_as(person).post(f"/api/v1/submissions/{claim.pk}/evidence-uploads", FILE)
        assert (answer.status_code, answer.data["code"]) == (503, "evidence_unavailable")
        assert int(answer["Retry-After"]) > 0


class TestGrpc:
    def test_takes_the_file_in_and_links_to_it(self, bucket, person, claim):
        token = token_for(person)
        service = SubmissionService()
        begun = rpc.call(
            service.BeginEvidenceUpload,
            pb.BeginEvidenceUploadRequest(submission_id=str(claim.pk), **FILE), token=token,
        )  # fmt: skip
        put(begun.urls)
        done = rpc.call(
            service.CompleteEvidenceUpload, pb.CompleteEvidenceUploadRequest(id=begun.id), token=token
        )
        assert done.sha256 == SHA256
        link = rpc.call(service.GetEvidenceLink, pb.GetEvidenceLinkRequest(id=done.id), token=token)
        assert httpx.get(link.url, trust_env=False).content == CONTENT


class TestTheClient:
    @pytest.fixture
    def network(self):
        return Network()

    @pytest.fixture
    def client(self, network, person):
        settings = Settings(api_url=EXCHANGE, token=token_for(person), patience=0)
        with Client(settings=settings, http=network) as client:
            yield client

    @pytest.fixture
    def large(self, tmp_path):
        path = tmp_path / "answers.jsonl"
        path.write_bytes(b'{"answer": "forty-two"}\n' * (sdk.DIRECT_FROM_BYTES // 24 + 1))
        return path

    def test_sends_a_large_file_past_the_exchange(self, bucket, network, client, claim, large):
        evidence = client.submissions.add_evidence(str(claim.pk), large)
        assert evidence.size_bytes == large.stat().st_size
        elsewhere = [request for request in network.asked if not is_ours(request)]
        assert len(elsewhere) == 2
        assert not any("Authorization" in request.headers for request in elsewhere)
        link = client.submissions.evidence_link(evidence.id)
        assert hashlib.sha256(httpx.get(link.url, trust_env=False).content).hexdigest() == evidence.sha256

    def test_sends_it_through_the_exchange_where_there_is_no_other_way(self, network, client, claim, large):
        assert client.submissions.add_evidence(str(claim.pk), large).size_bytes == large.stat().st_size
        assert all(map(is_ours, network.asked))
