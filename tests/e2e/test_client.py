"""The Python client against the running system."""

import csv
import hashlib
import json
import zipfile

import pytest

from llm_benchmark import Client, errors
from llm_benchmark.models import CaseClaim, MetricClaim
from tests.e2e.people import PASSWORD, QUESTIONS, RIGHT

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

LOG = b'{"question": "q0", "answer": "0"}\n' * 200_000


@pytest.fixture(scope="module")
def client(lab):
    """Logged in as the lab, by the client's own means."""
    with Client(lab.stack.base_url, "") as anybody:
        session = anybody.account.log_in(lab.name, PASSWORD)
        with anybody.with_token(session.access_token) as client:
            yield client


@pytest.fixture(scope="module")
def board(lab):
    """The slug of a benchmark of the lab's, which is on a board."""
    return lab.quality["slug"]


@pytest.fixture(scope="module")
def claim(lab, client, board):
    form = {
        "organization_id": client.organizations.get(lab.name).id,
        "benchmark": board,
        "deployment_id": lab.deployments["able"],
        "claims": [MetricClaim(name="accuracy", value=RIGHT / QUESTIONS, sample_count=QUESTIONS)],
        "cases": [CaseClaim(key=f"q{n}", score=float(n < RIGHT)) for n in range(QUESTIONS)],
    }
    assert client.submissions.check(**form).benchmark_slug == board
    return client.submissions.create(**form, notes="By the client.")


@pytest.fixture(scope="module")
def verified(client, claim):
    seen = []
    asked = client.verifications.request(claim.id, accept=lambda bound: bound.requests >= QUESTIONS)
    ended = client.verifications.wait(asked.id, progress=lambda v: seen.append(v.status), timeout=120)
    assert seen[-1] == "decided"
    return ended


class TestAccount:
    def test_is_the_lab_s(self, lab, client):
        assert client.account.profile().username == lab.name
        assert client.account.person(lab.name).id == client.account.profile().id

    def test_makes_a_token_that_may_only_read(self, client):
        made = client.account.create_token(name="reader", scopes=["profile:read"], expires_in_days=1)

        with client.with_token(made.secret) as reader:
            assert reader.account.profile().username
            with pytest.raises(errors.PermissionDenied) as refusal:
                reader.account.update_profile(bio="No.")
        assert refusal.value.code == "scope_missing"
        assert client.account.revoke_token(made.token.id).revoked_at

    def test_ends_its_session(self, lab):
        with Client(lab.stack.base_url, "") as anybody:
            token = anybody.account.log_in(lab.name, PASSWORD).access_token
            with anybody.with_token(token) as client:
                client.account.log_out()
                with pytest.raises(errors.Unauthorized):
                    client.account.profile()

    def test_needs_the_right_password(self, lab):
        with Client(lab.stack.base_url, "") as anybody, pytest.raises(errors.Unauthorized) as refusal:
            anybody.account.log_in(lab.name, "wrong")
        assert refusal.value.code == "login_failed"


class TestEvidence:
    def test_comes_back_as_it_went(self, client, claim, tmp_path):
        path = tmp_path / "answers.jsonl"
        path.write_bytes(LOG)
        seen = []

        kept = client.submissions.add_evidence(claim.id, path, progress=lambda *at: seen.append(at))
        back = client.submissions.download_evidence(kept.id, to=tmp_path / "back.jsonl")

        assert kept.sha256 == hashlib.sha256(LOG).hexdigest()
        assert back.read_bytes() == LOG
        assert seen[-1] == (len(LOG), len(LOG))
        assert kept.id in {evidence.id for evidence in client.submissions.evidence(claim.id)}

    def test_of_no_known_kind_is_refused(self, client, claim, tmp_path):
        path = tmp_path / "program.bin"
        path.write_bytes(b"\x7fELF\x00\xff")

        with pytest.raises(errors.InvalidInput) as refusal:
            client.submissions.add_evidence(claim.id, path)
        assert refusal.value.errors[0].field == "file"


class TestAVerification:
    def test_is_waited_for(self, verified):
        assert verified.verdict == "consistent"

    def test_shows_its_cases_and_its_bundle(self, client, verified, tmp_path):
        cases = list(client.verifications.cases(verified.id))
        bundle = client.verifications.download_bundle(verified.run_ids[0], to=tmp_path / "bundle.zip")

        assert len(cases) == QUESTIONS
        with zipfile.ZipFile(bundle) as archive:
            assert "manifest.json" in archive.namelist()
        assert client.verifications.run(verified.run_ids[0]).public_bundle_sha256


class TestABoard:
    def test_has_a_row_for_the_model(self, client, board, verified):
        rows = list(client.leaderboards.entries(board))

        best = client.leaderboards.rank_of(board, "able")
        assert best == next(row for row in rows if row.model_name == "able")
        assert client.leaderboards.top(board, 1) == rows[:1]

    def test_is_exported(self, client, board, verified, tmp_path):
        as_csv = client.leaderboards.export(board, to=tmp_path / "board.csv")
        as_json = client.leaderboards.export(board, "json", to=tmp_path / "board.json")

        rows = list(csv.DictReader(as_csv.read_text().splitlines()))
        assert len(rows) == len(list(client.leaderboards.entries(board)))
        assert json.loads(as_json.read_text())


class TestAWrongRequest:
    def test_names_the_fields(self, client, lab):
        with pytest.raises(errors.InvalidInput) as refusal:
            client.benchmarks.create(
                organization_id=lab.organization["id"], slug="Not a slug", name="", kind="quality",
                category="accuracy",
            )  # fmt: skip
        assert {wrong.field for wrong in refusal.value.errors} == {"slug", "name"}
        assert refusal.value.request_id

    def test_about_what_is_not_there_says_so(self, client):
        with pytest.raises(errors.NotFound) as refusal:
            client.leaderboards.get("no-such-benchmark")
        assert refusal.value.code == "benchmark_not_found"
