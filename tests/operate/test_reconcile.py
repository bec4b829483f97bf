"""Whatever is altered behind the services' back is named."""

import io
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from exchange.core import envelopes
from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for
from exchange.operate.reconcile import CHECKS, counting, evidence
from exchange.storage import EvidenceUnavailable, get_store
from submissions.models import Evidence
from submissions.runs.models import Run

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("undone")]

ONE_RUN = "id = (SELECT id FROM runs_run WHERE status = 'succeeded' AND kind = 'quality' ORDER BY id LIMIT 1)"
ITS = "run_id = (SELECT id FROM runs_run WHERE status = 'succeeded' AND kind = 'quality' ORDER BY id LIMIT 1)"
OTHER_ORGANIZATION = "(SELECT id FROM accounts_organization WHERE id <> t.organization_id LIMIT 1)"
OTHER_ENDPOINT = "(SELECT id FROM endpoints_endpoint WHERE id <> t.endpoint_id LIMIT 1)"
FOREIGN_VERSION = "(SELECT id FROM benchmarks_benchmarkversion WHERE id <> t.version_id LIMIT 1)"
NOBODY = "'00000000-0000-4000-8000-000000000000'"
# title of the check → (what is done to the world, what is then said)
PLANTED = {
    "audit chain": [
        (
            (
                "INSERT INTO core_auditentry SELECT max(sequence) + 1, gen_random_uuid(), 'thing.forged',"
                " NULL, NULL, NULL, '{}', now(), repeat('0', 64), repeat('1', 64) FROM core_auditentry"
            ),
            r"the entry \d+ \(thing.forged\) does not follow",
        ),
    ],
    "outbox": [
        (
            (
                "INSERT INTO core_outboxmessage (event_id, kind, facts, created_at)"
                " VALUES (gen_random_uuid(), 'run.queued', '{}', now() - interval '1 day')"
            ),
            "run.queued of .* was never delivered",
        ),
    ],
    "versions and their hashes": [
        (
            "UPDATE benchmarks_case SET reference = '7' WHERE id = (SELECT id FROM benchmarks_case LIMIT 1)",
            "is not what its hash says",
        ),
        ("UPDATE benchmarks_benchmarkversion SET system_prompt = 'Cheat.'", "is not what its hash says"),
    ],
    "policies and their digests": [
        ("UPDATE benchmarks_verificationpolicy SET delta = 0.4", "is not what its digest says")
    ],
    "voting rules and their digests": [
        (
            (
                "INSERT INTO governance_votingrules SELECT gen_random_uuid(), created_at, updated_at,"
                " proposal_type, 99, 1, quorum_minimum, threshold_numerator, threshold_denominator,"
                " voting_seconds, timelock_seconds, expiry_seconds, decided_by, effective_at, digest"
                " FROM governance_votingrules LIMIT 1"
            ),
            "rules 99 for .* are not what their digest says",
        )
    ],
    "proposals and what they do": [
        ("""UPDATE governance_proposal SET action = '{"kind": "x"}'""", "would not do what was voted on")
    ],
    "attempts of runs": [
        (f"UPDATE runs_attempt SET status = 'sent' WHERE {ITS}", r"left \d+ attempts open"),
        (f"UPDATE runs_attempt SET fence = 9 WHERE {ITS}", "of a fence that it never had"),
        (f"UPDATE runs_run SET done_count = 1 WHERE {ONE_RUN}", "counts 1 as done; its ledger has 10"),
        (
            f"DELETE FROM runs_attempt WHERE key = 'q3' AND {ITS}",
            "has an answer to q3, for which no request was settled",
        ),
    ],
    "runs that succeeded": [
        (f"UPDATE runs_run SET bundle_sha256 = '' WHERE {ONE_RUN}", "succeeded and has no bundle"),
        (f"UPDATE runs_run SET public_bundle_sha256 = '' WHERE {ONE_RUN}", "has no public bundle"),
        (f"DELETE FROM runs_score WHERE {ITS}", "succeeded and has no scores"),
        (f"UPDATE runs_response SET score = NULL WHERE {ITS}", "answers that have no score"),
        (
            f"UPDATE runs_run SET status = 'cancelled' WHERE {ONE_RUN}",
            "is cancelled, and the chain tells 0 times that it ended so",
        ),
    ],
    "runs and verifications that go on": [
        (
            "UPDATE runs_run SET not_before = now() + interval '1 day' WHERE status = 'queued'",
            "is queued and cannot be claimed for more than an hour",
        ),
        (
            "UPDATE submissions_verification SET status = 'failed' WHERE status = 'requested'",
            "is queued, and nothing waits for it",
        ),
        (
            "UPDATE runs_run SET status = 'cancelled' WHERE status = 'queued'",
            "is requested and waits for no run",
        ),
    ],
    "campaigns and their rows": [
        (
            "UPDATE campaigns_campaign SET status = 'running', finished_at = NULL",
            "is running and waits for no run",
        ),
        (
            "UPDATE campaigns_campaignitem SET stage = 'pending', outcome = '', final_status = ''",
            "is completed and has rows that did not end",
        ),
        ("UPDATE campaigns_campaignendpoint SET is_open = true", "its endpoints say otherwise"),
    ],
    "deployments and their history": [
        (
            "UPDATE endpoints_deployment SET status = 'failed' WHERE status = 'active'",
            "its history says active",
        )
    ],
    "scores from the stored answers": [
        (f"UPDATE runs_score SET value = 0.123 WHERE metric = 'accuracy' AND {ITS}", "has another accuracy"),
        (f"UPDATE runs_response SET text = 'none' WHERE {ITS}", "has another accuracy than its answers"),
        (
            f"UPDATE runs_response SET score = 1 - score WHERE key = 'q2' AND {ITS}",
            "another score of q2 than",
        ),
        (f"DELETE FROM runs_score WHERE metric = 'accuracy' AND {ITS}", "has no accuracy, which its answers"),
        (f"UPDATE runs_score SET metric = 'wit' WHERE metric = 'accuracy' AND {ITS}", "has another wit than"),
    ],
    "verdicts from the stored scores": [
        (
            "UPDATE submissions_verification SET verdict = 'confirmed' WHERE verdict <> ''",
            "says confirmed; its scores say",
        ),
        (
            "UPDATE submissions_verification SET judgements = '[]' WHERE verdict <> ''",
            "judged accuracy otherwise than its scores do",
        ),
        ("UPDATE benchmarks_verificationpolicy SET sessions = 5", "has 1 runs, not 5"),
    ],
    "claims and their latest verdict": [
        ("UPDATE submissions_submission SET verification_id = NULL", "does not name its latest verdict"),
        (
            "UPDATE submissions_submission SET level = 'platform_verified'",
            "is platform_verified, which its verdicts do not bear out",
        ),
    ],
    "rows of boards": [
        ("UPDATE leaderboards_entry SET value = 0.99", "has another value than its measurement"),
        ("DELETE FROM leaderboards_entry", "has a verdict and no row"),
        (
            "UPDATE submissions_submission SET status = 'withdrawn', visibility = 'private'",
            "stands for nothing that was decided",
        ),
        ("UPDATE leaderboards_entry SET fingerprint = repeat('f', 64)", "stands for no claim"),
    ],
    "votes and their counts": [
        (
            "UPDATE governance_ballot SET choice = 'reject' WHERE choice = 'approve'",
            "has another tally, threshold_met, ballots_digest than its ballots",
        ),
        (
            "UPDATE governance_proposal SET status = 'rejected' WHERE status = 'executed'",
            "is rejected, and its ballots came to approved",
        ),
    ],
    "electorates": [
        (
            "DELETE FROM governance_ballot WHERE ctid = (SELECT ctid FROM governance_ballot LIMIT 1)",
            "is not the one that its vote was opened with",
        )
    ],
    "sealed secrets": [
        (
            "UPDATE endpoints_endpoint SET origin = 'https://elsewhere.example'",
            "the key of an endpoint .* does not open",
        ),
        ("UPDATE core_idempotencyrecord SET answer = 'x'", r"the kept answer \d+ does not open"),
    ],
    "references": [
        ("UPDATE runs_response SET key = 'none' WHERE key = 'q1'", "belongs to no question of its version"),
        (
            "UPDATE submissions_caseclaim SET key = 'none' WHERE key = 'q1'",
            "the claimed case .* belongs to no",
        ),
        ("UPDATE submissions_metricclaim SET name = 'none'", "is of no metric of its version"),
        (f"UPDATE governance_contribution SET subject_id = {NOBODY}", "is no submission"),
        (
            f"UPDATE runs_run t SET organization_id = {OTHER_ORGANIZATION}",
            "the run .* is of another organization",
        ),
        (
            "UPDATE benchmarks_benchmark SET kind = 'performance'",
            "the run .* is of another kind than its benchmark",
        ),
        (
            f"UPDATE campaigns_campaign t SET organization_id = {OTHER_ORGANIZATION}",
            "the campaign .* takes the endpoint of another organization",
        ),
        (
            f"UPDATE campaigns_campaignitem t SET endpoint_id = {OTHER_ENDPOINT}",
            "the row .* of a campaign is at another endpoint",
        ),
        (f"UPDATE runs_run t SET version_id = {FOREIGN_VERSION}", "has runs on another version"),
        (
            f"UPDATE runs_run t SET endpoint_id = {OTHER_ENDPOINT}",
            "on another endpoint than its deployment",
        ),
        (
            f"UPDATE endpoints_deployment t SET organization_id = {OTHER_ORGANIZATION}",
            "the deployment .* is of another organization",
        ),
        (
            f"UPDATE endpoints_endpointcredential t SET organization_id = {OTHER_ORGANIZATION}",
            "the key .* is of another organization",
        ),
        (
            f"UPDATE submissions_submission t SET organization_id = {OTHER_ORGANIZATION}",
            "the claim .* is of another organization",
        ),
        (
            (
                "UPDATE submissions_submission t SET model_id ="
                " (SELECT id FROM endpoints_languagemodel WHERE id <> t.model_id LIMIT 1)"
            ),
            "the claim .* is of another model",
        ),
        (
            (
                "UPDATE submissions_verification t SET policy_id ="
                " (SELECT id FROM benchmarks_verificationpolicy WHERE id <> t.policy_id LIMIT 1)"
            ),
            "by a policy of another version",
        ),
    ],
    "sizes of evidence": [
        ("UPDATE submissions_evidence SET size_bytes = 1", "bytes in the store and 1 in the database"),
        ("UPDATE submissions_evidence SET sha256 = repeat('a', 64)", "a{64} is not in the store"),
        (f"UPDATE runs_run SET public_bundle_sha256 = repeat('b', 64) WHERE {ONE_RUN}", "b{64} is not in"),
    ],
}
CASES = [(title, *plant) for title, plants in PLANTED.items() for plant in plants]


def plant(statement):
    with acting_for(SYSTEM), connection.cursor() as cursor:
        cursor.execute(statement)
        assert cursor.rowcount > 0, "nothing was altered"


def found(title):
    """What this one check comes to."""
    with acting_for(SYSTEM):
        return counting.found_by(next(check for check in CHECKS if check.title == title))


def path_of(sha256):
    return Path(urlsplit(settings.EVIDENCE_URL).path) / sha256[:2] / sha256


class TestReconcile:
    def test_finds_nothing_in_a_world_made_by_the_services(self):
        out = io.StringIO()
        call_command("reconcile", stdout=out)
        assert out.getvalue().endswith("\n0 differences\n"), out.getvalue()
        assert "verdicts from the stored scores: 3 looked at, 0 differ" in out.getvalue()

    @pytest.mark.parametrize(("title", "statement", "said"), CASES)
    def test_names_what_was_altered(self, title, statement, said):
        plant(statement)
        finding = found(title)
        assert finding.differences == len(finding.named) > 0
        assert any(re.search(said, text) for text in finding.named), finding.named

    def test_says_how_much_differs_and_fails(self):
        plant("UPDATE benchmarks_verificationpolicy SET delta = 0.4")
        out = io.StringIO()
        with pytest.raises(CommandError, match=r"^\d+ differences$"):
            call_command("reconcile", stdout=out)
        assert "  policy 1 of the version" in out.getvalue()

    def test_names_the_first_hundred(self, monkeypatch):
        monkeypatch.setattr(counting, "MOST_NAMED", 2)
        plant("UPDATE benchmarks_verificationpolicy SET delta = 0.4")
        out = io.StringIO()
        with pytest.raises(CommandError):
            call_command("reconcile", stdout=out)
        assert out.getvalue().count("  policy 1 of") == 2
        assert "  and 4 more\n" in out.getvalue()

    def test_has_a_planted_difference_for_every_check(self):
        in_files = {"bytes of evidence", "objects that nothing names"}
        assert {check.title for check in CHECKS} - in_files == set(PLANTED)


class TestEvidence:
    @pytest.fixture
    def damaged(self, world):
        """The first byte of a file is another one, for the length of a test."""
        path = path_of(Evidence.objects.order_by("pk").first().sha256)
        before = path.read_bytes()
        path.write_bytes(bytes([before[0] ^ 1]) + before[1:])
        yield path.name
        path.write_bytes(before)

    def test_is_read_and_hashed(self, damaged):
        assert found("bytes of evidence").named == [f"{damaged} is damaged: its bytes have another digest"]

    def test_is_not_read_where_nobody_asks_for_it(self, damaged):
        out = io.StringIO()
        call_command("reconcile", "--skip-bytes", stdout=out)
        assert "bytes of evidence" not in out.getvalue()

    def test_that_cannot_be_reached_ends_the_count_and_says_so(self, monkeypatch):
        def away():
            raise EvidenceUnavailable

        monkeypatch.setattr(evidence, "get_store", away)
        out = io.StringIO()
        with pytest.raises(CommandError, match="Evidence files cannot be kept or read"):
            call_command("reconcile", stdout=out)
        assert "references: " in out.getvalue()
        assert "0 differences" not in out.getvalue()

    def test_that_nothing_names_is_no_difference(self):
        Run.objects.update(public_bundle_sha256="")
        finding = found("objects that nothing names")
        assert finding.differences == 0
        assert finding.remarks == ["3 objects of the store are named by nothing; they do no harm"]

    def test_of_a_run_is_looked_for_too(self):
        run = Run.objects.exclude(bundle_sha256="").first()
        Run.objects.filter(pk=run.pk).update(bundle_size_bytes=5)
        size = get_store().size(run.bundle_sha256)
        text = f"{run.bundle_sha256} has {size} bytes in the store and 5 in the database"
        assert found("sizes of evidence").named == [text]


class TestSealedSecrets:
    def test_of_a_key_that_is_gone_are_named(self, monkeypatch):
        monkeypatch.setattr(settings, "KEYRING", {"new": envelopes.new_key()})
        assert [text for text in found("sealed secrets").named if "is not in the ring" in text]
        assert all("sk-test" not in text for text in found("sealed secrets").named)
