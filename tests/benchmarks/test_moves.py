"""Draft → under review → active ⇄ deprecated → archived: who, when, and what is kept of it."""

from uuid import uuid4

import pytest

from benchmarks import errors, reviewing, selectors, services
from exchange.accounts.errors import NotYourOrganization
from exchange.core.actors import ALL_SCOPES, SYSTEM, Actor, OrganizationRole, Scope, SiteRole
from exchange.core.errors import InvalidInput, Unauthenticated
from exchange.core.models import AuditEntry, IllegalTransition
from tests.factories.benchmarks import (
    BenchmarkFactory,
    active_benchmark,
    draft_version,
    published_version,
    writer_of,
)

pytestmark = pytest.mark.django_db
WHY = "It measures nothing new."


def reviewer(**changes):
    return Actor(**{"user_id": uuid4(), "site_role": SiteRole.REVIEWER, "scopes": ALL_SCOPES, **changes})


def ready(**changes):
    """A draft with a published version."""
    return BenchmarkFactory(published=True, **changes)


def waiting(**changes):
    benchmark = ready(**changes)
    return reviewing.submit_for_review(actor=writer_of(benchmark.organization), benchmark_id=benchmark.pk)


def deprecated():
    benchmark = active_benchmark()
    actor = writer_of(benchmark.organization)
    return services.deprecate_benchmark(actor=actor, benchmark_id=benchmark.pk, reason=WHY)


def endorsed():
    return services.activate_benchmark(actor=SYSTEM, benchmark_id=active_benchmark().pk)


def kinds(benchmark):
    rows = AuditEntry.objects.filter(subject_id=benchmark.pk).order_by("sequence")
    return [entry.kind.removeprefix("benchmark.") for entry in rows]


class TestSubmitForReview:
    def submit(self, benchmark, **changes):
        actor = writer_of(benchmark.organization, OrganizationRole.MEMBER)
        return reviewing.submit_for_review(actor=actor, benchmark_id=benchmark.pk, **changes)

    def test_shows_the_benchmark_to_reviewers(self):
        benchmark = self.submit(ready())

        assert benchmark.status == "under_review"
        assert selectors.get_benchmark(actor=reviewer(), benchmark_id=benchmark.pk) == benchmark

    def test_needs_a_published_version(self):
        with pytest.raises(errors.NoPublishedVersion):
            self.submit(draft_version().benchmark)

    def test_refuses_a_private_one_since_nobody_could_review_it(self):
        with pytest.raises(errors.PrivateIsNotReviewed):
            self.submit(ready(visibility="private"))

    def test_refuses_a_second_time(self):
        with pytest.raises(IllegalTransition):
            self.submit(waiting())

    def test_keeps_the_version_as_reviewers_see_it(self):
        benchmark = ready()
        later = draft_version(benchmark, "1.1.0")
        self.submit(benchmark)

        with pytest.raises(errors.IsUnderReview):
            services.publish_version(actor=writer_of(benchmark.organization), version_id=later.pk)


class TestApproveBenchmark:
    def approve(self, benchmark, actor=None, **changes):
        return reviewing.approve_benchmark(actor=actor or reviewer(), benchmark_id=benchmark.pk, **changes)

    def test_lets_it_take_submissions(self):
        benchmark = self.approve(waiting(), reason="Well made.")

        assert (benchmark.status, benchmark.is_endorsed) == ("active", False)
        assert kinds(benchmark)[-2:] == ["submitted_for_review", "approved"]

    def test_is_for_reviewers(self):
        with pytest.raises(errors.NotAReviewer):
            self.approve(waiting(), reviewer(site_role=SiteRole.CONTRIBUTOR))
        with pytest.raises(Unauthenticated):
            self.approve(waiting(), Actor())

    @pytest.mark.parametrize("role", OrganizationRole)
    def test_refuses_every_member_of_its_organization(self, role):
        benchmark = waiting()

        with pytest.raises(errors.ReviewerIsAuthor):
            self.approve(benchmark, reviewer(organizations={benchmark.organization_id: role}))

    def test_refuses_whoever_submitted_it_and_has_left_since(self):
        benchmark = waiting()
        author = writer_of(benchmark.organization).user_id

        with pytest.raises(errors.ReviewerIsAuthor):
            self.approve(benchmark, reviewer(user_id=author))

    def test_refuses_whoever_made_it_and_has_left_since(self):
        author = uuid4()

        with pytest.raises(errors.ReviewerIsAuthor):
            self.approve(waiting(created_by=author), reviewer(user_id=author))

    def test_refuses_a_draft_that_nobody_submitted(self):
        with pytest.raises(errors.BenchmarkNotFound):
            self.approve(ready())
        with pytest.raises(IllegalTransition):
            self.approve(ready(), SYSTEM)

    def test_refuses_when_it_was_moved_meanwhile(self):
        with pytest.raises(errors.StatusChanged):
            self.approve(active_benchmark(), expected_status="under_review")


class TestRejectBenchmark:
    def reject(self, benchmark, reason=WHY, **changes):
        return reviewing.reject_benchmark(
            actor=reviewer(), benchmark_id=benchmark.pk, reason=reason, **changes
        )

    def test_makes_it_a_draft_again_and_keeps_why(self):
        benchmark = self.reject(waiting())

        moved = selectors.list_status_changes(actor=SYSTEM, benchmark_id=benchmark.pk).first()
        assert benchmark.status == "draft"
        assert (moved.from_status, moved.to_status, moved.reason) == ("under_review", "draft", WHY)

    @pytest.mark.parametrize("reason", ["", "too short", "   too short   ", "x" * 1001])
    def test_refuses_a_reason_that_says_nothing_or_too_much(self, reason):
        with pytest.raises(InvalidInput) as refusal:
            self.reject(waiting(), reason)
        assert [error.field for error in refusal.value.errors] == ["reason"]

    def test_lets_the_authors_submit_it_again(self):
        benchmark = self.reject(waiting())
        actor = writer_of(benchmark.organization)

        again = reviewing.submit_for_review(actor=actor, benchmark_id=benchmark.pk)

        assert again.status == "under_review"


class TestTakeBackFromReview:
    def take_back(self, benchmark, actor=None, **changes):
        actor = actor or writer_of(benchmark.organization, OrganizationRole.MEMBER)
        return reviewing.take_back_from_review(actor=actor, benchmark_id=benchmark.pk, **changes)

    @pytest.mark.parametrize("reason", ["", "Oops."])
    def test_makes_it_a_draft_again_and_keeps_why_if_said(self, reason):
        benchmark = self.take_back(waiting(), reason=reason)

        moved = selectors.list_status_changes(actor=SYSTEM, benchmark_id=benchmark.pk).first()
        assert benchmark.status == "draft"
        assert (moved.from_status, moved.to_status, moved.reason) == ("under_review", "draft", reason)
        assert kinds(benchmark)[-1] == "taken_back"

    def test_takes_it_from_reviewers_and_the_public(self):
        benchmark = self.take_back(waiting())

        assert not selectors.list_review_queue(actor=reviewer()).exists()
        with pytest.raises(errors.BenchmarkNotFound):
            selectors.get_benchmark(actor=reviewer(), benchmark_id=benchmark.pk)

    def test_lets_its_authors_publish_again_and_submit_it_again(self):
        benchmark = self.take_back(waiting())
        actor, later = writer_of(benchmark.organization), draft_version(benchmark, "1.1.0")
        services.publish_version(actor=actor, version_id=later.pk)

        again = reviewing.submit_for_review(actor=actor, benchmark_id=benchmark.pk)

        assert again.status == "under_review"

    def test_is_for_those_who_may_submit_it(self):
        benchmark = waiting()

        for actor in (reviewer(), writer_of(benchmark.organization, OrganizationRole.VIEWER)):
            with pytest.raises(NotYourOrganization):
                self.take_back(benchmark, actor)

    @pytest.mark.parametrize("make", [ready, active_benchmark, deprecated])
    def test_refuses_what_is_not_under_review(self, make):
        with pytest.raises(IllegalTransition):
            self.take_back(make())

    def test_refuses_when_it_was_moved_meanwhile(self):
        with pytest.raises(errors.StatusChanged):
            self.take_back(active_benchmark(), expected_status="under_review")


class TestDeprecateBenchmark:
    def deprecate(self, benchmark, actor, reason=WHY, **changes):
        return services.deprecate_benchmark(actor=actor, benchmark_id=benchmark.pk, reason=reason, **changes)

    @pytest.mark.parametrize("role", [OrganizationRole.ADMIN, OrganizationRole.OWNER])
    def test_is_done_by_those_who_lead_its_organization(self, role):
        benchmark = active_benchmark()

        assert self.deprecate(benchmark, writer_of(benchmark.organization, role)).status == "deprecated"

    def test_is_done_by_reviewers(self):
        assert self.deprecate(active_benchmark(), reviewer()).status == "deprecated"

    @pytest.mark.parametrize("role", [OrganizationRole.VIEWER, OrganizationRole.MEMBER])
    def test_refuses_others_of_its_organization(self, role):
        benchmark = active_benchmark()

        with pytest.raises(NotYourOrganization):
            self.deprecate(benchmark, writer_of(benchmark.organization, role))

    def test_refuses_an_endorsed_one_to_everybody_but_a_proposal(self):
        benchmark = endorsed()

        for actor in (writer_of(benchmark.organization), reviewer()):
            with pytest.raises(errors.NeedsAProposal):
                self.deprecate(benchmark, actor)
        assert self.deprecate(benchmark, SYSTEM).status == "deprecated"

    def test_changes_once_however_often_the_system_does_it(self):
        benchmark = active_benchmark()

        for _ in range(2):
            self.deprecate(benchmark, SYSTEM, expected_status="active")

        assert kinds(benchmark).count("deprecated") == 1

    def test_refuses_a_second_time_to_people(self):
        benchmark = deprecated()

        with pytest.raises(IllegalTransition):
            self.deprecate(benchmark, writer_of(benchmark.organization))

    def test_needs_a_reason(self):
        with pytest.raises(InvalidInput):
            self.deprecate(active_benchmark(), reviewer(), "old")


class TestReactivateBenchmark:
    def reactivate(self, benchmark, actor=None):
        actor = actor or writer_of(benchmark.organization)
        return services.reactivate_benchmark(actor=actor, benchmark_id=benchmark.pk)

    def test_lets_it_take_submissions_again(self):
        benchmark = self.reactivate(deprecated())

        assert benchmark.status == "active"
        assert kinds(benchmark)[-1] == "reactivated"

    def test_is_no_way_around_a_review(self):
        benchmark = waiting()

        with pytest.raises(IllegalTransition):
            self.reactivate(benchmark)

    @pytest.mark.parametrize("make", [endorsed, active_benchmark])
    def test_refuses_what_a_proposal_retired(self, make):
        benchmark = services.deprecate_benchmark(actor=SYSTEM, benchmark_id=make().pk, reason=WHY)

        for actor in (writer_of(benchmark.organization), reviewer()):
            with pytest.raises(errors.NeedsAProposal):
                self.reactivate(benchmark, actor)

    def test_takes_back_what_people_retired_after_a_vote_had_brought_it_back(self):
        benchmark = services.deprecate_benchmark(actor=SYSTEM, benchmark_id=active_benchmark().pk, reason=WHY)
        services.activate_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk, endorsed=False)
        actor = writer_of(benchmark.organization)
        services.deprecate_benchmark(actor=actor, benchmark_id=benchmark.pk, reason=WHY)

        assert self.reactivate(benchmark).status == "active"


class TestArchiveBenchmark:
    def archive(self, benchmark):
        actor = writer_of(benchmark.organization)
        return services.archive_benchmark(actor=actor, benchmark_id=benchmark.pk)

    def test_ends_a_deprecated_one(self):
        assert self.archive(deprecated()).status == "archived"

    def test_refuses_an_active_one(self):
        with pytest.raises(IllegalTransition):
            self.archive(active_benchmark())

    def test_leaves_no_way_back(self):
        benchmark = self.archive(deprecated())

        with pytest.raises(IllegalTransition):
            services.activate_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk)

    def test_leaves_nothing_to_write(self):
        benchmark = active_benchmark()
        actor, draft = writer_of(benchmark.organization), draft_version(benchmark, "2.0.0")
        services.deprecate_benchmark(actor=actor, benchmark_id=benchmark.pk, reason=WHY)
        self.archive(benchmark)

        for write in (
            lambda: services.update_benchmark(actor=actor, benchmark_id=benchmark.pk, name="New"),
            lambda: services.update_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk, name="New"),
            lambda: draft_version(benchmark, "3.0.0"),
            lambda: services.update_version(actor=actor, version_id=draft.pk, changelog="Other words."),
            lambda: services.publish_version(actor=actor, version_id=draft.pk),
            lambda: services.add_policy(actor=actor, version_id=benchmark.current_version_id, delta=0.03),
        ):
            with pytest.raises(errors.BenchmarkIsArchived):
                write()


class TestVisibility:
    @pytest.mark.parametrize("visibility", ["private", "unlisted"])
    def test_of_what_a_vote_decided_on_stays(self, visibility):
        retired = services.deprecate_benchmark(actor=SYSTEM, benchmark_id=active_benchmark().pk, reason=WHY)

        for benchmark in (endorsed(), retired):
            actor = writer_of(benchmark.organization)
            with pytest.raises(errors.NeedsAProposal):
                services.update_benchmark(actor=actor, benchmark_id=benchmark.pk, visibility=visibility)
            kept = services.update_benchmark(
                actor=actor, benchmark_id=benchmark.pk, visibility="public", name="Other words"
            )
            assert (kept.visibility, kept.name) == ("public", "Other words")

    def test_of_others_is_their_owners(self):
        benchmark = active_benchmark()
        actor = writer_of(benchmark.organization)

        hidden = services.update_benchmark(actor=actor, benchmark_id=benchmark.pk, visibility="private")

        assert hidden.visibility == "private"


class TestActivateBenchmark:
    def activate(self, benchmark, **changes):
        return services.activate_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk, **changes)

    def test_is_for_the_system_alone(self):
        benchmark = waiting()

        for actor in (reviewer(), writer_of(benchmark.organization)):
            with pytest.raises(errors.OnlyByTheSystem):
                services.activate_benchmark(actor=actor, benchmark_id=benchmark.pk)

    @pytest.mark.parametrize("make", [ready, waiting, deprecated])
    def test_endorses_from_wherever_it_is(self, make):
        benchmark = self.activate(make(), reason="Proposal carried.")

        assert (benchmark.status, benchmark.is_endorsed) == ("active", True)
        assert kinds(benchmark)[-2:] == ["activated", "endorsed"]

    def test_endorses_what_is_active_already(self):
        benchmark = self.activate(active_benchmark())

        assert benchmark.is_endorsed
        assert kinds(benchmark)[-1] == "endorsed"

    def test_changes_once_however_often_it_is_done(self):
        benchmark = waiting()

        for _ in range(2):
            self.activate(benchmark, expected_status="under_review")

        assert (kinds(benchmark).count("activated"), kinds(benchmark).count("endorsed")) == (1, 1)

    def test_needs_a_published_version(self):
        with pytest.raises(errors.NoPublishedVersion):
            self.activate(draft_version().benchmark)

    def test_refuses_when_it_is_not_where_the_proposal_saw_it(self):
        with pytest.raises(errors.StatusChanged):
            self.activate(waiting(), expected_status="draft")

    def test_does_not_endorse_what_an_operator_opens(self):
        assert not self.activate(ready(), endorsed=False).is_endorsed


class TestTheSystem:
    def test_changes_what_a_proposal_says_once(self):
        benchmark = active_benchmark()

        for _ in range(2):
            services.update_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk, name="Voted")

        assert kinds(benchmark).count("updated") == 1

    def test_publishes_a_version_once(self):
        version = draft_version(active_benchmark(), "2.0.0")

        for _ in range(2):
            done = services.publish_version(actor=SYSTEM, version_id=version.pk)

        assert done.status == "published"
        assert kinds(version).count("benchmark_version.published") == 1

    def test_decides_a_policy_once_and_authors_leave_it(self):
        version = published_version()

        for _ in range(2):
            policy = services.add_policy(
                actor=SYSTEM, version_id=version.pk, decided_by="proposal", delta=0.05
            )

        assert (policy.number, policy.decided_by) == (2, "proposal")
        with pytest.raises(errors.NeedsAProposal):
            services.add_policy(
                actor=writer_of(version.benchmark.organization), version_id=version.pk, delta=0.01
            )

    def test_alone_speaks_for_a_proposal(self):
        version = published_version()

        with pytest.raises(errors.OnlyByTheSystem):
            services.add_policy(
                actor=writer_of(version.benchmark.organization), version_id=version.pk, decided_by="proposal"
            )


class TestListStatusChanges:
    def test_tells_who_moved_it_newest_first(self, actor_of):
        benchmark = ready()
        author = actor_of(benchmark.organization)
        reviewing.submit_for_review(actor=author, benchmark_id=benchmark.pk)
        services.activate_benchmark(actor=SYSTEM, benchmark_id=benchmark.pk)

        moved = list(selectors.list_status_changes(actor=Actor(), benchmark_id=benchmark.pk))

        assert [(row.to_status, row.changed_by) for row in moved] == [
            ("active", None),
            ("under_review", author.user_id),
        ]
        assert moved[0].changed_by_name is None
        assert moved[1].changed_by_name

    def test_hides_those_of_a_draft(self):
        with pytest.raises(errors.BenchmarkNotFound):
            selectors.list_status_changes(actor=Actor(), benchmark_id=ready().pk)


class TestListReviewQueue:
    def test_shows_reviewers_what_waits_the_longest_first(self):
        first, second = waiting(), waiting(visibility="unlisted")
        active_benchmark()

        queue = list(selectors.list_review_queue(actor=reviewer()))

        assert [row.pk for row in queue] == [first.pk, second.pk]
        assert queue[0].waiting_since < queue[1].waiting_since

    def test_is_for_reviewers(self):
        with pytest.raises(errors.NotAReviewer):
            selectors.list_review_queue(actor=reviewer(site_role=SiteRole.REGISTERED))

    def test_needs_a_token_that_reads_benchmarks(self):
        scopes = frozenset({Scope.PROFILE_READ})

        with pytest.raises(Exception, match="scope"):
            selectors.list_review_queue(actor=reviewer(scopes=scopes))
