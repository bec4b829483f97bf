import hashlib

import pytest

from benchmarks import services as benchmarks
from exchange.accounts.errors import NotYourOrganization
from exchange.core.actors import SYSTEM
from exchange.core.models import AuditEntry
from llm_benchmark.measure.plans import Failure, Side
from submissions import selectors, verifying
from submissions.endpoints.errors import DeploymentDisabled
from submissions.endpoints.models import Deployment, Endpoint
from submissions.errors import (
    BoundNotAccepted,
    ConfigurationDiffers,
    DeploymentNotListed,
    DeploymentRequired,
    NotVerifiable,
    RepeatNeedsReason,
    SubmissionClosed,
    SubmissionNotFound,
    VerificationClosed,
    VerificationOpen,
    VersionNotPublished,
)
from submissions.models import Submission, Verification
from submissions.runs import leases
from submissions.runs import services as runs
from submissions.runs.models import Run
from tests.factories import submissions as f
from tests.factories.accounts import OrganizationFactory
from tests.factories.benchmarks import active_benchmark, writer_of

pytestmark = pytest.mark.django_db


def kinds_of(subject):
    return list(
        AuditEntry.objects.filter(subject_id=subject.pk).order_by("sequence").values_list("kind", flat=True)
    )


def request(submission, accept_bound=None, **form):
    actor = f.submitter_of(submission.organization)
    if accept_bound is None:
        bound = verifying.verification_bound(actor=actor, submission_id=submission.pk)
        accept_bound = bound.accept_bound
    return verifying.request_verification(
        actor=actor, submission_id=submission.pk, accept_bound=accept_bound, **form
    )


def refuse(kind, submission, **form):
    before = Verification.objects.count(), Run.objects.count(), AuditEntry.objects.count()
    with pytest.raises(kind) as refusal:
        request(submission, **{"accept_bound": "0" * 64, **form})
    assert (Verification.objects.count(), Run.objects.count(), AuditEntry.objects.count()) == before
    return [(error.field, error.code) for error in refusal.value.errors]


class TestWhatChangedSinceTheClaim:
    def test_refuses_a_deployment_that_is_not_listed_any_more(self):
        submission = f.make_submission()
        Deployment.objects.update(is_listed=False)
        assert refuse(DeploymentNotListed, submission) == []

    def test_refuses_a_disabled_deployment(self):
        submission = f.make_submission()
        Deployment.objects.update(status="disabled")
        assert refuse(DeploymentDisabled, submission) == []

    def test_refuses_an_endpoint_that_moved(self):
        submission = f.make_submission()
        Endpoint.objects.update(origin="https://other.example.com")
        found = refuse(ConfigurationDiffers, submission)
        assert found == [("deployment_id", "configuration_differs")]

    def test_writes_down_that_the_provider_is_simulated(self):
        organization = OrganizationFactory()
        deployment = f.deployment_of(organization, is_simulated=True)
        submission = f.make_submission(organization=organization, deployment=deployment)
        assert request(submission).runs.get().snapshot["is_simulated"] is True


class TestVerificationBound:
    def test_counts_every_question_and_the_canary(self):
        bound = verifying.verification_bound(
            actor=(actor := f.submitter_of(organization := OrganizationFactory())),
            submission_id=f.make_submission(organization=organization, actor=actor).pk,
        )
        prompts = [len(f"What is {n} plus {n}?") for n in range(10)]
        around, canary = 64 + 16, 64 + 64 + 16
        restarts = 2 * (4 * (max(prompts) + around) + canary)
        assert bound.requests == 10 + 1 + 2 * (4 + 1)
        assert bound.tokens == sum(prompts) + 10 * around + canary + restarts

    def test_counts_warm_up_and_sessions_of_a_load(self):
        submission = f.make_load_submission(benchmark=f.load_benchmark(policy={"sessions": 3}))
        bound = verifying.verification_bound(
            actor=f.submitter_of(submission.organization), submission_id=submission.pk
        )
        assert bound.requests == 3 * (20 + 2 + 1)
        assert bound.tokens == bound.requests * (2 * 64 + 64 + 64)

    def test_is_another_consent_for_other_numbers(self):
        digests = set()
        for count in (5, 6):
            submission = f.make_submission(
                benchmark=f.question_benchmark(count), cases=[], claims=[{"name": "accuracy", "value": 1.0}]
            )
            actor = f.submitter_of(submission.organization)
            bound = verifying.verification_bound(actor=actor, submission_id=submission.pk)
            digests.add(bound.accept_bound)
        assert len(digests) == 2

    def test_is_for_the_submitters_organization(self):
        with pytest.raises(NotYourOrganization):
            verifying.verification_bound(
                actor=f.submitter_of(OrganizationFactory()), submission_id=f.make_submission().pk
            )


class TestRequestVerification:
    def test_makes_the_verification_and_its_runs(self):
        verification = request(submission := f.make_submission(configuration={"top_p": 0.9}))
        run = verification.runs.get()
        assert (verification.status, verification.verdict) == ("requested", "")
        assert (run.status, run.planned_count, run.request_bound) == ("queued", 10, 21)
        assert run.fingerprint == submission.fingerprint
        assert run.snapshot["configuration"] == {"top_p": 0.9}
        assert run.judgement_basis["claim"]["metrics"] == {"accuracy": 0.8}
        assert kinds_of(verification) == ["verification.requested"]

    def test_draws_a_fresh_seed_and_keeps_it_secret(self):
        one, other = request(f.make_submission()), request(f.make_submission())
        assert one.seed != other.seed
        assert len(one.seed) == 32
        assert one.seed_digest == hashlib.sha256(one.seed.encode()).hexdigest()
        fact = AuditEntry.objects.get(kind="verification.requested", subject_id=one.pk)
        assert fact.facts["seed_digest"] == one.seed_digest
        assert one.seed not in str(fact.facts)

    def test_gives_each_session_its_own_seed(self):
        submission = f.make_load_submission(benchmark=f.load_benchmark(policy={"sessions": 3}))
        verification = request(submission)
        seeds = [run.seed for run in verification.runs.all()]
        assert len(set(seeds)) == 3
        assert set(seeds) == {verifying.seed_of_session(verification.seed, n) for n in range(3)}
        assert all(run.judgement_basis is None for run in verification.runs.all())

    def test_freezes_the_policy_in_force(self):
        benchmark = f.question_benchmark()
        submission = f.make_submission(benchmark=benchmark)
        first = request(submission)
        benchmarks.add_policy(
            actor=writer_of(benchmark.organization), version_id=submission.version_id, delta=0.1
        )
        first.refresh_from_db()
        assert first.policy.number == 1
        assert request(f.make_submission(benchmark=benchmark)).policy.number == 2

    @pytest.mark.parametrize("given", ["", "0" * 64])
    def test_tells_the_bound_that_has_to_be_accepted(self, given):
        submission = f.make_submission()
        assert refuse(BoundNotAccepted, submission, accept_bound=given) == [
            ("accept_bound", "bound_not_accepted")
        ]
        actor = f.submitter_of(submission.organization)
        bound = verifying.verification_bound(actor=actor, submission_id=submission.pk)
        with pytest.raises(BoundNotAccepted, match=bound.accept_bound) as refusal:
            request(submission, accept_bound=given)
        assert "Up to 21 requests" in str(refusal.value)
        assert "session" not in str(refusal.value)

    def test_says_that_an_interrupted_load_costs_as_much_again(self):
        with pytest.raises(BoundNotAccepted, match="begins again, at most twice"):
            request(f.make_load_submission(), accept_bound="")

    def test_needs_a_deployment(self):
        refuse(DeploymentRequired, f.make_submission(deployment=None))

    def test_cannot_measure_an_outside_harness(self):
        submission = f.make_submission(
            benchmark=active_benchmark(kind="external"), claims=[{"name": "score", "value": 0.5}], cases=[]
        )
        refuse(NotVerifiable, submission)

    @pytest.mark.parametrize("name", ["chat_template", "tools", "reasoning_effort"])
    def test_refuses_a_setting_that_it_could_not_measure(self, name):
        submission = f.make_submission(configuration={name: "something"})
        assert refuse(ConfigurationDiffers, submission) == [(f"configuration.{name}", "not_measurable")]

    def test_refuses_when_the_endpoint_speaks_another_dialect_now(self):
        organization = OrganizationFactory()
        deployment = f.deployment_of(organization, dialect={"name": "vllm"})
        submission = f.make_submission(organization=organization, deployment=deployment)
        deployment.endpoint.dialect = {"name": "openai"}
        deployment.endpoint.save()
        found = refuse(ConfigurationDiffers, submission)
        assert found == [("configuration.dialect", "configuration_differs")]

    def test_says_what_to_do_where_the_dialect_is_not_known(self):
        organization = OrganizationFactory()
        deployment = f.deployment_of(organization, dialect={"name": "vllm"})
        submission = f.make_submission(organization=organization, deployment=deployment)
        deployment.endpoint.dialect = {}
        deployment.endpoint.save()
        with pytest.raises(ConfigurationDiffers, match="Discover its models again"):
            request(submission)

    def test_takes_a_declared_precision(self):
        assert request(f.make_submission(configuration={"precision": "int8"})).status == "requested"

    def test_refuses_a_second_open_one(self):
        submission = f.make_submission()
        request(submission)
        refuse(VerificationOpen, submission)

    def test_is_refused_a_second_open_one_by_the_database_too(self, monkeypatch):
        submission = f.make_submission()
        made = request(submission)
        monkeypatch.setattr(selectors, "get_open_verification", lambda _submission: None)
        with pytest.raises(VerificationOpen):
            request(submission)
        assert list(submission.verifications.all()) == [made]

    def test_refuses_a_withdrawn_claim(self):
        submission = f.make_submission()
        Submission.objects.filter(pk=submission.pk).update(status="withdrawn")
        refuse(SubmissionClosed, submission)

    def test_refuses_a_voided_version(self):
        submission = f.make_submission()
        submission.version.move_to("voided")
        refuse(VersionNotPublished, submission)

    def test_refuses_another_organization(self):
        with pytest.raises(NotYourOrganization):
            verifying.request_verification(
                actor=f.submitter_of(OrganizationFactory()),
                submission_id=f.make_submission().pk,
                accept_bound="",
            )

    def test_hides_a_private_claim(self):
        submission = f.make_submission(visibility="private")
        with pytest.raises(SubmissionNotFound):
            verifying.request_verification(
                actor=f.submitter_of(OrganizationFactory()), submission_id=submission.pk, accept_bound=""
            )

    def test_repeats_a_decided_one_only_for_a_reason(self):
        submission = f.decided().submission
        assert refuse(RepeatNeedsReason, submission) == [("repeat_reason", "required")]
        again = request(submission, repeat_reason="dispute")
        assert again.repeat_reason == "dispute"

    def test_needs_no_reason_after_a_failure(self):
        submission = f.make_submission()
        fail(request(submission))
        assert request(submission, repeat_reason="expiry").repeat_reason == ""


def fail(verification, side=Side.PROVIDER, code="rate_limited", message="The endpoint limits the rate (429)"):
    run = f.start(verification.runs.first())
    leases.end(run, "failed", failure=Failure(side, code, message))
    verification.refresh_from_db()
    return verification


class TestFollowRun:
    def test_starts_with_the_first_run(self):
        verification = request(f.make_submission())
        f.start(verification.runs.get())
        verification.refresh_from_db()
        assert verification.status == "running"
        assert verification.started_at is not None

    def test_waits_for_every_session(self):
        submission = f.make_load_submission(benchmark=f.load_benchmark(policy={"sessions": 2}))
        verification = f.settle(request(submission), session=f.load_session(), only=1)
        assert (verification.status, verification.verdict) == ("running", "")

    def test_decides_with_the_last_session(self):
        submission = f.make_load_submission(benchmark=f.load_benchmark(policy={"sessions": 2}))
        verification = f.settle(request(submission), session=f.load_session())
        assert (verification.status, verification.verdict) == ("decided", "consistent")

    def test_fails_with_the_side_at_fault_and_gives_no_verdict(self):
        verification = fail(request(f.make_submission()))
        assert (verification.status, verification.verdict) == ("failed", "")
        assert (verification.fault_side, verification.fault_code) == ("provider", "rate_limited")
        assert kinds_of(verification)[-1] == "verification.failed"

    def test_keeps_the_last_verdict_after_a_failure(self):
        first = f.decided()
        submission = first.submission
        fail(request(submission, repeat_reason="dispute"))
        submission.refresh_from_db()
        assert submission.verification == first

    def test_stops_the_other_sessions_after_a_failure(self):
        submission = f.make_load_submission(benchmark=f.load_benchmark(policy={"sessions": 3}))
        verification = fail(request(submission))
        assert sorted(run.status for run in verification.runs.all()) == ["cancelled", "cancelled", "failed"]

    def test_ends_with_a_cancelled_run(self):
        verification = request(f.make_submission())
        runs.cancel_run(actor=SYSTEM, run_id=verification.runs.get().pk)
        verification.refresh_from_db()
        assert (verification.status, verification.verdict) == ("cancelled", "")

    def test_takes_no_notice_once_it_has_ended(self):
        verification = request(f.make_submission())
        run = f.start(verification.runs.get())
        verifying.cancel_verification(
            actor=f.submitter_of(verification.submission.organization), verification_id=verification.pk
        )
        f.answer_questions(run, 8)
        run.refresh_from_db()
        leases.end(run, "succeeded", bundle_sha256="a" * 64)
        verification.refresh_from_db()
        assert (verification.status, verification.verdict) == ("cancelled", "")


class TestDecide:
    def test_names_an_honest_claim_consistent(self):
        verification = f.decided()
        submission = Submission.objects.get(pk=verification.submission_id)
        assert verification.verdict == "consistent"
        assert submission.verification == verification
        assert submission.level == "platform_verified"
        judgement = verification.judgements[0]
        assert (judgement["claim"], judgement["measured"], judgement["rule"]) == (0.8, 0.8, "paired")
        fact = AuditEntry.objects.get(kind="verification.decided")
        assert fact.facts["verdict"] == "consistent"
        assert fact.facts["submission_id"] == str(submission.pk)

    def test_refutes_an_inflated_claim_and_leaves_the_level(self):
        verification = f.decided(right=0)
        submission = Submission.objects.get(pk=verification.submission_id)
        assert verification.verdict == "refuted"
        assert submission.level == "unverified"
        assert submission.verification == verification

    def test_keeps_a_level_that_was_reached(self):
        first = f.decided()
        again = f.settle(request(first.submission, repeat_reason="dispute"), right=0)
        submission = Submission.objects.get(pk=again.submission_id)
        assert (again.verdict, submission.level) == ("refuted", "platform_verified")
        assert submission.verification == again

    def test_confirms_with_enough_cases(self):
        submission = f.make_submission(
            benchmark=f.question_benchmark(200),
            claims=[{"name": "accuracy", "value": 0.6}],
            cases=f.case_results(120, 200),
        )
        assert f.decided(submission, right=120).verdict == "confirmed"

    def test_names_an_understated_claim(self):
        submission = f.make_submission(
            benchmark=f.question_benchmark(200),
            claims=[{"name": "accuracy", "value": 0.5}],
            cases=f.case_results(100, 200),
        )
        assert f.decided(submission, right=180).verdict == "understated"

    def test_uses_the_weaker_rule_without_cases(self):
        submission = f.make_submission(cases=[])
        judgement = f.decided(submission).judgements[0]
        assert judgement["rule"] == "two_samples"

    def test_counts_a_question_without_an_answer_as_wrong(self):
        verification = request(f.make_submission())
        run = f.start(verification.runs.get())
        f.answer_questions(run, 8)
        run.responses.filter(key__in=["q0", "q1"]).delete()
        leases.end(run, "succeeded", bundle_sha256="a" * 64)
        verification.refresh_from_db()
        assert verification.judgements[0]["measured"] == 0.6

    @pytest.mark.parametrize(
        ("ttft", "verdict"),
        [(40.0, "consistent"), (120.0, "refuted"), (10.0, "understated"), (50.0, "inconclusive")],
    )
    def test_judges_times_by_their_ratio(self, ttft, verdict):
        verification = f.decided(f.make_load_submission(), session=f.load_session(ttft=ttft))
        assert verification.verdict == verdict

    def test_decides_nothing_at_the_limit_of_the_measuring_side(self):
        session = f.load_session(ttft=120.0, flags=["saturated"])
        verification = f.decided(f.make_load_submission(), session=session)
        assert verification.verdict == "inconclusive"

    def test_is_inconclusive_when_a_deciding_metric_is_not_claimed(self):
        verification = f.decided(f.make_load_submission(claims={"ttft_p50": 40.0}), session=f.load_session())
        assert verification.verdict == "inconclusive"
        reasons = {reason["code"] for j in verification.judgements for reason in j["reasons"]}
        assert "not_claimed" in reasons

    def test_shows_other_claimed_metrics_without_deciding_by_them(self):
        claims = {"ttft_p50": 40.0, "request_latency_p50": 200.0, "ttft_p95": 4000.0}
        verification = f.decided(f.make_load_submission(claims=claims), session=f.load_session())
        shown = next(j for j in verification.judgements if j["metric"] == "ttft_p95")
        assert (shown["is_deciding"], verification.verdict) == (False, "consistent")


class TestCancelVerification:
    def test_stops_the_runs(self):
        verification = request(f.make_submission())
        actor = f.submitter_of(verification.submission.organization)
        shown = verifying.cancel_verification(actor=actor, verification_id=verification.pk)
        assert shown.status == "cancelled"
        assert shown.finished_at is not None
        assert {run.status for run in selectors.list_runs(verification)} == {"cancelled"}
        assert kinds_of(verification)[-1] == "verification.cancelled"
        assert kinds_of(verification).count("verification.cancelled") == 1

    def test_asks_a_running_run_to_stop(self):
        verification = request(f.make_submission())
        run = f.start(verification.runs.get())
        actor = f.submitter_of(verification.submission.organization)
        verifying.cancel_verification(actor=actor, verification_id=verification.pk)
        run.refresh_from_db()
        assert run.cancel_requested_at is not None

    def test_refuses_one_that_has_ended(self):
        verification = f.decided()
        actor = f.submitter_of(verification.submission.organization)
        with pytest.raises(VerificationClosed):
            verifying.cancel_verification(actor=actor, verification_id=verification.pk)

    def test_does_not_cancel_a_later_one_instead(self):
        first = f.decided()
        later = request(first.submission, repeat_reason="dispute")
        actor = f.submitter_of(first.submission.organization)
        with pytest.raises(VerificationClosed):
            verifying.cancel_verification(actor=actor, verification_id=first.pk)
        later.refresh_from_db()
        assert later.status == "requested"

    def test_refuses_another_organization(self):
        verification = request(f.make_submission())
        with pytest.raises(NotYourOrganization):
            verifying.cancel_verification(
                actor=f.submitter_of(OrganizationFactory()), verification_id=verification.pk
            )

    def test_lets_the_claim_be_verified_again(self):
        verification = request(submission := f.make_submission())
        verifying.cancel_verification(
            actor=f.submitter_of(submission.organization), verification_id=verification.pk
        )
        assert request(submission).status == "requested"
        assert selectors.list_verifications(actor=SYSTEM, submission_id=submission.pk).count() == 2
