"""One organization's way from its first account to a row on a board, through every door."""

import hashlib

import pytest

from exchange.api.convert import to_message
from exchange.api.pb import leaderboards_pb2 as boards
from exchange.api.pb import submissions_pb2 as pb
from exchange.core.quantities import quantity
from exchange.web.words import LEVELS, VERDICTS
from llm_benchmark import SdkError
from llm_benchmark.measure import bundle
from tests.e2e.people import KEY, PASSWORD, RIGHT, Rpc, Visitor
from tests.e2e.rest import Rest

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

LOG = b'{"question": "q0", "answer": "0"}\n{"question": "q1", "answer": "2"}\n'
CLAIMS = {"honest": "consistent", "inflated": "refuted", "fast": "consistent"}


@pytest.fixture(scope="module")
def claims(lab):
    return {
        "honest": lab.claim_quality("able", RIGHT),
        "inflated": lab.claim_quality("boasting", RIGHT + 10),
        "fast": lab.claim_speed("slow", 514.0),
        "private": lab.claim_quality("able", RIGHT, visibility="private"),
    }


@pytest.fixture(scope="module")
def evidence(lab, claims):
    return lab.rest.call(
        "POST",
        f"/submissions/{claims['honest']['id']}/evidence",
        files={"file": ("answers.jsonl", LOG)},
        data={"sha256": hashlib.sha256(LOG).hexdigest()},
    )


@pytest.fixture(scope="module")
def verdicts(lab, claims, evidence):
    """Each claim's verification, asked for at another door."""
    assert lab.visitor.log_in(lab.name).status_code == 302
    asked = {
        "honest": lab.request_on_the_website(claims["honest"]),
        "inflated": lab.request_over_grpc(claims["inflated"]),
        "fast": lab.request_over_rest(claims["fast"]),
        "private": lab.request_over_rest(claims["private"]),
    }
    return {name: lab.ended(verification) for name, verification in asked.items()}


@pytest.fixture(scope="module")
def stranger(stack):
    """Somebody with an account and nothing else."""

    class Stranger:
        rest, visitor = Rest(stack.base_url), Visitor(stack.base_url)

    account = {"username": "stranger", "email": "s@example.org", "password": PASSWORD}
    session = Stranger.rest.post("/auth/register", account)
    Stranger.rest.log_in(**account)
    Stranger.rpc = Rpc(stack.grpc_address, session["access_token"])
    Stranger.visitor.log_in("stranger")
    with Stranger.rest:
        yield Stranger
    Stranger.rpc.close()
    Stranger.visitor.close()


def board_at(person, benchmark):
    """The board over REST and over gRPC, both as messages."""
    shown = person.rest.get(f"/benchmarks/{benchmark['id']}/leaderboard")
    request = boards.GetLeaderboardRequest(benchmark_id=benchmark["id"])
    return to_message(boards.Leaderboard, shown), person.rpc("GetLeaderboard", request)


def row_of(board, submission):
    return next((row for row in board.items if row.submission_id == submission["id"]), None)


def run_of(lab, verification):
    return lab.rest.get(f"/runs/{verification['run_ids'][0]}")


class TestVerdicts:
    @pytest.mark.parametrize(("name", "verdict"), CLAIMS.items())
    def test_are_what_the_claims_deserve(self, verdicts, name, verdict):
        found = verdicts[name]
        assert (found["status"], found["verdict"]) == ("decided", verdict), found

    @pytest.mark.parametrize("name", CLAIMS)
    def test_are_the_same_over_rest_and_grpc(self, lab, claims, verdicts, name):
        submission = lab.rest.get(f"/submissions/{claims[name]['id']}")
        verification = verdicts[name]

        asked = pb.GetSubmissionRequest(id=submission["id"])
        assert lab.rpc("GetSubmission", asked) == to_message(pb.Submission, submission)
        asked = pb.GetVerificationRequest(id=verification["id"])
        assert lab.rpc("GetVerification", asked) == to_message(pb.Verification, verification)
        asked = pb.GetRunRequest(id=verification["run_ids"][0])
        assert lab.rpc("GetRun", asked) == to_message(pb.Run, run_of(lab, verification))

    @pytest.mark.parametrize(("name", "verdict"), CLAIMS.items())
    def test_stand_on_the_website(self, stranger, claims, verdicts, name, verdict):
        page = stranger.visitor.get(f"/submissions/{claims[name]['id']}").text
        assert str(VERDICTS[verdict]) in page
        judgement = verdicts[name]["judgements"][0]
        unit = "ms" if name == "fast" else ""
        assert quantity(judgement["measured"], unit) in page
        assert verdicts[name]["summary"] in page

    def test_raise_the_level_except_a_refutation(self, lab, claims, verdicts):
        levels = {name: lab.rest.get(f"/submissions/{claims[name]['id']}")["level"] for name in CLAIMS}
        assert levels == {
            "honest": "platform_verified", "inflated": "unverified", "fast": "platform_verified",
        }  # fmt: skip

    def test_reveal_the_seed_that_was_promised(self, verdicts):
        for found in verdicts.values():
            assert hashlib.sha256(found["seed"].encode()).hexdigest() == found["seed_digest"]

    def test_account_for_every_call(self, lab, verdicts):
        for found in verdicts.values():
            run = run_of(lab, found)
            assert (run["status"], run["requests_lost"]) == ("succeeded", 0)
            assert run["requests_settled"] > run["planned_count"]


class TestBoard:
    def test_ranks_what_was_measured_at_every_door(self, lab, stranger, claims, verdicts):
        rest, rpc = board_at(stranger, lab.quality)
        page = stranger.visitor.get(f"/benchmarks/{lab.quality['slug']}").text

        assert rest == rpc
        for name in ("honest", "inflated"):
            row = row_of(rest, claims[name])
            assert (row.value, row.rank) == (RIGHT / 20, 1)
            assert row.claim_refuted == (name == "inflated")
            assert f"row-{row.id}" in page
        assert str(LEVELS["platform_verified"]) in page

    def test_of_speed_shows_the_measured_latency_at_every_door(self, lab, stranger, claims, verdicts):
        rest, rpc = board_at(stranger, lab.speed)
        page = stranger.visitor.get(f"/benchmarks/{lab.speed['slug']}").text

        row = row_of(rest, claims["fast"])
        assert rest == rpc
        assert row.value == verdicts["fast"]["judgements"][0]["measured"]
        assert row.value >= 34
        assert f"row-{row.id}" in page
        assert quantity(row.value, "ms").partition("\N{NO-BREAK SPACE}")[0] in page

    def test_shows_nothing_of_a_private_claim(self, lab, stranger, claims, verdicts):
        for board in board_at(stranger, lab.quality):
            assert row_of(board, claims["private"]) is None
        assert claims["private"]["id"] not in stranger.visitor.get(f"/benchmarks/{lab.quality['slug']}").text


class TestEvidence:
    def test_is_listed_alike_and_named_on_the_page(self, lab, stranger, claims, evidence):
        path = f"/submissions/{claims['honest']['id']}"
        [shown] = stranger.rest.every(f"{path}/evidence")
        request = pb.ListEvidenceRequest(submission_id=claims["honest"]["id"])

        assert shown == evidence
        assert list(stranger.rpc("ListEvidence", request).items) == [to_message(pb.Evidence, evidence)]
        assert "answers.jsonl" in stranger.visitor.get(path).text


class TestBundle:
    @pytest.mark.parametrize("name", CLAIMS)
    def test_is_the_same_at_both_doors_and_can_be_checked_offline(
        self, lab, stranger, verdicts, tmp_path, name
    ):
        run = run_of(lab, verdicts[name])
        over_rest = stranger.visitor.get(f"/api/v1/runs/{run['id']}/bundle").content
        over_grpc = stranger.rpc("DownloadBundle", pb.DownloadBundleRequest(run_id=run["id"]))

        assert over_rest == over_grpc.content
        assert hashlib.sha256(over_rest).hexdigest() == run["public_bundle_sha256"] == over_grpc.sha256
        (tmp_path / "bundle.zip").write_bytes(over_rest)
        report = bundle.check(tmp_path / "bundle.zip", sha256=run["public_bundle_sha256"])
        assert report.ok, report.problems
        assert lab.simulator.host_and_port.encode() not in over_rest
        assert KEY.encode() not in over_rest


class TestPrivateClaim:
    def test_is_decided_for_its_owner(self, verdicts):
        assert verdicts["private"]["verdict"] == "consistent"

    def test_is_nowhere_for_a_stranger(self, stranger, claims, verdicts):
        submission, verification = claims["private"]["id"], verdicts["private"]
        paths = [
            f"/submissions/{submission}",
            f"/submissions/{submission}/evidence",
            f"/submissions/{submission}/verifications",
            f"/submissions/{submission}/verification-bound",
            f"/verifications/{verification['id']}",
            f"/verifications/{verification['id']}/cases",
            f"/runs/{verification['run_ids'][0]}",
            f"/runs/{verification['run_ids'][0]}/bundle",
        ]
        for path in paths:
            with pytest.raises(SdkError) as refused:
                stranger.rest.get(path)
            assert refused.value.code.endswith("not_found"), path
            assert stranger.visitor.get(f"/api/v1{path}").status_code == 404
        for page in ("", "/progress", "/cases"):
            assert stranger.visitor.get(f"/submissions/{submission}{page}").status_code == 404
        calls = {
            "GetSubmission": pb.GetSubmissionRequest(id=submission),
            "ListEvidence": pb.ListEvidenceRequest(submission_id=submission),
            "ListVerifications": pb.ListVerificationsRequest(submission_id=submission),
            "GetVerification": pb.GetVerificationRequest(id=verification["id"]),
            "ListCaseComparisons": pb.ListCaseComparisonsRequest(verification_id=verification["id"]),
            "GetRun": pb.GetRunRequest(id=verification["run_ids"][0]),
            "DownloadBundle": pb.DownloadBundleRequest(run_id=verification["run_ids"][0]),
        }
        for name, request in calls.items():
            assert stranger.rpc.refusal(name, request) == "NOT_FOUND", name
        assert submission not in stranger.visitor.get("/submissions").text


class TestAuditChain:
    def test_is_unbroken_and_has_the_whole_way(self, stack, claims, verdicts):
        assert stack.manage("verify_audit_chain").strip().endswith("entries, unbroken")
        subjects = [one["id"] for one in (*claims.values(), *verdicts.values())]
        kinds = ("submission.created", "evidence.added", "verification.requested", "verification.decided")
        counted = stack.manage(
            "shell", "--no-imports", "-c",
            "from exchange.core.models import AuditEntry\n"
            f"found = AuditEntry.objects.filter(subject_id__in={subjects})\n"
            f"print([found.filter(kind=kind).count() for kind in {kinds}])",
        )  # fmt: skip
        assert counted.strip() == "[4, 1, 4, 4]"


class TestWithdrawal:
    def test_takes_the_row_off_every_board_and_leaves_a_tombstone(self, lab, stranger, claims, verdicts):
        path = f"/submissions/{claims['fast']['id']}"
        before, _ = board_at(stranger, lab.speed)
        row = row_of(before, claims["fast"])

        answer = lab.visitor.post(f"{path}/withdraw", on=path, reason="measured on another machine")

        assert (answer.status_code, row is None) == (302, False)
        for board in board_at(stranger, lab.speed):
            assert row_of(board, claims["fast"]) is None
        assert f"row-{row.id}" not in stranger.visitor.get(f"/benchmarks/{lab.speed['slug']}").text
        assert stranger.rest.get(path)["status"] == "withdrawn"
        assert "measured on another machine" in stranger.visitor.get(path).text
