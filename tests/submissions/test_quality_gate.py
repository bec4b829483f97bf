"""A speed counts only where the same deployment, set alike, answers well enough."""

import pytest

from benchmarks.models import Benchmark
from exchange.operate.reconcile import verdicts
from exchange.operate.watch import Watch
from submissions import services
from submissions.api.serializers import VerificationSerializer
from submissions.endpoints.models import Endpoint
from tests.factories import submissions as f
from tests.factories.accounts import OrganizationFactory

pytestmark = pytest.mark.django_db


class World:
    """An organization with a deployment; a quality benchmark, and a speed behind it as its gate."""

    def __init__(self, minimum=0.75, **content):
        self.organization = OrganizationFactory()
        self.deployment = f.deployment_of(self.organization)
        self.quality = f.question_benchmark(**content)
        version = self.quality.versions.get()
        gate = {"benchmark_version_id": version.pk, "metric": "accuracy", "minimum": minimum}
        self.speed = f.load_benchmark(policy={"quality_gate": gate})

    def claim(self, kind, **changes):
        about = {"organization": self.organization, "deployment": self.deployment}
        make, benchmark = {
            "quality": (f.make_submission, self.quality),
            "speed": (f.make_load_submission, self.speed),
        }[kind]
        return make(**{**about, "benchmark": benchmark, **changes})

    def answers(self, right, **changes):
        return f.decided(self.claim("quality", **changes), right=right)

    def runs(self, ttft=40.0, **changes):
        return f.decided(self.claim("speed", **changes), session=f.load_session(ttft=ttft))


def codes(verification):
    found = {reason["code"] for j in verification.judgements for reason in j["reasons"]}
    return {code.removeprefix("quality_gate_") for code in found if code.startswith("quality_gate_")}


def outcome(verification):
    return verification.verdict, codes(verification)


class TestAVerdictBehindAGate:
    def test_stands_where_quality_was_reached(self):
        world = World(minimum=0.8)
        world.answers(8)
        assert outcome(world.runs()) == ("consistent", {"passed"})

    def test_is_withheld_below_the_minimum(self):
        world = World()
        world.answers(7)
        verification = world.runs()
        assert outcome(verification) == ("inconclusive", {"failed"})
        assert verification.submission.level == "unverified"

    def test_is_withheld_without_a_measurement(self):
        world = World()
        world.claim("quality")
        assert outcome(world.runs()) == ("inconclusive", {"missing"})

    def test_refutes_a_false_speed_all_the_same(self):
        assert World().runs(ttft=120.0).verdict == "refuted"

    def test_says_what_to_have_measured(self):
        world = World()
        said = VerificationSerializer(world.runs()).data["summary"]
        assert said.startswith("Inconclusive: nothing is decided. The quality gate is closed")
        assert f"Have a claim on {world.quality.name} 1.0.0 verified" in said

    def test_counts_once_quality_was_measured(self):
        world = World()
        first = world.runs()
        world.answers(8)
        again = f.make_verification(first.submission, repeat_reason="quality_gate")
        assert f.settle(again, session=f.load_session()).verdict == "consistent"

    def test_is_not_in_the_bundle_of_the_run_alone(self):
        verification = f.make_verification(World().claim("speed"))
        run = verification.runs.get()
        assert run.judgement_basis is None
        assert run.snapshot["policy"]["quality_gate"]["metric"] == "accuracy"


class TestWhatCounts:
    @pytest.mark.parametrize(
        ("changes", "verdict"),
        [
            ({"configuration": {"precision": "fp8"}}, "consistent"),
            ({"configuration": {"precision": "fp16"}}, "inconclusive"),
            ({}, "inconclusive"),
            ({"configuration": {"precision": "fp8", "system_prompt": "Think."}}, "inconclusive"),
        ],
    )
    def test_is_set_alike(self, changes, verdict):
        world = World()
        world.answers(8, **changes)
        assert world.runs(configuration={"precision": "fp8"}).verdict == verdict

    def test_is_the_same_deployment(self):
        world = World()
        world.answers(8, deployment=f.deployment_of(world.organization))
        assert outcome(world.runs()) == ("inconclusive", {"missing"})

    def test_is_at_the_same_address(self):
        world = World()
        world.answers(8)
        Endpoint.objects.update(origin="https://other.example.com")
        world.deployment.endpoint.refresh_from_db()
        assert outcome(world.runs()) == ("inconclusive", {"missing"})

    def test_is_the_latest(self):
        world = World()
        world.answers(10)
        world.answers(2)
        assert codes(world.runs()) == {"failed"}

    def test_is_no_failed_measurement(self):
        world = World()
        f.fail(f.start(f.make_verification(world.claim("quality")).runs.get()))
        assert codes(world.runs()) == {"missing"}

    def test_is_measured_whatever_became_of_the_claim(self):
        world = World()
        world.answers(10)
        bad = world.answers(2).submission
        actor = f.submitter_of(world.organization)
        services.withdraw_submission(actor=actor, submission_id=bad.pk, reason="It looks bad.")
        assert codes(world.runs()) == {"failed"}

    def test_keeps_the_number_of_a_private_claim(self):
        world = World()
        world.answers(2, visibility="private")
        reason = world.runs().judgements[0]["reasons"][0]
        assert reason["code"] == "quality_gate_failed"
        assert not {"found", "verification_id"} & reason["params"].keys()

    def test_is_named_where_everybody_sees_it(self):
        world = World()
        quality = world.answers(2)
        params = world.runs().judgements[0]["reasons"][0]["params"]
        assert (params["found"], params["verification_id"]) == (0.2, str(quality.pk))


class TestJudgingAgain:
    def test_sees_what_was_known_then(self):
        world = World()
        world.runs()
        world.answers(9)
        assert list(verdicts.verdicts(Watch("verdicts"))) == []


class TestItsPage:
    def test_says_what_is_asked_and_where(self, client):
        world = World()
        said = client.get(f"/benchmarks/{world.speed.slug}").content.decode()
        assert "has to reach 75\u00a0% (accuracy)" in said
        assert f'href="/benchmarks/{world.quality.slug}"' in said

    def test_names_no_benchmark_that_the_reader_may_not_know(self, client):
        world = World()
        Benchmark.objects.filter(pk=world.quality.pk).update(visibility="private")
        said = client.get(f"/benchmarks/{world.speed.slug}").content.decode()
        assert "has to reach 75" in said
        assert f'href="/benchmarks/{world.quality.slug}"' not in said
