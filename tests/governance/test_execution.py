"""What a passed proposal does, once; and what happens when it cannot."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from benchmarks import reviewing
from benchmarks.models import Benchmark, VerificationPolicy
from benchmarks.selectors import get_benchmark
from exchange.accounts.selectors import actor_for_user
from exchange.core import audit, clock
from exchange.core.actors import SYSTEM
from exchange.core.models import AuditEntry
from governance import actions, errors, services, tasks
from governance.models import Procedure, Proposal, VotingRules
from tests.factories import governance as make
from tests.factories.accounts import MembershipFactory
from tests.factories.benchmarks import active_benchmark, draft_version, published_version, writer_of

pytestmark = pytest.mark.django_db


def benchmark_of(proposal):
    return get_benchmark(actor=SYSTEM, benchmark_id=proposal.benchmark_id)


CHANGELOG = {"changelog": "Harder questions."}


def member_of(benchmark):
    person = make.ContributorFactory()
    MembershipFactory(user=person, organization=benchmark.organization)
    return person


def due(**options):
    proposal = make.closed_proposal(**options)
    make.end_timelock(proposal)
    return proposal


class TestExecution:
    def test_activates_and_endorses_a_benchmark(self):
        proposal = make.executed_proposal(kind="activate_benchmark")

        benchmark = benchmark_of(proposal)
        assert (benchmark.status, benchmark.is_endorsed) == ("active", True)
        assert proposal.effect == [
            {"name": "status", "before": "under_review", "after": "active"},
            {"name": "is_endorsed", "before": "false", "after": "true"},
        ]

    def test_endorses_what_a_reviewer_activated_meanwhile(self):
        proposal = due(kind="activate_benchmark")
        Benchmark.objects.filter(pk=proposal.benchmark_id).update(status="active")
        services.finalise_due()

        assert make.reread(proposal).effect == [{"name": "is_endorsed", "before": "false", "after": "true"}]

    def test_updates_metadata_and_publishes_a_version(self):
        benchmark = active_benchmark()
        version = draft_version(benchmark, "2.0.0", **CHANGELOG)
        action = make.update(benchmark, name="A better name", tags=["maths", "school"])
        action["update_benchmark"]["version_id"] = version.pk
        proposal = make.executed_proposal(
            kind="update_benchmark", action=action, proposer=member_of(benchmark)
        )

        assert proposal.status == "executed", proposal.execution_error
        after = benchmark_of(proposal)
        assert (after.name, after.tags, after.current_version) == (
            "A better name",
            ["maths", "school"],
            "2.0.0",
        )
        assert {change["name"] for change in proposal.effect} == {"name", "tags", "current_version"}

    def test_deprecates_even_what_is_endorsed(self):
        benchmark = active_benchmark()
        Benchmark.objects.filter(pk=benchmark.pk).update(is_endorsed=True)
        proposal = make.executed_proposal(action=make.deprecation(benchmark))

        assert benchmark_of(proposal).status == "deprecated"

    def test_sets_a_policy_that_says_who_decided_it(self):
        proposal = make.executed_proposal(kind="set_verification_policy")

        newest = VerificationPolicy.objects.order_by("-number").first()
        assert (newest.delta, newest.decided_by) == (0.03, "proposal")
        assert {"name": "delta", "before": "0.02", "after": "0.03"} in proposal.effect

    def test_sets_a_quality_gate_and_names_its_parts(self):
        speed, quality = active_benchmark(kind="performance"), active_benchmark()
        gate = {"benchmark_version_id": quality.current_version_id, "metric": "accuracy", "minimum": 0.85}
        action = make.policy(speed.current_version_id, quality_gate=gate)
        proposal = make.executed_proposal(kind="set_verification_policy", action=action)

        newest = VerificationPolicy.objects.order_by("-number").first()
        assert newest.quality_gate == {**gate, "benchmark_version_id": str(quality.current_version_id)}
        assert {"name": "quality_gate.minimum", "before": None, "after": "0.85"} in proposal.effect

    def test_sets_voting_rules_as_a_new_number(self):
        proposal = make.executed_proposal(kind="set_voting_rules")

        rules = Procedure.objects.get(pk="update_benchmark").rules
        assert (rules.number, rules.quorum_percent, rules.decided_by) == (2, 20, "proposal")
        assert VotingRules.objects.get(proposal_type="update_benchmark", number=1).quorum_percent == 10
        assert proposal.effect == [{"name": "quorum_percent", "before": "10", "after": "20"}]

    @pytest.mark.parametrize("kind", make.ACTIONS)
    def test_does_what_was_planned_and_says_so_in_the_chain(self, kind):
        proposal = make.executed_proposal(kind=kind)

        assert proposal.effect == proposal.planned
        assert AuditEntry.objects.get(kind="proposal.executed").facts["effect"] == proposal.effect
        assert audit.first_broken(AuditEntry.objects.order_by("sequence")) is None

    @pytest.mark.parametrize("kind", make.ACTIONS)
    def test_done_twice_changes_once(self, kind):
        proposal = make.executed_proposal(kind=kind)
        facts = AuditEntry.objects.count()

        assert actions.carry_out(proposal) == []
        assert AuditEntry.objects.count() == facts
        Proposal.objects.filter(pk=proposal.pk).update(status="queued")
        services.finalise_due()
        assert make.reread(proposal).effect == []

    def test_waits_for_the_timelock(self):
        proposal = make.closed_proposal()
        services.finalise_due()

        assert make.reread(proposal).status == "queued"
        assert benchmark_of(proposal).status == "active"

    def test_is_rung_by_beat_and_by_operators(self):
        first = due()
        tasks.finalise_proposals()
        assert make.reread(first).status == "executed"

        second = due()
        call_command("finalise_proposals", stdout=(out := StringIO()))
        assert make.reread(second).status == "executed"
        assert out.getvalue() == "Steps taken: 1.\n"


class TestFailure:
    def test_keeps_why_and_undoes_everything(self):
        proposal = due(kind="activate_benchmark")
        Benchmark.objects.filter(pk=proposal.benchmark_id).update(status="archived")
        services.finalise_due()

        after = make.reread(proposal)
        assert (after.status, after.execution_error_code) == ("failed", "illegal_transition")
        assert "cannot become" in after.execution_error
        assert not benchmark_of(proposal).is_endorsed
        assert AuditEntry.objects.filter(kind="proposal.execution_failed").count() == 1

    def test_refuses_a_version_that_is_not_the_one_voted_on(self):
        proposal = due(kind="activate_benchmark")
        benchmark = benchmark_of(proposal)
        Benchmark.objects.filter(pk=benchmark.pk).update(status="active")
        published_version(benchmark, "2.0.0", **CHANGELOG)
        services.finalise_due()

        assert make.reread(proposal).execution_error_code == "action_outdated"

    def test_refuses_a_benchmark_that_became_a_draft_until_it_is_submitted_again(self):
        proposal = due(kind="activate_benchmark")
        author, about = writer_of(proposal.benchmark.organization), proposal.benchmark_id
        reviewing.take_back_from_review(actor=author, benchmark_id=about)
        services.finalise_due()

        assert make.reread(proposal).execution_error_code == "benchmark_still_draft"
        assert benchmark_of(proposal).status == "draft"

        reviewing.submit_for_review(actor=author, benchmark_id=about)
        services.retry_execution(actor=make.proposer_of(proposal), proposal_id=proposal.pk)
        services.finalise_due()

        assert make.reread(proposal).status == "executed"

    def test_refuses_an_action_that_does_not_match_its_digest(self):
        proposal = due()
        other = active_benchmark()
        altered = {
            **proposal.action,
            "deprecate_benchmark": {"benchmark_id": str(other.pk), "reason": "x" * 10},
        }
        Proposal.objects.filter(pk=proposal.pk).update(action=altered)
        services.finalise_due()

        assert make.reread(proposal).execution_error_code == "action_altered"
        other.refresh_from_db()
        assert other.status == "active"

    def test_names_the_fields_that_were_refused(self, settings):
        proposal = due(kind="set_voting_rules")
        settings.GOVERNANCE = {**settings.GOVERNANCE, "voting_seconds": (1, 2, 3)}
        services.finalise_due()

        assert "voting_seconds: This is from 1 to 3 seconds here." in make.reread(proposal).execution_error

    def test_of_ours_is_logged_and_holds_up_no_other(self, monkeypatch, caplog):
        broken, whole = make.closed_proposal(), due()
        make.end_timelock(broken)
        carry_out = actions.carry_out

        def fail_once(proposal):
            if proposal.pk == broken.pk:
                raise ZeroDivisionError("secret detail")
            return carry_out(proposal)

        monkeypatch.setattr(actions, "carry_out", fail_once)
        services.finalise_due()

        after = make.reread(broken)
        assert (after.status, after.execution_error_code) == ("failed", "internal_error")
        assert "secret detail" not in after.execution_error
        assert "ZeroDivisionError" in caplog.text
        assert make.reread(whole).status == "executed"

    def test_of_the_step_itself_is_tried_again(self, monkeypatch):
        proposal = due()
        with monkeypatch.context() as patch:
            patch.setattr("governance.voting.publish", lambda *_a, **_k: 1 / 0)
            assert services.finalise_due() == 0
        assert make.reread(proposal).status == "queued"

        services.finalise_due()

        assert make.reread(proposal).status == "executed"


class TestRetryExecution:
    def failed(self):
        proposal = due(kind="activate_benchmark")
        Benchmark.objects.filter(pk=proposal.benchmark_id).update(status="archived")
        services.finalise_due()
        return make.reread(proposal)

    def test_carries_it_out_once_the_obstacle_is_gone(self):
        proposal = self.failed()
        Benchmark.objects.filter(pk=proposal.benchmark_id).update(status="under_review")
        services.retry_execution(actor=make.proposer_of(proposal), proposal_id=proposal.pk)
        services.finalise_due()

        after = make.reread(proposal)
        assert (after.status, after.execution_attempts, after.execution_error) == ("executed", 2, "")

    def test_fails_again_while_it_is_there(self):
        proposal = self.failed()
        services.retry_execution(actor=make.proposer_of(proposal), proposal_id=proposal.pk)
        services.finalise_due()

        assert (make.reread(proposal).status, make.reread(proposal).execution_attempts) == ("failed", 2)

    def test_refuses_what_has_not_failed_or_is_too_late(self):
        proposal = self.failed()
        Proposal.objects.filter(pk=proposal.pk).update(expires_at=clock.now())

        for other in (proposal, make.closed_proposal()):
            with pytest.raises(errors.NothingToRetry):
                services.retry_execution(actor=make.proposer_of(other), proposal_id=other.pk)

    def test_refuses_a_contributor_who_is_not_its_proposer(self):
        stranger = actor_for_user(make.ContributorFactory())

        with pytest.raises(errors.NotYourProposal):
            services.retry_execution(actor=stranger, proposal_id=self.failed().pk)


class TestExpiry:
    @pytest.mark.parametrize("status", ["queued", "failed"])
    def test_comes_before_execution(self, status):
        proposal = due()
        Proposal.objects.filter(pk=proposal.pk).update(status=status, expires_at=clock.now())
        services.finalise_due()

        assert make.reread(proposal).status == "expired"
        assert benchmark_of(proposal).status == "active"

    def test_holds_for_a_vote_that_nobody_counted_for_too_long(self):
        proposal = make.voting_proposal()
        make.vote(proposal, "approve", "approve", "approve")
        make.move_end(proposal, seconds_ago=31 * 86400)
        services.finalise_due()

        after = make.reread(proposal)
        assert (after.status, after.tally["approve"]) == ("expired", 3)
        assert after.expires_at < clock.now() - timedelta(hours=23)
