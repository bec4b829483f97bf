"""Opening, casting, closing and counting."""

import hashlib
import json
from datetime import timedelta

import pytest

from exchange.accounts.models import User
from exchange.accounts.selectors import actor_for_user
from exchange.core import clock
from exchange.core.actors import SiteRole
from exchange.core.models import AuditEntry
from governance import errors, selectors, services
from governance.models import Ballot, Procedure, Proposal
from tests.factories import governance as make
from tests.factories.accounts import UserFactory
from tests.factories.governance import ContributorFactory, ReviewerFactory

pytestmark = pytest.mark.django_db


def sha256(value):
    """As anybody would recompute it from what is published."""
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()


def opened(proposal):
    return services.open_voting(actor=make.proposer_of(proposal), proposal_id=proposal.pk)


class TestOpenVoting:
    def test_freezes_who_may_vote(self):
        stranger = UserFactory()
        gone = ContributorFactory(is_active=False)
        proposal = make.voting_proposal()
        roll = sorted(str(voter) for voter in Ballot.objects.values_list("voter_id", flat=True))

        assert proposal.electorate_size == len(roll) == 5
        assert proposal.electorate_digest == sha256(roll)
        assert not {str(stranger.pk), str(gone.pk)} & set(roll)

    def test_is_not_moved_by_what_happens_to_people_later(self):
        proposal = make.voting_proposal()
        late = ContributorFactory()
        voter = make.voters_of(proposal)[0]
        User.objects.filter(pk=voter.user_id).update(role=SiteRole.REGISTERED)

        again = actor_for_user(User.objects.get(pk=voter.user_id))
        services.cast_vote(actor=again, proposal_id=proposal.pk, choice="approve")

        with pytest.raises(errors.NotOnTheRoll):
            services.cast_vote(actor=actor_for_user(late), proposal_id=proposal.pk, choice="approve")
        after = make.reread(proposal)
        assert after.electorate_digest == proposal.electorate_digest
        assert after.electorate_size == proposal.electorate_size

    def test_freezes_the_rules(self):
        proposal = make.voting_proposal(kind="update_benchmark")
        make.executed_proposal(kind="set_voting_rules")

        assert Procedure.objects.get(pk="update_benchmark").rules.number == 2
        assert make.reread(proposal).rules.number == 1

    def test_shows_the_rules_in_force_until_then(self):
        proposal = make.reviewed_proposal(kind="update_benchmark", approved=True)
        make.executed_proposal(kind="set_voting_rules")

        assert make.reread(proposal).rules.number == 2
        assert opened(proposal).rules.quorum_percent == 20

    def test_says_when_it_ends_and_how_many_are_needed(self):
        proposal = make.voting_proposal()

        length = proposal.voting_closes_at - proposal.voting_opens_at
        assert length == timedelta(seconds=proposal.rules.voting_seconds)
        assert proposal.ballots_needed == 3

    def test_waits_for_more_approvals_than_objections(self):
        ContributorFactory.create_batch(4)
        proposal = make.reviewed_proposal()
        with pytest.raises(errors.ReviewsMissing):
            opened(proposal)
        for decision in ("approve", "reject"):
            services.review_proposal(
                actor=actor_for_user(ReviewerFactory()),
                proposal_id=proposal.pk,
                decision=decision,
                reason=make.REASON,
            )
        with pytest.raises(errors.ReviewsMissing):
            opened(proposal)

    def test_refuses_a_vote_whose_quorum_the_others_could_never_meet(self):
        proposal = make.reviewed_proposal(approved=True)  # with the reviewer, one other person
        ContributorFactory()
        with pytest.raises(errors.ElectorateTooSmall):
            opened(proposal)

        ContributorFactory()

        assert opened(proposal).status == "voting"

    def test_is_for_its_proposer_and_reviewers(self):
        ContributorFactory.create_batch(3)
        proposal = make.reviewed_proposal(approved=True)

        with pytest.raises(errors.NotYourProposal):
            services.open_voting(actor=actor_for_user(ContributorFactory()), proposal_id=proposal.pk)
        by_reviewer = services.open_voting(actor=actor_for_user(ReviewerFactory()), proposal_id=proposal.pk)
        assert by_reviewer.status == "voting"

    def test_refuses_it_twice(self):
        with pytest.raises(errors.NotUnderReview):
            opened(make.voting_proposal())


class TestCastVote:
    def test_counts_the_last_choice(self):
        proposal = make.voting_proposal()
        voter = make.voters_of(proposal)[0]
        for choice, reason in [("approve", ""), ("reject", "On second thoughts."), ("abstain", "")]:
            services.cast_vote(actor=voter, proposal_id=proposal.pk, choice=choice, reason=reason)

        ballot = selectors.get_my_ballot(actor=voter, proposal_id=proposal.pk)
        assert (ballot.choice, ballot.reason) == ("abstain", "")
        assert Ballot.objects.filter(choice__isnull=False).count() == 1

    def test_leaves_the_proposal_as_it_was(self):
        proposal = make.voting_proposal()
        before = Proposal.objects.values().get(pk=proposal.pk)

        make.vote(proposal, "approve", "reject", "abstain")

        assert Proposal.objects.values().get(pk=proposal.pk) == before

    def test_is_a_fact_without_a_tally(self):
        proposal = make.voting_proposal()
        make.vote(proposal, "approve")

        entry = AuditEntry.objects.get(kind="vote.cast")
        assert (entry.subject_id, entry.facts) == (proposal.pk, {"choice": "approve"})

    def test_refuses_whoever_is_not_on_the_roll(self):
        proposal = make.voting_proposal()

        for person in (UserFactory(), ContributorFactory(), ReviewerFactory()):
            with pytest.raises(errors.NotOnTheRoll):
                services.cast_vote(actor=actor_for_user(person), proposal_id=proposal.pk, choice="approve")
        assert not Ballot.objects.filter(choice__isnull=False).exists()

    @pytest.mark.parametrize("state", [make.draft_proposal, make.reviewed_proposal])
    def test_refuses_before_the_opening(self, state):
        proposal = state()

        with pytest.raises(errors.VotingNotOpen):
            services.cast_vote(actor=make.proposer_of(proposal), proposal_id=proposal.pk, choice="approve")

    def test_refuses_from_the_end_on_even_before_the_count(self):
        proposal = make.voting_proposal()
        make.move_end(proposal, seconds_ago=0)

        with pytest.raises(errors.VotingClosed):
            make.vote(proposal, "approve")

    def test_refuses_what_was_withdrawn(self):
        proposal = make.voting_proposal()
        services.withdraw_proposal(actor=make.proposer_of(proposal), proposal_id=proposal.pk)

        with pytest.raises(errors.VotingClosed):
            make.vote(proposal, "approve")

    def test_does_not_tell_of_another_s_draft(self):
        with pytest.raises(errors.ProposalNotFound):
            services.cast_vote(
                actor=actor_for_user(ContributorFactory()),
                proposal_id=make.draft_proposal().pk,
                choice="approve",
            )


class TestClosing:
    def test_waits_for_the_end(self):
        proposal = make.voting_proposal()
        make.vote(proposal, "approve", "approve", "approve")
        services.finalise_due()

        assert make.reread(proposal).status == "voting"

    @pytest.mark.parametrize(
        ("choices", "status"),
        [
            (("approve", "approve", "approve"), "queued"),
            (("approve", "approve", "reject"), "queued"),
            (("approve", "approve", "reject", "reject"), "rejected"),
            (("approve", "abstain", "abstain"), "queued"),
            (("abstain", "abstain", "abstain"), "rejected"),
            (("approve", "approve"), "quorum_not_met"),
            ((), "quorum_not_met"),
        ],
    )
    def test_decides_by_quorum_then_threshold(self, choices, status):
        proposal = make.voting_proposal(voters=4)
        make.vote(proposal, *choices)
        make.move_end(proposal)
        services.finalise_due()

        after = make.reread(proposal)
        assert after.status == status
        assert after.tally["ballot_count"] == len(choices)

    def test_needs_the_quorum_without_the_proposer(self):
        proposal = make.voting_proposal()
        make.vote(proposal, "approve", "approve")
        services.cast_vote(actor=make.proposer_of(proposal), proposal_id=proposal.pk, choice="approve")
        make.move_end(proposal)
        services.finalise_due()

        after = make.reread(proposal)
        assert (after.status, after.quorum_met, after.threshold_met) == ("quorum_not_met", False, True)
        assert after.tally == {
            "approve": 3,
            "reject": 0,
            "abstain": 0,
            "ballot_count": 3,
            "ballots_without_proposer": 2,
        }

    def test_lets_anybody_recount_from_the_roll_call(self):
        proposal = make.closed_proposal("approve", "reject", "abstain", "approve")
        roll = list(selectors.list_ballots(actor=actor_for_user(UserFactory()), proposal_id=proposal.pk))
        cast = sorted([str(row.voter_id), row.choice] for row in roll if row.choice)

        assert proposal.electorate_digest == sha256(sorted(str(row.voter_id) for row in roll))
        assert proposal.ballots_digest == sha256(cast)
        assert proposal.tally["approve"] == sum(choice == "approve" for _voter, choice in cast)
        only = selectors.list_ballots(
            actor=actor_for_user(UserFactory()), proposal_id=proposal.pk, cast_only=True
        )
        assert len(only) == len(cast) < len(roll)

    def test_is_right_after_weeks_of_downtime(self):
        proposal = make.voting_proposal()
        make.vote(proposal, "approve", "approve", "approve")
        make.move_end(proposal, seconds_ago=20 * 86400)
        services.finalise_due()

        after = make.reread(proposal)
        assert after.status == "queued"
        assert after.execute_after > clock.now() + timedelta(hours=23)
        assert after.expires_at == after.voting_closes_at + timedelta(days=30)

    def test_is_done_once(self):
        proposal = make.closed_proposal()

        assert services.finalise_due() == 0
        entry = AuditEntry.objects.get(kind="proposal.closed", subject_id=proposal.pk)
        assert (entry.facts["outcome"], entry.facts["tally"]) == ("approved", proposal.tally)


class TestSecrecy:
    def test_of_counts_and_voters_holds_at_every_question_until_the_count(self):
        proposal = make.voting_proposal()
        everybody = actor_for_user(UserFactory())
        proposer = make.proposer_of(proposal)

        def seen():
            from governance.api.serializers import ProposalCommentSerializer, ProposalSerializer

            get = selectors.get_proposal(actor=everybody, proposal_id=proposal.pk)
            rows = selectors.list_proposals(actor=proposer)
            comments = selectors.list_comments(actor=everybody, proposal_id=proposal.pk)
            return (
                ProposalSerializer(get).data,
                ProposalSerializer(rows, many=True).data,
                ProposalCommentSerializer(comments, many=True).data,
            )

        before = seen()
        make.vote(proposal, "approve", "approve", "reject")

        assert seen() == before
        assert before[0]["tally"] is None
        for actor in (everybody, proposer):
            with pytest.raises(errors.BallotsAreSecret):
                selectors.list_ballots(actor=actor, proposal_id=proposal.pk)

    def test_holds_between_the_end_and_the_count(self):
        proposal = make.voting_proposal()
        make.vote(proposal, "approve")
        make.move_end(proposal)

        with pytest.raises(errors.BallotsAreSecret):
            selectors.list_ballots(actor=actor_for_user(UserFactory()), proposal_id=proposal.pk)
