"""Proposals and their debate, up to the vote."""

import pytest

from benchmarks import selectors as benchmarks
from benchmarks.errors import BenchmarkNotFound, NoPublishedVersion, VersionNotFound
from benchmarks.models import Benchmark
from exchange.accounts.selectors import actor_for_user
from exchange.core.errors import InvalidInput
from exchange.core.models import AuditEntry
from governance import errors, selectors, services
from governance.models import Proposal, Review
from tests.factories import governance as make
from tests.factories.accounts import MembershipFactory
from tests.factories.benchmarks import BenchmarkFactory, active_benchmark, draft_version
from tests.factories.governance import ContributorFactory, ReviewerFactory

pytestmark = pytest.mark.django_db
TEXT = {"title": "T", "description": "D", "rationale": "R"}


def by(factory=ContributorFactory):
    return actor_for_user(factory())


def create(action, type="deprecate_benchmark", actor=None):
    return services.create_proposal(actor=actor or by(), type=type, action=action, **TEXT)


def refused_fields(call):
    with pytest.raises(InvalidInput) as refused:
        call()
    return [(error.field, error.code) for error in refused.value.errors]


def review(proposal, decision, reason=make.REASON, actor=None):
    return services.review_proposal(
        actor=actor or by(ReviewerFactory), proposal_id=proposal.pk, decision=decision, reason=reason
    )


class TestCreateProposal:
    @pytest.mark.parametrize("kind", make.ACTIONS)
    def test_tries_the_action_and_undoes_it(self, kind):
        proposal = make.draft_proposal(kind=kind)
        again = make.draft_proposal(action={**proposal.action}, kind=kind)

        assert proposal.planned
        assert again.planned == proposal.planned
        assert again.action_digest == proposal.action_digest
        assert proposal.status == "draft"

    def test_leaves_no_fact_of_what_it_tried(self):
        make.draft_proposal(kind="deprecate_benchmark")

        kinds = set(AuditEntry.objects.values_list("kind", flat=True))
        assert "proposal.created" in kinds
        assert "benchmark.deprecated" not in kinds

    def test_is_bounded_by_the_day_and_counts_what_was_created(self, settings):
        settings.PROPOSALS_A_DAY = 1
        actor, action = by(), make.draft_proposal(kind="deprecate_benchmark").action
        refused_fields(lambda: create({"kind": "deprecate_benchmark"}, actor=actor))
        create(action, actor=actor)

        with pytest.raises(errors.TooManyProposals) as refused:
            create(action, actor=actor)

        assert refused.value.retry_after_seconds > 0
        assert create(action)

    def test_names_the_published_version_that_was_meant(self):
        benchmark = make.reviewable_benchmark()
        proposal = create(make.activation(benchmark), type="new_benchmark")

        version = benchmark.versions.get()
        assert proposal.action["activate_benchmark"] == {
            "benchmark_id": str(benchmark.pk),
            "version_id": str(version.pk),
            "content_hash": version.content_hash,
        }
        assert proposal.planned[:2] == [
            {"name": "status", "before": "under_review", "after": "active"},
            {"name": "is_endorsed", "before": "false", "after": "true"},
        ]

    def test_completes_a_policy_so_that_voters_see_all_of_it(self):
        proposal = create(make.policy(delta=0.03), type="policy_change")

        rule = proposal.action["set_verification_policy"]
        assert (rule["delta"], rule["alpha"], rule["deciding_metrics"]) == (0.03, 0.05, ["accuracy"])

    def test_refuses_another_hash_than_the_version_has(self):
        action = make.activation()
        action["activate_benchmark"]["content_hash"] = "0" * 64

        with pytest.raises(errors.ActionOutdated):
            create(action, type="new_benchmark")

    def test_refuses_an_action_of_another_type(self):
        assert refused_fields(lambda: create(make.deprecation(), type="new_benchmark")) == [
            ("action.kind", "wrong_kind")
        ]

    def test_refuses_an_action_without_its_fields_or_with_those_of_another(self):
        bare = {"kind": "deprecate_benchmark"}
        both = {**make.deprecation(), "update_benchmark": {"benchmark_id": active_benchmark().pk}}

        assert refused_fields(lambda: create(bare)) == [("action.deprecate_benchmark", "required")]
        assert refused_fields(lambda: create(both)) == [("action.update_benchmark", "wrong_kind")]

    def test_names_the_field_that_the_action_s_own_service_refuses(self):
        policy = make.policy(delta=0.9)
        deprecation = make.deprecation(reason="short")

        assert refused_fields(lambda: create(policy, type="policy_change")) == [
            ("action.set_verification_policy.delta", "out_of_range")
        ]
        assert refused_fields(lambda: create(deprecation)) == [
            ("action.deprecate_benchmark.reason", "length")
        ]

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"voting_seconds": 1}, "voting_seconds"),
            ({"voting_seconds": 31 * 86400}, "voting_seconds"),
            ({"timelock_seconds": 0}, "timelock_seconds"),
            ({"expiry_seconds": 91 * 86400}, "expiry_seconds"),
            ({"expiry_seconds": 86400}, "expiry_seconds"),
            ({"threshold_numerator": 1}, "threshold_numerator"),
            ({"threshold_numerator": 4}, "threshold_numerator"),
        ],
    )
    def test_refuses_voting_rules_out_of_bounds(self, change, field):
        fields = refused_fields(lambda: create(make.rules(**change), type="policy_change"))

        assert [name for name, _code in fields] == [f"action.set_voting_rules.{field}"]

    @pytest.mark.parametrize(
        ("change", "field"),
        [({"quorum_minimum": 2**31 - 1}, "quorum_minimum"), ({"quorum_percent": 100}, "quorum_percent")],
    )
    def test_refuses_voting_rules_that_no_vote_could_meet(self, change, field):
        ContributorFactory.create_batch(5)
        action = make.rules("policy_change", **change)

        assert refused_fields(lambda: create(action, type="policy_change")) == [
            (f"action.set_voting_rules.{field}", "out_of_reach")
        ]

    def test_takes_voting_rules_that_all_but_the_proposer_together_can_meet(self):
        ContributorFactory.create_batch(4)

        assert create(make.rules(quorum_minimum=4), type="policy_change").planned
        assert refused_fields(lambda: create(make.rules(quorum_minimum=6), type="policy_change"))

    def test_names_the_field_of_a_change_that_cannot_be(self):
        action = make.update(license="custom", source_url="ftp://example.org/x")

        assert sorted(refused_fields(lambda: create(action, type="update_benchmark"))) == [
            ("action.update_benchmark.changes.custom_license", "required"),
            ("action.update_benchmark.changes.source_url", "invalid_url"),
        ]

    def test_refuses_an_action_that_would_change_nothing(self):
        endorsed = active_benchmark()
        Benchmark.objects.filter(pk=endorsed.pk).update(is_endorsed=True)

        for type_, action in [
            ("new_benchmark", make.activation(endorsed)),
            ("update_benchmark", make.update(endorsed, name=endorsed.name)),
            ("policy_change", make.rules("update_benchmark", quorum_percent=10)),
        ]:
            with pytest.raises(errors.NothingToChange):
                create(action, type=type_)

    def test_refuses_what_not_everybody_may_read(self):
        with pytest.raises(BenchmarkNotFound):
            create(make.deprecation(BenchmarkFactory(active=True, visibility="private")))
        with pytest.raises(errors.BenchmarkNotPublic):
            create(make.deprecation(BenchmarkFactory(active=True, visibility="unlisted")))

    def test_refuses_a_benchmark_without_a_published_version(self):
        benchmark = BenchmarkFactory()
        Benchmark.objects.filter(pk=benchmark.pk).update(status="under_review")

        with pytest.raises(NoPublishedVersion):
            create(make.activation(benchmark), type="new_benchmark")

    def test_refuses_a_version_of_another_benchmark(self):
        action = make.update()
        action["update_benchmark"]["version_id"] = active_benchmark().current_version_id

        assert refused_fields(lambda: create(action, type="update_benchmark")) == [
            ("action.update_benchmark.version_id", "wrong_benchmark")
        ]

    def test_is_marked_demo_with_its_benchmark(self):
        benchmark = active_benchmark()
        Benchmark.objects.filter(pk=benchmark.pk).update(is_demo=True)

        assert create(make.deprecation(benchmark)).is_demo


class TestUpdateProposal:
    def test_keeps_what_is_not_given(self):
        draft = make.draft_proposal()
        after = services.update_proposal(
            actor=make.proposer_of(draft), proposal_id=draft.pk, title="Another title"
        )

        assert (after.title, after.description) == ("Another title", draft.description)
        assert after.action_digest == draft.action_digest

    def test_replaces_the_action_as_a_whole(self):
        draft = make.draft_proposal()
        other = active_benchmark()
        after = services.update_proposal(
            actor=make.proposer_of(draft), proposal_id=draft.pk, action=make.deprecation(other)
        )

        assert after.benchmark_id == other.pk
        assert after.action_digest != draft.action_digest

    def test_refuses_what_is_no_draft_any_more(self):
        proposal = make.reviewed_proposal()

        with pytest.raises(errors.NotADraft):
            services.update_proposal(actor=make.proposer_of(proposal), proposal_id=proposal.pk, title="x")


class TestSubmitProposalForReview:
    def test_shows_it_to_everybody(self):
        proposal = make.reviewed_proposal()

        assert selectors.get_proposal(actor=by(), proposal_id=proposal.pk).status == "under_review"

    def test_lets_everybody_read_the_edition_it_would_publish(self):
        benchmark, person = active_benchmark(), ContributorFactory()
        MembershipFactory(user=person, organization=benchmark.organization)
        edition = draft_version(benchmark, "2.0.0")
        action = {
            "kind": "update_benchmark",
            "update_benchmark": {"benchmark_id": benchmark.pk, "version_id": edition.pk},
        }
        draft = make.draft_proposal(person, kind="update_benchmark", action=action)
        with pytest.raises(VersionNotFound):
            benchmarks.get_version(actor=by(), version_id=edition.pk)
        services.submit_proposal_for_review(actor=actor_for_user(person), proposal_id=draft.pk)

        assert benchmarks.get_version(actor=by(), version_id=edition.pk).version == "2.0.0"
        assert AuditEntry.objects.get(kind="benchmark_version.proposed").subject_id == edition.pk

    def test_refuses_a_benchmark_that_voters_cannot_read(self):
        benchmark, person = BenchmarkFactory(published=True), ContributorFactory()
        MembershipFactory(user=person, organization=benchmark.organization)
        draft = make.draft_proposal(person, kind="activate_benchmark", action=make.activation(benchmark))

        with pytest.raises(errors.BenchmarkStillDraft):
            services.submit_proposal_for_review(actor=actor_for_user(person), proposal_id=draft.pk)

    def test_refuses_an_action_that_has_come_true_meanwhile(self):
        draft = make.draft_proposal()
        Benchmark.objects.filter(pk=draft.benchmark_id).update(status="deprecated")

        with pytest.raises(errors.NothingToChange):
            services.submit_proposal_for_review(actor=make.proposer_of(draft), proposal_id=draft.pk)

    def test_refuses_it_twice(self):
        proposal = make.reviewed_proposal()

        with pytest.raises(errors.NotADraft):
            services.submit_proposal_for_review(actor=make.proposer_of(proposal), proposal_id=proposal.pk)


class TestReviewProposal:
    def test_counts_the_last_of_each_reviewer(self):
        proposal, reviewer = make.reviewed_proposal(), by(ReviewerFactory)
        review(proposal, "reject", actor=reviewer)
        assert make.reread(proposal).review_status == "rejected"

        review(proposal, "approve", actor=reviewer)

        after = make.reread(proposal)
        assert (after.approval_count, after.objection_count) == (1, 0)
        assert after.review_status == "approved"
        assert Review.objects.count() == 2

    def test_makes_it_a_draft_again_when_changes_are_requested(self):
        proposal = make.reviewed_proposal(approved=True)
        review(proposal, "request_changes")

        after = make.reread(proposal)
        assert (after.status, after.revision, after.approval_count) == ("draft", 2, 0)
        assert after.review_status == "request_changes"
        with pytest.raises(errors.ProposalNotFound):
            selectors.get_proposal(actor=by(), proposal_id=proposal.pk)

    def test_of_an_earlier_revision_stays_listed_and_does_not_count(self):
        proposal = make.reviewed_proposal(approved=True)
        review(proposal, "request_changes")
        services.submit_proposal_for_review(actor=make.proposer_of(proposal), proposal_id=proposal.pk)

        listed = selectors.list_reviews(actor=by(), proposal_id=proposal.pk)
        assert [(row.revision, row.decision) for row in listed] == [(1, "approve"), (1, "request_changes")]
        assert make.reread(proposal).approval_count == 0

    @pytest.mark.parametrize("decision", ["request_changes", "reject"])
    @pytest.mark.parametrize("reason", ["", "too short", "x" * 1001])
    def test_asks_for_a_reason(self, decision, reason):
        proposal = make.reviewed_proposal()

        assert refused_fields(lambda: review(proposal, decision, reason)) == [("reason", "length")]

    def test_refuses_the_proposer_even_as_a_reviewer(self):
        person = ReviewerFactory()
        proposal = make.reviewed_proposal(person)

        with pytest.raises(errors.ReviewerIsProposer):
            review(proposal, "approve", actor=actor_for_user(person))

    def test_refuses_what_is_not_under_review(self):
        with pytest.raises(errors.NotUnderReview):
            review(make.voting_proposal(), "approve")


class TestAddComment:
    def test_answers_another_to_any_depth(self):
        proposal, author = make.reviewed_proposal(), by()
        parent = None
        for _ in range(5):
            parent = services.add_comment(
                actor=author, proposal_id=proposal.pk, body="Why?", parent_id=parent and parent.pk
            )

        assert selectors.list_comments(actor=author, proposal_id=proposal.pk).count() == 5
        assert make.reread(proposal).comment_count == 5

    def test_is_bounded_by_the_hour_for_each_person(self, settings):
        settings.COMMENTS_AN_HOUR = 1
        proposal, author = make.reviewed_proposal(), by()
        services.add_comment(actor=author, proposal_id=proposal.pk, body="Why?")

        with pytest.raises(errors.TooManyComments):
            services.add_comment(actor=author, proposal_id=proposal.pk, body="Why?")

        assert services.add_comment(actor=by(), proposal_id=proposal.pk, body="Why?")

    def test_refuses_an_answer_to_a_comment_elsewhere(self):
        proposal, elsewhere = make.reviewed_proposal(), make.CommentFactory()

        assert refused_fields(
            lambda: services.add_comment(
                actor=by(), proposal_id=proposal.pk, body="x", parent_id=elsewhere.pk
            )
        ) == [("parent_id", "unknown_comment")]


class TestResolveComment:
    def resolve(self, comment, actor):
        return services.resolve_comment(actor=actor, proposal_id=comment.proposal_id, comment_id=comment.pk)

    @pytest.mark.parametrize("kind", ["issue", "suggestion", "question"])
    def test_is_for_its_author_and_the_proposer(self, kind):
        mine, theirs = (make.CommentFactory(kind=kind) for _ in range(2))

        assert self.resolve(mine, actor_for_user(mine.author)).resolved_by_id == mine.author_id
        assert self.resolve(theirs, make.proposer_of(theirs.proposal)).resolved_at

    def test_refuses_others(self):
        with pytest.raises(errors.NotYourComment):
            self.resolve(make.CommentFactory(kind="issue"), by(ReviewerFactory))

    @pytest.mark.parametrize("kind", ["comment", "praise"])
    def test_refuses_what_asks_for_no_answer(self, kind):
        comment = make.CommentFactory(kind=kind)

        with pytest.raises(errors.NotResolvable):
            self.resolve(comment, actor_for_user(comment.author))

    def test_refuses_it_twice_and_elsewhere(self):
        comment = make.CommentFactory(kind="issue")
        author = actor_for_user(comment.author)
        self.resolve(comment, author)

        with pytest.raises(errors.NotResolvable):
            self.resolve(comment, author)
        with pytest.raises(errors.CommentNotFound):
            services.resolve_comment(
                actor=author, proposal_id=make.reviewed_proposal().pk, comment_id=comment.pk
            )


class TestWithdrawProposal:
    def withdraw(self, proposal):
        return services.withdraw_proposal(actor=make.proposer_of(proposal), proposal_id=proposal.pk)

    @pytest.mark.parametrize("state", [make.draft_proposal, make.reviewed_proposal, make.voting_proposal])
    def test_is_possible_until_the_vote_closes(self, state):
        assert self.withdraw(state()).status == "withdrawn"

    def test_hides_what_nobody_had_seen(self):
        proposal = self.withdraw(make.draft_proposal())

        with pytest.raises(errors.ProposalNotFound):
            selectors.get_proposal(actor=by(), proposal_id=proposal.pk)
        assert make.reread(proposal).status == "withdrawn"

    def test_keeps_ballots_that_were_cast_secret_and_uncounted(self):
        proposal = make.voting_proposal()
        make.vote(proposal, "approve", "reject")
        self.withdraw(proposal)
        make.move_end(proposal)
        services.finalise_due()

        assert make.reread(proposal).tally is None
        with pytest.raises(errors.BallotsAreSecret):
            selectors.list_ballots(actor=by(), proposal_id=proposal.pk)

    def test_refuses_after_the_end_even_before_the_count(self):
        proposal = make.voting_proposal()
        make.move_end(proposal)

        with pytest.raises(errors.NotWithdrawable):
            self.withdraw(proposal)

    @pytest.mark.parametrize("status", ["rejected", "quorum_not_met", "queued", "executed", "withdrawn"])
    def test_refuses_what_is_over(self, status):
        proposal = make.closed_proposal()
        Proposal.objects.filter(pk=proposal.pk).update(status=status)

        with pytest.raises(errors.NotWithdrawable):
            self.withdraw(proposal)
